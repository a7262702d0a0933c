import { hash as digest } from 'node:crypto'
import type { SourceRecord } from '../formats/source-record.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import type { Source } from './map-columns.ts'
import { isBlank } from './read-values.ts'

/** Undefined if it has none. A column that the user selected must have one. */
export function sourceIdOf(
  record: SourceRecord,
  column: Pick<Source, 'value' | 'isExplicit'> | undefined,
): string | undefined {
  if (column?.isExplicit && isMissing(column.value)) throw new Refusal('its id is missing')
  const isRequired = column?.isExplicit || !isMissing(record.id)
  const value = column?.isExplicit || isMissing(record.id) ? column?.value : record.id
  if (typeof value === 'number' || (typeof value === 'string' && !isMissing(value)))
    return String(value).trim()
  if (isRequired) throw new Refusal(`its id ${quoteValue(value)} is not text or a number`)
  return undefined
}

/** Notations of databases and spreadsheets for a missing value. */
const noValue = /^(null|<null>|\(null\)|#?n\/a|nil|nan|none|undefined)$/i

const isMissing = (value: unknown) =>
  isBlank(value) || (typeof value === 'string' && noValue.test(value.trim()))

/** The same record of the same source gets the same id in any import. */
export function featureIdOf(kind: string, source: string, sourceId: string): string {
  return `${kind}-${hash(`${source}\0${sourceId}`)}`
}

export const digitsOf = (id: string): string => /-([0-9a-f]{16})$/.exec(id)?.[1] ?? hash(id)

/** Replaces the id of a record without one by its content. */
export function contentId(record: SourceRecord): string {
  try {
    return `content ${hash(JSON.stringify([record.properties, record.geometry]))}`
  } catch {
    throw new Refusal('it is nested too deeply to store')
  }
}

export const sourceOfLayer = (source: string, label: string | undefined) =>
  `${source} ${label ?? ''}`.trim().slice(0, 200)

function hash(text: string): string {
  return digest('sha256', text, 'hex').slice(0, 16)
}
