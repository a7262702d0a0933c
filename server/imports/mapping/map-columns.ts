import { problemColumns } from '#domain/imports/import-draft.schema.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { type Fields, plainName } from './fields.ts'
import { RowSet } from './row-set.ts'

/**
 * Which columns stay with a feature beside its fields: all but some, or only some. One that is omitted fills no field
 * by its name either, as do those that are `apart` and stay. `isLenient` where no row need have them.
 */
export type KeptColumns = ({ omit: readonly string[] } | { only: readonly string[] }) & {
  apart?: readonly string[]
  isLenient?: true
}

/** What a field is filled from in one record. */
export type Source = { column: string; value: unknown; isExplicit: boolean }

export type Assigned = {
  fields: Map<string, Source>
  /** Columns that fill no field, in the file's order. The id's column is among them: people know it by that. */
  rest: [column: string, value: unknown][]
}

/**
 * A field, and the column that has a value for it in one record; `unknown` is one that is not understood, `odd` a date in a year
 * that offices have no records of, `rounded` a number with more digits than a field keeps.
 */
export type Filling = { field: string; column: string; unknown?: unknown; odd?: unknown; rounded?: unknown }

/**
 * `rows` had a value that was understood; `notUnderstood` one that was not, and stays with the feature or refuses its row.
 * `unknown` is some of these.
 */
export type FilledField = {
  field: string
  column: string
  rows: number
  notUnderstood: number
  unknown?: string[]
  /** The first values that were not understood, with their rows. */
  unknownRows?: ValueOfRow[]
  /** Dates before 1800 or after 2200, and the first of them. */
  oddDates?: number
  oddRows?: ValueOfRow[]
  /** Numbers with more digits than the field keeps, and the first of them. */
  rounded?: number
  roundedRows?: ValueOfRow[]
}

export type ValueOfRow = { row: number; value: string }

const mostValuesOfRows = 5

/** So many different values are told of, of so many characters. */
const [mostUnknown, mostCharacters] = [50, 200]

/** `counts` is how often each value came that was not understood. */
type CountedField = FilledField & { counts: Map<string, number> }

type Claim = { field: string; isExplicit: boolean; rank: number }

/** They say who and where a record is, and are not kept as they are: a column that is left out may still say it. */
export const fieldsOfRecord: ReadonlySet<string> = new Set(['id', 'latitude', 'longitude', 'wkt'])

const withValue = (known: ValueOfRow[] = [], row: number, value: unknown): ValueOfRow[] =>
  known.length >= mostValuesOfRows
    ? known
    : [...known, { row, value: String(value).trim().slice(0, mostCharacters).toWellFormed() }]

