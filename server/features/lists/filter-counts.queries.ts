import { sql } from 'kysely'
import type { FeatureGroup } from '#domain/features/filter-counts.ts'
import { sinceOfTimeRange, timeRanges } from '#domain/features/filters.ts'
import { datedKinds, severityKinds } from '#domain/features/kind-traits.ts'
import { daysOf, dueWords } from '#domain/maintenance/due.ts'
import { localDay } from '#domain/values/time-zones.ts'
import { cachePerMap } from '../../database/cache-per-map.ts'
import type { Database } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { readTimeZone } from '../../maps/time-zone.queries.ts'
import { countAllFeatures } from '../../thinning/read-totals.queries.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { matchesFilter } from './feature-matches.queries.ts'

/** Counting more takes seconds. */
const maxCounted = 2_000_000

/** Null if the map has too many features. There are a few hundred groups at most. */
export async function readFeatureGroups(
  database: Database,
  caller: QueueClient,
  filter: Pick<FeatureFilter, 'text' | 'wordSight'>,
): Promise<FeatureGroup[] | null> {
  if (filter.text?.trim()) return groupFeatures(database, caller, filter)
  return readGroupsOfMap(database, caller.mapId)
}

const readGroupsOfMap = cachePerMap(async (database, mapId) => {
  if ((await countAllFeatures(database.read, mapId)) > maxCounted) return null
  // Other callers may wait for the same result: it outlives the request.
  return groupFeatures(database, { mapId, signal: new AbortController().signal }, {})
}, todayOf)

async function todayOf(database: Database, mapId: string): Promise<string> {
  const timeZone = await readTimeZone(database, mapId)
  return `${timeZone} ${localDay(Date.now(), timeZone)}`
}

async function groupFeatures(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
): Promise<FeatureGroup[]> {
  const [now, timeZone] = [Date.now(), await readTimeZone(database, caller.mapId)]
  const ranges = timeRanges.flatMap((range) => {
    const since = sinceOfTimeRange(range, now, timeZone)
    return since === undefined ? [] : [sql`when features.date >= ${Date.parse(since)} then ${sql.lit(range)}`]
  })
  const dues = dueWords.map((word) => {
    const { first, last } = daysOf(word, localDay(now, timeZone))
    return sql`when features.next_due between ${first} and ${last} then ${sql.lit(word)}`
  })
  const time = sql<FeatureGroup['time']>`case when features.kind not in (${sql.join(datedKinds)}) then null
    when features.date is null then ${sql.lit(timeRanges[1])} ${sql.join(ranges, sql` `)} end`
  const status = sql<FeatureGroup['status']>`features.status`
  const severity = sql<FeatureGroup['severity']>`case when features.kind in (${sql.join(severityKinds)})
    then coalesce(features.severity, 'unknown') end`
  const due = sql<FeatureGroup['due']>`case ${sql.join(dues, sql` `)} end`
  return database.readInWorker(caller, (read) =>
    read
      .with('grouped', (query) =>
        query
          .selectFrom('features')
          .where(matchesFilter(database, caller.mapId, filter))
          .select([
            'kind',
            'type',
            status.as('status'),
            severity.as('severity'),
            time.as('time'),
            due.as('due'),
          ]),
      )
      .selectFrom('grouped')
      .select([
        'kind',
        'type',
        'status',
        'severity',
        'time',
        'due',
        ({ fn }) => fn.countAll<number>().as('count'),
      ])
      .groupBy(['kind', 'type', 'status', 'severity', 'time', 'due'])
      .execute(),
  )
}
