/** Places and abbreviations whose zone does not carry their name. Countries with several zones name the capital's or the usual one. */
const EXTRA: { readonly [place: string]: string } = {
  // US zones as people name them; the abbreviations follow the region's own clock changes.
  eastern: 'America/New_York',
  'eastern time': 'America/New_York',
  'east coast': 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  central: 'America/Chicago',
  'central time': 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  mountain: 'America/Denver',
  'mountain time': 'America/Denver',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  pacific: 'America/Los_Angeles',
  'pacific time': 'America/Los_Angeles',
  'west coast': 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  alaska: 'America/Anchorage',
  hawaii: 'Pacific/Honolulu',
  utc: 'UTC',
  gmt: 'UTC',
  zulu: 'UTC',
  greenwich: 'UTC',
  'greenwich mean time': 'UTC',
  bst: 'Europe/London',
  cet: 'Europe/Paris',
  cest: 'Europe/Paris',
  eet: 'Europe/Athens',
  ist: 'Asia/Kolkata',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  aest: 'Australia/Sydney',
  // US cities and states
  'new york city': 'America/New_York',
  nyc: 'America/New_York',
  washington: 'America/New_York',
  'washington dc': 'America/New_York',
  boston: 'America/New_York',
  miami: 'America/New_York',
  atlanta: 'America/New_York',
  philadelphia: 'America/New_York',
  florida: 'America/New_York',
  georgia: 'America/New_York',
  'new jersey': 'America/New_York',
  ohio: 'America/New_York',
  pennsylvania: 'America/New_York',
  michigan: 'America/Detroit',
  houston: 'America/Chicago',
  dallas: 'America/Chicago',
  austin: 'America/Chicago',
  texas: 'America/Chicago',
  illinois: 'America/Chicago',
  'new orleans': 'America/Chicago',
  minneapolis: 'America/Chicago',
  colorado: 'America/Denver',
  utah: 'America/Denver',
  'salt lake city': 'America/Denver',
  arizona: 'America/Phoenix',
  'san francisco': 'America/Los_Angeles',
  'san diego': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  portland: 'America/Los_Angeles',
  'las vegas': 'America/Los_Angeles',
  california: 'America/Los_Angeles',
  la: 'America/Los_Angeles',
  nevada: 'America/Los_Angeles',
  oregon: 'America/Los_Angeles',
  montreal: 'America/Toronto',
  ottawa: 'America/Toronto',
  // Countries and cities elsewhere
  canada: 'America/Toronto',
  usa: 'America/New_York',
  mexico: 'America/Mexico_City',
  brazil: 'America/Sao_Paulo',
  rio: 'America/Sao_Paulo',
  'rio de janeiro': 'America/Sao_Paulo',
  argentina: 'America/Argentina/Buenos_Aires',
  'buenos aires': 'America/Argentina/Buenos_Aires',
  chile: 'America/Santiago',
  colombia: 'America/Bogota',
  peru: 'America/Lima',
  uk: 'Europe/London',
  england: 'Europe/London',
  scotland: 'Europe/London',
  'united kingdom': 'Europe/London',
  britain: 'Europe/London',
  edinburgh: 'Europe/London',
  manchester: 'Europe/London',
  ireland: 'Europe/Dublin',
  france: 'Europe/Paris',
  germany: 'Europe/Berlin',
  munich: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  spain: 'Europe/Madrid',
  barcelona: 'Europe/Madrid',
  italy: 'Europe/Rome',
  milan: 'Europe/Rome',
  portugal: 'Europe/Lisbon',
  netherlands: 'Europe/Amsterdam',
  belgium: 'Europe/Brussels',
  switzerland: 'Europe/Zurich',
  geneva: 'Europe/Zurich',
  austria: 'Europe/Vienna',
  hungary: 'Europe/Budapest',
  poland: 'Europe/Warsaw',
  czechia: 'Europe/Prague',
  slovakia: 'Europe/Bratislava',
  romania: 'Europe/Bucharest',
  bulgaria: 'Europe/Sofia',
  greece: 'Europe/Athens',
  sweden: 'Europe/Stockholm',
  norway: 'Europe/Oslo',
  denmark: 'Europe/Copenhagen',
  finland: 'Europe/Helsinki',
  ukraine: 'Europe/Kyiv',
  kiev: 'Europe/Kyiv',
  russia: 'Europe/Moscow',
  turkey: 'Europe/Istanbul',
  israel: 'Asia/Jerusalem',
  'tel aviv': 'Asia/Jerusalem',
  uae: 'Asia/Dubai',
  'abu dhabi': 'Asia/Dubai',
  'saudi arabia': 'Asia/Riyadh',
  iran: 'Asia/Tehran',
  pakistan: 'Asia/Karachi',
  lahore: 'Asia/Karachi',
  india: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  chennai: 'Asia/Kolkata',
  calcutta: 'Asia/Kolkata',
  nepal: 'Asia/Kathmandu',
  thailand: 'Asia/Bangkok',
  vietnam: 'Asia/Ho_Chi_Minh',
  hanoi: 'Asia/Bangkok',
  indonesia: 'Asia/Jakarta',
  malaysia: 'Asia/Kuala_Lumpur',
  philippines: 'Asia/Manila',
  china: 'Asia/Shanghai',
  beijing: 'Asia/Shanghai',
  shenzhen: 'Asia/Shanghai',
  taiwan: 'Asia/Taipei',
  japan: 'Asia/Tokyo',
  osaka: 'Asia/Tokyo',
  kyoto: 'Asia/Tokyo',
  korea: 'Asia/Seoul',
  'south korea': 'Asia/Seoul',
  australia: 'Australia/Sydney',
  canberra: 'Australia/Sydney',
  'new zealand': 'Pacific/Auckland',
  wellington: 'Pacific/Auckland',
  egypt: 'Africa/Cairo',
  kenya: 'Africa/Nairobi',
  nigeria: 'Africa/Lagos',
  'south africa': 'Africa/Johannesburg',
  'cape town': 'Africa/Johannesburg',
  morocco: 'Africa/Casablanca',
}

