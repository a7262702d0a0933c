import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'

const withPoint = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?$/i
const withComma = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:\s\d{3})+)?(?:,\d*)?(?:e[-+]?\d+)?$/i

/**
 * '3,224.00', '$ 335,700', '1 234.5'; with a decimal comma '3.224,00'. Undefined for other values, and for whole
 * numbers whose last digits a double cannot hold.
 */
export function readNumber(value: unknown, decimalMark: DecimalMark = 'point'): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = withoutCurrency(value)
  const pattern = decimalMark === 'comma' ? withComma : withPoint
  if (!/\d/.test(text) || !pattern.test(text)) return undefined
  const plain = plainNumber(text, decimalMark)
  const number = Number(plain)
  return Number.isFinite(number) && !losesDigits(plain) ? number : undefined
}

const withoutCurrency = (text: string) => text.replace(/\s*[$€]\s*/g, '').trim()

const plainNumber = (text: string, decimalMark: DecimalMark) =>
  decimalMark === 'comma' ? text.replace(/[.\s]/g, '').replace(',', '.') : text.replace(/[,\s]/g, '')

function digitsOf(decimal: string): { digits: string; power: number } | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(decimal) ?? []
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first < 0) return undefined
  return { digits: all.slice(first).replace(/0+$/, ''), power: whole.length - first + Number(exponent) }
}

const doubleDigits = 15

/** False for the digits of the double itself: programs write 0.1 as 0.10000000000000000555. */
export function losesDecimals(decimal: string): boolean {
  const exact = digitsOf(decimal)
  if (!exact || exact.digits.length <= doubleDigits) return false
  const number = Number(decimal)
  // toExponential with a precision rounds a tie, such as 1965288613986966.25, up; the shortest form ends with .2.
  const forms = [number.toExponential(), number.toExponential(Math.min(exact.digits.length - 1, 100))]
  return forms.map(digitsOf).every((form) => form?.digits !== exact.digits || form.power !== exact.power)
}

export const isRounded = (value: unknown, decimalMark: DecimalMark = 'point'): boolean =>
  typeof value === 'string' && losesDecimals(plainNumber(withoutCurrency(value), decimalMark))

export const losesDigits = (digits: string): boolean =>
  /^[-+]?\d{16,}$/.test(digits) && String(Number(digits)) !== digits.replace(/^\+/, '')
