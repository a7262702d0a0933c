import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { maxSelected } from '#domain/features/bulk-change.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { featureTableQuery, type TableQuery, tablePageSize } from '#web/api/features.api.ts'
import { showError } from '#web/ui/toasts.tsx'

export type RowMarks =
  | { mode: 'some'; kinds: ReadonlyMap<string, FeatureKind> }
  | { mode: 'all'; except: ReadonlySet<string> }

export type RowMarking = {
  isAny: boolean
  isAll: boolean
  has(id: string): boolean
  toggle(feature: FeatureSummary, index: number): void
  extend(index: number): void
  all(): void
  clear(): void
}

const none = { mode: 'some', kinds: new Map<string, FeatureKind>() } as const satisfies RowMarks

/** Other filters clear the marks; the sort order does not matter. */
export function useRowMarks(
  mapId: string,
  query: TableQuery,
  { total, fields }: { total: number; fields: string | undefined },
) {
  const client = useQueryClient()
  const { sort, ...filter } = query
  const filters = JSON.stringify([mapId, filter])
  const [stored, setStored] = useState<{ filters: string; marks: RowMarks }>({ filters, marks: none })
  const marks: RowMarks = stored.filters === filters ? stored.marks : none
  const setMarks = (next: RowMarks) => setStored({ filters, marks: next })
  const anchor = useRef<number>(undefined)
  const count = marks.mode === 'all' ? Math.max(0, total - marks.except.size) : marks.kinds.size

  function toggle({ id, kind }: FeatureSummary, index: number) {
    anchor.current = index
    if (marks.mode === 'all') {
      const except = new Set(marks.except)
      if (!except.delete(id)) except.add(id)
      setMarks({ mode: 'all', except })
    } else {
      const kinds = new Map(marks.kinds)
      if (!kinds.delete(id)) kinds.set(id, kind)
      setMarks({ mode: 'some', kinds })
    }
  }

  async function extend(index: number) {
    const from = Math.min(anchor.current ?? index, index)
    const to = Math.max(anchor.current ?? index, index)
    anchor.current ??= index
    if (to - from >= maxSelected) {
      const most = formatNumber(maxSelected)
      showError(
        'Could not select the rows',
        new Error(`You can select up to ${most} rows one by one. Select all instead.`),
      )
      return
    }
    try {
      const pages = []
      for (let page = Math.floor(from / tablePageSize); page <= Math.floor(to / tablePageSize); page++)
        pages.push(await client.ensureQueryData(featureTableQuery(mapId, query, page, fields)))
      const first = Math.floor(from / tablePageSize) * tablePageSize
      const rows = pages.flatMap(({ items }) => items).slice(from - first, to - first + 1)
      if (marks.mode === 'all') {
        const except = new Set(marks.except)
        for (const { id } of rows) except.delete(id)
        setMarks({ mode: 'all', except })
      } else
        setMarks({
          mode: 'some',
          kinds: new Map([...marks.kinds, ...rows.map(({ id, kind }) => [id, kind] as const)]),
        })
    } catch (error) {
      showError('Could not select the rows', error as Error)
    }
  }

  /** Returns the number of newly marked features and the marks; null without a change if there are too many. */
  function put(found: ReadonlyMap<string, FeatureKind>, isAdded: boolean) {
    if (isAdded && marks.mode === 'all') {
      const except = new Set([...marks.except].filter((id) => !found.has(id)))
      return settled({ mode: 'all', except }, marks.except.size - except.size)
    }
    const before = isAdded && marks.mode === 'some' ? marks.kinds : none.kinds
    const kinds = new Map([...before, ...found])
    return kinds.size > maxSelected ? null : settled({ mode: 'some', kinds }, kinds.size - before.size)
  }
  function settled(next: RowMarks, more: number) {
    setMarks(next)
    return { marks: next, more }
  }

  const marking: RowMarking = {
    isAny: count > 0,
    isAll: count > 0 && count === total,
    has: (id) => (marks.mode === 'all' ? !marks.except.has(id) : marks.kinds.has(id)),
    toggle,
    extend: (index) => void extend(index),
    all: () => setMarks({ mode: 'all', except: new Set() }),
    clear: () => setMarks(none),
  }
  return { marking, marks, count, put }
}
