import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import {
  featurePositionQuery,
  featureTableQuery,
  type TableQuestion,
  tablePageSize,
} from '#web/api/features.api.ts'

/** Pages of the table that contain rows. Always the first, which has the number of rows. */
const pagesOf = (rows: readonly number[]): number[] => [
  ...new Set([0, ...rows.map((row) => Math.floor(row / tablePageSize))]),
]

/** The number of rows. While other filters load it is the previous one, so that the scroll position stays. */
export function useRowCount(mapId: string, filters: TableQuestion, fields: string | undefined) {
  const first = useQuery(featureTableQuery(mapId, filters, 0, fields))
  const [lastTotal, setLastTotal] = useState(0)
  const total = first.data?.total ?? lastTotal
  if (total !== lastTotal) setLastTotal(total)
  return { first, total }
}

/** The features of the rows in view, loaded page by page. */
export function useTableRows(
  mapId: string,
  filters: TableQuestion,
  fields: string | undefined,
  rows: readonly number[],
) {
  const client = useQueryClient()
  const pages = pagesOf(rows)
  const answers = useQueries({
    queries: pages.map((page) => featureTableQuery(mapId, filters, page, fields)),
  })

  /** Undefined while it loads. */
  function rowAt(index: number): FeatureSummary | undefined {
    const page = Math.floor(index / tablePageSize)
    return answers[pages.indexOf(page)]?.data?.items[index % tablePageSize]
  }

  /** Null for a feature that the filters leave out. */
  async function indexOf(id: string): Promise<number | null> {
    for (const [place, page] of pages.entries()) {
      const within = answers[place]?.data?.items.findIndex((row) => row.id === id) ?? -1
      if (within >= 0) return page * tablePageSize + within
    }
    return (await client.fetchQuery(featurePositionQuery(mapId, id, filters))).position
  }

  return { rowAt, indexOf, failed: answers.find((answer) => answer.isError && !answer.data) }
}
