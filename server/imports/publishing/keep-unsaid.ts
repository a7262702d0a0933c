import { type Field, type Fields, type OwnValues, withArticle } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import { layerOfFeature } from '#domain/features/layer-of-feature.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Metadata } from '#domain/values/common.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import type { WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { deriveColumns, kindOfRow } from '../../features/rows/derive-columns.ts'
import { readNextDue } from '../../features/rows/feature-row.ts'
import { readFields, storeFields } from '../../features/rows/stored-fields.ts'
import { ImportError } from '../import-error.ts'
import { isCutFrom } from '../mapping/own-rows.ts'
import { keptPlace } from '../reading/read-batches.ts'
import { contentColumns } from './feature-columns.ts'
import { requirePlaces } from './placeless-rows.queries.ts'
import { readReplacing, type StagedRange, writeStaged } from './publish.queries.ts'
import { isSameShape } from './same-shape.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Of our own exports: a field that the file has no column for stays as it is, and what says the same as before stays to the
 * letter. Call it before anything else is kept, and before rows are compared.
 */
export async function keepUnsaid(
  transaction: WriteTransaction,
  range: StagedRange,
  { columns, ownFields }: { columns: readonly string[]; ownFields: OwnFields },
) {
  const said = new Set(columns)
  for (let first: number | null = range.first; first !== null; ) {
    const { pairs, next }: Awaited<ReturnType<typeof readReplacing>> = await readReplacing(transaction, {
      ...range,
      first,
    })
    for (const { staged, former } of pairs) {
      requireSameKind(staged, former)
      const merged = mergeRow(staged, former, { said, ownFields })
      if (contentColumns.every((column) => merged[column] === staged[column])) continue
      const derived = deriveColumns(merged, JSON.parse(merged.geometry), ownFields)
      const content = Object.fromEntries(contentColumns.map((column) => [column, merged[column]]))
      await writeStaged(transaction, range, staged.row_number, { ...content, ...derived })
    }
    first = next
  }
  await requirePlaces(transaction, range)
}

/** A file could say of an asset that it is a parcel. */
function requireSameKind(staged: FeatureColumns, former: FeatureColumns) {
  const [says, is] = [staged, former].map((row) => withArticle(definitions[kindOfRow(row)].label.one))
  if (says !== is)
    throw new ImportError(`The file says that ${staged.id} is ${says}, but on the map it is ${is}.`)
}

const everything = { seesPersonalData: true, isStaff: true }

function mergeRow(
  staged: FeatureColumns,
  former: FeatureColumns,
  { said, ownFields }: { said: ReadonlySet<string>; ownFields: OwnFields },
): FeatureColumns {
  const kind = kindOfRow(former)
  const fields: Fields = fieldsOf(kind, ownFields)
  const [was, is]: [Values, Values] = [
    readFields(fields, former, everything),
    readFields(fields, staged, everything),
  ]
  const entries = Object.entries(fields).map(([key, field]) => {
    // What a file leaves out of the client's own fields, and what follows from maintenance, is kept by rules of their own.
    if (key === 'own') return [key, mergeOwn(former, staged)]
    return [key, field.followsFrom === undefined ? mergeField(key, field, { was, is, said }) : is[key]]
  })
  const values = Object.fromEntries(entries)
  const nextDue = readNextDue(staged)
  const layer = layerOfFeature({ kind, ...values })
  return {
    ...staged,
    ...storeFields(definitions[kind].fields, values, nextDue === null ? {} : { nextDue }),
    ...layer,
    metadata: JSON.stringify(mergeMetadata(JSON.parse(former.metadata), JSON.parse(staged.metadata))),
    geometry: mergeShape(former.geometry, staged.geometry),
  }
}

function mergeOwn(former: FeatureColumns, staged: FeatureColumns): OwnValues | null {
  const [before, after] = [former, staged].map(({ fields }) => (JSON.parse(fields).own ?? {}) as OwnValues)
  const merged = Object.entries(after ?? {}).map(([key, value]): [string, OwnValues[string]] => {
    const was = before?.[key]
    return [key, was !== undefined && isSame(was, value) ? was : value]
  })
  return Object.fromEntries(merged)
}

type Merging = { was: Values; is: Values; said: ReadonlySet<string> }

function mergeField(key: string, { value }: Field, { was, is, said }: Merging, path = key): unknown {
  const [before, after] = [was[key] ?? null, is[key] ?? null]
  if (value.type !== 'group') return said.has(path) && !isSame(before, after) ? after : before
  const [parts, others] = [(before ?? {}) as Values, (after ?? {}) as Values]
  const merged = Object.entries(value.fields).map(([part, field]): [string, unknown] => [
    part,
    mergeField(part, field, { was: parts, is: others, said }, `${path}.${part}`),
  ])
  // Nothing known of any of them can be kept in two ways.
  return merged.every(([part, one]) => isEqual(parts[part] ?? null, one))
    ? before
    : Object.fromEntries(merged)
}

/** Some formats keep 15 digits of a number, or 15 digits after the point. */
const [relativeError, absoluteError] = [1e-12, 1e-15]

/** Space around a text does not count, nor what a format cannot hold of a text or a number. */
function isSame(before: unknown, after: unknown): boolean {
  if (typeof before === 'string' && typeof after === 'string' && isCutFrom(after, before)) return true
  if (typeof before === 'number' && typeof after === 'number')
    return Math.abs(before - after) <= Math.max(absoluteError, relativeError * Math.abs(before))
  const plain = (value: unknown) => {
    if (typeof value !== 'string') return value
    const trimmed = value.trim()
    return trimmed === '' ? null : trimmed
  }
  return isEqual(plain(before), plain(after))
}

/** What the file names gets its value; the rest stays, in its order. */
function mergeMetadata(before: Metadata, after: Metadata): Metadata {
  const left = new Map(after.map((one) => [one.name, one]))
  const kept = before.map((one) => {
    const said = left.get(one.name)
    left.delete(one.name)
    return said ?? one
  })
  return [...kept, ...left.values()]
}

function mergeShape(before: string, after: string): string {
  const isKept =
    before === after ||
    after === keptPlace ||
    isSameShape(JSON.parse(before) as Geometry, JSON.parse(after) as Geometry)
  return isKept ? before : after
}
