import type { JsonSchema } from '../../chat/types.js'

/** A tool that is not ours, with ways to ask for it; it teaches the model to read schemas. */
export interface ForeignTool {
  readonly name: string
  readonly description: string
  readonly properties: { readonly [parameter: string]: JsonSchema }
  readonly required?: readonly string[]
  /** As in `RequestGrammar`; values of typed parameters are decoded by their schema. */
  readonly templates: readonly string[]
}

const s: JsonSchema = { type: 'string' }
const i: JsonSchema = { type: 'integer' }
const n: JsonSchema = { type: 'number' }
const b: JsonSchema = { type: 'boolean' }
const of = (...values: string[]): JsonSchema => ({ type: 'string', enum: values })

const tool = (
  name: string,
  description: string,
  properties: { readonly [parameter: string]: JsonSchema },
  templates: readonly string[],
  ...required: string[]
): ForeignTool => ({ name, description, properties, templates, ...(required.length > 0 ? { required } : {}) })

/** Tools of other programs, hand-written. */
export const FOREIGN_TOOLS: readonly ForeignTool[] = [
  tool('water_plants', 'Water the plants.', { zone: s, minutes: i }, ['water the plants in the {zone:room} for {minutes:int} minutes', 'water the {zone:room}', 'sprinkle the {zone:room} {minutes:int} minutes'], 'zone'),
  tool('translate_text', 'Translate text into a language.', { text: s, language: s }, ['translate {text:message} (to|into) {language}', 'how do you say {text:message} in {language}', '{text:message} in {language} please'], 'text', 'language'),
  tool('convert_units', 'Convert a quantity to another unit.', { amount: n, from: s, to: s }, ['convert {amount:int} {from:unit} (to|into) {to:unit}', 'how many {to:unit} are {amount:int} {from:unit}', '{amount:int} {from:unit} in {to:unit}'], 'amount', 'from', 'to'),
  tool('feed_pet', 'Feed a pet.', { pet: s, portion: of('small', 'normal', 'large') }, ['feed the {pet}', 'give the {pet} a {portion:portion} portion', 'feed {pet:first} a {portion:portion} meal'], 'pet'),
  tool('blinds_set', 'Open or close the blinds.', { position: of('open', 'closed', 'half'), room: s }, ['{position:open} the blinds in the {room}', 'set the {room} blinds to {position:blindState}', 'make the blinds {position:blindState}'], 'position'),
  tool('oven_preheat', 'Preheat the oven.', { degrees: i, mode: s }, ['preheat the oven to {degrees:int}', 'heat the oven to {degrees:int} degrees', 'oven to {degrees:int} with {mode:ovenMode}'], 'degrees'),
  tool('parcel_track', 'Track a parcel by its number.', { number: s }, ['track (parcel|package) {number:code}', 'where is my (parcel|package) {number:code}', 'status of shipment {number:code}'], 'number'),
  tool('flight_status', 'Tell whether a flight is on time.', { flight: s, date: s }, ['is flight {flight:flightNo} on time [{date}]', 'status of {flight:flightNo} {date}', 'when does flight {flight:flightNo} land'], 'flight'),
  tool('password_make', 'Make a random password.', { length: i, symbols: b }, ['make a password with {length:int} characters', 'generate a {length:int} character password', 'i need a new password'], ),
  tool('dice_roll', 'Roll dice.', { count: i, sides: i }, ['roll {count:int} dice', 'roll {count:int} dice with {sides:int} sides', 'roll a die']),
  tool('coin_flip', 'Flip a coin.', {}, ['flip a coin', 'heads or tails', 'toss a coin']),
  tool('sms_send', 'Send a text message to a phone.', { to: s, text: s }, ['text {to:person} {text:message}', 'send a text to {to:person} saying {text:message}', 'sms {to:person} that {text:message}'], 'to', 'text'),
  tool('call_start', 'Call somebody on the phone.', { who: s, speaker: b }, ['call {who:person}', 'ring {who:person}', 'phone {who:person}', 'start a call with {who:person}'], 'who'),
  tool('photo_take', 'Take a photo.', { camera: of('front', 'back'), delay: i }, ['take a photo', 'take a picture with the {camera:camera} camera', 'take a selfie in {delay:int} seconds']),
  tool('meeting_room_book', 'Book a meeting room.', { room: s, when: s, seats: i }, ['book (meeting room|room) {room:color} {when:dateTime}', 'i need a meeting room for {seats:int} people {when:dateTime}', 'reserve {room:color} for {seats:int} {when:dateTime}'], 'when'),
  tool('bmi_compute', 'Compute the body mass index.', { weight: n, height: n }, ['my bmi at {weight:int} kilos and {height:int} centimeters', 'compute bmi for weight {weight:int} height {height:int}'], 'weight', 'height'),
  tool('tip_compute', 'Compute a tip.', { bill: n, percent: n }, ['what is a {percent:int} percent tip on {bill:int}', 'tip {percent:int} on {bill:int}', 'how much tip for {bill:int}'], 'bill'),
  tool('habit_log', 'Log a habit for today.', { habit: s, amount: s }, ['i (did|finished) {amount:duration} of {habit}', 'log {habit}', 'log {amount:duration} of {habit}'], 'habit'),
  tool('car_lock', 'Lock or unlock the car.', { action: of('lock', 'unlock') }, ['{action:lockWord} the car', '{action:lockWord} my car please'], 'action'),
  tool('car_climate', 'Heat or cool the car.', { degrees: i }, ['heat the car to {degrees:int}', 'set the car to {degrees:int} degrees'], 'degrees'),
  tool('charger_start', 'Charge the car.', { limit: i, at: s }, ['charge the car to {limit:int} percent', 'start charging at {at:time}', 'charge the car']),
  tool('library_renew', 'Renew a borrowed book.', { title: s }, ['renew {title:book}', 'extend the loan of {title:book}', 'renew my library book {title:book}'], 'title'),
  tool('poll_create', 'Start a poll.', { question: s, options: { type: 'array', items: s } }, ['start a poll {question:pollQuestion} with {options:listing}', 'ask the group {question:pollQuestion} options {options:listing}'], 'question'),
  tool('tags_set', 'Tag a photo.', { photo: s, tags: { type: 'array', items: s } }, ['tag {photo:code} with {tags:listing}', 'add the tags {tags:listing} to {photo:code}'], 'photo', 'tags'),
  tool('server_restart', 'Restart a server.', { name: s, force: b }, ['restart [the server] {name:serverName}', 'reboot {name:serverName}'], 'name'),
  tool('disk_usage', 'Show how full a disk is.', { disk: s }, ['how full is [disk] {disk:diskName}', 'disk usage of {disk:diskName}', 'how much space is left']),
  tool('git_branch', 'Create a branch in a repository.', { repository: s, branch: s }, ['create a branch {branch:fileStem} in {repository:serverName}', 'new branch {branch:fileStem} for {repository:serverName}'], 'branch'),
  tool('issue_close', 'Close an issue by its number.', { number: i, comment: s }, ['close issue {number:int}', 'close issue {number:int} saying {comment:message}'], 'number'),
  tool('deploy_run', 'Deploy a project to an environment.', { project: s, environment: of('staging', 'production') }, ['deploy {project:serverName} to {environment:environment}', 'ship {project:serverName} to {environment:environment}'], 'project'),
  tool('sql_query', 'Run a query on a database.', { table: s, limit: i }, ['show {limit:int} rows of {table:fileStem}', 'first {limit:int} rows from table {table:fileStem}'], 'table'),
  tool('workout_start', 'Start a workout.', { kind: s, minutes: i }, ['start a {minutes:int} minute {kind:sport}', 'start {kind:sport}', 'i am going for {kind:sport} {minutes:int} minutes'], 'kind'),
  tool('sleep_report', 'Tell how the owner slept.', { night: s }, ['how did i sleep {night:past}', 'sleep report [for {night:past}]']),
  tool('medicine_log', 'Log that a medicine was taken.', { medicine: s, dose: s }, ['i took {dose:doseWord} {medicine}', 'log {medicine}', 'took my {medicine}'], 'medicine'),
  tool('meter_read', 'Read a meter of the house.', { meter: of('water', 'gas', 'power') }, ['read the {meter:meter} meter', 'what does the {meter:meter} meter say', '{meter:meter} usage'], 'meter'),
  tool('gate_open', 'Open the gate for somebody.', { code: s }, ['open the gate', 'open the gate with code {code:code}']),
  tool('flower_order', 'Send flowers to somebody.', { flowers: s, to: s, when: s }, ['send {flowers} to {to:person} {when:date}', 'order {flowers} for {to:person}', '{to:person} should get {flowers} {when:date}'], 'to'),
  tool('gift_idea', 'Suggest a gift.', { person: s, budget: s }, ['gift ideas for {person}', 'what can i give {person} for {budget:money}', 'suggest a present for {person}']),
  tool('horoscope_get', 'Read a horoscope.', { sign: s }, ['horoscope for {sign}', 'what do the stars say for {sign}', 'my horoscope i am a {sign}'], 'sign'),
  tool('lottery_check', 'Check a lottery ticket.', { numbers: { type: 'array', items: i } }, ['check my lottery numbers {numbers:intList}', 'did {numbers:intList} win'], 'numbers'),
  tool('color_mix', 'Mix two colors.', { first: s, second: s }, ['mix {first:color} and {second:color}', 'what do {first:color} and {second:color} give'], 'first', 'second'),
  tool('rhyme_find', 'Find rhymes for a word.', { word: s }, ['what rhymes with {word}', 'rhymes for {word}', 'find a rhyme for {word}'], 'word'),
  tool('spell_word', 'Spell a word.', { word: s }, ['how do you spell {word}', 'spell {word}'], 'word'),
  tool('random_number', 'Draw a random number.', { min: i, max: i }, ['a random number between {min:int} and {max:int}', 'pick a number from {min:int} to {max:int}']),
  tool('parking_pay', 'Pay for parking.', { zone: s, hours: n }, ['pay parking in zone {zone:code} for {hours:int} hours', 'park in {zone:code} {hours:int} hours'], 'zone'),
  tool('bike_unlock', 'Unlock a shared bike.', { bike: s }, ['unlock bike {bike:code}', 'i want bike {bike:code}'], 'bike'),
  tool('guest_wifi', 'Turn the guest network on or off.', { on: b, hours: i }, ['turn the guest wifi on for {hours:int} hours', 'guest network for {hours:int} hours']),
  tool('alarm_system', 'Arm or disarm the burglar alarm.', { mode: of('home', 'away', 'off') }, ['arm the house {mode:armMode}', 'set the burglar alarm to {mode:armMode}'], 'mode'),
  tool('doorbell_reply', 'Say something at the door bell.', { message: s }, ['tell whoever is at the door {message}', 'say {message} at the door'], 'message'),
  tool('print_file', 'Print a file.', { path: s, copies: i }, ['print {path}', 'print {copies:int} copies of {path}'], 'path'),
  tool('scan_document', 'Scan a document.', { pages: i, name: s }, ['scan {pages:int} pages', 'scan this as {name:fileStem}', 'scan {pages:int} pages as {name:fileStem}']),
  tool('membership_renew', 'Renew a membership.', { club: s, months: i }, ['renew my {club:sport} membership for {months:int} months', 'extend {club:sport} by {months:int} months'], 'club'),
  tool('score_get', 'Tell the score of a game.', { team: s, date: s }, ['did {team} win [{date:past}]', 'what is the score of {team}', 'how did {team} play {date:past}'], 'team'),
  tool('quote_get', 'Give a quotation.', { author: s, topic: s }, ['a quote by {author:@person}', 'quote about {topic}', 'give me a quotation']),
  tool('tide_times', 'Tell when the tide is high.', { beach: s, date: s }, ['when is high tide in {beach:city} [{date}]', 'tides for {beach:city} {date}'], 'beach'),
  tool('sunrise_get', 'Tell when the sun rises.', { place: s, date: s }, ['when does the sun rise in {place:city} [{date}]', 'sunrise {date} in {place:city}']),
  tool('visa_check', 'Tell whether a visa is needed.', { country: s, passport: s }, ['do i need a visa for {country}', 'visa for {country} with a {passport:country} passport'], 'country'),
  tool('hotel_find', 'Find a hotel.', { place: s, nights: i, when: s }, ['find a hotel in {place:town} for {nights:int} nights', 'hotel in {place:town} {when:date}', 'a room in {place:town} {nights:int} nights from {when:date}'], 'place'),
  tool('haircut_book', 'Book a haircut.', { salon: s, when: s }, ['book a haircut {when:dateTime}', 'haircut at {salon:eatery} {when:dateTime}'], 'when'),
]

