import { sql } from 'kysely'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import type { Database, ReadDatabase } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { countMatching, isInListOrder, matchesFilter } from './feature-matches.queries.ts'
import { readIdsInOrder } from './feature-order.queries.ts'
import { readSummaryRows, type SummaryRow, summaryColumns, toSummaries } from './feature-summaries.queries.ts'

export type ListPosition = [kind: string, listOrder: string, id: string]

/** `last` is the last feature of the page, null where none follows it. */
export type FeaturePage = { items: FeatureSummary[]; total: number; last: ListPosition | null }

/** One page in list order after a position, and the exact total under the same filter. */
export async function listFeatures(
  database: Database,
  mapId: string,
  filter: FeatureFilter,
  page: { limit: number; after: ListPosition | undefined },
): Promise<FeaturePage> {
  const { after, limit } = page
  const matches = matchesFilter(database, mapId, filter)
  const read = isInListOrder(filter) ? database.read : database.readAside
  const rows = await read
    .selectFrom('features')
    .where(matches)
    .select(summaryColumns)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(kind, list_order, id) > (${sql.join(after ?? [])})`),
    )
    // As an expression: PostgreSQL would look for words all along the list, though nothing on it may have them.
    .orderBy(filter.text === undefined ? sql`kind` : sql`kind || ''`)
    .orderBy('list_order')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const total = await countMatching(database, mapId, filter)
  return toPage(database.read, mapId, rows.slice(0, limit), total, rows.length > limit)
}

/** The same from an index on, in any order. */
export async function listFeaturesFrom(
  database: Database,
  mapId: string,
  filter: FeatureFilter,
  page: { limit: number; offset: number; sort: FeatureSort | undefined },
): Promise<FeaturePage> {
  const { offset, limit, sort } = page
  const [ids, total] = await Promise.all([
    readIdsInOrder(database, mapId, filter, { sort, offset, limit: limit + 1 }),
    countMatching(database, mapId, filter),
  ])
  const rows = await readSummaryRows(database.read, mapId, ids.slice(0, limit))
  return toPage(database.read, mapId, rows, total, ids.length > limit)
}

async function toPage(
  read: ReadDatabase,
  mapId: string,
  rows: readonly SummaryRow[],
  total: number,
  isFollowed: boolean,
): Promise<FeaturePage> {
  const last = isFollowed ? rows.at(-1) : undefined
  return {
    items: await toSummaries(read, mapId, rows),
    total,
    last: last ? [last.kind, last.list_order, last.id] : null,
  }
}

/** The whole row, or undefined. */
export function readFeature(
  { read }: Database,
  mapId: string,
  id: string,
): Promise<FeatureColumns | undefined> {
  return read
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function hasFeature({ read }: Database, mapId: string, id: string): Promise<boolean> {
  const row = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
