import type { RequestGrammar } from './requests.js'

/** How people ask for the tools of web search, research, commerce, finance and business. */
export const worldRequests: readonly RequestGrammar[] = [
  {
    tool: 'web_search',
    templates: [
      '(search|google|look up|search the web for|search the internet for|look online for) {query}',
      'find (something|information|pages) (about|on) {query} (online|on the web|on the internet)',
      'do a web search for {query}',
      'can you google {query}',
      'look up {query} online',
    ],
  },
  {
    tool: 'weather_get',
    templates: [
      "(what is|what's|how is) the weather [like] [in {place:town}] [{when:date}]",
      'will (it|there be) {condition} [in {place:town}] {when:date}',
      '(is it|will it be) {condition} in {place:town} [{when:date}]',
      'weather [forecast|report] for {place:town} [{when:date}]',
      'do i need an umbrella {when:date}',
      'forecast [for {when:date}]',
    ],
  },
  {
    tool: 'news_get',
    templates: [
      "(what's|what is) (new|happening) in {place:town}",
      '(any|latest|show me the) news (about|on) {topic} [from {source}]',
      '(read|give|tell) me the (news|headlines) [from {source}] [{when:date}]',
      "what's the latest on {topic}",
      'headlines from {source}',
    ],
  },
  {
    tool: 'fact_find',
    templates: ['{question}', '{question}', 'tell me {question}', 'do you know {question}'],
    whole: true,
  },
  {
    tool: 'word_define',
    templates: [
      '(define|explain) [the word] {word}',
      'what does {word} mean',
      "(what's|what is) the (meaning|definition) of {word}",
      'what is {word}',
      'describe {word}',
    ],
  },
  {
    tool: 'recipe_find',
    templates: [
      'how (do i|to|do you) (make|cook|prepare) [{method}] {dish}',
      '(find|give|show) me a recipe for [{method}] {dish}',
      'recipe for {dish}',
      'what do i need for {dish}',
      'how long does {dish} take in the oven',
      'what can i cook with {dish:grocery}',
    ],
  },
  {
    tool: 'events_find',
    templates: [
      '(what is|what events are) (on|happening|going on) [in {place:town}] {when:date}',
      '(are there|find|any) {event:localEvent} [in {place:town}] [{when:date}]',
      'what can i do in {place:town} {when:date}',
      'anything fun {when:date}',
    ],
  },
  {
    tool: 'places_find',
    templates: [
      '(find|where is|show me) (a|the nearest|a good) {kind:shopKind} [in {place:town}|near {place:spot}]',
      '(best|good) {kind:shopKind} in {place:town}',
      'is there a {kind:shopKind} (nearby|near me|around here)',
      'where can i (eat|get) {kind:cuisine} [in {place:town}]',
    ],
  },
  {
    tool: 'movies_find',
    templates: [
      '(what|which) {kind:films} are (playing|on|showing) [in {place:town}] [{when:date}]',
      'where can i (see|watch) {movie} [in {place:town}]',
      'when is {movie} playing [at {place:cinema}]',
      '{what:movieTimes} for {movie}',
      'is {movie} (playing|on) [at {place:cinema}] [{when:date}]',
      'show me the {what:movieTimes} at {place:cinema}',
    ],
  },
  {
    tool: 'work_find',
    templates: [
      '(find|look for|show me|search for) the {kind:workKind} [called] {title:work}',
      '(find|show me) {title:work}',
      'i want to see the {kind:workKind} {title:work}',
      'where can i (find|get) {title:work}',
    ],
  },
  {
    tool: 'route_get',
    templates: [
      'how do i get (from {from:spot}|) to {to:destination} [by {mode}]',
      'directions (to|from {from:town} to) {to:destination}',
      'when does the next {mode} (leave|go) (for|to) {to:town}',
      'how long does it take (from {from:town}|) to {to:town} by {mode}',
      'navigate to {to:destination}',
      'the fastest way to {to:destination}',
    ],
  },
  {
    tool: 'traffic_get',
    templates: [
      "(how's|how is|what is|check) the traffic [on {place:road}|in {place:town}|to {place:spot}] [{when:date}]",
      'is there (a jam|much traffic|an accident) on {place:road}',
      'traffic report [for {place:town}]',
    ],
  },
  {
    tool: 'page_open',
    templates: [
      '(open|go to|visit|load|read) [the page|the site|the website] {url}',
      'what does {url} say',
      'show me {url}',
      '(get|fetch) the page at {url}',
    ],
  },
  {
    tool: 'note_add',
    templates: [
      '(note|write down|jot down|make a note|take a note) that {text:note}',
      '(note|write down|jot down)[:] {text:note}',
      'remember [for me] that {text:note}',
      'add a note (saying|that says) {text:note}',
      'new note {text:note}',
    ],
  },
  { tool: 'note_add', templates: ['(take|make|add) a [new] note', 'write something down'] },
  {
    tool: 'note_find',
    templates: [
      '(find|search|show|check) my notes [about {query:fileQuery}|on {query:fileQuery}]',
      'what did i (note|write down) about {query:fileQuery}',
      'do i have a note (about|on) {query:fileQuery}',
      'read [me] my notes',
    ],
  },
  {
    tool: 'list_add',
    templates: [
      '(add|put) {item} (to|on) (my|the) {list} list',
      '(add|put) {item} to the list',
      '(create|make|start) (a|a new) {list} list',
      '(create|make|start) a [new] list',
      'i need {item} on my {list} list',
      'we are out of {:grocery} put {item:grocery} on the {list} list',
    ],
  },
  {
    tool: 'list_show',
    templates: [
      "(what is|what's|read me what's) on (my|the) {list} list",
      '(show|read|open|check) (my|the) {list} list',
      '(what|which) lists do i have',
      'show (all|me) my lists',
      'what do i need to buy',
    ],
  },
  {
    tool: 'list_remove',
    templates: [
      '(remove|take|cross|delete|scratch) {item:grocery} (off|from) (my|the) {list} list',
      '(delete|clear|erase) (my|the) {list} list',
      'i already bought the {item:grocery} take it off the {list} list',
      '(remove|delete) {item:grocery} from the list',
    ],
  },
  {
    tool: 'takeaway_order',
    templates: [
      'order [me] {food} [from {from:eatery}] [for {how}]',
      'i (want|would like) {food} from {from:eatery} [for {how}]',
      'get [me|us] {food} (delivered|) (from {from:eatery}|) [at {when:time}]',
      'order {how} from {from:eatery}',
      'i am hungry order {food}',
    ],
  },
  {
    tool: 'takeaway_info',
    templates: [
      'does {from:eatery} (do|have|offer) {how}',
      'can i get {how} from {from:eatery}',
      'where is my (order|food|pizza)',
      'when will my (food|order) (arrive|be here|be ready)',
      'who delivers {food} [at {when:time}]',
      'what is the status of my food order',
    ],
  },
  {
    tool: 'restaurant_book',
    templates: [
      'book a table [for {people:party}] at {restaurant:eatery} [{when:dateTime}]',
      '(book|reserve) a {kind:diner} in {place:town} for {people:party}',
      'i need a table for {people:party} {when:dateTime}',
      '(reserve|book) a {sort:sorting} {kind:diner} [with {facility}] in {place:town}',
      'book a {kind:diner} that serves {food:cuisine} in {place:town} {when:dateTime}',
    ],
  },
  {
    tool: 'ticket_book',
    templates: [
      '(book|buy|get) [me] a {mode:ticketMode} [ticket] (to {to:town}|from {from:town} to {to:town}) [{when:date}]',
      'i need a {mode:ticketMode} [ticket] to {to:town} {when:dateTime}',
      'how much is a {mode:ticketMode} ticket to {to:town}',
      '(book|buy) a ticket to {to:town} by {mode:ticketMode}',
    ],
  },
  {
    tool: 'ticket_book',
    templates: ['(book|buy) [me] a {mode:ticketMode} ticket', 'i need a {mode:ticketMode} ticket'],
  },
  {
    tool: 'taxi_book',
    templates: [
      '(call|book|get|order) [me] (a|an) {service:taxi} [to {to:destination}] [{when:dateTime}]',
      'i need a (ride|taxi|cab) (to {to:destination}|from {from:spot} to {to:destination}) [at {when:time}]',
      'have a {service:taxi} pick me up at {from:spot}',
    ],
  },
  {
    tool: 'product_find',
    templates: [
      '(find|show me|search for|look for) {product} [{price}]',
      'i want to buy {product} [{price}]',
      'where can i buy {product}',
      'how much (is|are|do|does) {product} (cost|)',
      '(shop for|compare prices for) {product}',
    ],
  },
  {
    tool: 'book_rate',
    templates: [
      '(rate|give) [the {kind:workKind}] {title:work} {rating}',
      'rate {which} {kind:workKind} {rating}',
      'i (would|) give {title:work} [a] {rating}',
      '{title:work} (gets|deserves) [a] {rating}',
    ],
  },
  {
    tool: 'stock_price',
    templates: [
      "(what is|what's|how is) {company} (stock|trading at|doing) [{when:past}]",
      '(stock price|share price|stock) (of|for) {company}',
      'how did {company} (stock|shares) do {when:past}',
      'how is the (stock market|market) [today]',
    ],
  },
  {
    tool: 'currency_convert',
    templates: [
      '(convert|change|exchange) {amount} {from:currency} (to|into|in) {to:currency}',
      'how much is {amount} {from:currency} in {to:currency}',
      'how many {to:currency} (is|are) {amount} {from:currency}',
      'exchange rate (of|from|for) {from:currency} to {to:currency}',
      "what's the {from:currency} to {to:currency} rate",
      '{amount} {from:currency} in {to:currency}',
    ],
  },
  {
    tool: 'calculate',
    templates: [
      "(what is|what's|calculate|how much is|work out|) {expression}",
      '{expression}',
      'solve {expression}',
      'can you do {expression}',
    ],
  },
  {
    tool: 'balance_get',
    templates: [
      '(what is|how much is|show) (the balance of|in) my {account} [account]',
      'how much money (do i have|is left) [in my {account} account]',
      '(check|show) my [{account}] balance',
      'account balance [{account}]',
    ],
  },
  {
    tool: 'expense_add',
    templates: [
      'i (spent|paid) {amount:money} (on|for) {what:expense} [{when:past}]',
      '(log|add|record|write down) [an expense of] {amount:money} for {what:expense}',
      '{what:expense} (cost|was) {amount:money}',
      '(note|track) {amount:money} (spent on|for) {what:expense} {when:past}',
    ],
  },
  { tool: 'expense_add', templates: ['(add|log|record) an expense', '(log|record) an expense for {what:expense}'] },
  {
    tool: 'bill_list',
    templates: [
      '(what|which) bills (are due|do i have to pay) [{when:date}]',
      '(show|list) my [unpaid|open] bills [for {when:date}]',
      'do i have [any] bills (due|to pay) [{when:date}]',
      'when is the next bill due',
    ],
  },
  {
    tool: 'customer_find',
    templates: [
      '(look up|find|show|pull up) [the] customer {name:customer}',
      'what do we know about [the] customer {name:customer}',
      'who is our contact at {name:customer}',
      '(customer|client) record (for|of) {name:customer}',
    ],
  },
  {
    tool: 'ticket_create',
    templates: [
      '(open|create|file|log) a [support] ticket (for {customer}|) (saying|because|that) {problem}',
      '{customer} (says|reports|complains) that {problem} open a ticket',
      '(open|create) a ticket for {customer}[:] {problem}',
    ],
  },
  { tool: 'ticket_create', templates: ['(open|create|file) a [support] ticket [for {customer}]'] },
  {
    tool: 'hours_log',
    templates: [
      '(log|record|book|add) {hours} (on|for|to) {project} [{when:past}]',
      'i worked {hours} on {project} [{when:past}]',
      'put {hours} on {project} [for {when:past}]',
      'time sheet {hours} {project}',
    ],
  },
  { tool: 'hours_log', templates: ['log my hours [for {project}]', 'record time on {project}'] },
  {
    tool: 'stock_level',
    templates: [
      'how many {item:stockItem} (do we have|are in stock|are left) [in stock|in the warehouse]',
      '(check|show) the stock (of|for) {item:stockItem}',
      'are we out of {item:stockItem}',
      'do we still have {item:stockItem}',
      'stock level of {item:stockItem}',
    ],
  },
]
