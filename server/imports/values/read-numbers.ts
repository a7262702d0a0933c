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
  const plain =
    decimalMark === 'comma' ? digits.replace(/[.\s]/g, '').replace(',', '.') : digits.replace(/[,\s]/g, '')
  const number = Number(plain)
  if (!Number.isFinite(number) || losesDigits(plain)) return undefined
  return number
}

/** Whether a whole number would be written with other digits after it was a double. */
export const losesDigits = (digits: string): boolean =>
  /^[-+]?\d{16,}$/.test(digits) && String(Number(digits)) !== digits.replace(/^\+/, '')
