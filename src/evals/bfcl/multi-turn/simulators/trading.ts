import { pyToFloat, pyToInt } from '../../../python/convert-values.js'
import { parsePythonDate } from '../../../python/dates.js'
import { deepCopy } from '../../../python/deep-copy.js'
import { pyEquals } from '../../../python/equals.js'
import { binary, truth } from '../../../python/evaluate.js'
import { atLeast } from '../../../python/evaluate-names.js'
import { formatValue } from '../../../python/format-value.js'
import { atMost, getItem, greaterThan, iterate, lessThan } from '../../../python/operations.js'
import { pyRepr, pyStr } from '../../../python/repr.js'
import { pyContains, pyLower } from '../../../python/sequences.js'
import { PyDict, type PyValue } from '../../../python/values.js'
import { PythonRandom } from '../../../text/mersenne-twister.js'
import { dict, failure, type Process, Simulator } from './simulator.js'

const SYMBOLS = PyDict.of(
  Object.entries({
    Apple: 'AAPL',
    Google: 'GOOG',
    Tesla: 'TSLA',
    Microsoft: 'MSFT',
    Nvidia: 'NVDA',
    'Zeta Corp': 'ZETA',
    'Alpha Tech': 'ALPH',
    'Omega Industries': 'OMEG',
    'Quasar Ltd.': 'QUAS',
    'Neptune Systems': 'NEPT',
    'Synex Solutions': 'SYNX',
    Amazon: 'AMZN',
    Gorilla: 'GORI',
  }),
)

/** TradingBot: an account, orders and a watch list. */
export class Trading extends Simulator {
  readonly #random: PythonRandom
  /** The simulated present, milliseconds as if the time were UTC. */
  readonly #now: number

