import { type ImportSettings, type Keeper, problemColumns } from '#domain/imports/import-draft.schema.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { type Fields, plainName } from './fields.ts'

/**
 * Columns that are stored with a feature beside its fields: all but some, or only some. Columns that are omitted, or
 * stored `apart`, fill no field by their names. `isLenient` if they may be missing in the file.
 */
export type StoredColumns = ({ omit: readonly string[] } | { only: readonly string[] }) & {
  apart?: readonly string[]
  isLenient?: true
}

export const columnsFor = (keeper: Keeper, keptFor: ImportSettings['keptFor']): string[] =>
  Object.entries(keptFor).flatMap(([column, one]) => (one === keeper ? [column] : []))

/** Lenient, since the settings also apply to later editions of the file. */
export const storedColumnsOf = (keptFor: ImportSettings['keptFor']): StoredColumns => ({
  omit: columnsFor('nobody', keptFor),
  apart: [...columnsFor('staff', keptFor), ...columnsFor('everybody', keptFor)],
  isLenient: true,
})

/** `isExplicit` if the user selected it. */
export type Source = { column: string; value: unknown; isExplicit: boolean }

export type Assigned = {
  fields: Map<string, Source>
  /** Columns that fill no field, in the order of the file. Includes the column of the id, which people recognize. */
  rest: [column: string, value: unknown][]
}

/**
 * The column that has a value for a field in a record. `unknown` is a value that is not understood, `odd` a date in a
 * year that offices have no records of, `emptyDay` a date that programs write for an empty cell, `rounded` a number
 * with more digits than the field stores.
 */
export type Filling = {
  field: string
  column: string
  unknown?: unknown
  odd?: unknown
  emptyDay?: unknown
  rounded?: unknown
}

export type ValueOfRow = { row: number; value: string }

/** Counts of values: `rows` understood, `notUnderstood` stored as metadata or in rejected rows. */
export type FilledField = {
  field: string
  column: string
  rows: number
  notUnderstood: number
  unknown?: string[]
  unknownRows?: ValueOfRow[]
  /** Dates before 1800 or after 2200. */
  oddDates?: number
  oddRows?: ValueOfRow[]
  /** Dates that programs write for an empty cell. */
  emptyDays?: number
  emptyDayRows?: ValueOfRow[]
  rounded?: number
  roundedRows?: ValueOfRow[]
}

const maxValuesOfRows = 5
const [maxUnknown, maxCharacters] = [50, 200]

/** A bit for each row number. Can be sent to another thread as its bytes. */
export class RowSet {
  bytes: Uint8Array<ArrayBuffer>

  constructor(bytes = new Uint8Array(64)) {
    this.bytes = bytes
  }

  add(row: number) {
    const index = row >> 3
    if (index >= this.bytes.length) {
      const grown = new Uint8Array(2 * index)
      grown.set(this.bytes)
      this.bytes = grown
    }
    this.bytes[index] = (this.bytes[index] as number) | (1 << (row & 7))
  }

  /** Of another set. */
  addAll(bytes: Uint8Array) {
    const union = new Uint8Array(Math.max(bytes.length, this.bytes.length))
    union.set(this.bytes)
    for (const [index, byte] of bytes.entries()) union[index] = (union[index] as number) | byte
    this.bytes = union
  }

