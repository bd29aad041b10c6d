import { pyEquals } from '../../python/equals.js'
import { PyError } from '../../python/errors.js'
import { binary, truth, unary } from '../../python/evaluate.js'
import { getItem, greaterThan, lessThan } from '../../python/operations.js'
import { pyRepr, pyStr } from '../../python/repr.js'
import { PyDict, type PyValue, pyTypeName } from '../../python/values.js'
import { record } from './simulator.js'

const FREE_BAGS = PyDict.of(
  (
    [
      ['regular', 1n, 2n],
      ['silver', 2n, 3n],
      ['gold', 3n, 3n],
    ] as const
  ).map(([level, economy, business]) => [level, record({ 'Economy Class': economy, 'Business Class': business })]),
)
const BAG_FEE = 50n
/** The airline's clock always shows this time. */
const NOW = Date.UTC(2024, 6, 14, 6)
const DAY = 24 * 60 * 60 * 1000

/** A flight's time (`2024-07-15 08:00:00`) in milliseconds. @throws PyError ValueError for another form */
export function timeOf(flight: PyValue, name: string): number {
  const text = getItem(flight, name)
  const parts = typeof text === 'string' ? /^(\d{4})-(\d\d?)-(\d\d?) (\d\d?):(\d\d?):(\d\d?)$/.exec(text) : null
  if (!parts) throw new PyError('ValueError', `time data ${pyRepr(text)} does not match format '%Y-%m-%d %H:%M:%S'`)
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** What changes reservations and accounts of the airline; the lists are shared with {@link Travel}. */
export class Bookings {
  constructor(
    private readonly users: PyDict,
    private readonly flights: readonly PyValue[],
    private readonly reservations: PyValue[],
  ) {}

  /** The user, or a dict with an error, which counts as a user for those who only look whether there is one. */
  account(id: PyValue, password: PyValue): PyValue {
    const user = this.users.get(id)
    if (user !== undefined && pyEquals(getItem(user, 'password'), password)) return user
    return record({ status: 'error', message: 'Incorrect username or password.' })
  }

  /** Free bags, 0 for an unknown level or cabin. */
  allowance(level: PyValue, cabin: PyValue): PyValue {
    const cabins = FREE_BAGS.get(level) ?? new PyDict()
    return (cabins instanceof PyDict ? cabins.get(cabin) : undefined) ?? 0n
  }

  /** @throws PyError KeyError for an unknown level or cabin */
  baggageFee(level: PyValue, cabin: PyValue, count: PyValue): PyValue {
    const extra = binary('-', count, getItem(getItem(FREE_BAGS, level), cabin))
    return binary('*', lessThan(extra, 0n) ? 0n : extra, BAG_FEE)
  }

  /** Adds to the balance that the payment method names; false when it would fall below 0. */
  updateBalance(user: PyValue, payment: PyValue, amount: PyValue): boolean {
    if (payment !== 'cash' && payment !== 'bank') return true
    const balance = `${payment}_balance`
    const after = binary('+', getItem(user, balance), amount)
    if (lessThan(after, 0n)) return false
    setItem(user, balance, after)
    return true
  }

  /** Books a seat. @param values user, password, flight, cabin, payment method, bags */
  reserve(values: readonly PyValue[]): PyValue {
    const [user_id, password, flight_no, cabin, payment_method, baggage] = values as [
      PyValue,
      PyValue,
      PyValue,
      PyValue,
      PyValue,
      PyValue,
    ]
    const user = this.account(user_id, password)
    const flight =
      this.flights.find(
        (one) => pyEquals(getItem(one, 'flight_no'), flight_no) && pyEquals(getItem(one, 'status'), 'available'),
      ) ?? null
    const price = getItem(flight, cabin === 'Economy Class' ? 'economy_price' : 'business_price')
    const total = binary('+', price, this.baggageFee(getItem(user, 'membership_level'), cabin, baggage))
    if (payment_method !== 'cash' && payment_method !== 'bank') return 'Invalid payment method'
    const balance = getItem(user, `${payment_method}_balance`)
    if (greaterThan(total, balance))
      return `Your ${payment_method} balance is insufficient. Please consider using another payment method.`
    setItem(user, `${payment_method}_balance`, binary('-', balance, total))
    setItem(flight, 'seats_available', binary('-', getItem(flight, 'seats_available'), 1n))
    const reservation_id = `res_${this.reservations.length + 1}`
    this.reservations.push(record({ reservation_id, user_id, flight_no, payment_method, cabin, baggage }))
    return `Booking successful. Reservation ID: ${reservation_id}. Total cost: ${pyStr(total)} yuan (including baggage fees).`
  }

  /** Changes flight, cabin and bags. @param values user, reservation, flight, cabin, bags to add, payment method */
  modify(values: readonly PyValue[]): PyValue {
    const [userId, id, newFlight, newCabin, addBags, newPayment] = values as [
      PyValue,
      PyValue,
      PyValue,
      PyValue,
      PyValue,
      PyValue,
    ]
    const reservation = this.#reservation(id, userId)
    if (reservation === undefined) return 'Reservation not found or user ID does not match.'
    const current = this.#flight(getItem(reservation, 'flight_no'))
    if (current === undefined) return 'Flight information not found.'
    const payment = truth(newPayment) ? newPayment : getItem(reservation, 'payment_method')
    const user = getItem(this.users, userId)
    const said: string[] = []
    if (truth(newFlight) && !pyEquals(newFlight, getItem(reservation, 'flight_no'))) {
      const next = this.#flight(newFlight)
      const isSameRoute =
        next !== undefined &&
        ['origin', 'destination'].every((end) => pyEquals(getItem(next, end), getItem(current, end)))
      if (!isSameRoute) return 'Flight change failed: Invalid new flight number or destination does not match.'
      setItem(reservation, 'flight_no', newFlight)
      said.push('Flight number has been changed.')
    }
    if (truth(newCabin) && !pyEquals(newCabin, getItem(reservation, 'cabin')))
      said.push(...this.#changeCabin(reservation, current, user, payment, newCabin))
    if (greaterThan(addBags, 0n)) said.push(...this.#addBags(reservation, user, payment, addBags))
    return said.length > 0 ? said.join(' ') : 'Modification completed with no additional fees.'
  }

  /** The cabin changes even where the balance does not suffice. */
  #changeCabin(reservation: PyValue, flight: PyValue, user: PyValue, payment: PyValue, cabin: PyValue): string[] {
    const difference = this.priceDifference(flight, getItem(reservation, 'cabin'), cabin)
    setItem(reservation, 'cabin', cabin)
    const credit = unary('-', difference)
    if (greaterThan(difference, 0n))
      return [
        this.updateBalance(user, payment, credit)
          ? `Cabin change successful. Price difference paid: ${pyStr(difference)}.`
          : 'Insufficient balance to pay the cabin price difference.',
      ]
    if (!lessThan(difference, 0n)) return []
    this.updateBalance(user, payment, credit)
    return [`Cabin change successful. Price difference refunded: ${pyStr(credit)}.`]
  }

  #addBags(reservation: PyValue, user: PyValue, payment: PyValue, bags: PyValue): string[] {
    const free = this.allowance(getItem(user, 'membership_level'), getItem(reservation, 'cabin'))
    const held = reservation instanceof PyDict ? (reservation.get('baggage') ?? 0n) : 0n
    const total = binary('+', held, bags)
    const extra = binary('-', total, free)
    const cost = binary('*', greaterThan(extra, 0n) ? extra : 0n, BAG_FEE)
    const said: string[] = []
    if (greaterThan(cost, 0n))
      said.push(
        this.updateBalance(user, payment, unary('-', cost))
          ? `Baggage has been added. Additional fee to be paid: ${pyStr(cost)}.`
          : 'Insufficient balance to pay the additional baggage fees.',
      )
    setItem(reservation, 'baggage', total)
    return said
  }

  /** Pays back; the reservation itself stays in the list. */
  cancel(userId: PyValue, id: PyValue, reason: PyValue): PyValue {
    const user = this.users.get(userId)
    if (user === undefined) return 'Invalid user ID.'
    const reservation = this.#reservation(id, userId)
    if (reservation === undefined) return 'Invalid reservation ID or it does not belong to the user.'
    const flight = this.#flight(getItem(reservation, 'flight_no'))
    if (flight === undefined) return 'Invalid flight information.'
    const left = timeOf(flight, 'depart_time') - NOW
    if (left < 0) return 'The flight segment has been used and cannot be canceled.'
    const isEconomy = pyEquals(getItem(reservation, 'cabin'), 'Economy Class')
    const price = getItem(flight, isEconomy ? 'economy_price' : 'business_price')
    if (reason === 'The airline has canceled the flight.') {
      this.refund(user, price)
      return `The flight has been canceled. Your reservation will be canceled free of charge, and ${pyStr(price)} yuan has been refunded.`
    }
    if (left > DAY) {
      this.refund(user, price)
      return `More than 24 hours before departure. Free cancellation successful, ${pyStr(price)} yuan has been refunded.`
    }
    const fee = binary('*', price, 0.1)
    const amount = binary('-', price, fee)
    this.refund(user, amount)
    return `Less than 24 hours before departure. A cancellation fee of ${pyStr(fee)} yuan has been deducted, and ${pyStr(amount)} yuan has been refunded.`
  }

  /** Adds to a user's cash; gives None. */
  refund(user: PyValue, amount: PyValue): PyValue {
    setItem(user, 'cash_balance', increased(getItem(user, 'cash_balance'), amount))
    getItem(user, 'user_name')
    return null
  }

  /** An unknown cabin costs 0. */
  priceDifference(flight: PyValue, oldCabin: PyValue, newCabin: PyValue): PyValue {
    const prices = record({
      'Economy Class': getItem(flight, 'economy_price'),
      'Business Class': getItem(flight, 'business_price'),
    })
    const oldPrice = prices.get(oldCabin) ?? 0n
    return binary('-', prices.get(newCabin) ?? 0n, oldPrice)
  }

  #reservation(id: PyValue, user: PyValue): PyValue | undefined {
    return this.reservations.find(
      (one) => pyEquals(getItem(one, 'reservation_id'), id) && pyEquals(getItem(one, 'user_id'), user),
    )
  }

  #flight(number: PyValue): PyValue | undefined {
    return this.flights.find((one) => pyEquals(getItem(one, 'flight_no'), number))
  }
}

function setItem(value: PyValue, key: string, item: PyValue): void {
  if (!(value instanceof PyDict))
    throw new PyError('TypeError', `'${pyTypeName(value)}' object does not support item assignment`)
  value.set(key, item)
}

/** `value += amount`, whose error names the operator so. */
function increased(value: PyValue, amount: PyValue): PyValue {
  try {
    return binary('+', value, amount)
  } catch (error) {
    if (!(error instanceof PyError)) throw error
    throw new PyError(error.type, error.message.replace('for +:', 'for +=:'))
  }
}
