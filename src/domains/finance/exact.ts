/** An amount could not be held exactly. */
export class AmountError extends Error {
  override readonly name = 'AmountError'
  readonly code = 'amount'
  constructor(readonly where: string) {
    super(`"${where.slice(0, 60)}" is not an amount of money. Write it as 1234.56 or 1.234,56.`)
  }
}

/** Decimal places of a currency's smallest unit (ISO 4217, as the runtime knows them); 2 when no currency is known. */
export function minorDigits(currency: string | undefined): number {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return 2
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * A plain decimal ("-1234.5") in smallest units, without going through binary fractions.
 * @throws {AmountError} when it is no decimal, has more places than the currency, or is too large to be held exactly.
 */
export function toMinor(decimal: string, currency?: string): number {
  const match = /^([+-]?)(\d{1,15})(?:\.(\d{1,20}))?$/.exec(decimal.trim())
  if (!match) throw new AmountError(decimal)
  const digits = minorDigits(currency)
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  if (fraction.length > digits) throw new AmountError(decimal)
  const value = Number(`${match[2]}${fraction.padEnd(digits, '0')}`)
  if (!Number.isSafeInteger(value)) throw new AmountError(decimal)
  return match[1] === '-' && value !== 0 ? -value : value
}

/** Smallest units of a number that was said or stored: rounded to the nearest unit by its decimal writing. */
export function minorOf(amount: number, currency?: string): number {
  const shown = Math.abs(amount) < 1e15 ? amount.toFixed(minorDigits(currency)) : String(amount)
  return toMinor(shown, currency)
}

/** The decimal of smallest units: `-1234` in EUR is "-12.34". */
export function fromMinor(minor: number, currency?: string): string {
  const digits = minorDigits(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${minor < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}

/** "12.50 EUR", "12 EUR". */
export function sayMinor(minor: number, currency?: string): string {
  return `${fromMinor(minor, currency).replace(/\.0+$/, '')}${currency ? ` ${currency}` : ''}`
}

/** A share of an amount in smallest units, such as tax: half units go away from zero. `thousandths` of a percent. */
export function shareOf(minor: number, thousandths: number): number {
  const product = BigInt(minor) * BigInt(thousandths)
  const half = product < 0n ? -50_000n : 50_000n
  return Number((product + half) / 100_000n)
}
