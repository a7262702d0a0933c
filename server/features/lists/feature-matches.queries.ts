import { setImmediate } from 'node:timers/promises'
import { type Expression, type SqlBool, sql } from 'kysely'
import { featureKinds } from '#domain/definition/kinds.ts'
import { maxSelected } from '#domain/features/bulk-change.ts'
import type { FeaturesWithin } from '#domain/features/features-within.schema.ts'
import { typesByKind } from '#domain/features/filters.ts'
import { datedKinds } from '#domain/features/kind-traits.ts'
import { partsOfBox } from '#domain/geometry/box.ts'
import { type EnclosedArea, enclosedAreas } from '#domain/geometry/enclosed-area.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { type DueWord, daysOf } from '#domain/maintenance/due.ts'
import { wordsToFind } from '#domain/values/text.ts'
import { localDay } from '#domain/values/time-zones.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { isWithin } from '../../geometry/extents.ts'
import { workOnShapes } from '../../geometry/shape-threads.ts'
import { hasWords, isCoLocated } from '../../thinning/read-tile.queries.ts'
import { readCounts, readExtent } from '../../thinning/read-totals.queries.ts'
import type { FeatureFilter } from './feature-filter.ts'

export function matchesFilter(
  { dialect }: Database,
  mapId: string,
  filter: FeatureFilter,
): Expression<SqlBool> {
  const { kind, shape, type, status, severity, since, bbox, at, due, text, wordSight = 'open' } = filter
  const { isGeneral, condition, namedId } = filter
  const words = text === undefined ? [] : wordsToFind(text)
  // Box and words find the features by their own indexes. Otherwise SQLite would scan the map and look up each feature
  // among the results.
  const conditions: Expression<unknown>[] = [dialect.goesOn]
  if (!bbox && words.length === 0) conditions.push(sql`features.map_id = ${mapId}`)
  if (kind && kind.length > 0) conditions.push(sql`features.kind in (${sql.join(kind)})`)
  if (shape && shape.length > 0) conditions.push(sql`features.shape in (${sql.join(shape)})`)
  const types = typesByKind(type ?? [])
  for (const constrained of featureKinds) {
    const allowed = types[constrained]
    if (allowed)
      conditions.push(sql`(features.kind <> ${constrained} or features.type in (${sql.join(allowed)}))`)
  }
  if (since !== undefined)
    // An incident without a date matches any time.
    conditions.push(
      sql`(features.kind not in (${sql.join(datedKinds)}) or features.date is null or features.date >= ${Date.parse(since)})`,
    )
  // A literal: the partial index requires that the database sees the value.
  if (isGeneral !== undefined) conditions.push(sql`features.is_general = ${sql.lit(isGeneral ? 1 : 0)}`)
  conditions.push(...hasWords({ status, severity }))
  if (due && due.length > 0) conditions.push(isDue(due, filter.today))
  if (bbox)
    conditions.push(
      sql`(${sql.join(
        partsOfBox(bbox).map((part) => dialect.intersects(mapId, part)),
        sql` or `,
      )})`,
    )
  if (at !== undefined) conditions.push(isCoLocated(mapId, at))
  if (text?.trim()) {
    const hasAll = words.length > 0 ? dialect.matchesWords(mapId, words, wordSight) : sql`1 = 0`
    const isNamed = sql`features.map_id = ${mapId} and features.id = ${namedId}`
    conditions.push(namedId === undefined ? hasAll : sql`(${hasAll} or ${isNamed})`)
  }
  if (condition) conditions.push(condition)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

function isDue(words: readonly DueWord[], today = localDay(Date.now(), 'UTC')): Expression<SqlBool> {
  const spans = words.map((word) => daysOf(word, today))
  return sql<SqlBool>`(${sql.join(
    spans.map(({ first, last }) => sql`features.next_due between ${first} and ${last}`),
    sql` or `,
  )})`
}

/** Whether the index of the list covers the filter. */
export function isCoveredByListIndex({ kind, shape, isGeneral, ...others }: FeatureFilter): boolean {
  return Object.values(others).every(isUnset)
}

const maxPassed = 1_000

/**
 * Whether a page can be read immediately, however large the map is: the index finds its first row, and all rows after
 * it match. Other queries may read much of the map and run in a worker.
 */
export function isQuickPage(
  { kind, ...others }: FeatureFilter,
  page: { offset: number; sort?: unknown },
): boolean {
  return page.sort === undefined && page.offset <= maxPassed && Object.values(others).every(isUnset)
}

export function readFeatures<Result>(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  page: { offset: number; sort?: unknown },
  work: (read: ReadDatabase) => Promise<Result>,
): Promise<Result> {
  return isQuickPage(filter, page) ? work(database.read) : database.readInWorker(caller, work)
}

const isUnset = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)

