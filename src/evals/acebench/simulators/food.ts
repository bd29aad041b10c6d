import { pyEquals, pyIn } from '../../python/equals.js'
import { binary, truth } from '../../python/evaluate.js'
import { atMost, getItem, greaterThan, iterate, lowerContains, noAttribute } from '../../python/operations.js'
import { pyStr } from '../../python/repr.js'
import { PyDict, type PyValue } from '../../python/values.js'
import {
  Device,
  dictAttribute,
  done,
  listAttribute,
  method,
  record,
  refused,
  type SimulatorMethod,
} from './simulator.js'

/** A platform for food deliveries, with users who log in and have a balance. Source: class FoodPlatform of ACEBench. */
export class FoodPlatform extends Device {
  override readonly className = 'FoodPlatform'
  readonly #users: PyDict
  readonly #merchants: PyDict
  readonly #orders: PyValue[]
  #loggedInUsers: PyValue

  /** @param state the attributes right after construction */
  constructor(state: PyDict) {
    super()
    this.#users = dictAttribute(state, 'users')
    this.#merchants = dictAttribute(state, 'merchant_list')
    this.#orders = listAttribute(state, 'orders')
    this.#loggedInUsers = listAttribute(state, 'logged_in_users')
  }

  override get methods(): ReadonlyMap<string, SimulatorMethod> {
    return new Map([
      ...super.methods,
      method('FoodPlatform.login_food_platform', ['username', 'password'], (user, password) =>
        this.#login(user!, password!),
      ),
      method('FoodPlatform.view_logged_in_users', [], () =>
        truth(this.#loggedInUsers)
          ? record({ status: true, logged_in_users: this.#loggedInUsers })
          : refused('No users are currently logged in to the food platform'),
      ),
      method('FoodPlatform.check_balance', ['user_name'], (user) =>
        this.#users.has(user!) ? getItem(getItem(this.#users, user!), 'balance') : 0,
      ),
      method('FoodPlatform.add_food_delivery_order', ['username', 'merchant_name', 'items'], (user, merchant, items) =>
        this.#order(user!, merchant!, items!),
      ),
      method('FoodPlatform.get_products', ['merchant_name'], (name) => this.#products(name!)),
      method('FoodPlatform.view_orders', ['user_name'], (user) =>
        this.#found(
          this.#orders.filter((order) => pyEquals(getItem(order, 'user_name'), user!)),
          'User has no order records',
        ),
      ),
      method('FoodPlatform.search_orders', ['keyword'], (keyword) => this.#search(keyword!)),
    ])
  }

  override load(scenario: PyDict): void {
    super.load(scenario)
    this.#loggedInUsers = scenario.get('logged_in_users') ?? (scenario.has('logged_in_users') ? null : [])
  }

  override saved(): PyDict {
    return record({ users: this.#users, logged_in_users: this.#loggedInUsers, orders: this.#orders })
  }

  #login(user: PyValue, password: PyValue): PyValue {
    if (this.isOffline) return refused('Wi-Fi is not enabled, unable to login')
    if (!this.#users.has(user)) return refused('User does not exist')
    if (!pyEquals(getItem(getItem(this.#users, user), 'password'), password)) return refused('Incorrect password')
    if (this.#isLoggedIn(user)) return refused(`${pyStr(user)} is already logged in`)
    if (!Array.isArray(this.#loggedInUsers)) throw noAttribute(this.#loggedInUsers, 'append')
    this.#loggedInUsers.push(user)
    return done(`User ${pyStr(user)} has successfully logged in!`)
  }

  #isLoggedIn(user: PyValue): boolean {
    return pyIn(user, iterate(this.#loggedInUsers))
  }

  #order(user: PyValue, merchant: PyValue, items: PyValue): PyValue {
    if (!this.#isLoggedIn(user)) return refused(`User ${pyStr(user)} is not logged in to the food platform`)
    if (!this.#merchants.has(merchant)) return refused('Merchant does not exist')
    let total: PyValue = 0
    const ordered: PyValue[] = []
    for (const item of iterate(items)) {
      if (!(item instanceof PyDict)) throw noAttribute(item, 'get')
      const product = item.get('product') ?? null
      const quantity = item.has('quantity') ? item.get('quantity')! : 1n
      if ((typeof quantity !== 'bigint' && typeof quantity !== 'boolean') || atMost(quantity, 0n))
        return refused(`Invalid quantity ${pyStr(quantity)} for product ${pyStr(product)}`)
      const menu = iterate(getItem(getItem(this.#merchants, merchant), 'menu'))
      const found = menu.find((one) => pyEquals(getItem(one, 'product'), product))
      if (found === undefined) return refused(`Product ${pyStr(product)} does not exist in ${pyStr(merchant)}'s menu`)
      const price_per_unit = getItem(found, 'price')
      total = binary('+', total, binary('*', price_per_unit, quantity))
      ordered.push(record({ product, quantity, price_per_unit }))
    }
    const account = getItem(this.#users, user)
    const balance = getItem(account, 'balance')
    if (greaterThan(total, balance)) return refused('Insufficient balance to place the order')
    if (account instanceof PyDict) account.set('balance', binary('-', balance, total))
    this.#orders.push(record({ user_name: user, merchant_name: merchant, items: ordered, total_price: total }))
    return done(`Food delivery order successfully placed with ${pyStr(merchant)}. Total amount: ${pyStr(total)} yuan`)
  }

  #products(name: PyValue): PyValue {
    const merchant = this.#merchants.get(name)
    if (merchant === undefined || !truth(merchant)) return refused(`Merchant '${pyStr(name)}' does not exist`)
    return getItem(merchant, 'menu')
  }

  #search(keyword: PyValue): PyValue {
    const has = (value: PyValue): boolean => lowerContains(keyword, value)
    const orders = this.#orders.filter(
      (order) =>
        has(getItem(order, 'merchant_name')) ||
        iterate(getItem(order, 'items')).some((item) => has(getItem(item, 'product'))),
    )
    return this.#found(orders, 'No matching orders found')
  }

  #found(orders: PyValue[], otherwise: string): PyValue {
    return orders.length === 0 ? refused(otherwise) : record({ status: true, orders })
  }
}