/** Decides which column fills which field, from what the person said and from the columns' names. */
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

  /** `explicit` says the column of a field. */
  constructor(fields: Fields, explicit: ReadonlyMap<string, string>, kept: KeptColumns = { omit: [] }) {
    this.fields = fields
    this.explicit = explicit
    this.omitted = new Set('omit' in kept ? kept.omit : [])
    this.only = 'only' in kept ? new Set(kept.only) : null
    this.apart = new Set(kept.apart)
    const named = kept.isLenient ? [] : [...this.omitted, ...(this.only ?? [])]
    this.unseen = new Set([...explicit.values(), ...named])
  }

  /** Columns that the person named and that no record has had. */
  get unseenColumns(): string[] {
    return [...this.unseen]
  }

  get seenColumns(): string[] {
    return [...this.claims.keys()]
  }

  /** Counts which columns filled which fields of a record. */
  note(fillings: readonly Filling[], row: number) {
    for (const { field, column, unknown, odd, rounded } of fillings) {
      const key = `${field}\0${column}`
      const none: CountedField = { field, column, rows: 0, notUnderstood: 0, counts: new Map() }
      const known = this.filled.get(key) ?? none
      this.filled.set(key, known)
      if (odd !== undefined) {
        known.oddDates = (known.oddDates ?? 0) + 1
        known.oddRows = withValue(known.oddRows, row, odd)
      }
      if (rounded !== undefined) {
        known.rounded = (known.rounded ?? 0) + 1
        known.roundedRows = withValue(known.roundedRows, row, rounded)
      }
      if (unknown === undefined) {
        known.rows++
        continue
      }
      known.notUnderstood++
      const rows = this.unread.get(field) ?? new RowSet()
      this.unread.set(field, rows)
      rows.add(row)
      known.unknownRows = withValue(known.unknownRows, row, unknown)
      const value = String(unknown).trim()
      const { counts } = known
      if (value.length <= mostCharacters && (counts.has(value) || counts.size < mostUnknown))
        counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }

  /** Which column filled which field, in the order of the fields; and the columns that fill none and are kept. */
  get result(): { filled: FilledField[]; kept: string[] } {
    const order = Object.keys(this.fields)
    const filled = [...this.filled.values()]
      .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
      .map(({ counts, ...known }) => {
        const unknown = [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value)
        return unknown.length === 0 ? known : { ...known, unknown }
      })
    const used = new Set(filled.filter(({ rows }) => rows > 0).map(({ column }) => column))
    return { filled, kept: this.seenColumns.filter((column) => !used.has(column) && this.isKept(column)) }
  }

  /** By the field: the rows whose value was not understood, as bytes of a RowSet. */
  get unreadRows(): Map<string, Uint8Array<ArrayBuffer>> {
    return new Map([...this.unread].map(([field, { bytes }]) => [field, bytes]))
  }

  /** Whether one of these columns fills the field. */
  canFill(field: string, columns: readonly string[]): boolean {
    return columns.some((column) => this.claimsOf(column).some((claim) => claim.field === field))
  }

  fillsField(column: string): boolean {
    return this.claimsOf(column).length > 0
  }

  /** Whether a column of a record that fills no field stays with the feature. */
  isKept(column: string): boolean {
    return this.isWanted(column) && !this.leavesOut(column)
  }

  /** The same of what stands in no column: metadata that a row of our own export has. */
  isWanted(name: string): boolean {
    this.unseen.delete(name)
    return this.only ? this.only.has(name) : !this.omitted.has(name)
  }

  /** Whether a column stays out by itself: it says what was wrong with refused rows, and nobody wants it. */
  leavesOut(column: string): boolean {
    if (!problemColumns.includes(column) || this.only?.has(column) || this.apart.has(column)) return false
    return this.claimsOf(column).length === 0
  }

  /** `ignored` fields take no column in this record. */
  assign(properties: SourceRecord['properties'], ignored: ReadonlySet<string>): Assigned {
    const best = new Map<string, { claim: Claim; column: string; value: unknown }>()
    for (const [column, value] of properties) {
      for (const claim of this.claimsOf(column)) {
        if (ignored.has(claim.field)) continue
        const rival = best.get(claim.field)
        if (!rival || claim.rank < rival.claim.rank) best.set(claim.field, { claim, column, value })
      }
    }
    const fields = new Map<string, Source>()
    const used = new Set<string>()
    const id = this.explicit.get('id')
    // A record that lacks the column of its id is like one whose id is empty.
    if (id !== undefined && !best.has('id') && !ignored.has('id'))
      fields.set('id', { column: id, value: null, isExplicit: true })
    for (const [field, { claim, column, value }] of best) {
      fields.set(field, { column, value, isExplicit: claim.isExplicit })
      if (field !== 'id') used.add(column)
    }
    const rest = properties
      .filter(([column]) => !used.has(column))
      .map(([column, value]) => [column, value] as [string, unknown])
    return { fields, rest }
  }

  private claimsOf(column: string): Claim[] {
    const known = this.claims.get(column)
    if (known) return known
    const plain = plainName(column)
    const claims = Object.entries(this.fields).flatMap(([field, { aliases, isOnlyExplicit }]): Claim[] => {
      const named = this.explicit.get(field)
      if (named !== undefined) return named === column ? [{ field, isExplicit: true, rank: 0 }] : []
      const isLeftOut = (this.omitted.has(column) || this.apart.has(column)) && !fieldsOfRecord.has(field)
      const rank = isOnlyExplicit || isLeftOut ? -1 : [plainName(field), ...aliases].indexOf(plain)
      return rank < 0 ? [] : [{ field, isExplicit: false, rank }]
    })
    this.claims.set(column, claims)
    this.unseen.delete(column)
    return claims
  }
}