  constructor(
    scenario: PyDict,
    private readonly longContext: boolean,
    private readonly process: Process,
  ) {
    super('TradingBot')
    const standard = process.constants.state('TradingBot')
    this.load(scenario, standard, ['orders'])
    this.state.set(
      'orders',
      PyDict.of(
        [...this.#dict('orders').entries()].map(([key, order]) => [
          typeof key === 'string' && /^\d+$/.test(key) ? BigInt(key) : key,
          order,
        ]),
      ),
    )
    this.load(scenario, standard, [
      'account_info',
      'authenticated',
      'market_status',
      'order_counter',
      'stocks',
      'watch_list',
      'transaction_history',
    ])
    this.#random = new PythonRandom(Number(scenario.get('random_seed') ?? standard.get('random_seed') ?? 0n))
    this.#now = parsePythonDate(process.constants.constant('TradingBot', 'CURRENT_TIME'), true)
    this.#addAccount()
    this.#addOrders()
    this.#addStocks()
  }

  #dict(name: string): PyDict {
    return this.get(name) as PyDict
  }

  #refusal(to: string): PyDict | undefined {
    return truth(this.get('authenticated')) ? undefined : failure(`User not authenticated. Please log in to ${to}.`)
  }

  #timestamp(): string {
    const start = this.#now / 1000
    const drawn = this.#random.between(start, start + 86_400)
    return new Date(drawn * 1000).toISOString().slice(0, 19).replace('T', ' ')
  }

  #book(type: string, amount: PyValue, operator: '+' | '-', status: string): PyDict {
    const account = this.#dict('account_info')
    account.set('balance', binary(operator, getItem(account, 'balance'), amount))
    const history = this.get('transaction_history') as PyValue[]
    history.push(dict({ type, amount, timestamp: this.#timestamp() }))
    return dict({ status, new_balance: getItem(account, 'balance') })
  }

  #addAccount(): void {
    this.method('get_account_info', '', () => this.#refusal('view account information') ?? this.get('account_info'))
    this.method('trading_login', 'username, password', () => {
      if (truth(this.get('authenticated'))) return dict({ status: 'Already logged in' })
      this.state.set('authenticated', true)
      return dict({ status: 'Logged in successfully' })
    })
    this.method('trading_get_login_status', '', () => dict({ status: truth(this.get('authenticated')) }))
    this.method('trading_logout', '', () => {
      if (!truth(this.get('authenticated'))) return dict({ status: 'No user is currently logged in' })
      this.state.set('authenticated', false)
      return dict({ status: 'Logged out successfully' })
    })
    this.method('fund_account', 'amount', ([amount]) => {
      const refused = this.#refusal('fund the account')
      if (refused) return refused
      if (atMost(amount!, 0n)) return failure('Funding amount must be positive.')
      return this.#book('deposit', amount!, '+', 'Account funded successfully')
    })
    this.method('withdraw_funds', 'amount', ([amount]) => {
      const refused = this.#refusal('make a transaction')
      if (refused) return refused
      if (this.get('market_status') !== 'Open') return failure('Market is closed. Transactions are not allowed.')
      if (atMost(amount!, 0n)) return failure('Transaction amount must be positive.')
      if (greaterThan(amount!, getItem(this.#dict('account_info'), 'balance')))
        return failure('Insufficient funds for withdrawal.')
      return this.#book('withdrawal', amount!, '-', 'Withdrawal successful')
    })
    this.method('get_transaction_history', 'start_date=None, end_date=None', ([from, to]) => {
      const refused = this.#refusal('view transaction history')
      if (refused) return [refused]
      const start = truth(from!) ? parsePythonDate(from!) : Number.NEGATIVE_INFINITY
      const end = truth(to!) ? parsePythonDate(to!) : Number.POSITIVE_INFINITY
      const kept = iterate(this.get('transaction_history')).filter((one) => {
        const at = parsePythonDate(getItem(one, 'timestamp'), true)
        return start <= at && at <= end
      })
      if (this.longContext) kept.push(...iterate(this.process.constants.extension('TRANSACTION_HISTORY_EXTENSION')))
      return dict({ transaction_history: kept })
    })
  }

  #addOrders(): void {
    this.method('get_order_details', 'order_id', ([id]) => {
      const orders = this.#dict('orders')
      if (!orders.has(id!))
        return failure(`Order with ID ${pyStr(id!)} not found.Here is the list of orders_id: ${pyRepr(orders.keys())}`)
      const order = getItem(orders, id!)
      if (!this.longContext || !(order instanceof PyDict)) return order
      const copy = PyDict.of(order.entries())
      const symbol = pyStr(getItem(copy, 'symbol'))
      const texts = this.process.constants.extension('ORDER_DETAIL_EXTENSION') as PyDict
      return copy.set(
        'metadata',
        PyDict.of([...texts.entries()].map(([key, text]) => [key, pyStr(text).replaceAll('{symbol}', symbol)])),
      )
    })
    this.method('cancel_order', 'order_id', ([id]) => {
      const orders = this.#dict('orders')
      if (!orders.has(id!)) return failure(`Order with ID ${pyStr(id!)} not found.`)
      const order = getItem(orders, id!) as PyDict
      if (getItem(order, 'status') === 'Completed')
        return failure(`Can't cancel order ${pyStr(id!)}. Order is already completed.`)
      order.set('status', 'Cancelled')
      return dict({ order_id: id!, status: 'Cancelled' })
    })
    this.method('place_order', 'order_type, symbol, price, amount', ([type, symbol, price, amount]) => {
      const refused = this.#refusal('place an order')
      if (refused) return refused
      if (!this.#dict('stocks').has(symbol!)) return failure(`Invalid stock symbol: ${pyStr(symbol!)}`)
      if (atMost(price!, 0n) || atMost(amount!, 0n)) return failure('Price and amount must be positive values.')
      if (pyLower(type!) === 'buy') {
        const cost = binary('*', pyToFloat(price!), pyToInt(amount!))
        const balance = this.#dict('account_info').get('balance') ?? 0n
        if (greaterThan(cost, balance))
          return failure(
            `Insufficient funds: required $${formatValue(cost, '.2f')} but only $${formatValue(balance, '.2f')} available.`,
          )
      }
      const paid = pyToFloat(price!)
      const id = this.get('order_counter')
      const order = { order_type: type!, symbol: symbol!, price: paid, amount: amount! }
      this.#dict('orders').set(id, dict({ id, ...order, status: 'Open' }))
      this.state.set('order_counter', binary('+', id, 1n))
      return dict({ order_id: id, order_type: type!, status: 'Pending', price: paid, amount: amount! })
    })
    this.method('get_order_history', '', () => {
      const refused = this.#refusal('view order history')
      return refused ? [refused] : dict({ history: this.#dict('orders').keys() })
    })
  }

  #addStocks(): void {
    this.method('get_current_time', '', () => {
      const at = new Date(this.#now)
      const two = (value: number): string => String(value).padStart(2, '0')
      const half = at.getUTCHours() < 12 ? 'AM' : 'PM'
      return dict({ current_time: `${two(at.getUTCHours() % 12 || 12)}:${two(at.getUTCMinutes())} ${half}` })
    })
    this.method('get_symbol_by_name', 'name', ([name]) => dict({ symbol: SYMBOLS.get(name!) ?? 'Stock not found' }))
    this.method('get_stock_info', 'symbol', ([symbol]) => {
      const stock = this.#dict('stocks').get(symbol!)
      if (stock === undefined) return failure(`Stock with symbol '${pyStr(symbol!)}' not found.`)
      if (!this.longContext || !(stock instanceof PyDict)) return stock
      return PyDict.of(stock.entries())
        .set('MA(5)', this.process.constants.extension('MA_5_EXTENSION'))
        .set('MA(20)', this.process.constants.extension('MA_20_EXTENSION'))
    })
    this.method('remove_stock_from_watchlist', 'symbol', ([symbol]) => {
      const refused = this.#refusal('modify the watchlist')
      if (refused) return refused
      const at = this.#watched.findIndex((one) => pyEquals(one, symbol!))
      if (at < 0) return failure(`Stock ${pyStr(symbol!)} not found in watchlist.`)
      this.#watched.splice(at, 1)
      return dict({ status: `Stock ${pyStr(symbol!)} removed from watchlist successfully.` })
    })
    this.method('get_watchlist', '', () => {
      if (this.#refusal('view the watchlist'))
        return ['Error: User not authenticated. Please log in to view the watchlist.']
      return this.longContext
        ? [...this.#watched, ...iterate(this.process.constants.extension('WATCH_LIST_EXTENSION'))]
        : dict({ watchlist: this.#watched })
    })
    this.method('get_available_stocks', 'sector', ([sector]) => {
      const more = (name: string): PyValue[] =>
        this.longContext ? [...iterate(deepCopy(this.process.constants.extension(name)))] : []
      const sectors = dict({
        Technology: ['AAPL', 'GOOG', 'MSFT', 'NVDA', ...more('TECHNOLOGY_EXTENSION')],
        Automobile: ['TSLA', 'F', 'GM', ...more('AUTOMOBILE_EXTENSION')],
      })
      return dict({ stock_list: sectors.get(sector!) ?? [] })
    })
    this.method('filter_stocks_by_price', 'stocks, min_price, max_price', ([stocks, least, most]) =>
      dict({
        filtered_stocks: iterate(stocks!).filter((symbol) => {
          const stock = this.#dict('stocks').get(symbol)
          const price = stock instanceof PyDict ? (stock.get('price') ?? 0n) : 0n
          return atLeast(price, least!) && atMost(price, most!)
        }),
      }),
    )
    this.method('add_to_watchlist', 'stock', ([stock]) => {
      if (!pyContains(this.#watched, stock!) && this.#dict('stocks').has(stock!)) this.#watched.push(stock!)
      return dict({ watchlist: this.#watched })
    })
    this.method('notify_price_change', 'stocks, threshold', ([stocks, threshold]) => {
      const changed = iterate(stocks!).filter((symbol) => {
        const stock = this.#dict('stocks').get(symbol)
        if (stock === undefined) return false
        const change = getItem(stock, 'percent_change')
        return atLeast(lessThan(change, 0n) ? binary('*', change, -1n) : change, threshold!)
      })
      return dict({
        notification:
          changed.length > 0
            ? `Stocks ${changed.map(pyStr).join(', ')} have significant price changes.`
            : 'No significant price changes in the selected stocks.',
      })
    })
  }

  get #watched(): PyValue[] {
    return this.get('watch_list') as PyValue[]
  }
}
