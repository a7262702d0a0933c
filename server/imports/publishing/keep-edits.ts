import type { WriteTransaction } from '../../database/database.ts'
import type { FeatureHistoryTable } from '../../database/tables.ts'
import type { ChangedFields } from '../../features/changes/changed-fields.ts'
import { readHistorySince } from '../../features/history/feature-history.queries.ts'
import { toNewFeature } from '../../features/rows/feature-row.ts'
import { readWhenReplaced } from './earlier-changes.queries.ts'
import { isGroup, keepPaths, type RowContext, type RowRule, type Values, valueAt } from './row-rule.ts'
import { replacesEditedFeature, replacesFeature } from './staged-rows.queries.ts'

type Rules = {
  keepsAnyEdits: boolean
  only: readonly string[] | undefined
  onRetained(rowNumber: number, paths: readonly string[]): void
}

/**
 * Keeps fields that people edited, and with `only` all fields that it does not name. Edits made before an import with
 * 'Replace edits' are not kept.
 */
export function keepEdits(
  transaction: WriteTransaction,
  mapId: string,
  { keepsAnyEdits, only, onRetained }: Rules,
  context: RowContext,
): RowRule {
  return {
    appliesTo: only ? replacesFeature : replacesEditedFeature,
    async load(rows) {
      const featureIds = keepsAnyEdits ? rows.flatMap(({ current }) => current?.id ?? []) : []
      const replaced = await readWhenReplaced(transaction, mapId, featureIds)
      const history = Map.groupBy(
        await readHistorySince(transaction, { mapId, featureIds, since: 0 }),
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
