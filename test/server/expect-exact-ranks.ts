import { expect } from 'vitest'
import { dayOfInstant } from '#domain/features/filters.ts'
import { rankFeatures } from '#domain/thinning/rank-features.ts'
import type { Database } from '#server/database/database.ts'
import { joinExtents } from '#server/geometry/extents.ts'

/** Compares stored ranks, counts and extent with those computed from all features. */
export async function expectExactRanks(database: Database, mapId: string): Promise<void> {
  const rows = await database.read
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', mapId)
    .orderBy('id')
    .execute()
  const stored = rows.map(({ id, min_zoom, type_min_zoom }) => ({ id, min_zoom, type_min_zoom }))
  const ranks = rankFeatures(rows)
  expect(stored).toEqual(rows.map(({ id }, index) => ({ id, ...ranks[index] })))

  const counts = await database.read
    .selectFrom('feature_counts')
    .selectAll()
    .where('map_id', '=', mapId)
    .execute()
  const alike = (row: { kind: string; shape: string; type: string | null }, day: number) =>
    `${row.kind} ${row.shape} ${row.type ?? ''} ${day}`
  const counted = Object.groupBy(rows, (row) => alike(row, dayOfInstant(row.date)))
  expect(Object.fromEntries(counts.map((row) => [alike(row, row.day), row.count]))).toEqual(
    Object.fromEntries(Object.entries(counted).map(([key, all]) => [key, all?.length])),
  )

  const extent = await database.read
    .selectFrom('map_extents')
    .selectAll()
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  const around = joinExtents(rows)
  expect(extent ?? null).toEqual(around && { map_id: mapId, ...around })
}
