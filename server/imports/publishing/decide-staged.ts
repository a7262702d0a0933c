import { randomUUID } from 'node:crypto'
import { type OwnValues, singleFields } from '#domain/definition/definition.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import { entriesMissing, entryOf, type MaintenanceFields } from '#domain/maintenance/follow-entries.ts'
import type { EngineDialect, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns, FeatureHistoryTable } from '../../database/tables.ts'
import type { ChangedFields } from '../../features/changes/changed-fields.ts'
import { readHistoryOfPart } from '../../features/history/feature-history.queries.ts'
import { type EntryChange, readEntries } from '../../features/maintenance/maintenance-entries.queries.ts'
import { kindOfRow, searchText } from '../../features/rows/derive-columns.ts'
import { followInRow, toNewFeature } from '../../features/rows/feature-row.ts'
import { RowSet } from '../mapping/map-columns.ts'
import type { Survey } from '../reading/survey.ts'
import { deleteRemovedHere, hasEdits, mayBeRemoved, readWhenReplaced } from './earlier-changes.queries.ts'
import { findParcels } from './find-parcels.ts'
import { keepExported } from './keep-exported.ts'
import type { PublishingOptions } from './publishing-options.ts'
import {
  isGroup,
  keepPaths,
  type PublishContext,
  type RowRule,
  type RowStep,
  type Values,
  valueAt,
} from './row-rule.ts'
import {
  hasMaintenance,
  pagesOfStaged,
  replacesEditedFeature,
  replacesFeature,
  replacesOwnValues,
  requirePlaces,
  type StagedRange,
  updateStaged,
} from './staged-rows.queries.ts'

export type Decided = {
  removedHere: Awaited<ReturnType<typeof deleteRemovedHere>>
  retainedEdits: ReadonlyMap<number, readonly string[]>
  entries: readonly EntryChange[]
}

export type DecisionContext = {
  dialect: EngineDialect
  options: PublishingOptions
  own: { version: number; fields: CustomFields }
  survey: Pick<Survey, 'filled' | 'unreadRows' | 'ownColumns'>
  now: number
}

/**
 * Merges staged rows with what people did on the map, so that each row is what its feature becomes. It runs before rows
 * are compared with the current features.
 */
export async function decideStaged(
  transaction: WriteTransaction,
  range: StagedRange,
  { dialect, options, own, survey, now }: DecisionContext,
): Promise<Decided> {
  const { mapId, importId } = range
  const { ownColumns, filled } = survey
  const context = { now, importId, customFields: own.fields }
  const removedHere =
    !options.bringsBack && (await mayBeRemoved(transaction, options))
      ? await deleteRemovedHere(transaction, range, options)
      : []
  // An export already has the edits, and people have worked on it since.
  const keepsAnyEdits =
    (options.keepsEdits ?? true) && ownColumns === null && (await hasEdits(transaction, mapId))
  const retainedEdits = new Map<number, readonly string[]>()
  const entries: EntryChange[] = []
  const { onlyFields: only } = options
  const onRetained = (rowNumber: number, paths: readonly string[]) => retainedEdits.set(rowNumber, paths)
  const hasColumn = filled.some(({ field }) => field === 'parcelId')
  const parcels = await findParcels(transaction, mapId, { dialect, hasColumn }, context)
  const rules: RowRule[] = [
    ...(ownColumns ? [keepExported(ownColumns, own.fields)] : []),
    ...(survey.unreadRows.size > 0 ? [keepUnread(survey, context)] : []),
    ...(parcels ? [parcels] : []),
    ...(keepsAnyEdits || only
      ? [keepEdits(transaction, mapId, { keepsAnyEdits, only, onRetained }, context)]
      : []),
    keepMaintenance(transaction, mapId, { dialect, entries }, context),
    ...(own.version > 0 ? [keepOwnValues(dialect, own.fields)] : []),
  ]
  const conditions = rules.map(({ appliesTo }) => appliesTo)
  for await (const rows of pagesOfStaged(transaction, range, conditions)) {
    const steps: RowStep[] = []
    for (const rule of rules) steps.push(await rule.load(rows))
    for (const row of rows) {
      const decided = steps.reduce((staged, step) => step({ ...row, staged }), row.staged)
      await updateStaged(transaction, range, row, decided)
    }
  }
  if (ownColumns) await requirePlaces(transaction, range)
  return { removedHere, retainedEdits, entries }
}

/** Keeps fields whose value in the file was not understood, and fields that follow from them. */
function keepUnread({ filled, unreadRows }: DecisionContext['survey'], context: PublishContext): RowRule {
  const unread = [...unreadRows].map(([field, bytes]) => [field, new RowSet(bytes)] as const)
  const hasColumn = new Set(filled.map(({ field }) => field))
  const step: RowStep = ({ rowNumber, staged, current }) => {
    const paths = unread.flatMap(([field, rows]) => (rows.has(rowNumber) ? [field] : []))
    if (!current || paths.length === 0) return staged
    const following = singleFields(fieldsOf(kindOfRow(staged), context.customFields)).flatMap(
      ([path, field]) => (!hasColumn.has(path) && isFollowing(field, paths) ? [path] : []),
    )
    return keepPaths(staged, current, [...paths, ...following], context)
  }
  return { appliesTo: replacesFeature, load: async () => step }
}

/** A feature without a name column is named after its type. */
const isFollowing = (
  { impliedBy, column }: { impliedBy?: string; column?: string },
  paths: readonly string[],
) => (impliedBy !== undefined && paths.includes(impliedBy)) || (column === 'name' && paths.includes('type'))