/** Pools that only foreign tools use. */
export const FOREIGN_POOLS: { readonly [name: string]: readonly string[] } = {
  int: ['2', '3', '4', '5', '6', '7', '8', '10', '12', '15', '20', '24', '30', '45', '60', '72', '90', '100', '120', '150', '180', '200', '220', '365'],
  intList: ['3 and 17', '5, 12 and 40', '1, 2 and 3', '8, 21, 33 and 42', '7 and 11'],
  listing: ['{:grocery} and {:grocery}', '{:color}, {:color} and {:color}', '{:first} and {:first}', '{:city}, {:city} and {:city}'],
  language: ['spanish', 'german', 'french', 'hungarian', 'japanese', 'italian', 'polish', 'turkish', 'dutch', 'korean', 'arabic', 'swedish'],
  unit: ['miles', 'kilometers', 'feet', 'meters', 'pounds', 'kilos', 'liters', 'gallons', 'cups', 'ounces', 'inches', 'centimeters', 'acres'],
  pet: ['cat', 'dog', 'fish', 'rabbit', 'parrot', 'hamster', 'turtle'],
  portion: ['small', 'normal', 'large'],
  open: ['open'],
  blindState: ['open', 'closed', 'half'],
  ovenMode: ['fan', 'grill', 'top heat', 'steam'],
  code: ['a{:digit}{:digit}{:tensDigit}', '{:last}-{:digit}{:digit}', 'x{:digit}', '{:digit}{:digit}{:digit}{:digit}', 'zz{:tensDigit}', 'img{:digit}{:digit}'],
  flightNo: ['ba{:digit}{:digit}{:digit}', 'lh {:digit}{:digit}', 'u2{:tensDigit}', 'aa {:digit}{:digit}{:digit}{:digit}'],
  camera: ['front', 'back'],
  habit: ['reading', 'meditation', 'running', 'piano', 'stretching', 'drawing', 'yoga', 'swimming'],
  lockWord: ['lock', 'unlock'],
  pollQuestion: ['where should we eat', 'which day works', 'who brings the {:grocery}', 'what should we watch'],
  serverName: ['web{:digit}', 'db-{:digit}', '{:color}', 'mail{:digit}', 'backup', 'api-{:digit}{:digit}', 'atlas', 'orion'],
  diskName: ['sda', 'data', 'backup', 'the main disk', 'c', 'home'],
  environment: ['staging', 'production'],
  sport: ['yoga', 'running', 'cycling', 'swimming', 'rowing', 'pilates', 'boxing', 'tennis', 'climbing'],
  medicine: ['aspirin', 'ibuprofen', 'vitamin d', 'insulin', 'iron', 'antibiotics', 'allergy pill'],
  doseWord: ['one', 'two', 'half a', '{:digit}00 mg', 'a spoon of'],
  meter: ['water', 'gas', 'power'],
  flowers: ['roses', 'tulips', 'a dozen red roses', 'sunflowers', 'lilies', 'a bouquet', 'orchids'],
  sign: ['leo', 'virgo', 'aries', 'taurus', 'gemini', 'libra', 'scorpio', 'pisces', 'cancer', 'capricorn', 'aquarius'],
  armMode: ['home', 'away', 'off'],
  team: ['arsenal', 'barcelona', 'the lakers', 'ferencvaros', 'the yankees', 'bayern', 'the bulls', 'celtic', 'the rangers', 'juventus'],
}

