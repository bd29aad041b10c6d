const DECIMAL = /^\p{Nd}$/u

/** `int(digits)` of Python for decimal digits of any script. */
export function decimalValue(digits: string): number {
  let value = 0
  for (const digit of digits) value = value * 10 + digitValue(digit.codePointAt(0)!)
  return value
}

/** Unicode encodes decimal digits in runs that begin with a zero; runs may touch. */
function digitValue(code: number): number {
  let zero = code
  while (DECIMAL.test(String.fromCodePoint(zero - 1))) zero -= 1
  return (code - zero) % 10
}
