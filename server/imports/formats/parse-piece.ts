import { ImportError } from '../import-error.ts'
import { findJsonError } from './find-json-error.ts'

/** Of a byte in a file; line and column count from 1, columns in bytes. */
export type TextPosition = { byte: number; line: number; column: number }

/** Parses JSON that starts somewhere in a file; the ImportError says where in the file it is broken. */
export function parsePiece(text: string, start: TextPosition): unknown {
  try {
    return JSON.parse(text)
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

export function brokenJson(position: TextPosition, message: string): ImportError {
  return new ImportError(`The JSON is broken at ${describePosition(position)}: ${message}.`)
}

export function describePosition({ line, column, byte }: TextPosition): string {
  return `line ${line}, column ${column} (byte ${byte})`
}
