import { PyError } from './errors.js'
import { pyRepr } from './repr.js'
import { type PyValue, pyTypeName } from './values.js'

const DATE = /^(\d{4})-(1[0-2]|0[1-9]|[1-9])-(3[01]|[12]\d|0[1-9]|[1-9]| [1-9])/
const TIME = /^ +(2[0-3]|[01]\d|\d):([0-5]\d|\d):(6[01]|[0-5]\d|\d)/

/**
 * `datetime.strptime(value, format)` for `%Y-%m-%d`, with `withTime` for `%Y-%m-%d %H:%M:%S`, as milliseconds as if the
 * time were UTC.
 * @throws PyError TypeError for what is no str, ValueError for what does not match
 */
export function parsePythonDate(value: PyValue, withTime = false): number {
  if (typeof value !== 'string')
    throw new PyError('TypeError', `strptime() argument 1 must be str, not ${pyTypeName(value)}`)
  const format = withTime ? '%Y-%m-%d %H:%M:%S' : '%Y-%m-%d'
  const date = DATE.exec(value)
  const time = withTime && date ? TIME.exec(value.slice(date[0].length)) : null
  if (!date || (withTime && !time))
    throw new PyError('ValueError', `time data ${pyRepr(value)} does not match format ${pyRepr(format)}`)
  const rest = value.slice(date[0].length + (time?.[0].length ?? 0))
  if (rest !== '') throw new PyError('ValueError', `unconverted data remains: ${rest}`)
  const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3])]
  if (year === 0) throw new PyError('ValueError', 'year 0 is out of range')
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  if (at.getUTCDate() !== day) throw new PyError('ValueError', 'day is out of range for month')
  return at.getTime() + (Number(time?.[1] ?? 0) * 3600 + Number(time?.[2] ?? 0) * 60 + Number(time?.[3] ?? 0)) * 1000
}
