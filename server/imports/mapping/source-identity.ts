import { hash as digest } from 'node:crypto'
import type { SourceRecord } from '../formats/source-record.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { isBlank } from './read-values.ts'

/** What tells a source's records apart; undefined where the source gives its records no id. */
export function sourceIdOf(
  record: SourceRecord,
  idColumn: { value: unknown; isExplicit: boolean } | undefined,
) {
  if (idColumn?.isExplicit && isId(idColumn.value)) return String(idColumn.value).trim()
  if (idColumn?.isExplicit && isMissing(idColumn.value)) throw new Refusal('its id is missing')
  if (idColumn?.isExplicit)
    throw new Refusal(`its id ${quoteValue(idColumn.value)} is neither a text nor a number`)
  if (!isMissing(record.id)) {
    if (isId(record.id)) return String(record.id).trim()
    throw new Refusal(`its id ${quoteValue(record.id)} is neither a text nor a number`)
  }
  return isId(idColumn?.value) ? String(idColumn?.value).trim() : undefined
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !isMissing(value))
}

/** How databases and spreadsheets write that there is no value. */
const noValue = /^(null|<null>|\(null\)|#?n\/a|nil|nan|none|undefined)$/i

const isMissing = (value: unknown) =>
  isBlank(value) || (typeof value === 'string' && noValue.test(value.trim()))

/** The same record of the same source is the same feature, whenever and wherever it is imported. */
export function featureIdOf(kind: string, source: string, sourceId: string): string {
  return `${kind}-${hash(`${source}\0${sourceId}`)}`
}

/** 16 hexadecimal digits that tell the ids of features apart. */
export const digitsOf = (id: string): string => /-([0-9a-f]{16})$/.exec(id)?.[1] ?? hash(id)

/** Stands in for the id of a record without one: its content. */
export function contentId(record: SourceRecord): string {
  try {
    return `content ${hash(JSON.stringify([record.properties, record.geometry]))}`
  } catch {
    throw new Refusal('it is nested too deeply to keep')
  }
}

/** Two layers of one file are two sources. */
export const sourceOfLayer = (source: string, label: string | undefined) =>
  `${source} ${label ?? ''}`.trim().slice(0, 200)

function hash(text: string): string {
  return digest('sha256', text, 'hex').slice(0, 16)
}
