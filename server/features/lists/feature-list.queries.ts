import { type Selectable, sql } from 'kysely'
import { featureKinds } from '#domain/definition/kinds.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import type { FeaturesTable } from '../../database/tables.ts'
import type { FeatureFilter } from './feature-filter.ts'
import {
  countMatching,
  isCoveredByListIndex,
  matchesFilter,
  readFeatures,
} from './feature-matches.queries.ts'
import { readIdsInOrder } from './feature-order.queries.ts'
import {
  readSummaryRows,
  type SummaryFields,
  type SummaryRow,
  summaryColumns,
  toSummaries,
} from './feature-summaries.queries.ts'

export type ListPosition = { kind: string; dateOrder: number; nameOrder: string; id: string }

export type FeaturePage = { items: FeatureSummary[]; total: number; last: ListPosition | null }

type Page = { limit: number; after: ListPosition | undefined }

export async function listFeatures(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  page: Page,
  extraFields: SummaryFields,
): Promise<FeaturePage> {
  const { rows, total, isFollowed } = await readListPart(database, caller, filter, page)
  return toPage(database.read, caller.mapId, rows, { total, isFollowed, extraFields })
}

/** Skips counting if the total follows from the page or is given. */
export function readListPart(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  { limit, after, total: knownTotal }: Page & { total?: number | undefined },
): Promise<{ rows: SummaryRow[]; total: number; isFollowed: boolean }> {
  const { mapId } = caller
  return readFeatures(database, caller, filter, { offset: 0 }, async (read) => {
    const rows = await readPage(database, read, mapId, filter, { limit: limit + 1, after })
    const isFollowed = rows.length > limit
    const isWhole = after === undefined && !isFollowed
    const total = knownTotal ?? (isWhole ? rows.length : await countMatching(database, read, mapId, filter))
    return { rows: rows.slice(0, limit), total, isFollowed }
  })
}

/** One kind after the other, so that the index finds the start of a page for any set of kinds. */
async function kindByKind<Row>(
  filter: FeatureFilter,
  { limit, after }: Page,
  readPart: (filter: FeatureFilter, page: Page) => Promise<Row[]>,
): Promise<Row[]> {
  if (!isCoveredByListIndex(filter)) return readPart(filter, { limit, after })
  const kinds = filter.kind && filter.kind.length > 0 ? filter.kind : featureKinds
  const rows: Row[] = []
  for (const kind of kinds.toSorted()) {
    if (rows.length === limit || (after && kind < after.kind)) continue
    const kindFilter = { ...filter, kind: [kind] }
    const position = after?.kind === kind ? after : undefined
    rows.push(...(await readPart(kindFilter, { limit: limit - rows.length, after: position })))
  }
  return rows
}

function readPage(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  page: Page,
): Promise<SummaryRow[]> {
  return kindByKind(filter, page, (ofPart, part) =>
    partInOrder(database, read, mapId, ofPart, part).select(summaryColumns).execute(),
  )
}

export type WholeRow = Selectable<FeaturesTable>

export function readRowsInOrder(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  page: Page,
): Promise<WholeRow[]> {
  return kindByKind(filter, page, (ofPart, part) =>
    partInOrder(database, read, mapId, ofPart, part).selectAll().execute(),
  )
}

/** Without the kind if there is only one, or SQLite would scan from the beginning of the kind. */
function partInOrder(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  { limit, after }: Page,
) {
  const isOfOneKind = after !== undefined && filter.kind?.length === 1 && filter.kind[0] === after.kind
  return (
    read
      .selectFrom('features')
      .where(matchesFilter(database, mapId, filter))
      .$if(after !== undefined, (query) =>
        query.where(
          isOfOneKind
            ? sql<boolean>`(date_order, name_order, id) > (${after?.dateOrder}, ${after?.nameOrder}, ${after?.id})`
            : sql<boolean>`(kind, date_order, name_order, id)
                > (${after?.kind}, ${after?.dateOrder}, ${after?.nameOrder}, ${after?.id})`,
        ),
      )
      // An expression if another index finds the features, or the databases would scan the whole list.
      .orderBy(filter.text === undefined && !filter.isLedByIndex ? sql`kind` : sql`kind || ''`)
      .orderBy('date_order')
      .orderBy('name_order')
      .orderBy('id')
      .limit(limit)
  )
}

export async function listFeaturesFrom(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  page: { limit: number; offset: number; sort: FeatureSort | undefined },
  extraFields: SummaryFields,
): Promise<FeaturePage> {
  const { mapId } = caller
  const { limit } = page
  const { ids, total } = await readFeatures(database, caller, filter, page, async (read) => ({
    ids: await readIdsInOrder(database, read, mapId, filter, { ...page, limit: limit + 1 }),
    total: await countMatching(database, read, mapId, filter),
  }))
  const rows = await readSummaryRows(database.read, mapId, ids.slice(0, limit))
  return toPage(database.read, mapId, rows, { total, isFollowed: ids.length > limit, extraFields })
}

async function toPage(
  read: ReadDatabase,
  mapId: string,
  rows: readonly SummaryRow[],
  { total, isFollowed, extraFields }: { total: number; isFollowed: boolean; extraFields: SummaryFields },
): Promise<FeaturePage> {
  const last = isFollowed ? rows.at(-1) : undefined
  return {
    items: await toSummaries(read, mapId, rows, extraFields),
    total,
    last: last
      ? { kind: last.kind, dateOrder: last.date_order, nameOrder: last.name_order, id: last.id }
      : null,
  }
}
