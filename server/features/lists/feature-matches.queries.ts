import { type Expression, type SqlBool, sql } from 'kysely'
import { featureKinds } from '#domain/definition/kinds.ts'
import { startOfUtcDay, typesByKind } from '#domain/features/filters.ts'
import { datedKinds } from '#domain/features/kind-traits.ts'
import { partsOfBox } from '#domain/geometry/box.ts'
import { type DueWord, daysOf } from '#domain/maintenance/due.ts'
import { wordsToFind } from '#domain/values/text.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { isWithin } from '../../geometry/extents.ts'
import { hasWords, isCoLocated } from '../../thinning/read-tile.queries.ts'
import { readCounts, readExtent } from '../../thinning/read-totals.queries.ts'
import type { FeatureFilter } from './feature-filter.ts'

/** Which features of a map a filter means; for queries on the table `features`. */
export function matchesFilter(
  { dialect }: Database,
  mapId: string,
  filter: FeatureFilter,
): Expression<SqlBool> {
  const { kind, shape, type, status, severity, since, bbox, at, due, text, wordSight = 'open' } = filter
  const { isGeneral, condition } = filter
  const words = text === undefined ? [] : wordsToFind(text)
  // Box and words find the features of one map by themselves: SQLite would go through all of it, and look up each among
  // those that were found.
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
    // An incident without a date may have happened at any time.
    conditions.push(
      sql`(features.kind not in (${sql.join(datedKinds)}) or features.date is null or features.date >= ${startOfUtcDay(since)})`,
    )
  // Written out: their index is only for what the database can see to be one.
  if (isGeneral !== undefined) conditions.push(sql`features.is_general = ${sql.lit(isGeneral ? 1 : 0)}`)
  conditions.push(...hasWords({ status, severity }))
  if (due && due.length > 0) conditions.push(isDue(due))
  if (bbox)
    conditions.push(
      sql`(${sql.join(
        partsOfBox(bbox).map((part) => dialect.intersects(mapId, part)),
        sql` or `,
      )})`,
    )
  if (at !== undefined) conditions.push(isCoLocated(mapId, at))
  if (words.length > 0) conditions.push(dialect.matchesWords(mapId, words, wordSight))
  // Text without a letter or digit can match nothing.
  else if (text !== undefined && text.trim() !== '') conditions.push(sql`1 = 0`)
  if (condition) conditions.push(condition)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

function isDue(words: readonly DueWord[]): Expression<SqlBool> {
  const spans = words.map((word) => daysOf(word, Date.now()))
  return sql<SqlBool>`(${sql.join(
    spans.map(({ first, last }) => sql`features.next_due between ${first} and ${last}`),
    sql` or `,
  )})`
}

/** Whether the list's index knows all that a filter asks for. */
export function isInListOrder({ kind, shape, isGeneral, ...others }: FeatureFilter): boolean {
  return Object.values(others).every(isNothing)
}

/** Rows of the list's index that may be passed over on the way to a page. */
const mostPassed = 1_000

/**
 * Whether a page of the list is there at once, however large the map is: the index leads to its first row, and all rows
 * from there on belong to it. Whatever else is asked of features may read a great part of the map, and is read in a worker.
 */
export function isAtHand(
  { kind, ...others }: FeatureFilter,
  page: { offset: number; sort?: unknown },
): boolean {
  return page.sort === undefined && page.offset <= mostPassed && Object.values(others).every(isNothing)
}

/** Reads features of a map, in a worker unless `isAtHand`. */
export function readFeatures<Result>(
  database: Database,
  asker: QueueClient,
  filter: FeatureFilter,
  page: { offset: number; sort?: unknown },
  work: (read: ReadDatabase) => Promise<Result>,
): Promise<Result> {
  return isAtHand(filter, page) ? work(database.read) : database.readInWorker(asker, work)
}

const isNothing = (asked: unknown) => asked === undefined || (Array.isArray(asked) && asked.length === 0)

/** Leaves the box out of the filter where all features are within it: testing a million boxes takes long. */
export async function withoutIdleBox(
  { read }: Database,
  mapId: string,
  filter: FeatureFilter,
): Promise<FeatureFilter> {
  const { bbox, ...others } = filter
  const extent = bbox && (await readExtent(read, mapId))
  return extent && partsOfBox(bbox).some((part) => isWithin(extent, part)) ? others : filter
}

/** Whether the kept counts know all that a filter asks for. */
function isCounted({ kind, shape, type, since, ...others }: FeatureFilter): boolean {
  return Object.values(others).every(
    (asked) => isNothing(asked) || (typeof asked === 'string' && !asked.trim()),
  )
}

/** The number of features that a filter means: from the kept counts, where they know all that it asks for. */
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
    // The counts know nothing of them, but they have an index of their own.
    return total - (await countMatching(database, read, mapId, { ...others, isGeneral: true }))
  }
  const { total } = await read
    .selectFrom('features')
    .where(matchesFilter(database, mapId, filter))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The same for each kind and shape of which there are any. What the kept counts do not know is counted in a worker. */
export function countByKindAndShape(
  database: Database,
  asker: QueueClient,
  filter: FeatureFilter,
): ReturnType<typeof readCounts> {
  const { mapId } = asker
  if (isCounted(filter)) return readCounts(database.read, mapId, filter)
  return database.readInWorker(asker, (read) =>
    read
      .selectFrom('features')
      .where(matchesFilter(database, mapId, filter))
      .select(['kind', 'shape', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(['kind', 'shape'])
      .execute(),
  )
}
