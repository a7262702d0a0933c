import { LRUCache } from 'lru-cache'
import { expandExtent, extentOfTile, type TileAddress } from '#domain/tiles/tile-address.ts'
import { tileMargin } from '#domain/tiles/tile-geometry.ts'
import type { Extent } from '../database/database.ts'
import type { EncodedTile } from './tile-pool.ts'

type Entry = {
  mapId: string
  tile: TileAddress
  encoded: Promise<EncodedTile>
  /** Counts another request that waits; undefined when the tile is done. */
  join: ((client: AbortSignal) => void) | undefined
  wasAbandoned: boolean
}

/** Size of an entry besides key and content; empty tiles have nothing else. */
const overheadBytes = 2_048

/** More entries would make the check of a change block other requests. */
const usualLimits = { bytes: 64 * 1024 * 1024, entries: 20_000 }

/** Severity circles reach this far beyond a changed feature. */
const reachMeters = 300

type TileSource = {
  client: AbortSignal
  /** `signal` aborts when no request waits any more. */
  make(signal: AbortSignal): Promise<EncodedTile>
}

/** Makes concurrently requested tiles once. */
export function createTileCache(limits = usualLimits) {
  const entries = new LRUCache<string, Entry>({ max: limits.entries, maxSize: limits.bytes })

  const isCurrent = (key: string, entry: Entry) => entries.peek(key) === entry

  return {
    get(key: string, mapId: string, tile: TileAddress, source: TileSource): Promise<EncodedTile> {
      const cached = entries.get(key)
      if (cached) {
        cached.join?.(source.client)
        return cached.wasAbandoned
          ? cached.encoded.catch(() => this.get(key, mapId, tile, source))
          : cached.encoded
      }
      const leaving = new AbortController()
      const entry: Entry = {
        mapId,
        tile,
        encoded: source.make(leaving.signal),
        wasAbandoned: false,
        join: joinUntilAllLeave(() => {
          entry.wasAbandoned = true
          leaving.abort()
        }),
      }
      const size = 2 * key.length + overheadBytes
      entries.set(key, entry, { size })
      entry.join?.(source.client)
      entry.encoded.then(
        ({ bytes, gzipped }) => {
          entry.join = undefined
          if (isCurrent(key, entry)) entries.set(key, entry, { size: size + bytes.length + gzipped.length })
        },
        () => {
          if (isCurrent(key, entry)) entries.delete(key)
        },
      )
      return entry.encoded
    },

    /** Drops the tiles that a change may affect; without an extent all of the map. */
    dropChanged(mapId: string, extent: Extent | null) {
      const changed = extent && expandExtent(extent, reachMeters)
      for (const [key, entry] of entries) {
        if (entry.mapId !== mapId) continue
        if (!changed || touches(extentOfTile(entry.tile, tileMargin), changed)) entries.delete(key)
      }
    },

    clear: () => entries.clear(),
  }
}

function joinUntilAllLeave(onEmpty: () => void) {
  let waiting = 0
  const leave = () => {
    if (--waiting === 0) onEmpty()
  }
  return (client: AbortSignal) => {
    waiting++
    if (client.aborted) leave()
    else client.addEventListener('abort', leave, { once: true })
  }
}

function touches(a: Extent, b: Extent): boolean {
  return a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south
}
