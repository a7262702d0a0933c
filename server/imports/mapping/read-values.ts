import type { AreaUnit, DecimalMark } from '#domain/imports/import-layout.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { foldText, isWebAddress } from '#domain/values/text.ts'
import { formatList } from '#domain/values/wording.ts'
import { tryParseJson } from '../formats/parse-json.ts'
import { type DateStyle, readDay, readInstant } from '../values/read-dates.ts'
import { readNumber } from '../values/read-numbers.ts'

export type ReadContext = {
  timeZone: string
  areaUnit: AreaUnit
  words?: WordMeanings | undefined
  decimalMark?: DecimalMark | undefined
  dateColumns?: ReadonlyMap<string, DateStyle> | undefined
  dates?: DateStyle | undefined
}

/** By field: a value of the field, or an empty text for no value. */
export class WordMeanings {
  private readonly byField: ReadonlyMap<string, ReadonlyMap<string, string>>

  constructor(words: Readonly<Record<string, Readonly<Record<string, string>>>>) {
    const folded = (meanings: Readonly<Record<string, string>>) =>
      new Map(Object.entries(meanings).map(([word, meaning]) => [foldWord(word), meaning]))
    this.byField = new Map(Object.entries(words).map(([field, meanings]) => [field, folded(meanings)]))
  }

  meaningOf(field: string, value: unknown): string | undefined {
    return typeof value === 'object' ? undefined : this.byField.get(field)?.get(foldWord(String(value)))
  }
}

const foldWord = (word: string) => word.trim().toLowerCase()

/** `read` returns undefined for cells that it does not understand. */
export type ValueReader = {
  expected: string
  read(value: unknown, context: ReadContext): unknown
  isDate?: true
  isNumber?: true
}

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

const toText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

const toTrimmed = (value: unknown) => toText(value)?.trim()

/** Text stays unchanged, including HTML, which pages show as text. */
export const text: ValueReader = { expected: 'text', read: toText }

export const name: ValueReader = { expected: 'text', read: toTrimmed }

const numberReader = (
  expected: string,
  convert: (number: number, context: ReadContext) => number | undefined,
): ValueReader => ({
  expected,
  isNumber: true,
  read: (value, context) => {
    const number = readNumber(value, context.decimalMark)
    return number === undefined ? undefined : convert(number, context)
  },
})

export const number = numberReader('a number', (number) => number)

export const count = numberReader('a whole number of 0 or more', (number) =>
  Number.isInteger(number) && number >= 0 ? number : undefined,
)

/** International acres and feet. */
export const acresPerUnit: Record<AreaUnit, number> = {
  acre: 1,
  sqft: 1 / 43_560,
  m2: 1 / 4_046.856_422_4,
  ha: 10_000 / 4_046.856_422_4,
}

export const area = numberReader('an area of 0 or more', (number, { areaUnit }) =>
  number >= 0 ? number * acresPerUnit[areaUnit] : undefined,
)

export const day: ValueReader = {
  expected: 'a date such as 2015-01-02 or Jan 2, 2015',
  isDate: true,
  read: (value, { timeZone, dates }) => readDay(value, timeZone, dates),
}

export const instant: ValueReader = {
  expected: 'a date such as 2015-01-02T15:45:56Z or Jan 2, 2015 3:45 PM',
  isDate: true,
  read: (value, { timeZone, dates }) => {
    const instantMs = readInstant(value, timeZone, dates)
    return instantMs === undefined ? undefined : new Date(instantMs).toISOString()
  },
}

const yes = 'true t yes y 1 resolved closed done fixed complete completed finished finalized'.split(' ')
const no = [...'false f no n 0 unresolved open opened reopened new active pending'.split(' '), 'in progress']

export const yesOrNo: ValueReader = {
  expected: 'one of yes, no, true, false, open, closed, resolved, unresolved',
  read: (value) => {
    const word = foldWord(String(value))
    if (yes.includes(word)) return true
    return no.includes(word) ? false : undefined
  },
}

/** One of these values, or its label, in any case and punctuation: 'Fallen Tree' is fallen_tree. */
export function oneOf(values: readonly string[], labels: readonly string[] = []): ValueReader {
  const foldedLabels = labels.map(foldText)
  return {
    expected: `one of ${values.join(', ')}`,
    read: (value) => {
      const text = toTrimmed(value)
      if (text === undefined || text === '') return undefined
      const word = text.toLowerCase().replace(/[\s-]+/g, '_')
      const found = values.find((one) => one === text || one === word)
      return found ?? values[foldedLabels.indexOf(foldText(text))]
    },
  }
}

export const link: ValueReader = {
  expected: 'a web address, such as https://example.com',
  read: (value) => {
    const text = toTrimmed(value)
    return text !== undefined && isWebAddress(text) ? text : undefined
  },
}

export const idOfFeature: ValueReader = {
  expected: 'an id of letters, digits, dot, underscore and hyphen',
  read: (value) => {
    const text = toTrimmed(value)
    return featureId.safeParse(text).success ? text : undefined
  },
}

type Part = { key: string; isRequired: boolean; isDate: boolean; reader: ValueReader }

/** A JSON array of objects with these members, or its text. Sorts the newest first. */
export function listOf(parts: readonly Part[]): ValueReader {
  const date = parts.find(({ isDate }) => isDate)?.key
  return {
    expected: `a JSON array of objects with ${formatList(parts.map(({ key }) => key))}`,
    read: (value, context) => {
      const items = typeof value === 'string' ? tryParseJson(value) : value
      if (!Array.isArray(items)) return undefined
      const entries = items
        .map((item) => readEntry(item, parts, context))
        .filter((entry) => entry !== undefined)
      if (entries.length < items.length) return undefined
      if (date === undefined) return entries
      const dateOf = (entry: Record<string, unknown>) => String(entry[date] ?? '')
      return entries.sort((one, other) => dateOf(other).localeCompare(dateOf(one), 'en'))
    },
  }
}

/** Undefined if any part is not understood, so that no part is lost. */
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