const isAsset = ({ kind, is_general }: FeatureColumns) => kind === 'asset' && is_general === 0

/** Adds maintenance entries of the file to the current ones, and keeps a plan for which the file has no value. */
function keepMaintenance(
  transaction: WriteTransaction,
  mapId: string,
  { dialect, entries }: { dialect: EngineDialect; entries: EntryChange[] },
  { now, importId }: PublishContext,
): RowRule {
  return {
    appliesTo: hasMaintenance(dialect),
    async load(rows) {
      const ids = rows.flatMap(({ staged }) => (isAsset(staged) ? [staged.id] : []))
      const stored = await readEntries(transaction, mapId, ids)
      return ({ staged, current }) => {
        if (!isAsset(staged)) return staged
        const { id } = staged
        const next = JSON.parse(staged.fields) as MaintenanceFields
        const before: Partial<MaintenanceFields> =
          current && isAsset(current) ? JSON.parse(current.fields) : {}
        const maintenancePlan = next.maintenancePlan ?? before.maintenancePlan ?? null
        if (!next.lastMaintenance && !before.lastMaintenance && !maintenancePlan) return staged
        const currentEntries = stored.get(id) ?? []
        const added = entriesMissing(next.maintenanceHistory, currentEntries).map((entry) =>
          entryOf(entry, { createdAt: now, createdBy: null, importId }),
        )
        const version = (current?.version ?? 0) + 1
        for (const entry of added) entries.push({ featureId: id, id: randomUUID(), version, entry })
        const fields = followInRow(JSON.stringify({ ...next, maintenancePlan }), [
          ...currentEntries,
          ...added,
        ])
        return { ...staged, fields }
      }
    },
  }
}

function keepOwnValues(dialect: EngineDialect, customFields: CustomFields): RowRule {
  const step: RowStep = ({ staged, current }) => {
    const before: OwnValues | undefined = current && JSON.parse(current.fields).own
    if (!before) return staged
    const { own: values, nextDue, ...others } = JSON.parse(staged.fields)
    const own = Object.entries({ ...before, ...values }).sort(([a], [b]) => (a < b ? -1 : 1))
    // In the key order of stored rows: equal rows are equal texts.
    const fields = JSON.stringify({
      ...others,
      own: Object.fromEntries(own),
      ...(nextDue === undefined ? {} : { nextDue }),
    })
    if (fields === staged.fields) return staged
    return { ...staged, fields, search_text: searchText({ ...staged, fields }, customFields) }
  }
  return { appliesTo: replacesOwnValues(dialect), load: async () => step }
}

type Rules = {
  keepsAnyEdits: boolean
  only: readonly string[] | undefined
  onRetained(rowNumber: number, paths: readonly string[]): void
}

/**
 * Keeps fields that people edited, and with `only` all fields that it does not name. Edits made before an import with
 * 'Replace edits' are not kept.
 */
function keepEdits(
  transaction: WriteTransaction,
  mapId: string,
  { keepsAnyEdits, only, onRetained }: Rules,
  context: PublishContext,
): RowRule {
  return {
    appliesTo: only ? replacesFeature : replacesEditedFeature,
    async load(rows) {
      const featureIds = keepsAnyEdits ? rows.flatMap(({ current }) => current?.id ?? []) : []
      const replaced = await readWhenReplaced(transaction, mapId, featureIds)
      const history = Map.groupBy(
        await readHistoryOfPart(transaction, mapId, featureIds, { since: 0 }),
        ({ feature_id }) => feature_id,
      )
      return ({ rowNumber, staged, current }) => {
        const edits = history.get(staged.id) ?? []
        if (!current || (!only && edits.length === 0)) return staged
        const [next, before]: [Values, Values] = [toNewFeature(staged), toNewFeature(current)]
        const differs = (path: string) => !isEqual(valueAt(next, path), valueAt(before, path))
        const since = replaced.get(current.id) ?? 0
        const edited = editedPaths(
          edits.filter(({ at }) => at > since),
          before,
        ).filter(differs)
        if (edited.length > 0) onRetained(rowNumber, edited)
        const others = only
          ? pathsOf(before, next).filter((path) => !only.includes(path) && differs(path))
          : []
        const paths = [...edited, ...others]
        return paths.length === 0 ? staged : keepPaths(staged, current, paths, context)
      }
    },
  }
}

function editedPaths(history: readonly FeatureHistoryTable[], current: Values): string[] {
  const before = new Map<string, unknown>()
  const inOrder = history.toSorted((one, other) => one.at - other.at || one.version - other.version)
  for (const { action, changed } of inOrder) {
    if (action !== 'changed') continue
    for (const [key, [value]] of Object.entries(JSON.parse(changed) as ChangedFields))
      if (key in current && !before.has(key)) before.set(key, value)
  }
  return [...before].flatMap(([key, was]) => {
    const is = current[key]
    if (!isGroup(was) || !isGroup(is)) return isEqual(was, is) ? [] : [key]
    const parts = new Set([...Object.keys(was), ...Object.keys(is)])
    return [...parts].filter((part) => !isEqual(was[part], is[part])).map((part) => `${key}.${part}`)
  })
}

function pathsOf(current: Values, next: Values): string[] {
  const { id: _, mapId: __, kind: ___, ...values } = current
  return Object.entries(values).flatMap(([key, value]) => {
    const parts = [value, next[key]].flatMap((group) => (isGroup(group) ? Object.keys(group) : []))
    return parts.length === 0 ? [key] : [...new Set(parts)].map((part) => `${key}.${part}`)
  })
}

const isEqual = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