/** Words for tools that nobody ever made: each verb with each thing. */
export const NONSENSE = {
  verbs: ['calibrate', 'polish', 'archive', 'inspect', 'rotate', 'inflate', 'label', 'measure', 'publish', 'rewind', 'stack', 'sweep', 'tune', 'weigh', 'wrap', 'align', 'bless', 'catalog', 'drain', 'encode', 'fold', 'grade', 'hoist', 'index', 'juggle', 'knit', 'launch', 'merge', 'notify', 'pack', 'queue', 'rinse', 'sketch', 'trim', 'varnish', 'zip', 'paint', 'ship', 'count', 'sort', 'defrost', 'sharpen', 'mount', 'patch', 'sync', 'freeze', 'probe', 'splice', 'stamp', 'sew'],
  things: ['telescope', 'canoe', 'drone', 'sculpture', 'ledger', 'beehive', 'turbine', 'crate', 'kayak', 'loom', 'mosaic', 'pipeline', 'quilt', 'reactor', 'satellite', 'sail', 'scaffold', 'server rack', 'statue', 'submarine', 'tractor', 'violin', 'wagon', 'windmill', 'aquarium', 'antenna', 'barrel', 'bonsai', 'cabinet', 'compressor', 'dataset', 'engine', 'fence', 'greenhouse', 'harp', 'invoice batch', 'jigsaw', 'kiln', 'lantern', 'manuscript', 'oscilloscope', 'pallet', 'relay', 'spindle', 'tent', 'ticket queue', 'vault', 'winch', 'yacht', 'zeppelin'],
  parameters: [
    ['channel', 'on channel {channel:int}', 'integer'],
    ['color', 'in {color}', 'string'],
    ['owner', 'for {owner:first}', 'string'],
    ['location', 'in {location:city}', 'string'],
    ['when', '{when:dateTime}', 'string'],
    ['level', 'at level {level:int}', 'integer'],
    ['label', 'with the label {label:serverName}', 'string'],
    ['count', '{count:int} times', 'integer'],
    ['tool', 'using {tool:product}', 'string'],
    ['code', 'with code {code}', 'string'],
    ['duration', 'for {duration}', 'string'],
    ['room', 'in the {room}', 'string'],
    ['speed', 'at speed {speed:int}', 'integer'],
    ['team', 'together with {team:people}', 'string'],
    ['material', 'made of {material:material}', 'string'],
  ],
  materials: ['oak', 'steel', 'glass', 'bamboo', 'clay', 'copper', 'silk', 'plastic', 'marble', 'wool'],
} as const
