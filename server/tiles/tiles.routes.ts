import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { activityRule } from '#domain/activity/activity-rules.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import { tileLayers } from '#domain/tiles/make-tile.ts'
import { tileTags } from '#domain/tiles/tile-features.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { isKnown } from '../http/if-match.ts'
import { originOf } from '../http/origin.ts'
import { mapFilter } from '../http/page-parameters.ts'
import type { ChangeFeed } from '../live-updates/change-feed.ts'
import { readMapSummary } from '../maps/maps.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import { canonicalFilter, type IncidentDays } from '../thinning/filter.ts'
import { readIncidentDays, readLandExtent } from '../thinning/read-totals.queries.ts'
import { createTileCache } from './tile-cache.ts'
import type { TilePool } from './tile-pool.ts'

export const tileContentType = 'application/vnd.mapbox-vector-tile'

/** Digits only, so that a tile has one address. */
const whole = z
  .string()
  .regex(/^\d{1,6}$/, 'must be a whole number')
  .transform(Number)

const tileOfMap = z
  .object({ mapId, z: whole.pipe(z.number().max(maxTileZoom)), x: whole, y: whole })
  .superRefine((tile, context) => {
    const last = 2 ** tile.z - 1
    for (const name of ['x', 'y'] as const)
      if (tile[name] > last)
        context.addIssue({ code: 'custom', path: [name], message: `zoom ${tile.z} has tiles 0 to ${last}` })
  })

type Dependencies = {
  database: Database
  tilePool: TilePool
  changes: ChangeFeed
  configuration: Configuration
}

export const tileRoutes: FastifyPluginCallbackZod<Dependencies> = (app, dependencies, done) => {
  const { database, tilePool, changes, configuration } = dependencies
  const { rateLimitPerMinute } = configuration
  const cache = createTileCache()
  const incidentDays = new LRUCache<string, Promise<IncidentDays>>({ max: 10_000 })
  const stopListening = changes.listen(({ mapId, action, extent }) => {
    if (!activityRule(action).affectsTiles) return
    cache.dropChanged(mapId, extent)
    incidentDays.delete(mapId)
  })
  app.addHook('onClose', async () => void stopListening())

  function incidentDaysOf(mapId: string): Promise<IncidentDays> {
    const cached = incidentDays.get(mapId)
    if (cached !== undefined) return cached
    const days = readIncidentDays(database.read, mapId)
    incidentDays.set(mapId, days)
    days.catch(() => incidentDays.peek(mapId) === days && incidentDays.delete(mapId))
    return days
  }

  app.get('/api/maps/:mapId/tiles.json', {
    config: { access: 'public', mediaTypes: ['application/json'] },
    schema: {
      summary: 'Get TileJSON 3.0.0, for QGIS and other mapping software',
      tags: ['tiles'],
      params: z.object({ mapId }),
    },
    async handler(request) {
      const { mapId } = request.params
      const { client } = await readMapSummary(database, mapId)
      // Includes strays, because programs request no tiles outside.
      const extent = await readLandExtent(database, mapId)
      const origin = originOf(request, configuration)
      const fields = Object.fromEntries(['id', ...tileTags].map((tag) => [tag, 'String']))
      return {
        tilejson: '3.0.0',
        name: client?.name ?? mapId,
        tiles: [`${origin}/api/maps/${mapId}/tiles/{z}/{x}/{y}.mvt`],
        minzoom: 0,
        maxzoom: maxTileZoom,
        ...(extent ? { bounds: [extent.west, extent.south, extent.east, extent.north] } : {}),
        vector_layers: tileLayers.map((id) => ({ id, fields })),
      }
    },
  })

  app.get('/api/maps/:mapId/tiles/:z/:x/:y.mvt', {
    schema: {
      summary: 'Get a vector tile of 512 pixels',
      description:
        'Layers: incidents, assets, parcels, incident_areas. A type filter applies only to its own kind.',
      tags: ['tiles'],
      params: tileOfMap,
      querystring: z.strictObject(mapFilter),
    },
    config: { access: 'public', mediaTypes: [tileContentType], rateLimit: { max: rateLimitPerMinute * 5 } },
    async handler(request, reply) {
      const { signal: client } = request
      const { mapId, z, x, y } = request.params
      const { kind = [], type = [], since, ...columns } = request.query
      const days = since === undefined ? null : await incidentDaysOf(mapId)
      const wanted = canonicalFilter({ kinds: kind, types: type, since, columns }, days)
      const key = JSON.stringify([mapId, z, x, y, wanted])
      const tile = await cache.get(
        key,
        mapId,
        { z, x, y },
        {
          client,
          make: (signal) => tilePool.encode({ mapId, signal }, { z, x, y }, wanted),
        },
      )
      reply.header('etag', tile.etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding')
      if (isKnown(request.headers['if-none-match'], tile.etag)) return reply.status(304).send()
      reply.header('content-type', tileContentType)
      const isGzipped = takesGzip(request.headers['accept-encoding'])
      if (isGzipped) reply.header('content-encoding', 'gzip')
      const { buffer, byteOffset, byteLength } = isGzipped ? tile.gzipped : tile.bytes
      return reply.send(Buffer.from(buffer, byteOffset, byteLength))
    },
  })
  done()
}

function takesGzip(acceptEncoding: string | undefined): boolean {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [coding = '', weight] = part.split(';').map((piece) => piece.trim())
    weights.set(coding, weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '')))
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
