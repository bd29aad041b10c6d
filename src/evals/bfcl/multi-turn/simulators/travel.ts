import { pyToFloat } from '../../../python/convert-values.js'
import { parsePythonDate } from '../../../python/dates.js'
import { deepCopy } from '../../../python/deep-copy.js'
import { pyEquals } from '../../../python/equals.js'
import { PyError } from '../../../python/errors.js'
import { binary } from '../../../python/evaluate.js'
import { getItem, iterate, lessThan, noAttribute } from '../../../python/operations.js'
import { pyRepr, pyStr } from '../../../python/repr.js'
import { pyRoundTo } from '../../../python/round-to.js'
import { PyDict, PyTuple, type PyValue } from '../../../python/values.js'
import { PythonRandom } from '../../../text/mersenne-twister.js'
import { dict, failure, type Process, Simulator } from './simulator.js'
import { AIRPORTS, NEAREST, RATES, ROUTES } from './travel-tables.js'

const FARES = PyDict.of(ROUTES.map(({ from, to, fare }) => [new PyTuple([from, to]), fare] as const))
const CITIES = PyDict.of(NEAREST)
const FACTORS = PyDict.of([
  ['economy', 1],
  ['business', 2],
  ['first', 5],
])
const ATTRIBUTES = [
  'credit_card_list',
  'booking_record',
  'access_token',
  'token_type',
  'token_expires_in',
  'token_scope',
  'user_first_name',
  'user_last_name',
  'budget_limit',
]

/** TravelAPI: flights, credit cards and a budget. */
export class Travel extends Simulator {
  readonly #random: PythonRandom
  /** Fares of the last question, by route, class and date. */
  #known = new Map<string, number>()

  constructor(
    scenario: PyDict,
    private readonly longContext: boolean,
    process: Process,
  ) {
    super('TravelAPI')
    const standard = process.constants.state('TravelAPI')
    this.#random = new PythonRandom(Number(scenario.get('random_seed') ?? standard.get('random_seed') ?? 0n))
    this.load(scenario, standard, ATTRIBUTES)
    if (longContext) {
      addMissing(this.#cards, process.constants.extension('CREDIT_CARD_EXTENSION'))
      addMissing(this.#bookings, process.constants.extension('BOOKING_RECORD_EXTENSION'))
    }
    this.#addAccess()
    this.#addFlights()
    this.#addBookings()
    this.#addInformation()
  }

  get #cards(): PyDict {
    return this.get('credit_card_list') as PyDict
  }

  get #bookings(): PyDict {
    return this.get('booking_record') as PyDict
  }

  #drawn(low: number, high: number): string {
    return String(this.#random.between(low, high))
  }

