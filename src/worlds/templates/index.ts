import type { Template } from '../template.js'
import { businessTemplates } from './business.js'
import { calendarTemplates } from './calendar.js'
import { commerceTemplates } from './commerce.js'
import { devicesTemplates } from './devices.js'
import { filesTemplates } from './files.js'
import { financeTemplates } from './finance.js'
import { messagingTemplates } from './messaging.js'
import { researchTemplates } from './research.js'
import { webTemplates } from './web.js'

/** Every template, field by field. To add one, write it into its field's file. */
export const TEMPLATES: readonly Template[] = [
  ...webTemplates,
  ...researchTemplates,
  ...commerceTemplates,
  ...financeTemplates,
  ...businessTemplates,
  ...devicesTemplates,
  ...filesTemplates,
  ...calendarTemplates,
  ...messagingTemplates,
]
