import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'

const withPoint = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?$/i
const withComma = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:\s\d{3})+)?(?:,\d*)?(?:e[-+]?\d+)?$/i

/**
 * '3,224.00', '$ 335,700', '1 234.5'; with a decimal comma '3.224,00'. Undefined for what is no number, and for whole numbers
 * whose last digits a number cannot hold.
 */
export function readNumber(value: unknown, decimalMark: DecimalMark = 'point'): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const digits = value.replace(/\s*[$€]\s*/g, '').trim()
  const pattern = decimalMark === 'comma' ? withComma : withPoint
  if (!/\d/.test(digits) || !pattern.test(digits)) return undefined
  const plain = plainOf(value, decimalMark)
  const number = Number(plain)
  if (!Number.isFinite(number) || losesDigits(plain)) return undefined
  return number
}

/** Digits and the power of ten of the first one, without zeros at the ends. */
function digitsOf(decimal: string): { digits: string; power: number } | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(decimal) ?? []
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first < 0) return undefined
  return { digits: all.slice(first).replace(/0+$/, ''), power: whole.length - first + Number(exponent) }
}

/** Digits that any double keeps. */
const keptDigits = 15

/**
 * Whether a number with a decimal point has more digits than a double keeps, and these are not only those of the double itself:
 * programs write 0.1 as 0.10000000000000000555.
 */
export function losesDecimals(decimal: string): boolean {
  const said = digitsOf(decimal)
  if (!said || said.digits.length <= keptDigits) return false
  const isKeptBy = (written: string) => {
    const kept = digitsOf(written)
    return kept?.digits === said.digits && kept.power === said.power
  }
  const number = Number(decimal)
  // A tie, such as 1965288613986966.25, is rounded up by toExponential with a precision, while the shortest form ends with .2.
  return (
    !isKeptBy(number.toExponential()) &&
    !isKeptBy(number.toExponential(Math.min(said.digits.length - 1, 100)))
  )
}

/** The same of a cell that `readNumber` understands. */
export const isRounded = (value: unknown, decimalMark: DecimalMark = 'point'): boolean =>
  typeof value === 'string' && losesDecimals(plainOf(value, decimalMark))

const plainOf = (value: string, decimalMark: DecimalMark) => {
  const digits = value.replace(/\s*[$€]\s*/g, '').trim()
  return decimalMark === 'comma'
    ? digits.replace(/[.\s]/g, '').replace(',', '.')
    : digits.replace(/[,\s]/g, '')
}

/** Whether a whole number would be written with other digits after it was a double. */
export const losesDigits = (digits: string): boolean =>
  /^[-+]?\d{16,}$/.test(digits) && String(Number(digits)) !== digits.replace(/^\+/, '')
