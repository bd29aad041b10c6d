import ICAL from 'ical.js'

/**
 * When an entry reminds (RFC 5545, section 3.6.6, VALARM): milliseconds from its start, negative before it. Alarms that
 * send mail are left out; a repeated alarm counts once.
 *
 * @param start of the component; an alarm at a fixed time is told from it
 * @param length of the event in milliseconds, for alarms that are told from its end
 */
export function ringsOf(event: ICAL.Component, start: Date, length: number): readonly number[] {
  const out = new Set<number>()
  for (const alarm of event.getAllSubcomponents('valarm')) {
    if (String(alarm.getFirstPropertyValue('action') ?? '').toUpperCase() === 'EMAIL') continue
    const trigger = alarm.getFirstProperty('trigger')
    const value = trigger?.getFirstValue()
    if (value instanceof ICAL.Duration) {
      const fromEnd = String(trigger?.getParameter('related') ?? '').toUpperCase() === 'END'
      out.add(value.toSeconds() * 1000 + (fromEnd ? length : 0))
    } else if (value instanceof ICAL.Time && event.getFirstProperty('rrule') === null) {
      out.add(value.toJSDate().getTime() - start.getTime())
    }
  }
  return [...out].filter(Number.isFinite)
}
