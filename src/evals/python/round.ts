/**
 * `round(value, digits)` of Python for a float: to the nearest decimal of the float's exact value, ties to even.
 * @param digits 0 to 20
 */
export function pyRound(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value
  const rounded = Number(value.toFixed(digits))
  // toFixed takes the larger of two equally near decimals; a tie has a finite expansion of one more digit, a 5.
  const longer = value.toFixed(Math.min(100, digits + 1))
  const isTie = longer.endsWith('5') && /^0*$/.test(value.toFixed(100).slice(longer.length))
  if (!isTie) return rounded
  const cut = longer.slice(0, -1)
  return Number(cut.replace('.', '').slice(-1)) % 2 === 0 ? Number(cut) : rounded
}
