import { z } from 'zod'
import { isStorableText } from '#domain/features/text.ts'
import { badParameter } from './problem.ts'

const parts = z.array(z.string().refine(isStorableText))

/** Where a page of a list ended: the sort keys of its last row, opaque to clients. */
export function writeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url')
}

/** The keys back; throws a 400 where the text is not a cursor of `length` keys. */
export function readCursor<Length extends 2 | 3>(
  cursor: string,
  length: Length,
): Length extends 3 ? [string, string, string] : [string, string] {
  try {
    const keys = parts.length(length).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return keys as Length extends 3 ? [string, string, string] : [string, string]
  } catch {
    throw badParameter('query', 'after', 'is not a cursor that this list gave out')
  }
}
