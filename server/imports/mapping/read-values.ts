import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { foldText, isWebAddress } from '#domain/values/text.ts'
import { type DateStyle, readDay, readInstant } from '../values/read-dates.ts'
import { readNumber } from '../values/read-numbers.ts'

export type ReadContext = {
  timeZone: string
  areaUnit: AreaUnit
  /** What words mean of which somebody has said it. */
  words?: SaidWords | undefined
  decimalMark?: DecimalMark | undefined
  /** Notation of dates, by column; and that of the column that is read. */
  dateColumns?: ReadonlyMap<string, DateStyle> | undefined
  dates?: DateStyle | undefined
}

/** What words of a file mean, by the field: a value of it, or nothing where it is empty. */
export class SaidWords {
  private readonly byField: ReadonlyMap<string, ReadonlyMap<string, string>>
  constructor(said: Readonly<Record<string, Readonly<Record<string, string>>>>) {
    const foldedOf = (words: Readonly<Record<string, string>>) =>
      new Map(Object.entries(words).map(([word, meaning]) => [plainWord(word), meaning]))
    this.byField = new Map(Object.entries(said).map(([field, words]) => [field, foldedOf(words)]))
  }

  /** Undefined where nobody has said it. */
  meaningOf(field: string, value: unknown): string | undefined {
    const words = this.byField.get(field)
    return words && (typeof value === 'object' ? undefined : words.get(plainWord(String(value))))
  }
}

const plainWord = (word: string) => word.trim().toLowerCase()

/** How a cell becomes the value of a field. `read` gives undefined for what it does not understand. */
export type ValueReader = {
  expected: string
  read(value: unknown, context: ReadContext): unknown
  isDate?: true
  /** Its text may have a decimal point or comma. */
  isNumber?: true
}

/** Cells without a value: the field stays as if there were no such column. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

const simpleText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

/** Text kept to the letter, HTML and all: pages show it as text. */
export const text: ValueReader = { expected: 'a text', read: simpleText }

/** A name: text without space around it. */
export const name: ValueReader = { expected: 'a text', read: (value) => simpleText(value)?.trim() }

export const number: ValueReader = {
  expected: 'a number',
  isNumber: true,
  read: (value, { decimalMark }) => readNumber(value, decimalMark),
}

export const count: ValueReader = {
  expected: 'a whole number of 0 or more',
  isNumber: true,
  read: (value, { decimalMark }) => {
    const read = readNumber(value, decimalMark)
    return read !== undefined && Number.isInteger(read) && read >= 0 ? read : undefined
  },
}

/** International acre; square feet are those of the survey foot's successor, the international foot. */
export const acresPerUnit = {
  acre: 1,
  sqft: 1 / 43_560,
  m2: 1 / 4_046.856_422_4,
  ha: 10_000 / 4_046.856_422_4,
}
export type AreaUnit = keyof typeof acresPerUnit
export const areaUnits = Object.keys(acresPerUnit) as AreaUnit[]

export const area: ValueReader = {
  expected: 'an area of 0 or more',
  isNumber: true,
  read: (value, { areaUnit, decimalMark }) => {
    const read = readNumber(value, decimalMark)
    return read !== undefined && read >= 0 ? read * acresPerUnit[areaUnit] : undefined
  },
}

export const day: ValueReader = {
  expected: 'a date such as 2015-01-02 or Jan 2, 2015',
  isDate: true,
  read: (value, { timeZone, dates }) => readDay(value, timeZone, dates),
}

export const instant: ValueReader = {
  expected: 'a date such as 2015-01-02T15:45:56Z or Jan 2, 2015 3:45 PM',
  isDate: true,
  read: (value, { timeZone, dates }) => {
    const read = readInstant(value, timeZone, dates)
    return read === undefined ? undefined : new Date(read).toISOString()
  },
}

const yes = new Set(
  'true t yes y 1 resolved closed done fixed complete completed finished finalized'.split(' '),
)
const no = new Set(
  'false f no n 0 unresolved open opened reopened new active pending'.split(' ').concat('in progress'),
)

export const yesOrNo: ValueReader = {
  expected: 'one of yes, no, true, false, open, closed, resolved, unresolved',
  read: (value) => {
    const word = String(value).trim().toLowerCase()
    if (yes.has(word)) return true
    return no.has(word) ? false : undefined
  },
}

/** One of our words, or what it is called, however it is written: 'Fallen Tree' is fallen_tree. */
export function oneOf(words: readonly string[], labels: readonly string[] = []): ValueReader {
  const folded = labels.map(foldText)
  return {
    expected: `one of ${words.join(', ')}`,
    read: (value) => {
      const said = simpleText(value)?.trim()
      if (said === undefined || said === '') return undefined
      const word = said.toLowerCase().replace(/[\s-]+/g, '_')
      return words.find((known) => known === said || known === word) ?? words[folded.indexOf(foldText(said))]
    },
  }
}

export const link: ValueReader = {
  expected: 'a web address, such as https://example.com',
  read: (value) => {
    const said = simpleText(value)?.trim()
    return said !== undefined && isWebAddress(said) ? said : undefined
  },
}

type Part = { key: string; isRequired: boolean; isDate: boolean; reader: ValueReader }

/** A JSON array of objects with these members, newest first afterwards; as text in a table. */
export function listOf(parts: readonly Part[]): ValueReader {
  const date = parts.find(({ isDate }) => isDate)?.key
  return {
    expected: `a JSON array of objects with ${parts.map(({ key }) => key).join(' and ')}`,
    read: (value, context) => {
      const items = typeof value === 'string' ? parseJson(value) : value
      if (!Array.isArray(items)) return undefined
      const entries = items.map((item) => readEntry(item, parts, context))
      if (entries.includes(undefined)) return undefined
      const known = entries as Record<string, unknown>[]
      return date === undefined
        ? known
        : known.sort((one, other) => String(other[date] ?? '').localeCompare(String(one[date] ?? ''), 'en'))
    },
  }
}

/** Undefined where anything of it is not understood: nothing of a list gets lost. */
function readEntry(
  item: unknown,
  parts: readonly Part[],
  context: ReadContext,
): Record<string, unknown> | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const members = new Map<string, unknown>(Object.entries(item))
  const entry: Record<string, unknown> = {}
  for (const { key, isRequired, reader } of parts) {
    const value = members.get(key)
    members.delete(key)
    entry[key] = isBlank(value) ? null : reader.read(value, context)
    if (entry[key] === undefined || (isRequired && entry[key] === null)) return undefined
  }
  return members.size === 0 ? entry : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const idOfFeature: ValueReader = {
  expected: 'an id of letters, digits, dot, underscore and hyphen',
  read: (value) => {
    const read = simpleText(value)?.trim()
    return featureId.safeParse(read).success ? read : undefined
  },
}
