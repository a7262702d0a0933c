import { useEffect, useEffectEvent, useMemo } from 'react'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { TableQuery } from '#web/api/features.api.ts'
import type { RowMarks } from '#web/features/use-row-marks.ts'
import { createPublished } from '#web/ui/external-store.ts'

// The table publishes its marked rows; the selecting tool shows and extends them. Neither imports the other.

export type Marking = {
  /** Keeps its identity while the query is equal. */
  filter: Omit<TableQuery, 'sort'>
  marks: RowMarks
  put: PutMarks
}

type PutMarks = (
  found: ReadonlyMap<string, FeatureKind>,
  isAdded: boolean,
) => { marks: RowMarks; more: number } | null

const published = createPublished<Marking>()

export const useMarking = published.use

export function usePublishedMarking(marking: { query: TableQuery; marks: RowMarks; put: PutMarks } | null) {
  const { sort: _, ...rest } = marking?.query ?? {}
  const text = JSON.stringify(rest)
  const filter = useMemo<Marking['filter']>(() => JSON.parse(text), [text])
  const marks = marking?.marks
  const put = useEffectEvent<PutMarks>((...found) => marking?.put(...found) ?? null)
  useEffect(() => {
    if (!marks) return
    return published.publish({ filter, marks, put: (...found) => put(...found) })
  }, [filter, marks])
}
