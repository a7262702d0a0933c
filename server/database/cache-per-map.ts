import type { Database } from './database.ts'

const maxMaps = 500
const dayMs = 86_400_000

type CacheEntry<Result> = { version: string; result: Promise<Result> }

type Read<Result> = (database: Database, mapId: string) => Promise<Result>

/**
 * Caches what `read` finds in a map until the map, its `key` or the UTC day changes. Concurrent callers share one read.
 */
export function cachePerMap<Result>(read: Read<Result>, readKey: Read<string> = async () => '') {
  const caches = new WeakMap<Database, Map<string, CacheEntry<Result>>>()
  return async (database: Database, mapId: string): Promise<Result> => {
    const map = await database.read
      .selectFrom('maps')
      .select('updated_at')
      .where('map_id', '=', mapId)
      .executeTakeFirst()
    const version = `${map?.updated_at ?? 0} ${Math.floor(Date.now() / dayMs)} ${await readKey(database, mapId)}`
    const cache = caches.get(database) ?? new Map<string, CacheEntry<Result>>()
    caches.set(database, cache)
    const current = cache.get(mapId)
    if (current?.version === version) return current.result
    const result = read(database, mapId)
    cache.set(mapId, { version, result })
    result.catch(() => cache.get(mapId)?.result === result && cache.delete(mapId))
    const [oldest] = cache.keys()
    if (cache.size > maxMaps && oldest !== undefined) cache.delete(oldest)
    return result
  }
}
