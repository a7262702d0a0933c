import { type RawBuilder, sql } from 'kysely'
import { kindTraits } from '#domain/features/kind-traits.ts'
import type { RankedFeature } from '#domain/thinning/rank-features.ts'
import { alwaysHidden, cellAt, type priorityOf } from '#domain/thinning/representatives.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import type { WriteTransaction } from '../database/database.ts'

export type Group = 'all' | 'type'
export const rankColumns = { all: 'min_zoom', type: 'type_min_zoom' } as const

export type CandidateRow = Parameters<typeof priorityOf>[0] & {
  id: string
  morton: number
  zoom: number
  group: Group
}

export const groupsOf = (feature: RankedFeature): Group[] =>
  feature.type === null ? ['all'] : ['all', 'type']

export function findRepresentativesAround(
  transaction: WriteTransaction,
  mapId: string,
  feature: RankedFeature,
): Promise<CandidateRow[]> {
  const lookUps = groupsOf(feature).flatMap((group) =>
    Array.from({ length: maxTileZoom + 1 }, (_, zoom) =>
      inCell(mapId, feature, group, zoom, cellAt(feature.morton, zoom)),
    ),
  )
  return collect(transaction, lookUps)
}

/**
 * Candidates for the cells that a feature represents: the representatives of the other three quarters of each
 * cell, and the first hidden feature at its own place.
 */
export function findCandidates(
  transaction: WriteTransaction,
  mapId: string,
  feature: RankedFeature,
  zooms: Record<Group, number | null>,
): Promise<CandidateRow[]> {
  const lookUps = groupsOf(feature).flatMap((group) => {
    const zoom = zooms[group] ?? alwaysHidden
    if (zoom > maxTileZoom) return []
    const quarters = Array.from({ length: maxTileZoom - zoom }, (_, index) => {
      const cell = zoom + index
      return inCell(mapId, feature, group, cell + 1, cellAt(feature.morton, cell))
    })
    const hidden = inCell(mapId, feature, group, alwaysHidden, cellAt(feature.morton, maxTileZoom))
    const order = kindTraits[feature.kind].isDated
      ? sql`case when date is null then 0 else 1 end, date desc`
      : sql`size desc`
    return [...quarters, sql`select * from (${hidden} order by ${order}, id limit 1) as hidden`]
  })
  return collect(transaction, lookUps)
}

function inCell(
  mapId: string,
  { kind, shape, type }: RankedFeature,
  group: Group,
  zoom: number,
  { first, end }: { first: number; end: number },
) {
  const column = sql.ref(rankColumns[group])
  // Kind and shape as expressions: without statistics PostgreSQL would use the list's index.
  const typeCondition = group === 'type' ? sql`and type = ${type}` : sql``
  return sql`
    select id, kind, date, size, morton, ${column} as zoom, ${sql.lit(group)} as "group" from features
    where map_id = ${mapId} ${typeCondition} and ${column} = ${zoom} and morton >= ${first} and morton < ${end}
      and kind || '' = ${kind} and shape || '' = ${shape}`
}

async function collect(transaction: WriteTransaction, lookUps: readonly RawBuilder<unknown>[]) {
  if (lookUps.length === 0) return []
  const { rows } = await sql<CandidateRow>`${sql.join(lookUps, sql` union all `)}`.execute(transaction)
  return rows
}