const key = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\b([a-z])\. ?(?=[a-z]\b)/g, '$1')
    .replace(/[^a-z0-9+:/_ -]/g, ' ')
    .replace(/[_-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

let table: ReadonlyMap<string, string> | undefined

const zones = (): ReadonlyMap<string, string> => {
  if (table) return table
  const map = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = key(zone.split('/').at(-1) ?? '')
    if (!map.has(city)) map.set(city, zone)
    map.set(key(zone), zone)
  }
  for (const [place, zone] of Object.entries(EXTRA)) map.set(place, zone)
  table = map
  return map
}

const NAMED = 'eastern|central|mountain|pacific|alaska|hawaii'

/** The IANA zone of a city, country, zone name or abbreviation; undefined when none is known. Offline, a small list. */
export function zoneOfPlace(place: string): string | undefined {
  const words = key(place)
  const offset = /^(?:utc|gmt)? ?([+-]) ?(\d{1,2})(?::?(\d{2}))?$/.exec(
    words.includes('+') ? words : key(place.replace(/-/g, '+')) && place.toLowerCase().trim(),
  )
  if (offset && Number(offset[2]) <= 14)
    return `${offset[1]}${(offset[2] ?? '0').padStart(2, '0')}:${offset[3] ?? '00'}`
  const all = zones()
  for (const form of [
    words,
    words.replace(/^(?:the|in|at) /, ''),
    words.replace(/ (?:time zone|timezone|standard time|daylight time|time)$/, ''),
    words.replace(new RegExp(`^(?:the |us )*(${NAMED}).*$`), '$1'),
    words.replace(/^(?:the|in|at) /, '').replace(/ (?:city|right now|now|time zone|timezone)$/, ''),
    words.split(' ').slice(0, -1).join(' '),
    place.split(',')[0] ? key(place.split(',')[0] as string) : '',
  ]) {
    const zone = form === '' ? undefined : all.get(form)
    if (zone !== undefined) return zone
  }
  return undefined
}
