import { useEffect, useEffectEvent, useMemo } from 'react'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { TableQuestion } from '#web/api/features.api.ts'
import type { RowMarks } from '#web/features/use-row-marks.ts'
import { createPublished } from './published.ts'

// Rows of a table are marked in it and on the map. The table publishes what is marked, the map's tool shows it and adds
// to it: neither knows the other.

/** What a table asks for, and what of it is marked. */
export type Marking = {
  /** The same object as long as it asks for the same. */
  filter: Omit<TableQuestion, 'sort'>
  marks: RowMarks
  put: PutMarks
}

/** Marks these alone, or these too; null where they are too many. */
type PutMarks = (
  found: ReadonlyMap<string, FeatureKind>,
  isAdded: boolean,
) => { marks: RowMarks; more: number } | null

const published = createPublished<Marking>()

/** Of the table beside the map; null where there is none. */
export const useMarking = published.use

/** Publishes it as long as the table is there; null publishes nothing. */
export function usePublishedMarking(
  marking: { question: TableQuestion; marks: RowMarks; put: PutMarks } | null,
) {
  const { sort: _, ...asked } = marking?.question ?? {}
  const text = JSON.stringify(asked)
  const filter = useMemo<Marking['filter']>(() => JSON.parse(text), [text])
  const marks = marking?.marks
  const put = useEffectEvent<PutMarks>((...found) => marking?.put(...found) ?? null)
  useEffect(() => {
    if (!marks) return
    return published.publish({ filter, marks, put: (...found) => put(...found) })
  }, [filter, marks])
}
