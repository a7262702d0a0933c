import { ImportError } from '../import-error.ts'
import { losesDecimals, losesDigits } from '../values/read-numbers.ts'
import { findJsonError } from './find-json-error.ts'

/** Of a byte in a file; line and column count from 1, columns in bytes. */
export type TextPosition = { byte: number; line: number; column: number }

/** Parses JSON that starts somewhere in a file; the ImportError says where in the file it is broken. */
export function parsePiece(text: string, start: TextPosition): unknown {
  try {
    return hasLongInteger.test(text) || hasLongDecimal.test(text)
      ? JSON.parse(text, keepDigits as Reviver)
      : JSON.parse(text)
  } catch (error) {
    const found = findJsonError(text)
    if (!found) throw brokenJson(start, String(error))
    const before = text.slice(0, found.index)
    const lineBreaks = before.split('\n').length - 1
    const bytes = Buffer.byteLength(before)
    const column =
      lineBreaks === 0
        ? start.column + bytes
        : bytes - Buffer.byteLength(before.slice(0, before.lastIndexOf('\n') + 1)) + 1
    throw brokenJson({ byte: start.byte + bytes, line: start.line + lineBreaks, column }, found.message)
  }
}

/** Outside of texts nothing but a whole number has so many digits before a point; inside of texts it does no harm. */
const hasLongInteger = /(?:^|[:,[\s])-?\d{16,}/

type Reviver = (key: string, value: unknown) => unknown

/** Of a member: elements of lists are coordinates, which need no more. */
const hasLongDecimal = /":\s*-?\d*\.?(?=[\d.]{17})\d+/

/** A number with more digits than a double holds becomes text. Ids, above all, have them. */
function keepDigits(this: unknown, _key: string, value: unknown, { source }: { source?: string }) {
  if (typeof value !== 'number' || source === undefined) return value
  return losesDigits(source) || (!Array.isArray(this) && /[.e]/i.test(source) && losesDecimals(source))
    ? source
    : value
}

export function brokenJson(position: TextPosition, message: string): ImportError {
  return new ImportError(`The JSON is broken at ${describePosition(position)}: ${message}.`)
}

export function describePosition({ line, column, byte }: TextPosition): string {
  return `line ${line}, column ${column} (byte ${byte})`
}
