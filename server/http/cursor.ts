import { z } from 'zod'
import { isStorableText } from '#domain/values/text.ts'
import { badParameter } from './problem.ts'

const parts = z.array(z.string().refine(isStorableText))

/** Where a page of a list ended: the sort keys of its last row, opaque to clients. */
export function writeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url')
}

/** The keys back; throws a 400 where the text is not a cursor of `length` keys. */
export function readCursor<Length extends keyof Keys>(cursor: string, length: Length): Keys[Length] {
  return readKeys(cursor, length) as Keys[Length]
}

type Keys = { 2: [string, string]; 4: [string, string, string, string] }

function readKeys(cursor: string, length: number): string[] {
  try {
    return parts.length(length).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    throw badCursor()
  }
}

function badCursor() {
  return badParameter('query', 'after', 'is not a cursor that this list gave out')
}

/** The whole number of a cursor with one key, not above `greatest`. */
export function readNumberCursor(cursor: string, greatest: number): number {
  return wholeNumber(readKeys(cursor, 1)[0], { greatest })
}

/** The number that a key of a cursor holds; throws like `readCursor`. */
export function wholeNumber(
  key: string | undefined,
  { least = 0, greatest = Number.MAX_SAFE_INTEGER } = {},
): number {
  if (key === undefined || !/^-?\d{1,16}$/.test(key)) throw badCursor()
  const number = Number(key)
  if (!Number.isSafeInteger(number) || number < least || number > greatest) throw badCursor()
  return number
}
