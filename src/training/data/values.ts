import type { Pools } from './grammar.js'

/** Splits at bars outside of brackets. */
const list = (text: string): string[] => {
  const values = ['']
  let depth = 0
  for (const character of text) {
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    if (character === '|' && depth === 0) values.push('')
    else values[values.length - 1] += character
  }
  return values.map((value) => value.trim()).filter(Boolean)
}

/**
 * Values for templates, written for this project. Entries may use the grammar. The corpora's own slot values join them
 * at build time under `@slot` names.
 */
export const VALUES: Pools = {
  hourWord: list('one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'),
  hourDigit: list('1|2|3|4|5|6|7|8|9|10|11|12'),
  minuteWord: list('five|ten|fifteen|twenty|twenty five|thirty|thirty five|forty|forty five|fifty|fifty five'),
  minuteDigit: list('05|10|15|20|25|30|35|40|45|50|55|00|12|37|08|59'),
  small: list('two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10|12|15|20|30|45|twenty|thirty|forty'),
  time: list(
    `{:hourWord} (am|pm|o'clock)|{:hourDigit}[ ](am|pm)|{:hourDigit}:{:minuteDigit}[ am| pm]|{:hourWord} {:minuteWord}[ am| pm]
    |half past {:hourWord}|quarter (past|to) {:hourWord}|{:hourWord} in the (morning|afternoon|evening)|noon|midnight|midday
    |{:minuteWord} (past|to) {:hourWord}|1{:digit}:{:minuteDigit}|2(0|1|2|3):{:minuteDigit}|a quarter to {:hourWord}`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  digit: list('3|4|5|6|7|8|9'),
  weekday: list('monday|tuesday|wednesday|thursday|friday|saturday|sunday'),
  month: list('january|february|march|april|may|june|july|august|september|october|november|december'),
  dayNumber: list(
    `the first|the second|the third|the fourth|the fifth|the tenth|the twelfth|the fifteenth|the twentieth|the twenty first
    |the thirtieth|the 1st|the 2nd|the 3rd|the 9th|the 14th|the 22nd|the 28th|the 31st`.replace(/\n\s*/g, ''),
  ),
  ordinal: list(
    'first|second|third|fourth|sixth|seventh|ninth|eleventh|thirteenth|eighteenth|twenty second|twenty ninth',
  ),
  date: list(
    `today|tomorrow|tonight|{:weekday}|next {:weekday}|this {:weekday}|the day after tomorrow|next week|this weekend
    |{:month} {:ordinal}|{:month} {:dayShort}|{:dayNumber} of {:month}|{:dayNumber}|in {:small} days|{:weekday} (morning|afternoon|evening|night)
    |tomorrow (morning|afternoon|evening|night)|this (morning|afternoon|evening)|next month|the end of the month|a week from {:weekday}`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  dayShort: list('1|2|4|7|9|11|13|16|18|21|23|25|27|30'),
  dateTime: list(
    '{:date} at {:time}|{:time} (on {:weekday}|tomorrow|today|tonight)|{:weekday} {:time}|tomorrow {:time}|{:month} {:ordinal} at {:time}|{:date} at {:time}',
  ),
  when: list('{:dateTime}|{:dateTime}|{:date}|{:time}|in {:duration}|{:dateTime}'),
  clock: list('{:time}|{:time}|{:dateTime}|{:dateTime}|in {:duration}'),
  past: list('yesterday|last week|last {:weekday}|this morning|last night|last month|today|this week|two days ago'),
  duration: list(
    `{:small} minutes|{:small} (hours|seconds|minutes)|an hour|half an hour|one hour|an hour and a half|a minute|{:minuteWord} minutes
    |ten and a half minutes|two hours and {:small} minutes|{:small} min|90 seconds|a quarter of an hour`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  repeat: list(
    `every day|every {:weekday}|every morning|every week|daily|weekly|every weekday|on weekdays|every month|every other {:weekday}|every night|every two weeks|on weekends|each {:weekday}`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  first: list(
    `anna|ben|carla|dave|emma|frank|grace|henry|irene|jack|karen|leo|maria|nick|olivia|paul|quinn|rosa|sam|tina|uma|victor|wendy|xavier|yara|zoe
    |alex|bruno|chloe|diego|elif|fatima|george|hannah|ivan|julia|kofi|lena|miguel|nadia|omar|priya|ravi|sofia|tom|ursula|vera|will|yusuf|zara
    |aisha|bjorn|chen|dmitri|esther|felix|giulia|hiro|ingrid|jamal|kenji|lucia|mateo|noah|otto|petra|rachel|stefan|tariq|viktor|mia|liam|ella
    |peter|susan|john|mary|robert|linda|james|patricia|michael|barbara|kate|luke|amy|eric|laura|steve|rick|betty|harold|agnes|toby|freya|amir`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  last: list(
    `smith|jones|garcia|kovacs|nguyen|kim|patel|müller|rossi|silva|andersson|novak|okafor|haddad|tanaka|cohen|brown|dubois|ivanov|moreno
    |baker|fischer|larsen|mendez|walsh|turner|yilmaz|zhang|schmidt|murphy|castillo|bauer|singh|lopez|hughes|price|reed|costa|weber|fox`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  relation: list(
    `my mom|my dad|my wife|my husband|my boss|my sister|my brother|my son|my daughter|my aunt|my uncle|grandma|grandpa|mom|dad|my neighbour|my landlord|my doctor|my teacher
    |the plumber|my accountant|my colleague|my roommate|my manager|the babysitter|my cousin`.replace(/\n\s*/g, ''),
  ),
  person: list('{:first}|{:first}|{:first} {:last}|{:relation}|{:first}'),
  people: list('{:person}|{:first} and {:first}|{:person}|the team|{:first}'),
  fullName: list('{:first} {:last}|{:first}'),
  city: list(
    `london|paris|berlin|madrid|rome|vienna|prague|budapest|warsaw|lisbon|dublin|oslo|stockholm|helsinki|athens|istanbul|cairo|nairobi|lagos|cape town
    |tokyo|osaka|seoul|beijing|shanghai|singapore|bangkok|hanoi|jakarta|manila|delhi|mumbai|sydney|melbourne|auckland|toronto|montreal|vancouver|chicago
    |boston|new york|seattle|austin|denver|miami|atlanta|san francisco|los angeles|houston|phoenix|portland|mexico city|bogota|lima|santiago|buenos aires
    |rio de janeiro|zurich|geneva|munich|hamburg|lyon|milan|naples|porto|krakow|belgrade|zagreb|reykjavik|edinburgh|manchester|leeds|bristol|ghent|malmo`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  country: list(
    'france|spain|italy|japan|brazil|canada|mexico|germany|norway|poland|turkey|egypt|kenya|india|china|australia|portugal|greece|ireland|peru|chile|iceland|vietnam|morocco|hungary',
  ),
  spot: list(
    `the airport|the train station|the city centre|downtown|the mall|the office|home|work|the museum|the hospital|the stadium|the library|central park|the beach|the old town
    |the harbour|main street|the university|the town hall|the zoo|king street|the castle|the ferry terminal|union square|oak avenue|the gym`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  place: list('{:city}|{:city}|{:country}|{:spot}|{:@city}|{:@place_name}'),
  town: list('{:city}|{:city}|{:@city}|{:@place_name}'),
  destination: list('{:city}|{:spot}|{:city}|{:@place_name}'),
  room: list(
    'kitchen|bedroom|living room|bathroom|hallway|office|garage|basement|attic|dining room|nursery|porch|balcony|study|guest room|laundry room|garden|upstairs hall|kids room|den|staircase',
  ),
  device: list(
    `coffee machine|fan|tv|heater|washing machine|dishwasher|kettle|toaster|printer|air purifier|humidifier|christmas tree|router|speaker|lamp socket|desk plug
    |smart plug|fridge|oven|iron|radio plug|aquarium pump|garden pump|game console|charger|dehumidifier|electric blanket|towel rail|fountain`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  lamp: list(
    'desk lamp|floor lamp|reading light|ceiling light|night light|porch light|string lights|bedside lamp|spotlights|chandelier|lava lamp',
  ),
  color: list(
    'red|blue|green|purple|warm white|orange|yellow|pink|turquoise|soft white|magenta|violet|teal|gold|cyan|indigo|lavender|cool white',
  ),
  percent: list('{:tens} percent|{:tensDigit} percent|{:tensDigit}%|half'),
  tens: list('ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|one hundred|thirty five|sixty five'),
  tensDigit: list('5|10|15|20|25|30|35|40|50|60|70|75|80|90|100'),
  event: list(
    `dentist appointment|team meeting|lunch|dinner|yoga class|piano lesson|book club|birthday party|parent teacher conference|job interview|haircut|doctor's appointment
    |board meeting|conference call|project review|barbecue|date night|flight|vet visit|car service|football practice|choir rehearsal|wedding|gym|school play|stand up
    |budget review|oil change|movie night|swimming lesson|garden party|sprint planning|eye exam|christmas dinner|house viewing|game night|picnic|concert|therapy session|spanish class`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  todo: list(
    `call the bank|water the plants|take out the trash|pay the rent|buy milk|pick up the kids|feed the cat|take my pills|send the report|book a hotel|renew my passport
    |walk the dog|return the library books|defrost the chicken|charge the car|check the oven|clean the fridge|buy a gift for {:first}|call {:person}|email {:person}
    |submit the tax forms|back up my laptop|change the filter|iron my shirt|order contact lenses|bring the umbrella|wish {:first} a happy birthday|print the tickets|stretch|drink water`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  title: list('{:event}|{:event}|{:todo}'),
  label: list('work|school|gym|medicine|laundry|the baby|early shift|yoga|the train|church|weekend|swim practice|nap'),
  timerLabel: list(
    'pasta|eggs|pizza|tea|laundry|cookies|rice|nap|homework|the roast|bread|workout|break|potatoes|noodles|cake',
  ),
  message: list(
    `i am running late|i will be there at {:time}|happy birthday|the meeting is moved to {:date}|can you call me back|thanks for the help|i can't make it {:date}|dinner is ready
    |please bring the documents|the package arrived|see you {:date}|are we still on for {:date}|i love you|good luck today|don't forget the tickets|we need more {:grocery}
    |the kids are asleep|let's meet at {:spot}|the report is done|i got the job|we are out of {:grocery}|the car broke down|call me when you land|i miss you|what time works for you
    |the invoice is attached|sorry for the delay|could you send me the file|the {:event} is cancelled|i'll pick up {:food} on the way`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  subject: list(
    `the meeting|the invoice|{:event}|vacation plans|the budget|the new project|our trip to {:city}|the rent|the contract|next week|the party|homework|the weather|the delivery|{:first}'s birthday`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  email: list(
    '{:first}@example.com|{:first}.{:last}@mail.org|{:last}{:dayShort}@example.net|{:first} at example dot com|{:first}{:last}@gmail dot com',
  ),
  phone: list(
    '555 0{:digit}{:digit} {:tensDigit}{:digit}|0{:digit}{:digit}-{:digit}{:digit}{:digit}-{:tensDigit}{:digit}|+36 {:tensDigit} {:digit}{:digit}{:digit}',
  ),
  detail: list('phone number|address|email address|birthday|number|email|home address|work number'),
  site: list('facebook|twitter|instagram|reddit|linkedin|mastodon|snapchat'),
  grocery: list(
    `milk|eggs|bread|butter|cheese|apples|bananas|tomatoes|rice|pasta|coffee|tea|sugar|flour|onions|potatoes|chicken|fish|toilet paper|soap|shampoo|dog food|batteries|yogurt
    |olive oil|spinach|paper towels|oranges|cereal|honey|garlic|lemons|light bulbs|diapers|toothpaste|salt|carrots|peanut butter|red wine|sparkling water|basil|oat milk`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  item: list('{:grocery}|{:grocery}|{:todo}|{:small} {:grocery}|{:grocery} and {:grocery}'),
  list: list(
    'shopping|grocery|to do|packing|wish|christmas|hardware store|party|chores|reading|camping|birthday|work|bucket|movie',
  ),
  food: list(
    `pizza|sushi|pad thai|a burger|fried rice|two pepperoni pizzas|chicken curry|tacos|a caesar salad|ramen|fish and chips|lasagna|kebab|dumplings|a veggie wrap|noodle soup|burritos
    |three spring rolls|butter chicken|falafel|hot wings|chinese food|indian food|thai food|a large margherita|poke bowl`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  dish: list(
    `lasagna|pancakes|apple pie|chicken soup|goulash|paella|risotto|banana bread|beef stew|sourdough|guacamole|tiramisu|omelette|meatballs|pad thai|hummus|brownies|tomato soup
    |roast lamb|fried rice|cheesecake|chili|carbonara|pumpkin pie|mashed potatoes|falafel|shakshuka|ratatouille|salmon|dumplings`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  method: list('baked|grilled|fried|slow cooked|steamed|roasted'),
  eatery: list(
    `luigi's|golden dragon|pizza hut|burger king|the blue plate|taj mahal|sakura|el camino|bella napoli|dominos|subway|chipotle|the olive tree|jade garden|five guys|little saigon
    |mario's|the corner deli|panda express|nando's|casa pepe|kebab house`.replace(/\n\s*/g, ''),
  ),
  how: list('takeaway|delivery|takeout|pick up'),
  song: list('{:@song_name}|{:@track}|{:@entity_name}'),
  artist: list('{:@artist_name}|{:@artist}|{:@artist}'),
  genre: list('{:@music_genre}|{:@genre}|jazz|rock|classical|blues|hip hop|lo-fi|techno|country|folk|reggae'),
  music: list('{:song}|{:artist}|{:genre} music|{:song} by {:artist}|some {:genre}'),
  playlist: list('{:@playlist}|workout|road trip|chill|dinner party|focus|summer hits'),
  service: list('spotify|youtube|deezer|pandora|itunes|tidal|soundcloud'),
  station: list('{:@radio_name}|bbc radio {:hourWord}|classic fm|jazz fm|npr|radio {:small}|kiss fm|the news station'),
  podcast: list('{:@podcast_name}|serial|the daily|planet money|radiolab|science friday'),
  book: list('{:@audiobook_name}|{:@object_name}|dune|the hobbit|emma|dracula|moby dick'),
  game: list('{:@game_name}|chess|tetris|sudoku|hangman|trivia|solitaire|battleship'),
  movie: list('{:@movie_name}|{:@object_name}'),
  work: list('{:@object_name}'),
  workKind: list('book|novel|movie|song|album|painting|game|tv show|saga|soundtrack'),
  topic: list(
    `politics|sports|technology|the election|climate change|football|the economy|science|space|health|movies|the stock market|the strike|tennis|electric cars|{:city}|{:country}|art`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  source: list('cnn|bbc|the new york times|the guardian|reuters|al jazeera|fox news|the local paper'),
  condition: list('rain|snow|sunny|windy|cold|hot|foggy|cloudy|humid|freezing|storm'),
  word: list(
    'ephemeral|gratitude|photosynthesis|irony|entropy|serendipity|ubiquitous|melancholy|algorithm|nostalgia|paradox|resilience|quinoa|osmosis|perihelion|verbose|hubris|zeitgeist|cactus|drizzle',
  ),
  company: list(
    'apple|google|tesla|microsoft|amazon|netflix|toyota|samsung|shell|nike|intel|siemens|nestle|sony|boeing|ford|adobe|ikea|oracle',
  ),
  currency: list(
    'dollars|euros|pounds|yen|swiss francs|forints|rupees|pesos|kronor|yuan|zloty|won|us dollars|canadian dollars|usd|eur|gbp|inr|huf',
  ),
  amount: list('{:small}|one hundred|{:small} hundred|fifty|250|1000|75|20|two thousand|12.50|a hundred'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a dollar sign before a slot of the grammar.
  money: list('{:amount} {:currency}|{:amount} {:currency}|${:tensDigit}|€{:tensDigit}'),
  number: list(
    '{:small}|{:tens}|{:tensDigit}|{:digit}{:digit}|one hundred and {:small}|{:digit}.{:digit}|{:tens}|2{:digit}4',
  ),
  expression: list(
    `{:number} plus {:number}|{:number} times {:number}|{:number} minus {:number}|{:number} divided by {:number}|the square root of {:number}|{:tensDigit} percent of {:number}
    |{:number} + {:number}|{:number} * {:number}|{:number} squared|{:number} to the power of {:digit}|{:number} plus {:number} minus {:number}|half of {:number}`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  question: list(
    `how tall is (mount everest|the eiffel tower|{:@person})|who (wrote|painted|invented) (hamlet|the telephone|the mona lisa|dracula)|what is the capital of {:country}
    |how old is {:@person}|when was {:@person} born|how many people live in {:city}|who is the president of {:country}|how far is the (moon|sun)|why is the sky blue
    |where is {:city}|what is the population of {:country}|how many legs does a spider have|who won the world cup in 19{:digit}{:digit}|what language do they speak in {:country}
    |who is {:@person}|how deep is the ocean|when did the titanic sink|what is the largest (animal|desert|lake|planet)`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  query: list(
    `best running shoes|how to fix a leaking tap|cheap flights to {:city}|{:@person} interview|used bikes in {:city}|tax rules for freelancers|{:dish} without sugar|history of {:country}
    |hiking trails near {:city}|how to tie a tie|open source calendar apps|symptoms of flu|{:company} customer service|learn spanish online|{:@artist} tour dates|vegan restaurants`.replace(
      /\n\s*/g,
      '',
    ),
  ),
  localEvent: list(
    'concerts|a comedy show|festivals|art exhibitions|farmers market|theatre|fireworks|football games|live music|a flea market|events for kids',
  ),
  shopKind: list(
    'pharmacy|coffee shop|gas station|italian restaurant|supermarket|bookstore|sushi place|bakery|atm|bar|hotel|hardware store|vegan restaurant|pizza place|gym|shoe shop|florist',
  ),
  mode: list('train|bus|car|bike|tram|flight|subway|ferry|plane'),
  ticketMode: list('train|bus|flight|plane|ferry|train'),
  taxi: list('uber|lyft|taxi|cab|bolt'),
  cuisine: list('{:@cuisine}|italian|thai|mexican|indian|french'),
  party: list('two|four|six|2|3|5|eight|me and {:first}|{:first} and i'),
  product: list(
    'wireless headphones|a laptop|running shoes|a desk lamp|a rain jacket|a coffee grinder|a bike helmet|phone case|a tent|a keyboard|a backpack|a board game|a mattress|usb cables',
  ),
  price: list('under {:money}|less than {:money}|below {:money}|around {:money}'),
  rating: list('{:digit} stars|five stars|three out of 6|4 out of 6 points|zero points|two of 6|1 star|four|5'),
  account: list('savings|checking|credit card|business|joint|travel|holiday'),
  expense: list(
    'lunch|groceries|gas|a taxi|books|the dentist|coffee|train tickets|new shoes|dinner with {:first}|office supplies|a gift',
  ),
  customer: list(
    'acme|{:last} and sons|{:first} {:last}|blue harbor|northwind|greenleaf|{:last} ltd|city bakery|sunrise dental',
  ),
  problem: list(
    'the printer does not work|they cannot log in|the invoice is wrong|the delivery is late|the app crashes|a broken screen|missing parts|the website is down|a billing error|no internet since {:weekday}',
  ),
  project: list(
    'website|{:customer}|the redesign|mobile app|the {:last} account|internal training|project {:color}|the warehouse move',
  ),
  hours: list('{:small} hours|two and a half hours|{:digit}.5 hours|an hour|eight hours|{:small} hours'),
  stockItem: list(
    'red chairs|printer paper|blue mugs|size {:tensDigit} boots|usb cables|coffee beans|steel bolts|desk lamps|t-shirts|garden gloves',
  ),
  fileStem: list(
    'notes|budget|report|todo|recipes|draft|invoice|letter|plan|journal|ideas|shopping|minutes|packing list|readme|contract|summary|diary',
  ),
  path: list(
    '{:fileStem}.txt|{:fileStem}.md|{:folder}/{:fileStem}.txt|{:fileStem} 202(4|5|6).txt|{:fileStem}.csv|{:folder}/{:fileStem}.md|{:fileStem}-{:digit}.txt',
  ),
  folder: list('documents|work|archive|photos|projects|school|taxes|recipes|private|travel|receipts'),
  fileText: list(
    '{:message}|{:todo}|buy {:grocery} and {:grocery}|{:first} owes me {:money}|meeting notes|{:question}',
  ),
  fileQuery: list('{:fileStem}|{:last}|{:subject}|{:event}|tax|{:city} trip|{:company}'),
  url: list(
    'example.com|https://example.org/{:fileStem}|www.{:company}.com|https://news.example.net/{:digit}{:digit}|{:company}.com/about|blog.{:last}.org',
  ),
  note: list(
    '{:todo}|{:message}|the wifi password is {:color}{:digit}{:digit}|{:first} likes {:dish}|parking spot {:digit}{:digit}|{:person} prefers tea|the plumber charges {:money}',
  ),
  scene: list('movie night|good night|good morning|party|reading|dinner|away|relax|romantic|cleaning|focus'),
  door: list('front door|back door|garage door|garden gate|patio door|side door|cellar door'),
  temperature: list('{:small} degrees|twenty degrees|21|seventy two|19.5 degrees|sixty eight degrees|22 celsius'),
  coffee: list('espresso|latte|cappuccino|black coffee|flat white|decaf|americano|a strong coffee|macchiato|mocha'),
  zone: list('eastern time|pacific time|gmt|utc|{:city}|{:city}|{:country}|est|pst|cet'),
  rate: list('{:date}'),
}
