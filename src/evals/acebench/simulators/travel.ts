import { pyEquals } from '../../python/equals.js'
import { truth } from '../../python/evaluate.js'
import { getItem } from '../../python/operations.js'
import { PyDict, type PyValue } from '../../python/values.js'
import { dictAttribute, listAttribute, method, record, type Simulator, type SimulatorMethod } from './simulator.js'
import { Bookings, timeOf } from './travel-bookings.js'

const UNKNOWN_USER = 'Incorrect username or password.'

/** Flights and reservations of an airline; no part of the phone. Source: class Travel of ACEBench. */
export class Travel implements Simulator {
  readonly className = 'Travel'
  readonly #users: PyDict
  readonly #flights: PyValue[]
  readonly #reservations: PyValue[]
  readonly #bookings: Bookings

  /** @param state the attributes right after construction */
  constructor(state: PyDict) {
    this.#users = dictAttribute(state, 'users')
    this.#flights = listAttribute(state, 'flights')
    this.#reservations = listAttribute(state, 'reservations')
    this.#bookings = new Bookings(this.#users, this.#flights, this.#reservations)
  }

  get methods(): ReadonlyMap<string, SimulatorMethod> {
    const booking = this.#bookings
    return new Map([
      method(
        'Travel.get_flight_details',
        [
          ['origin', null],
          ['destination', null],
        ],
        (origin, destination) => this.#flightDetails(origin!, destination!),
      ),
      method('Travel.get_user_details', ['user_id', 'password'], (id, password) => this.#userDetails(id!, password!)),
      method(
        'Travel.get_reservation_details',
        [
          ['reservation_id', null],
          ['user_id', null],
        ],
        (id, user) => this.#reservationDetails(id!, user!),
      ),
      method('Travel.authenticate_user', ['user_id', 'password'], (id, password) => booking.account(id!, password!)),
      method('Travel.get_baggage_allowance', ['membership_level', 'cabin_class'], (level, cabin) =>
        booking.allowance(level!, cabin!),
      ),
      method(
        'Travel.find_transfer_flights',
        ['origin_city', 'transfer_city', 'destination_city'],
        (origin, transfer, destination) => this.#transfers(origin!, transfer!, destination!),
      ),
      method(
        'Travel.calculate_baggage_fee',
        ['membership_level', 'cabin_class', 'baggage_count'],
        (level, cabin, count) => booking.baggageFee(level!, cabin!, count!),
      ),
      method('Travel.update_balance', ['user', 'payment_method', 'amount'], (user, payment, amount) =>
        booking.updateBalance(user!, payment!, amount!),
      ),
      method(
        'Travel.reserve_flight',
        ['user_id', 'password', 'flight_no', 'cabin', 'payment_method', 'baggage_count'],
        (...values) => booking.reserve(values),
      ),
      method(
        'Travel.modify_flight',
        [
          'user_id',
          'reservation_id',
          ['new_flight_no', null],
          ['new_cabin', null],
          ['add_baggage', 0n],
          ['new_payment_method', null],
        ],
        (...values) => booking.modify(values),
      ),
      method('Travel.cancel_reservation', ['user_id', 'reservation_id', 'reason'], (user, id, reason) =>
        booking.cancel(user!, id!, reason!),
      ),
      method('Travel.process_refund', ['user', 'amount'], (user, amount) => booking.refund(user!, amount!)),
      method('Travel.calculate_price_difference', ['flight', 'old_cabin', 'new_cabin'], (flight, old, next) =>
        booking.priceDifference(flight!, old!, next!),
      ),
    ])
  }

  /** Configurations say nothing about this class. */
  load(): void {}

  saved(): PyDict {
    return record({ users: this.#users, reservations: this.#reservations })
  }

  #flightDetails(origin: PyValue, destination: PyValue): PyValue {
    const flights = this.#flights.filter(
      (flight) =>
        (!truth(origin) || pyEquals(getItem(flight, 'origin'), origin)) &&
        (!truth(destination) || pyEquals(getItem(flight, 'destination'), destination)),
    )
    if (flights.length === 0) return 'There are no direct flights that meet the criteria.'
    const shown = ['flight_no', 'origin', 'destination', 'depart_time', 'arrival_time', 'status', 'seats_available']
    return flights.map((flight) =>
      PyDict.of([...shown, 'economy_price', 'business_price'].map((name) => [name, getItem(flight, name)] as const)),
    )
  }

  #userDetails(id: PyValue, password: PyValue): PyValue {
    const user = this.#users.get(id)
    if (!(user instanceof PyDict) || !pyEquals(getItem(user, 'password'), password))
      return record({ status: 'error', message: UNKNOWN_USER })
    return PyDict.of([...user.entries()].filter(([key]) => key !== 'password'))
  }

  #reservationDetails(id: PyValue, user: PyValue): PyValue {
    if (!truth(id) && !truth(user))
      return record({ status: 'error', message: 'Please provide a valid reservation ID or user ID' })
    const [name, wanted] = truth(id) ? (['reservation_id', id] as const) : (['user_id', user] as const)
    return this.#reservations
      .filter((one) => pyEquals(getItem(one, name), wanted))
      .map((one) => {
        const number = getItem(one, 'flight_no')
        const flight_info = this.#flights.find((flight) => pyEquals(getItem(flight, 'flight_no'), number)) ?? null
        return PyDict.of([...(one instanceof PyDict ? one.entries() : []), ['flight_info', flight_info]])
      })
  }

  #transfers(origin: PyValue, transfer: PyValue, destination: PyValue): PyValue {
    const leg = (from: PyValue, to: PyValue): PyValue[] =>
      this.#flights.filter(
        (flight) =>
          pyEquals(getItem(flight, 'origin'), from) &&
          pyEquals(getItem(flight, 'destination'), to) &&
          pyEquals(getItem(flight, 'status'), 'available'),
      )
    const [first, second] = [leg(origin, transfer), leg(transfer, destination)]
    const found = first.flatMap((first_leg) =>
      second
        .filter((second_leg) => timeOf(first_leg, 'arrival_time') < timeOf(second_leg, 'depart_time'))
        .map((second_leg) => record({ first_leg, second_leg })),
    )
    return found.length > 0 ? found : 'No connecting flights that meet the criteria were found.'
  }
}
