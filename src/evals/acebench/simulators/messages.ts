import { pyEquals } from '../../python/equals.js'
import { getItem, lowerContains, noAttribute } from '../../python/operations.js'
import { pyStr } from '../../python/repr.js'
import { PyDict, type PyValue } from '../../python/values.js'
import { Device, dictAttribute, done, method, record, refused, type SimulatorMethod } from './simulator.js'

/** Text messages between the phone's users. Source: class MessageApi of ACEBench. */
export class Messages extends Device {
  override readonly className = 'MessageApi'
  readonly #users: PyDict
  readonly #inbox: PyDict
  readonly #capacity: bigint
  #counter: bigint

  /** @param state the attributes right after construction */
  constructor(state: PyDict) {
    super()
    this.#users = dictAttribute(state, 'user_list')
    this.#inbox = dictAttribute(state, 'inbox', true)
    this.#capacity = BigInt(pyStr(getItem(state, 'max_capacity')))
    this.#counter = BigInt(pyStr(getItem(state, 'message_id_counter')))
  }

  override get methods(): ReadonlyMap<string, SimulatorMethod> {
    return new Map([
      ...super.methods,
      method('MessageApi.send_message', ['sender_name', 'receiver_name', 'message'], (...values) =>
        this.#send(values[0]!, values[1]!, values[2]!),
      ),
      method('MessageApi.delete_message', ['message_id'], (id) => this.#delete(id!)),
      method('MessageApi.view_messages_between_users', ['sender_name', 'receiver_name'], (sender, receiver) =>
        this.#between(sender!, receiver!),
      ),
      method('MessageApi.search_messages', ['user_name', 'keyword'], (user, keyword) => this.#search(user!, keyword!)),
      method('MessageApi.get_all_message_times_with_ids', [], () => this.#times()),
      method('MessageApi.get_latest_message_id', [], () => this.#extreme('latest')),
      method('MessageApi.get_earliest_message_id', [], () => this.#extreme('earliest')),
    ])
  }

  override saved(): PyDict {
    return record({ inbox: this.#inbox })
  }

  #send(sender: PyValue, receiver: PyValue, message: PyValue): PyValue {
    if (this.isLocked) return refused('Device not logged in, unable to send message')
    if (this.isOffline) return refused('Wi-Fi is turned off, cannot send messages at this time')
    if (BigInt(this.#inbox.size) >= this.#capacity)
      return refused('Inbox capacity is full. You need to ask the user which message to delete.')
    if (!this.#users.has(sender) || !this.#users.has(receiver)) return refused('Sender or receiver does not exist')
    this.#counter += 1n
    const [sender_id, receiver_id] = [this.#idOf(sender), this.#idOf(receiver)]
    this.#inbox.set(this.#counter, record({ sender_id, receiver_id, message }))
    return done(`Message successfully sent to ${pyStr(receiver)}.`)
  }

  #delete(id: PyValue): PyValue {
    if (this.isLocked) return refused('Device not logged in, unable to delete message')
    if (!this.#inbox.has(id)) return refused('Message ID does not exist')
    this.#inbox.delete(id)
    return done(`Message ID ${pyStr(id)} has been successfully deleted.`)
  }

  #between(sender: PyValue, receiver: PyValue): PyValue {
    if (this.isLocked) return refused('Device not logged in, unable to view message information')
    if (!this.#users.has(sender)) return refused('Sender does not exist')
    if (!this.#users.has(receiver)) return refused('Receiver does not exist')
    const [from, to] = [this.#idOf(sender), this.#idOf(receiver)]
    const found: PyValue[] = []
    for (const [id, data] of this.#inbox.entries())
      if (pyEquals(getItem(data, 'sender_id'), from) && pyEquals(getItem(data, 'receiver_id'), to))
        found.push(record({ id, sender, receiver, message: getItem(data, 'message') }))
    if (found.length === 0) return refused('No related message records found')
    return record({ status: true, messages: found })
  }

  #search(user: PyValue, keyword: PyValue): PyValue {
    if (!this.#users.has(user)) return refused('User does not exist')
    const own = this.#idOf(user)
    const found: PyValue[] = []
    for (const [id, data] of this.#inbox.entries()) {
      const [sender_id, receiver_id] = [getItem(data, 'sender_id'), getItem(data, 'receiver_id')]
      if (!pyEquals(sender_id, own) && !pyEquals(receiver_id, own)) continue
      const message = getItem(data, 'message')
      if (lowerContains(keyword, message)) found.push(record({ id, sender_id, receiver_id, message }))
    }
    if (found.length === 0) return refused('No messages found containing the keyword')
    return record({ status: true, messages: found })
  }

  #times(): PyValue {
    if (this.isLocked)
      return refused('Device not logged in, unable to retrieve all message times and their corresponding message IDs.')
    return PyDict.of([...this.#inbox.entries()].map(([id, data]) => [id, getItem(data, 'time')] as const))
  }

  /** A message that was sent during the run has no time, which makes Python raise KeyError. */
  #extreme(which: 'latest' | 'earliest'): PyValue {
    if (this.isLocked) return refused(`Device not logged in, unable to retrieve the ${which} sent message ID.`)
    if (this.#inbox.size === 0) return refused('No message records found')
    let found: { readonly id: PyValue; readonly time: string } | undefined
    for (const [id, data] of this.#inbox.entries()) {
      const time = getItem(data, 'time')
      if (typeof time !== 'string') throw noAttribute(time, 'strptime')
      const isBetter = found === undefined || (which === 'latest' ? time > found.time : time < found.time)
      if (isBetter) found = { id, time }
    }
    const id = found?.id ?? null
    return record({ status: true, message: `The ${which} message ID is ${pyStr(id)}`, message_id: id })
  }

  #idOf(user: PyValue): PyValue {
    return getItem(getItem(this.#users, user), 'user_id')
  }
}
