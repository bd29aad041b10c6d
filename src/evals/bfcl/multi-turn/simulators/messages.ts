import { binary, truth } from '../../../python/evaluate.js'
import { iterate } from '../../../python/operations.js'
import { pyStr } from '../../../python/repr.js'
import { pyContains, pyLower } from '../../../python/sequences.js'
import { PyDict, PySet, type PyValue } from '../../../python/values.js'
import { PythonRandom } from '../../../text/mersenne-twister.js'
import { dict, failure, type Process, Simulator } from './simulator.js'

const NOT_LOGGED_IN = 'No user is currently logged in.'

/** MessageAPI: messages between the users of a workspace. */
export class Messages extends Simulator {
  readonly #random: PythonRandom
  readonly #ids = new Set<number>()

  constructor(scenario: PyDict, _longContext: boolean, process: Process) {
    super('MessageAPI')
    this.#random = new PythonRandom(Number(scenario.get('random_seed') ?? 200191n))
    const standard = process.constants.state('MessageAPI')
    this.load(scenario, standard, ['generated_ids', 'user_count', 'user_map', 'inbox', 'message_count', 'current_user'])
    for (const id of iterate(this.get('generated_ids'))) this.#ids.add(Number(id))
    this.state.set('generated_ids', new PySet(iterate(this.get('generated_ids'))))
    this.#addMethods()
  }

  get #users(): PyDict {
    return this.get('user_map') as PyDict
  }

  get #inbox(): PyValue[] {
    return this.get('inbox') as PyValue[]
  }

  #generateId(): PyDict {
    let id = this.#random.between(10000, 99999)
    while (this.#ids.has(id)) id = this.#random.between(10000, 99999)
    this.#ids.add(id)
    this.state.set('generated_ids', new PySet([...this.#ids].map(BigInt)))
    return dict({ new_id: BigInt(id) })
  }

  #addMethods(): void {
    this.method('list_users', '', () => dict({ user_list: this.#users.keys() }))
    this.method('get_user_id', 'user', ([user]) =>
      this.#users.has(user!)
        ? dict({ user_id: this.#users.get(user!)! })
        : failure(`User '${pyStr(user!)}' not found in the workspace.`),
    )
    this.method('message_login', 'user_id', ([id]) => {
      if (!pyContains(this.#users.values(), id!))
        return dict({ login_status: false, message: `User ID '${pyStr(id!)}' not found.` })
      this.state.set('current_user', id!)
      return dict({ login_status: true, message: `User '${pyStr(id!)}' logged in successfully.` })
    })
    this.method('message_get_login_status', '', () => dict({ login_status: truth(this.get('current_user')) }))
    this.method('send_message', 'receiver_id, message', ([receiver, message]) => {
      if (!truth(this.get('current_user'))) return failure(NOT_LOGGED_IN)
      if (!pyContains(this.#users.values(), receiver!)) return failure(`Receiver ID '${pyStr(receiver!)}' not found.`)
      const id = this.#generateId()
      this.#inbox.push(PyDict.of([[receiver!, message!]]))
      this.state.set('message_count', binary('+', this.get('message_count'), 1n))
      return dict({
        sent_status: true,
        message_id: id,
        message: `Message sent to '${pyStr(receiver!)}' successfully.`,
      })
    })
    this.method('delete_message', 'receiver_id', ([receiver]) => this.#delete(receiver!))
    this.method('view_messages_sent', '', () => {
      if (!truth(this.get('current_user'))) return failure(NOT_LOGGED_IN)
      const sent = new PyDict()
      for (const [receiver, message] of this.#pairs()) {
        const list = sent.get(receiver)
        if (Array.isArray(list)) list.push(message)
        else sent.set(receiver, [message])
      }
      return dict({ messages: sent })
    })
    this.method('add_contact', 'user_name', ([name]) => {
      if (this.#users.has(name!)) return failure(`User name '${pyStr(name!)}' already exists.`)
      const count = binary('+', this.get('user_count'), 1n)
      this.state.set('user_count', count)
      const id = `USR${pyStr(count).padStart(3, '0')}`
      if (pyContains(this.#users.values(), id)) return failure(`User ID '${id}' already exists.`)
      this.#users.set(name!, id)
      return dict({ added_status: true, user_id: id, message: `Contact '${pyStr(name!)}' added successfully.` })
    })
    this.method('search_messages', 'keyword', ([keyword]) => {
      if (!truth(this.get('current_user'))) return failure(NOT_LOGGED_IN)
      const wanted = pyLower(keyword!)
      const results = this.#pairs()
        .filter(([, message]) => pyLower(message).includes(wanted))
        .map(([receiver, message]) => dict({ receiver_id: receiver, message }))
      return dict({ results })
    })
    this.method('get_message_stats', '', () => {
      if (!truth(this.get('current_user'))) return failure(NOT_LOGGED_IN)
      const pairs = this.#pairs()
      const contacts = new PySet(pairs.map(([receiver]) => receiver))
      return dict({
        stats: dict({ received_count: BigInt(pairs.length), total_contacts: BigInt(contacts.size) }),
      })
    })
  }

  /** Receiver and text of every message. */
  #pairs(): (readonly [PyValue, PyValue])[] {
    return this.#inbox.map((message) => (message instanceof PyDict ? [...message.entries()][0]! : [null, null]))
  }

  #delete(receiver: PyValue): PyValue {
    if (!truth(this.get('current_user'))) return failure(NOT_LOGGED_IN)
    for (const message of [...this.#inbox].reverse()) {
      const [who] = message instanceof PyDict ? [...message.entries()][0]! : [null]
      if (!pyContains([who], receiver)) continue
      // list.remove takes the first equal message, not necessarily this one.
      this.#inbox.splice(
        this.#inbox.findIndex((one) => pyContains([one], message)),
        1,
      )
      return dict({
        deleted_status: true,
        receiver_id: who,
        message: `Receiver ${pyStr(receiver)}'s latest message deleted successfully.`,
      })
    }
    return failure(`Receiver ID ${pyStr(receiver)} not found.`)
  }
}
