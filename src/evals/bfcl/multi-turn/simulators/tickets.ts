import { pyEquals } from '../../../python/equals.js'
import { binary, truth } from '../../../python/evaluate.js'
import { getItem, greaterThan, lessThan, noAttribute } from '../../../python/operations.js'
import { pyStr } from '../../../python/repr.js'
import { pyLower } from '../../../python/sequences.js'
import { PyDict, type PyValue } from '../../../python/values.js'
import { dict, failure, type Process, Simulator } from './simulator.js'

const FIELDS: readonly PyValue[] = ['title', 'description', 'status', 'priority']

/** TicketAPI: a queue of support tickets. */
export class Tickets extends Simulator {
  constructor(scenario: PyDict, _longContext: boolean, process: Process) {
    super('TicketAPI')
    this.load(scenario, process.constants.state('TicketAPI'), ['ticket_queue', 'ticket_counter', 'current_user'])
    this.method('create_ticket', "title, description='', priority=1", ([title, description, priority]) => {
      if (!truth(this.get('current_user'))) return failure('User not authenticated. Please log in to create a ticket.')
      if (lessThan(priority!, 1n) || greaterThan(priority!, 5n))
        return failure('Invalid priority. Priority must be between 1 and 5.')
      const ticket = dict({
        id: this.get('ticket_counter'),
        title: title!,
        description: description!,
        status: 'Open',
        priority: priority!,
        created_by: this.get('current_user'),
      })
      this.#queue.push(ticket)
      this.state.set('ticket_counter', binary('+', this.get('ticket_counter'), 1n))
      return ticket
    })
    this.method('get_ticket', 'ticket_id', ([id]) => this.#find(id!) ?? notFound(id!))
    this.method('close_ticket', 'ticket_id', ([id]) => {
      const ticket = this.#find(id!)
      if (!ticket) return notFound(id!)
      if (getItem(ticket, 'status') === 'Closed') return failure(`Ticket with ID ${pyStr(id!)} is already closed.`)
      ticket.set('status', 'Closed')
      return dict({ status: `Ticket ${pyStr(id!)} has been closed successfully.` })
    })
    this.method('resolve_ticket', 'ticket_id, resolution', ([id, resolution]) => {
      const ticket = this.#find(id!)
      if (!ticket) return notFound(id!)
      if (getItem(ticket, 'status') === 'Resolved') return failure(`Ticket with ID ${pyStr(id!)} is already resolved.`)
      ticket.set('status', 'Resolved')
      ticket.set('resolution', resolution!)
      return dict({ status: `Ticket ${pyStr(id!)} has been resolved successfully.` })
    })
    this.method('edit_ticket', 'ticket_id, updates', ([id, updates]) => {
      const ticket = this.#find(id!)
      if (!ticket) return notFound(id!)
      if (!(updates instanceof PyDict)) throw noAttribute(updates!, 'keys')
      // Python joins a set here, whose order changes from run to run: with several wrong fields no text is the right one.
      const wrong = updates.keys().filter((key) => !FIELDS.includes(key))
      if (wrong.length > 0) return failure(`Invalid fields for update: ${wrong.map(pyStr).join(', ')}`)
      for (const [key, value] of updates.entries()) if (value !== null) ticket.set(key, value)
      return dict({ status: `Ticket ${pyStr(id!)} has been updated successfully.` })
    })
    this.method('ticket_login', 'username, password', ([user, password]) => {
      if (!truth(user!) || !truth(password!)) return dict({ success: false })
      this.state.set('current_user', user!)
      return dict({ success: true })
    })
    this.method('ticket_get_login_status', '', () => dict({ login_status: truth(this.get('current_user')) }))
    this.method('logout', '', () => {
      if (!truth(this.get('current_user'))) return dict({ success: false })
      this.state.set('current_user', null)
      return dict({ success: true })
    })
    this.method('get_user_tickets', 'status=None', ([status]) => {
      if (!truth(this.get('current_user'))) return [failure('User not authenticated. Please log in to view tickets.')]
      const own = this.#queue.filter((ticket) => pyEquals(getItem(ticket, 'created_by'), this.get('current_user')))
      if (!truth(status!)) return own
      return own.filter((ticket) => pyLower(getItem(ticket, 'status')) === pyLower(status!))
    })
  }

  get #queue(): PyValue[] {
    return this.get('ticket_queue') as PyValue[]
  }

  #find(id: PyValue): PyDict | undefined {
    const found = this.#queue.find((ticket) => pyEquals(getItem(ticket, 'id'), id))
    return found instanceof PyDict && found.size > 0 ? found : undefined
  }
}

function notFound(id: PyValue): PyDict {
  return failure(`Ticket with ID ${pyStr(id)} not found.`)
}