  /** Why this token is refused, or undefined. */
  #tokenError(token: PyValue): string | undefined {
    if (pyEquals(this.get('token_expires_in'), 0n)) return 'Token expired'
    return pyEquals(token, this.get('access_token')) ? undefined : 'Invalid access token'
  }

  #addToBalance(card: PyValue, operator: '+' | '-', amount: PyValue): void {
    const account = getItem(this.#cards, card) as PyDict
    account.set('balance', binary(operator, getItem(account, 'balance'), amount))
  }

  #addAccess(): void {
    this.method(
      'authenticate_travel',
      'client_id, client_secret, refresh_token, grant_type, user_first_name, user_last_name',
      ([, , , scope, first, last]) => {
        this.state.set('token_expires_in', 2n)
        const token = this.#drawn(100_000, 999_999)
        this.state.set('access_token', token)
        this.state.set('token_type', 'Bearer')
        this.state.set('token_scope', scope!)
        this.state.set('user_first_name', first!)
        this.state.set('user_last_name', last!)
        return dict({ expires_in: 2n, access_token: token, token_type: 'Bearer', scope: scope! })
      },
    )
    this.method('travel_get_login_status', '', () => {
      const left = this.get('token_expires_in')
      return dict({ status: !(left === null || pyEquals(left, 0n)) })
    })
    this.method(
      'register_credit_card',
      'access_token, card_number, expiration_date, cardholder_name, card_verification_number',
      ([token, number, expires, holder, code]) => {
        if (this.get('token_expires_in') === null) return failure('Token not initialized')
        const refused = this.#tokenError(token!)
        if (refused) return failure(refused)
        if (this.#cards.has(number!)) return failure('Card already registered')
        const id = this.#drawn(100_000_000_000, 999_999_999_999)
        this.#cards.set(
          id,
          dict({
            card_number: number!,
            expiration_date: expires!,
            cardholder_name: holder!,
            card_verification_number: code!,
            balance: BigInt(this.#random.between(10_000, 99_999)),
          }),
        )
        return dict({ card_id: id })
      },
    )
    this.method('get_credit_card_balance', 'access_token, card_id', ([token, card]) => {
      const refused = this.#tokenError(token!)
      if (refused) return failure(refused)
      if (!this.#cards.has(card!))
        return failure(`Card not registered. Here are a list of card_id's: ${pyRepr(this.#cards.keys())}`)
      return dict({ card_balance: getItem(getItem(this.#cards, card!), 'balance') })
    })
    this.method('get_all_credit_cards', '', () => dict({ credit_card_list: this.#cards }))
    this.method('set_budget_limit', 'access_token, budget_limit', ([token, limit]) => {
      const refused = this.#tokenError(token!)
      if (refused) return failure(refused)
      const budget = pyToFloat(limit!)
      this.state.set('budget_limit', budget)
      return dict({ budget_limit: budget })
    })
  }

  /** Fares of a route (of all routes in long contexts). @throws PyError ValueError for an unknown route or class */
  #fares(from: PyValue, to: PyValue, date: PyValue, travelClass: PyValue): number[] {
    if (!FARES.has(new PyTuple([from, to])))
      throw new PyError('ValueError', 'No available route for the given airports.')
    const factor = typeof travelClass === 'string' ? FACTORS.get(travelClass) : undefined
    if (typeof factor !== 'number')
      throw new PyError('ValueError', 'Invalid travel class. Options are: economy, business, first.')
    let digits = 0
    for (const character of iterate(date)) {
      if (typeof character !== 'string') throw noAttribute(character, 'isdigit')
      if (/^\d+$/.test(character)) digits += Number(character)
    }
    const multiplier = factor * (digits % 2 === 0 ? 2 : 1)
    this.#known = new Map()
    const routes = this.longContext ? ROUTES : ROUTES.filter((route) => route.from === from && route.to === to)
    for (const route of routes) this.#known.set(keyOf(route.from, route.to, travelClass, date), route.fare * multiplier)
    return [...this.#known.values()]
  }

  #addFlights(): void {
    this.method(
      'get_flight_cost',
      'travel_from, travel_to, travel_date, travel_class',
      ([from, to, date, travelClass]) => dict({ travel_cost_list: this.#fares(from!, to!, date!, travelClass!) }),
    )
    this.method(
      'book_flight',
      'access_token, card_id, travel_date, travel_from, travel_to, travel_class',
      ([token, card, date, from, to, travelClass]) => this.#book(token!, card!, date!, from!, to!, travelClass!),
    )
    this.method('list_all_airports', '', () => [...AIRPORTS])
    this.method('get_nearest_airport_by_city', 'location', ([city]) =>
      dict({ nearest_airport: CITIES.get(city!) ?? 'Unknown' }),
    )
  }

  #book(token: PyValue, card: PyValue, date: PyValue, from: PyValue, to: PyValue, travelClass: PyValue): PyValue {
    const refuse = (error: string): PyDict => dict({ booking_status: false, error })
    const refused = this.#tokenError(token)
    if (refused) return refuse(refused)
    if (!this.#cards.has(card)) return refuse('Card not registered')
    const account = getItem(this.#cards, card) as PyDict
    if (!account.has('balance')) return refuse('Balance not found')
    if (typeof from !== 'string' || !AIRPORTS.includes(from))
      return refuse(`Invalid departure airport code: ${pyStr(from)}`)
    if (typeof to !== 'string' || !AIRPORTS.includes(to))
      return refuse(`Invalid destination airport code: ${pyStr(to)}`)
    if (valueError(() => parsePythonDate(date)) !== undefined) return refuse('Invalid date format. Use YYYY-MM-DD.')
    // Python shows a set of three here, whose order changes from run to run.
    if (!FACTORS.has(travelClass))
      return refuse("Invalid travel class. Must be one of {'economy', 'business', 'first'}")
    const error = valueError(() => this.#fares(from, to, date, travelClass))
    if (error !== undefined) return refuse(error)
    const cost = this.#known.get(keyOf(from, to, travelClass, date))!
    const balance = getItem(account, 'balance')
    if (lessThan(balance, cost)) return refuse('Insufficient funds')
    const budget = this.get('budget_limit')
    if (budget !== null && lessThan(balance, budget)) return refuse('Balance is less than budget limit')
    this.#addToBalance(card, '-', cost)
    const booking = this.#drawn(1_000_000, 9_999_999)
    const transaction = this.#drawn(10_000_000, 99_999_999)
    this.#bookings.set(
      booking,
      dict({
        card_id: card,
        travel_date: date,
        travel_from: from,
        travel_to: to,
        travel_class: travelClass,
        travel_cost: cost,
        transaction_id: transaction,
      }),
    )
    return dict({
      booking_id: booking,
      transaction_id: transaction,
      booking_status: true,
      booking_history: this.longContext ? this.#bookings : new PyDict(),
    })
  }

  #addBookings(): void {
    this.method('retrieve_invoice', 'access_token, booking_id=None, insurance_id=None', ([token, booking]) => {
      const refused = this.#tokenError(token!)
      if (refused) return failure(refused)
      if (!this.#bookings.has(booking!)) return failure('Booking not found')
      const record = getItem(this.#bookings, booking!)
      const invoice = dict({ booking_id: booking! })
      for (const name of ['travel_date', 'travel_from', 'travel_to', 'travel_class', 'travel_cost', 'transaction_id'])
        invoice.set(name, getItem(record, name))
      return dict({ invoice })
    })
    this.method('get_booking_history', 'access_token', ([token]) => {
      const refused = this.#tokenError(token!)
      return refused ? failure(refused) : dict({ booking_history: deepCopy(this.#bookings) })
    })
    this.method('cancel_booking', 'access_token, booking_id', ([token, booking]) => {
      const refuse = (error: string): PyDict => dict({ cancel_status: false, error })
      const refused = this.#tokenError(token!)
      if (refused) return refuse(refused)
      if (!this.#bookings.has(booking!)) return refuse('Booking not found')
      const record = getItem(this.#bookings, booking!)
      const card = getItem(record, 'card_id')
      this.#addToBalance(card, '+', getItem(record, 'travel_cost'))
      this.#bookings.delete(booking!)
      return dict({ cancel_status: true })
    })
    this.method(
      'purchase_insurance',
      'access_token, insurance_type, booking_id, insurance_cost, card_id',
      ([token, , booking, cost, card]) => {
        const refuse = (error: string): PyDict => dict({ insurance_status: false, error })
        const refused = this.#tokenError(token!)
        if (refused) return refuse(refused)
        const budget = this.get('budget_limit')
        if (budget !== null && lessThan(budget, cost!)) return refuse('Exceeded budget limit')
        if (!this.#bookings.has(booking!)) return refuse('Booking not found')
        if (!this.#cards.has(card!)) return refuse('Credit card not registered')
        this.#addToBalance(card!, '-', cost!)
        return dict({ insurance_id: this.#drawn(100_000_000, 999_999_999), insurance_status: true })
      },
    )
    this.method('contact_customer_support', 'booking_id, message', ([booking]) =>
      this.#bookings.has(booking!)
        ? dict({
            customer_support_message:
              'Thank you for contacting customer support. Your message has been received and we will get back to you shortly.',
          })
        : failure('Booking not found'),
    )
  }

  #addInformation(): void {
    this.method('get_budget_fiscal_year', 'lastModifiedAfter=None, includeRemoved=None', () =>
      dict({ budget_fiscal_year: '2018' }),
    )
    this.method('compute_exchange_rate', 'base_currency, target_currency, value', ([base, target, value]) => {
      for (const [other, rate] of Object.entries(RATES)) {
        if (base === 'USD' && target === other) return dict({ exchanged_value: pyToFloat(binary('*', value!, rate)) })
        if (base === other && target === 'USD')
          return dict({ exchanged_value: pyRoundTo(binary('/', value!, rate), 2n) })
      }
      throw new PyError('ValueError', 'No available exchange rate for the given currencies.')
    })
    this.method(
      'verify_traveler_information',
      'first_name, last_name, date_of_birth, passport_number',
      ([first, last, birth, passport]) => this.#verify(first!, last!, birth!, passport!),
    )
  }

  #verify(first: PyValue, last: PyValue, birth: PyValue, passport: PyValue): PyValue {
    const refuse = (why: string): PyDict => dict({ verification_status: false, verification_failure: why })
    const [ownFirst, ownLast] = [this.get('user_first_name'), this.get('user_last_name')]
    if (!pyEquals(ownFirst, first) || !pyEquals(ownLast, last))
      return refuse(
        `Cannot book flight information for another user.Expected ${pyStr(ownFirst)} ${pyStr(ownLast)}, got ${pyStr(first)} ${pyStr(last)}`,
      )
    if (valueError(() => parsePythonDate(birth)) !== undefined)
      return refuse('Invalid date of birth format. Please use YYYY-MM-DD.')
    const [born, today] = [new Date(parsePythonDate(birth)), new Date()]
    const place = (at: Date): number => at.getUTCMonth() * 100 + at.getUTCDate()
    const age = today.getUTCFullYear() - born.getUTCFullYear() - Number(place(today) < place(born))
    if (age < 18) return refuse('Traveler must be at least 18 years old.')
    if (typeof passport !== 'string') throw noAttribute(passport, 'startswith')
    if (!passport.startsWith('US')) return refuse('Passport must be issued by the United States.')
    return dict({ verification_status: true })
  }
}

function keyOf(from: PyValue, to: PyValue, travelClass: PyValue, date: PyValue): string {
  return [from, to, travelClass, date].map(pyStr).join('|')
}

function addMissing(into: PyDict, more: PyValue): void {
  if (!(more instanceof PyDict)) return
  for (const [key, value] of more.entries()) if (!into.has(key)) into.set(key, value)
}

/** The message of the ValueError that this raises, or undefined. */
function valueError(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof PyError && error.type === 'ValueError') return error.message
    throw error
  }
}
