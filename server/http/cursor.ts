import { z } from 'zod'
import { isStorableText } from '#domain/values/text.ts'
import { badParameter } from './problem.ts'

const parts = z.array(z.string().refine(isStorableText))

export function writeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url')
}

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
  return badParameter('query', 'after', 'is not a valid cursor of this list')
}

type TimePosition = { at: number; id: string }

export function readTimePosition(cursor: string | undefined): TimePosition | undefined {
  if (cursor === undefined) return undefined
  const [at, id] = readCursor(cursor, 2)
  return { at: wholeNumber(at), id }
}

export const writeTimePosition = ({ at, id }: TimePosition) => writeCursor([String(at), id])

export function readNumberCursor(cursor: string, greatest: number): number {
  return wholeNumber(readKeys(cursor, 1)[0], { greatest })
}

export function wholeNumber(
  key: string | undefined,
  { least = 0, greatest = Number.MAX_SAFE_INTEGER } = {},
): number {
  if (key === undefined || !/^-?\d{1,16}$/.test(key)) throw badCursor()
  const number = Number(key)
  if (!Number.isSafeInteger(number) || number < least || number > greatest) throw badCursor()
  return number
}