  has(row: number): boolean {
    return ((this.bytes[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
  }
}

type CountedField = FilledField & { counts: Map<string, number> }

/** Can be sent to another thread. */
export type FoundColumns = {
  seen: readonly string[]
  filled: ReadonlyMap<string, CountedField>
  unread: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

type Claim = { field: string; isExplicit: boolean; rank: number }

/** They identify and locate a record, and are not stored themselves: a column that is left out may still fill them. */
export const fieldsOfRecord: ReadonlySet<string> = new Set(['id', 'latitude', 'longitude', 'wkt'])

const withValue = (values: ValueOfRow[] = [], row: number, value: unknown): ValueOfRow[] =>
  values.length >= maxValuesOfRows
    ? values
    : [...values, { row, value: String(value).trim().slice(0, maxCharacters).toWellFormed() }]

function addCounts(one: CountedField, other: CountedField): CountedField {
  const counts = new Map(one.counts)
  for (const [value, count] of other.counts) counts.set(value, (counts.get(value) ?? 0) + count)
  const sum = {
    ...one,
    counts,
    rows: one.rows + other.rows,
    notUnderstood: one.notUnderstood + other.notUnderstood,
  }
  for (const name of ['oddDates', 'emptyDays', 'rounded'] as const)
    if (other[name] !== undefined) sum[name] = (one[name] ?? 0) + other[name]
  for (const name of ['unknownRows', 'oddRows', 'emptyDayRows', 'roundedRows'] as const)
    if (other[name])
      sum[name] = [...(one[name] ?? []), ...other[name]]
        .sort((first, second) => first.row - second.row)
        .slice(0, maxValuesOfRows)
  return sum
}

export class ColumnMapping {
  readonly fields: Fields
  private readonly explicit: ReadonlyMap<string, string>
  private readonly claims = new Map<string, Claim[]>()
  private readonly unseen: Set<string>
  private readonly omitted: ReadonlySet<string>
  private readonly apart: ReadonlySet<string>
  private readonly only: ReadonlySet<string> | null
  private readonly filled = new Map<string, CountedField>()
  private readonly unread = new Map<string, RowSet>()

  constructor(fields: Fields, explicit: ReadonlyMap<string, string>, stored: StoredColumns = { omit: [] }) {
    this.fields = fields
    this.explicit = explicit
    this.omitted = new Set('omit' in stored ? stored.omit : [])
    this.only = 'only' in stored ? new Set(stored.only) : null
    this.apart = new Set(stored.apart)
    const required = stored.isLenient ? [] : [...this.omitted, ...(this.only ?? [])]
    this.unseen = new Set([...explicit.values(), ...required])
  }

  get unseenColumns(): string[] {
    return [...this.unseen]
  }

  get seenColumns(): string[] {
    return [...this.claims.keys()]
  }

  note(fillings: readonly Filling[], row: number) {
    for (const { field, column, unknown, odd, emptyDay, rounded } of fillings) {
      const key = `${field}\0${column}`
      const none: CountedField = { field, column, rows: 0, notUnderstood: 0, counts: new Map() }
      const counted = this.filled.get(key) ?? none
      this.filled.set(key, counted)
      if (odd !== undefined) {
        counted.oddDates = (counted.oddDates ?? 0) + 1
        counted.oddRows = withValue(counted.oddRows, row, odd)
      }
      if (emptyDay !== undefined) {
        counted.emptyDays = (counted.emptyDays ?? 0) + 1
        counted.emptyDayRows = withValue(counted.emptyDayRows, row, emptyDay)
      }
      if (rounded !== undefined) {
        counted.rounded = (counted.rounded ?? 0) + 1
        counted.roundedRows = withValue(counted.roundedRows, row, rounded)
      }
      if (unknown === undefined) {
        counted.rows++
        continue
      }
      counted.notUnderstood++
      this.unreadOf(field).add(row)
      counted.unknownRows = withValue(counted.unknownRows, row, unknown)
      const value = String(unknown).trim()
      const { counts } = counted
      if (value.length <= maxCharacters && (counts.has(value) || counts.size < maxUnknown))
        counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }

  get result(): { filled: FilledField[]; kept: string[] } {
    const order = Object.keys(this.fields)
    const filled = [...this.filled.values()]
      .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
      .map(({ counts, ...field }) => {
        const unknown = [...counts]
          .sort(([, one], [, other]) => other - one)
          .slice(0, maxUnknown)
          .map(([value]) => value)
        return unknown.length === 0 ? field : { ...field, unknown }
      })
    const used = new Set(filled.filter(({ rows }) => rows > 0).map(({ column }) => column))
    return { filled, kept: this.seenColumns.filter((column) => !used.has(column) && this.isStored(column)) }
  }

  get found(): FoundColumns {
    return { seen: this.seenColumns, filled: this.filled, unread: this.unreadRows }
  }

  /** `found` in other rows of the same file. */
  absorb({ seen, filled, unread }: FoundColumns) {
    for (const column of seen) this.claimsOf(column)
    for (const [key, other] of filled) {
      const own = this.filled.get(key)
      this.filled.set(key, own ? addCounts(own, other) : other)
    }
    for (const [field, bytes] of unread) this.unreadOf(field).addAll(bytes)
  }

  private unreadOf(field: string): RowSet {
    const rows = this.unread.get(field) ?? new RowSet()
    this.unread.set(field, rows)
    return rows
  }

  get unreadRows(): Map<string, Uint8Array<ArrayBuffer>> {
    return new Map([...this.unread].map(([field, { bytes }]) => [field, bytes]))
  }

  canFill(field: string, columns: readonly string[]): boolean {
    return columns.some((column) => this.claimsOf(column).some((claim) => claim.field === field))
  }

  fillsField(column: string): boolean {
    return this.claimsOf(column).length > 0
  }

  isStored(column: string): boolean {
    return this.isWanted(column) && !this.leavesOut(column)
  }

  isWanted(name: string): boolean {
    this.unseen.delete(name)
    return this.only ? this.only.has(name) : !this.omitted.has(name)
  }

  leavesOut(column: string): boolean {
    if (!problemColumns.includes(column) || this.only?.has(column) || this.apart.has(column)) return false
    return this.claimsOf(column).length === 0
  }

  assign(properties: SourceRecord['properties'], ignored: ReadonlySet<string>): Assigned {
    const best = new Map<string, Source & { rank: number }>()
    for (const [column, value] of properties)
      for (const { field, isExplicit, rank } of this.claimsOf(column))
        if (!ignored.has(field) && rank < (best.get(field)?.rank ?? Number.POSITIVE_INFINITY))
          best.set(field, { column, value, isExplicit, rank })
    const fields = new Map<string, Source>()
    const used = new Set<string>()
    const id = this.explicit.get('id')
    // A record without the column of its id is treated as one with an empty id.
    if (id !== undefined && !best.has('id') && !ignored.has('id'))
      fields.set('id', { column: id, value: null, isExplicit: true })
    for (const [field, { column, value, isExplicit }] of best) {
      fields.set(field, { column, value, isExplicit })
      if (field !== 'id') used.add(column)
    }
    const rest = properties.flatMap(([column, value]): Assigned['rest'] =>
      used.has(column) ? [] : [[column, value]],
    )
    return { fields, rest }
  }

  private claimsOf(column: string): Claim[] {
    const cached = this.claims.get(column)
    if (cached) return cached
    const plain = plainName(column)
    const claims = Object.entries(this.fields).flatMap(([field, { aliases, isOnlyExplicit }]): Claim[] => {
      const selected = this.explicit.get(field)
      if (selected !== undefined) return selected === column ? [{ field, isExplicit: true, rank: 0 }] : []
      const isLeftOut = (this.omitted.has(column) || this.apart.has(column)) && !fieldsOfRecord.has(field)
      const rank = isOnlyExplicit || isLeftOut ? -1 : [plainName(field), ...aliases].indexOf(plain)
      return rank < 0 ? [] : [{ field, isExplicit: false, rank }]
    })
    this.claims.set(column, claims)
    this.unseen.delete(column)
    return claims
  }
}
