/** What households are made of. Names are invented; mail domains are reserved for examples (RFC 2606). */
export const FIRST_NAMES =
  'Ben Carla David Elena Felix Grace Hugo Irene Jonas Katrin Leo Maria Nils Olga Paul Rosa Simon Tessa Victor Wanda Yara Zoltan Bruno Clara Dora Emil Farid Greta'.split(
    ' ',
  )
export const LAST_NAMES =
  'Kovacs Meyer Novak Rossi Silva Tanaka Weber Olsen Moreau Fischer Santos Varga Lindgren Petrov Hughes Bakker Costa Dvorak Ito Keller Murphy Nagy Ortega Quinn Reyes Schmidt Toth Ueda'.split(
    ' ',
  )
export const HOMES = [
  { city: 'Budapest', zone: 'Europe/Budapest', currency: 'EUR' },
  { city: 'Dublin', zone: 'Europe/Dublin', currency: 'EUR' },
  { city: 'Boston', zone: 'America/New_York', currency: 'USD' },
  { city: 'Chicago', zone: 'America/Chicago', currency: 'USD' },
  { city: 'Lisbon', zone: 'Europe/Lisbon', currency: 'EUR' },
  { city: 'Osaka', zone: 'Asia/Tokyo', currency: 'USD' },
] as const
export const CITIES = ['Vienna', 'Porto', 'Hamburg', 'Oslo', 'Turin', 'Ghent', 'Krakow', 'Malmo'] as const
/** Titles of which no one is contained in another. */
export const APPOINTMENTS = [
  'dentist',
  'haircut',
  'piano lesson',
  'budget review',
  'yoga class',
  'car service',
  'eye test',
  'team lunch',
  'book club',
  'parents evening',
  'physiotherapy',
  'choir rehearsal',
  'vaccination',
  'job interview',
  'garden party',
  'tax consultation',
] as const
export const SERIES = [
  { title: 'weekly standup', rule: 'FREQ=WEEKLY', time: '10:00' },
  { title: 'swimming', rule: 'FREQ=WEEKLY', time: '18:30' },
] as const
export const NEW_ENTRIES = [
  'vet visit',
  'plumber',
  'movie premiere',
  'flat viewing',
  'guitar practice',
  'blood test',
  'farewell drinks',
  'school play',
  'tyre change',
  'chess match',
  'photo shoot',
  'boiler check',
] as const
export const HOURS = ['09:00', '10:30', '11:00', '13:00', '14:00', '15:30', '16:00', '17:00', '18:00', '19:30'] as const
export const PLACES = ['Harbour Street 4', 'the town hall', 'the station cafe', 'Elm Court 12', 'the library'] as const
export const MAIL_TOPICS = [
  { subject: 'Quarterly figures', text: 'the quarterly figures are ready and the total is 48200 euros', fact: '48200' },
  { subject: 'Parking permit', text: 'your parking permit number is P7731', fact: 'P7731' },
  { subject: 'Boat trip', text: 'the boat leaves from pier 9', fact: 'pier 9' },
  { subject: 'Alarm code', text: 'the new code of the archive room is 5508', fact: '5508' },
  { subject: 'Venue change', text: 'the workshop has moved to room 314', fact: 'room 314' },
  { subject: 'Printer order', text: 'the printer will be delivered in crate 27', fact: 'crate 27' },
  { subject: 'Concert seats', text: 'our seats are in row 16', fact: 'row 16' },
  { subject: 'Garden hedge', text: 'cutting the hedge will cost 240 euros', fact: '240' },
  { subject: 'Lab results', text: 'the sample was number 8812', fact: '8812' },
  { subject: 'Choir tour', text: 'the bus has the number 63', fact: '63' },
] as const
export const MESSAGES = [
  'I am running ten minutes late',
  'the keys are under the blue pot',
  'lunch is on me today',
  'please bring the projector',
  'I have signed the contract',
  'the meeting room is booked',
  'thank you for the flowers',
  'I will take the early train',
] as const
export const FILES = [
  {
    path: 'house/heating-manual.txt',
    text: 'Heating manual\nThe pressure should be 1.6 bar.\nBleed radiators in autumn.',
    fact: '1.6',
  },
  { path: 'house/insurance.txt', text: 'Home insurance\nPolicy number 44-8821.\nRenewal in May.', fact: '44-8821' },
  { path: 'work/roadmap.txt', text: 'Roadmap\nThe beta ships in week 37.', fact: 'week 37' },
  { path: 'work/minutes.txt', text: 'Minutes\nThe team agreed on supplier Hallmark.', fact: 'Hallmark' },
  { path: 'travel/packing.txt', text: 'Packing\nPassport, charger, raincoat.', fact: 'raincoat' },
  { path: 'travel/itinerary.txt', text: 'Itinerary\nHotel Aurora, three nights.', fact: 'Aurora' },
  { path: 'recipes/lasagne.txt', text: 'Lasagne\nBake for 45 minutes.', fact: '45' },
  { path: 'school/timetable.txt', text: 'Timetable\nThe first lesson is chemistry.', fact: 'chemistry' },
  { path: 'club/members.txt', text: 'Members\nThe club has 83 members.', fact: '83' },
  { path: 'garden/plan.txt', text: 'Plan\nPlant tulips along the fence.', fact: 'tulips' },
] as const
export const NOTES = [
  { text: 'The wifi password of the cabin is heron42', about: 'cabin wifi', fact: 'heron42' },
  { text: 'The bike lock opens with 3917', about: 'bike lock', fact: '3917' },
  { text: 'Shoe size of grandpa is 43', about: 'grandpa shoe size', fact: '43' },
  { text: 'The kitchen paint is called Arctic Moss', about: 'kitchen paint', fact: 'Arctic Moss' },
  { text: 'The spare fuse is in drawer 5', about: 'spare fuse', fact: 'drawer 5' },
  { text: 'The tent has place for 6 people', about: 'tent', fact: '6' },
  { text: 'The piano tuner charges 95 euros', about: 'piano tuner', fact: '95' },
  { text: 'The locker at the gym is number 208', about: 'gym locker', fact: '208' },
] as const
export const NEW_NOTES = [
  'the meter stands at 7315',
  'the blue suitcase has a broken wheel',
  'the neighbour feeds the cat in July',
  'the drill needs a new battery',
  'the red wine was too cold',
  'the shed key hangs behind the clock',
  'the recipe needs more ginger',
  'the passport office closes at four',
] as const
export const GROCERIES = [
  'oats',
  'butter',
  'lemons',
  'rice',
  'yoghurt',
  'spinach',
  'coffee beans',
  'tomatoes',
  'soap',
  'honey',
  'almonds',
  'candles',
] as const
export const LISTS = ['shopping', 'packing', 'hardware', 'birthday gifts'] as const
export const COMPANIES = [
  'Northwind Bakery',
  'Orchid Hotel',
  'Pinecrest School',
  'Quarry Stone',
  'Riverside Clinic',
  'Summit Sports',
  'Tidewater Cafe',
  'Umber Gallery',
] as const
export const PROBLEMS = [
  'the invoice shows the wrong address',
  'the door sensor does not close',
  'the order arrived damaged',
  'the login page stays empty',
  'the printer jams on every page',
  'the delivery is two days late',
] as const
export const STOCK = [
  'desk lamps',
  'office chairs',
  'ink cartridges',
  'paper boxes',
  'wall clocks',
  'filing cabinets',
  'headsets',
  'whiteboards',
] as const
export const PROJECTS = ['website', 'audit', 'warehouse move', 'catalogue', 'training plan'] as const
export const BILLS = ['electricity', 'water', 'internet', 'rent', 'insurance', 'gym'] as const
export const SPENDINGS = [
  'groceries',
  'cinema tickets',
  'petrol',
  'a haircut',
  'flowers',
  'parking',
  'lunch',
  'school books',
] as const
export const WORDS = [
  { word: 'estuary', body: 'An estuary is the tidal mouth of a large river.', fact: 'tidal' },
  { word: 'quorum', body: 'A quorum is the least number of members that a decision needs.', fact: 'least number' },
  { word: 'lintel', body: 'A lintel is a beam above a door or window.', fact: 'beam' },
  { word: 'gusset', body: 'A gusset is a piece of cloth sewn in to widen a garment.', fact: 'widen' },
  { word: 'zephyr', body: 'A zephyr is a soft west wind.', fact: 'west wind' },
  { word: 'tarn', body: 'A tarn is a small mountain lake.', fact: 'mountain lake' },
  { word: 'plinth', body: 'A plinth is the base under a statue.', fact: 'statue' },
] as const
export const DISHES = [
  { dish: 'goulash', body: 'Goulash: simmer beef with onions and paprika for two hours.', fact: 'paprika' },
  { dish: 'risotto', body: 'Risotto: stir rice with stock for eighteen minutes.', fact: 'eighteen' },
  { dish: 'shakshuka', body: 'Shakshuka: poach eggs in tomato sauce.', fact: 'tomato sauce' },
  { dish: 'pierogi', body: 'Pierogi: fill the dough with potato and cheese.', fact: 'potato' },
  { dish: 'ceviche', body: 'Ceviche: marinate raw fish in lime juice.', fact: 'lime' },
  { dish: 'falafel', body: 'Falafel: fry balls of ground chickpeas.', fact: 'chickpeas' },
] as const
export const WORKS = [
  { title: 'The Glass Orchard', body: 'The Glass Orchard is a novel by Mira Sandoval.', fact: 'Mira Sandoval' },
  { title: 'Nine Lanterns', body: 'Nine Lanterns is a film by Otto Brandt.', fact: 'Otto Brandt' },
  { title: 'Salt Harbour', body: 'Salt Harbour is a series by Lena Okafor.', fact: 'Lena Okafor' },
  { title: 'Copper Sky', body: 'Copper Sky is a painting by Ivan Dale.', fact: 'Ivan Dale' },
] as const
export const QUESTIONS = [
  { question: 'How high is the Korvan tower', body: 'The Korvan tower is 312 metres high.', fact: '312' },
  {
    question: 'Who founded the Halden museum',
    body: 'The Halden museum was founded by Edith Crane.',
    fact: 'Edith Crane',
  },
  { question: 'How long is the river Sorne', body: 'The river Sorne is 148 kilometres long.', fact: '148' },
  { question: 'When was the Amber bridge opened', body: 'The Amber bridge was opened in 1934.', fact: '1934' },
  {
    question: 'Which language is spoken on Tamsin island',
    body: 'On Tamsin island the language spoken is Breton.',
    fact: 'Breton',
  },
] as const
export const WEATHER = ['rain', 'sun', 'snow', 'fog', 'storm'] as const
export const STOCKS = ['Nortel Robotics', 'Helio Energy', 'Vantor Foods', 'Pelagic Shipping', 'Ardent Glass'] as const
export const PRODUCTS = [
  'kettlebell',
  'hammock',
  'blender',
  'backpack',
  'bookshelf',
  'tripod',
  'wok',
  'sleeping bag',
] as const
export const RESTAURANTS = [
  'Blue Fig',
  'Casa Luna',
  'The Copper Pot',
  'Saffron House',
  'Old Mill',
  'Little Hanoi',
] as const
export const FOODS = [
  'two margherita pizzas',
  'a pad thai',
  'three falafel wraps',
  'a chicken curry',
  'six spring rolls',
  'a veggie burger',
] as const
export const SONGS = [
  'Harvest Moonlight',
  'Paper Boats',
  'Velvet Rain',
  'Morning Express',
  'Golden Hourglass',
  'Silver Tide',
] as const
export const PLAYLISTS = ['road trip', 'focus', 'dinner jazz', 'workout'] as const
export const STATIONS = ['Radio Meridian', 'Coast FM', 'Classic Wave FM', 'Radio Lumen'] as const
export const PODCASTS = ['Deep Soil', 'The Long Ladder', 'Quiet Machines', 'Salt and Signal'] as const
export const BOOKS = ['The Ninth Garden', 'Winter Cartography', 'A House of Bells', 'The Tin Astronomer'] as const
export const COLORS = ['red', 'blue', 'green', 'orange', 'purple', 'yellow', 'pink'] as const
export const DRINKS = ['latte', 'cappuccino', 'espresso', 'americano', 'mocha'] as const
/** Rooms of the example house with one ceiling light, which their name alone means. */
export const LIT_ROOMS = ['kitchen', 'bathroom', 'hallway', 'dining room'] as const
/** Plugs by the name that people use. */
export const PLUGS = ['fan', 'kettle', 'rice cooker', 'charger'] as const
