import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import type { WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns, FeatureHistoryTable, StagedFeaturesTable } from '../../database/tables.ts'
import type { ChangedFields } from '../../features/changes/changed-fields.ts'
import { readHistorySince } from '../../features/history/feature-history.queries.ts'
import { toFeatureRow, toNewFeature } from '../../features/rows/feature-row.ts'
import { readRowsOf } from '../../features/rows/feature-rows.queries.ts'
import { hasEdits, readEdited, readWhenReplaced } from './edits.queries.ts'
import { readReplacing, type StagedRange, writeStaged } from './publish.queries.ts'

type Values = Readonly<Record<string, unknown>>
/** By the number of the row: the fields that stay as somebody changed them. */
export type KeptEdits = ReadonlyMap<number, readonly string[]>

type Rules = {
  ownFields: OwnFields
  /** The instant of the import. */
  now: number
  keepsEdits: boolean
  /** Where only some fields change: their paths. */
  only: readonly string[] | undefined
}

/**
 * What people changed here in a feature stays, whatever the file says of it, and so do fields that an import is not to change. An
 * import that was told to replace what people changed ends that for all before it. Call it before rows are compared with
 * what is there.
 */
export async function keepFields(
  transaction: WriteTransaction,
  range: StagedRange,
  { ownFields, now, keepsEdits, only }: Rules,
): Promise<KeptEdits> {
  const { mapId, importId } = range
  const kept = new Map<number, readonly string[]>()
  const areEditsKept = keepsEdits && (await hasEdits(transaction, mapId))
  if (!only && !areEditsKept) return kept
  for (let first = range.first; ; ) {
    const { rows, present, next } = only
      ? await readAll(transaction, { ...range, first })
      : await readEditedPage(transaction, { ...range, first })
    if (next === null) return kept
    first = next
    const featureIds = rows.map(({ id }) => id)
    if (featureIds.length === 0) continue
    const replaced = await readWhenReplaced(transaction, mapId, featureIds)
    const history = await readHistorySince(transaction, { mapId, featureIds, since: 0 })
    const historyOf = Map.groupBy(history, ({ feature_id }) => feature_id)
    for (const { row_number, ...row } of rows) {
      const former = present.get(row.id)
      if (!former) continue
      const there = toNewFeature(former)
      const edits = (historyOf.get(row.id) ?? []).filter(({ at }) => at > (replaced.get(row.id) ?? 0))
      const said = toNewFeature(row)
      const differs = (path: string) => !isSame(at(said, path), at(there, path))
      const edited = areEditsKept ? editedPaths(edits, there).filter(differs) : []
      const others = only ? pathsOf(there, said).filter((path) => !only.includes(path) && differs(path)) : []
      if (edited.length > 0) kept.set(row_number, edited)
      if (edited.length + others.length === 0) continue
      const columns = toFeatureRow(withKept(said, there, [...edited, ...others]), {
        now,
        importId,
        ownFields,
      })
      await writeStaged(transaction, range, row_number, columns)
    }
  }
}

type Page = {
  rows: StagedFeaturesTable[]
  present: ReadonlyMap<string, FeatureColumns>
  /** Null where there were no more. */
  next: number | null
}

async function readAll(transaction: WriteTransaction, range: StagedRange): Promise<Page> {
  const { pairs, next } = await readReplacing(transaction, range)
  const present = new Map(pairs.map(({ former }) => [former.id, former]))
  return { rows: pairs.map(({ staged }) => staged), present, next }
}

async function readEditedPage(transaction: WriteTransaction, range: StagedRange): Promise<Page> {
  const rows = await readEdited(transaction, range)
  const present = await readRowsOf(
    transaction,
    range.mapId,
    rows.map(({ id }) => id),
  )
  const last = rows.at(-1)
  return { rows, present, next: last ? last.row_number + 1 : null }
}

/** The fields that are not what they were before anybody changed them here; those of a group by their path. */
function editedPaths(history: readonly FeatureHistoryTable[], present: NewFeature): string[] {
  const before = new Map<string, unknown>()
  const inOrder = history.toSorted((one, other) => one.at - other.at || one.version - other.version)
  for (const { action, changed } of inOrder) {
    if (action !== 'changed') continue
    for (const [key, [was]] of Object.entries(JSON.parse(changed) as ChangedFields))
      if (key in present && !before.has(key)) before.set(key, was)
  }
  return [...before].flatMap(([key, was]) => {
    const is = (present as Values)[key]
    if (!isGroup(was) || !isGroup(is)) return isSame(was, is) ? [] : [key]
    const parts = new Set([...Object.keys(was), ...Object.keys(is)])
    return [...parts].filter((part) => !isSame(was[part], is[part])).map((part) => `${key}.${part}`)
  })
}

/** All that can be said of a feature; the parts of a group by their path. */
function pathsOf(there: NewFeature, said: NewFeature): string[] {
  const { id: _, mapId: __, kind: ___, ...values }: Values = there
  return Object.entries(values).flatMap(([key, is]) => {
    const other = (said as Values)[key]
    const parts = [is, other].flatMap((group) => (isGroup(group) ? Object.keys(group) : []))
    return parts.length === 0 ? [key] : [...new Set(parts)].map((part) => `${key}.${part}`)
  })
}

/** The imported values, except at these paths, which keep their stored values. */
export function withKept(said: NewFeature, there: NewFeature, paths: readonly string[]): NewFeature {
  const kept: Record<string, unknown> = { ...said }
  for (const path of paths) {
    const [key = '', part] = path.split('.')
    if (part === undefined) kept[key] = (there as Values)[key]
    else kept[key] = { ...groupOf(kept[key], (there as Values)[key]), [part]: at(there, path) }
  }
  return kept as NewFeature
}

/** A group of which the file says nothing is empty, part by part. */
function groupOf(said: unknown, there: unknown): Values {
  if (isGroup(said)) return said
  return Object.fromEntries(Object.keys(isGroup(there) ? there : {}).map((part) => [part, null]))
}

function at(feature: NewFeature, path: string): unknown {
  const [key = '', part] = path.split('.')
  const value = (feature as Values)[key]
  return part === undefined ? value : isGroup(value) ? value[part] : undefined
}

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('coordinates' in value)

const isSame = (one: unknown, other: unknown) => isEqual(one ?? null, other ?? null)
