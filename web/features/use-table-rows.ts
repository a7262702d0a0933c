import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import {
  featurePositionQuery,
  featureTableQuery,
  type TableQuery,
  tablePageSize,
} from '#web/api/features.api.ts'

/** Always includes the first page, which has the number of rows. */
const pagesOf = (rows: readonly number[]): number[] => [
  ...new Set([0, ...rows.map((row) => Math.floor(row / tablePageSize))]),
]

/** While other filters load, the previous number keeps the scroll position. */
export function useRowCount(mapId: string, filters: TableQuery, fields: string | undefined) {
  const first = useQuery(featureTableQuery(mapId, filters, 0, fields))
  const [lastTotal, setLastTotal] = useState(0)
  const total = first.data?.total ?? lastTotal
  if (total !== lastTotal) setLastTotal(total)
  return { first, total }
}

export function useTableRows(
  mapId: string,
  filters: TableQuery,
  fields: string | undefined,
  rows: readonly number[],
) {
  const client = useQueryClient()
  const pages = pagesOf(rows)
  const answers = useQueries({
    queries: pages.map((page) => featureTableQuery(mapId, filters, page, fields)),
  })

  function rowAt(index: number): FeatureSummary | undefined {
    const page = Math.floor(index / tablePageSize)
    return answers[pages.indexOf(page)]?.data?.items[index % tablePageSize]
  }

  async function indexOf(id: string): Promise<number | null> {
    for (const [place, page] of pages.entries()) {
      const within = answers[place]?.data?.items.findIndex((row) => row.id === id) ?? -1
      if (within >= 0) return page * tablePageSize + within
    }
    return (await client.fetchQuery(featurePositionQuery(mapId, id, filters))).position
  }

  return { rowAt, indexOf, failed: answers.find((answer) => answer.isError && !answer.data) }
}