/** Removes a box that contains all features: testing a million boxes takes long. */
export async function withoutUselessBox(
  { read }: Database,
  mapId: string,
  filter: FeatureFilter,
): Promise<FeatureFilter> {
  const { bbox, ...others } = filter
  const extent = bbox && (await readExtent(read, mapId))
  return extent && partsOfBox(bbox).some((part) => isWithin(extent, part)) ? others : filter
}

function isCounted({ kind, shape, type, since, ...others }: FeatureFilter): boolean {
  return Object.values(others).every(
    (value) => isUnset(value) || (typeof value === 'string' && !value.trim()),
  )
}

export async function countMatching(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
): Promise<number> {
  const { isGeneral, ...others } = filter
  if (isCounted(others) && isGeneral !== true) {
    const counts = await readCounts(read, mapId, others)
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    if (isGeneral === undefined) return total
    // Not in the counts, but they have their own index.
    return total - (await countMatching(database, read, mapId, { ...others, isGeneral: true }))
  }
  const { total } = await read
    .selectFrom('features')
    .where(matchesFilter(database, mapId, filter))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export function countByKindAndShape(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
): ReturnType<typeof readCounts> {
  const { mapId } = caller
  if (isCounted(filter)) return readCounts(database.read, mapId, filter)
  return database.readInWorker(caller, (read) =>
    read
      .selectFrom('features')
      .where(matchesFilter(database, mapId, filter))
      .select(['kind', 'shape', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(['kind', 'shape'])
      .execute(),
  )
}

/** `around` limits the features whose extents are compared with the area. */
const maxFeatures = { found: maxSelected, around: 200_000 }
/** Extents compared before other requests run. */
const extentsAtOnce = 2_000
const geometriesAtOnce = 500
const maxMs = 9_000

export async function readFeaturesWithin(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  corners: readonly Position[],
  most = maxFeatures,
): Promise<FeaturesWithin> {
  const found = new Map<string, FeaturesWithin['items'][number]>()
  let isAll = true
  for (const area of enclosedAreas(corners)) {
    const { extent } = area
    const around = await withoutUselessBox(database, caller.mapId, { bbox: extent, ...filter })
    isAll &&= await database.readInWorker(caller, async (read) => {
      const rows = await readExtents(database, read, caller.mapId, around, most.around + 1)
      for await (const item of itemsWithin(read, caller, area, rows)) {
        found.set(item.id, item)
        if (found.size > most.found) return false
      }
      return rows.length <= most.around
    })
    if (found.size > most.found) break
  }
  return { items: [...found.values()].slice(0, most.found), isAll }
}

function readExtents(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  limit: number,
) {
  return read
    .selectFrom('features')
    .select(['id', 'kind', 'west', 'south', 'east', 'north'])
    .where(matchesFilter(database, mapId, filter))
    .limit(limit)
    .execute()
}

/** Extents decide most features; geometries are read only at the edge of the area. */
async function* itemsWithin(
  read: ReadDatabase,
  { mapId, signal }: QueueClient,
  area: EnclosedArea,
  rows: Awaited<ReturnType<typeof readExtents>>,
): AsyncGenerator<FeaturesWithin['items'][number]> {
  const atEdge: string[] = []
  for (const [index, row] of rows.entries()) {
    const meets = area.meetsAnyIn(row)
    if (meets) yield { id: row.id, kind: row.kind }
    if (meets === undefined) atEdge.push(row.id)
    if (index % extentsAtOnce === extentsAtOnce - 1) {
      signal.throwIfAborted()
      await setImmediate()
    }
  }
  for (let start = 0; start < atEdge.length; start += geometriesAtOnce) {
    const some = await read
      .selectFrom('features')
      .select(['id', 'kind', 'geometry'])
      .where('map_id', '=', mapId)
      .where('id', 'in', atEdge.slice(start, start + geometriesAtOnce))
      .execute()
    const geometries = some.map(({ geometry }) => geometry)
    const input = { corners: area.corners, geometries }
    const answers = await workOnShapes({ mapId, signal }, 'within', input, maxMs)
    for (const [index, { id, kind }] of some.entries()) if (answers[index]) yield { id, kind }
  }
}
