import type { Tool } from '../../tools/contract.js'
import { implement } from '../implement.js'
import type { Folder } from '../store/index.js'
import { alarmTools } from './alarms.js'
import { CalendarStore } from './calendar-store.js'
import { eventTools } from './events.js'
import { freeTools } from './free.js'
import { timeTools } from './time-tools.js'
import { timerTools } from './timers.js'
import { calendarContracts } from './tools.js'

/** The calendar tools over `.ics` files in a folder. */
export function calendarTools(folder: Folder): readonly Tool[] {
  const store = new CalendarStore(folder)
  return implement(calendarContracts, {
    ...alarmTools(store),
    ...timerTools(store),
    ...eventTools(store),
    ...freeTools(store),
    ...timeTools,
  })
}
