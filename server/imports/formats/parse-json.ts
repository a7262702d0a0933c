import { ImportError } from '../import-error.ts'
import { losesDecimals, losesDigits } from '../values/read-numbers.ts'

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Line and column count from 1, columns in bytes. */
export type TextPosition = { byte: number; line: number; column: number }

export function parseJsonAt(text: string, start: TextPosition): unknown {
  try {
    return longInteger.test(text) || longDecimal.test(text)
      ? JSON.parse(text, keepDigits as Reviver)
      : JSON.parse(text)
  } catch (error) {
    const found = findJsonError(text)
    if (!found) throw brokenJson(start, String(error))
    const before = text.slice(0, found.index)
    const lines = before.split('\n')
    const bytes = Buffer.byteLength(before)
    const inLine = Buffer.byteLength(lines.at(-1) ?? '')
    const column = lines.length === 1 ? start.column + bytes : inLine + 1
    throw brokenJson({ byte: start.byte + bytes, line: start.line + lines.length - 1, column }, found.message)
  }
}

/** May also match inside strings, where it changes nothing. */
const longInteger = /(?:^|[:,[\s])-?\d{16,}/
/** Only values of members: elements of lists are coordinates, which need no more digits. */
const longDecimal = /":\s*-?\d*\.?(?=[\d.]{17})\d+/

type Reviver = (key: string, value: unknown) => unknown

/** Numbers with more digits than a double holds become strings. Most of them are ids. */
function keepDigits(this: unknown, _key: string, value: unknown, { source }: { source?: string }) {
  if (typeof value !== 'number' || source === undefined) return value
  const losesSome = !Array.isArray(this) && /[.e]/i.test(source) && losesDecimals(source)
  return losesSome || losesDigits(source) ? source : value
}

export const brokenJson = (position: TextPosition, message: string) =>
  new ImportError(`The JSON is invalid at ${describePosition(position)}: ${message}.`)

export const describePosition = ({ line, column, byte }: TextPosition) =>
  `line ${line}, column ${column} (byte ${byte})`

export type Expected =
  | `a value${'' | ' or ]'}`
  | `a name${'' | ' or }'}`
  | `, or ${']' | '}'}`
  | 'a colon'
  | 'nothing more'

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** By the rules of JSON (RFC 8259). JSON.parse does not always name the position. */
export function findJsonError(text: string): { index: number; message: string } | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  let index = 0
  const afterValue = (): Expected =>
    open.length === 0 ? 'nothing more' : open.at(-1) === '{' ? ', or }' : ', or ]'
  for (;;) {
    while (/[ \t\n\r]/.test(text[index] ?? '')) index++
    const character = text[index]
    if (character === undefined)
      return expected === 'nothing more'
        ? undefined
        : { index, message: `found the end instead of ${expected}` }
    const unexpected = { index, message: `found ${JSON.stringify(character)} instead of ${expected}` }
    const isValue: boolean = expected === 'a value' || expected === 'a value or ]'
    if (character === '"' && (isValue || expected.startsWith('a name'))) {
      const end = endOfString(text, index)
      if (typeof end !== 'number') return end
      index = end
      expected = isValue ? afterValue() : 'a colon'
      continue
    }
    index++
    if ((character === '{' || character === '[') && isValue) {
      open.push(character)
      expected = character === '{' ? 'a name or }' : 'a value or ]'
    } else if (character === '}' || character === ']') {
      if (!expected.endsWith(`or ${character}`)) return unexpected
      open.pop()
      expected = afterValue()
    } else if (character === ',' && expected.startsWith(',')) {
      expected = open.at(-1) === '{' ? 'a name' : 'a value'
    } else if (character === ':' && expected === 'a colon') {
      expected = 'a value'
    } else {
      literal.lastIndex = index - 1
      const length = isValue && literal.exec(text)?.[0].length
      if (!length) return unexpected
      index += length - 1
      expected = afterValue()
    }
  }
}

function endOfString(text: string, start: number): number | { index: number; message: string } {
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] as string
    if (character === '"') return index + 1
    if (character < ' ') return { index, message: 'found a control character in a string' }
    if (character !== '\\') continue
    const escaped = text.slice(index + 1, index + 6)
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(escaped))
      return { index, message: `found the unknown escape \\${escaped.slice(0, 1)} in a string` }
    index++
  }
  return { index: start, message: 'found a string that never ends' }
}
