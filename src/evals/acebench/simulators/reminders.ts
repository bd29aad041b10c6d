import { pyEquals } from '../../python/equals.js'
import { getItem } from '../../python/operations.js'
import { pyStr } from '../../python/repr.js'
import type { PyDict, PyValue } from '../../python/values.js'
import { Device, dictAttribute, done, method, record, refused, type SimulatorMethod } from './simulator.js'

/** Reminders of the phone. Source: class ReminderApi of ACEBench. */
export class Reminders extends Device {
  override readonly className = 'ReminderApi'
  readonly #reminders: PyDict
  readonly #capacity: bigint
  #counter: bigint

  /** @param state the attributes right after construction */
  constructor(state: PyDict) {
    super()
    this.#reminders = dictAttribute(state, 'reminder_list', true)
    this.#capacity = BigInt(pyStr(getItem(state, 'max_capacity')))
    this.#counter = BigInt(pyStr(getItem(state, 'reminder_id_counter')))
  }

  override get methods(): ReadonlyMap<string, SimulatorMethod> {
    return new Map([
      ...super.methods,
      method('ReminderApi.view_reminder_by_title', ['title'], (title) => this.#byTitle(title!)),
      method('ReminderApi.add_reminder', ['title', 'description', 'time'], (title, description, time) =>
        this.#add(title!, description!, time!),
      ),
      method('ReminderApi.delete_reminder', ['reminder_id'], (id) => this.#delete(id!)),
      method('ReminderApi.view_all_reminders', [], () => this.#all()),
    ])
  }

  override saved(): PyDict {
    return record({ reminder_list: this.#reminders })
  }

  #byTitle(title: PyValue): PyValue {
    if (this.isLocked) return refused('The device is not logged in, so you cannot view notifications')
    const reminder = this.#reminders.values().find((one) => pyEquals(getItem(one, 'title'), title))
    if (reminder === undefined) return refused(`No reminder found with the title '${pyStr(title)}'.`)
    return record({ status: true, reminder })
  }

  #add(title: PyValue, description: PyValue, time: PyValue): PyValue {
    if (this.isLocked) return refused('Device not logged in. Unable to add a new reminder.')
    if (BigInt(this.#reminders.size) >= this.#capacity)
      return refused('Reminder capacity is full. Unable to add a new reminder.')
    this.#counter += 1n
    const reminder_id = this.#counter
    this.#reminders.set(reminder_id, record({ reminder_id, title, description, time, notified: false }))
    return done(`Reminder '${pyStr(title)}' was successfully added.`)
  }

  #delete(id: PyValue): PyValue {
    if (this.isLocked) return refused('Device not logged in. Unable to delete the specified reminder.')
    if (!this.#reminders.has(id)) return refused('Reminder ID does not exist.')
    this.#reminders.delete(id)
    return done(`Reminder ID ${pyStr(id)} was successfully deleted.`)
  }

  #all(): PyValue {
    if (this.#reminders.size === 0) return refused('No reminders found.')
    const shown = ['title', 'description', 'time', 'notified']
    const reminders = this.#reminders
      .values()
      .map((one) => record(Object.fromEntries(shown.map((name) => [name, getItem(one, name)]))))
    return record({ status: true, reminders })
  }
}
