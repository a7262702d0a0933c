import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mostFeaturesInAnswer } from '#domain/features/feature-collection.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { sightOf } from '../rows/sight.ts'
import { readFeatureCollection } from './feature-collection.queries.ts'
import { featureFilter, filterInSight, requireSight } from './feature-filter.ts'
import { withoutUselessBox } from './feature-matches.queries.ts'

export const geoJsonType = 'application/geo+json'

export const featureCollectionRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/features.geojson', {
    config: { access: 'public', mediaTypes: [geoJsonType] },
    schema: {
      summary: 'Features of a map with their geometries, in one answer',
      description:
        `At most ${mostFeaturesInAnswer} features, or 16 MB of them: of more, those come first that the map shows from ` +
        'farthest away. `numberMatched` says how many there are, `numberReturned` how many of them came. ' +
        'It waits for its turn, and has 10 seconds: 503 with Retry-After where too many wait, or it took longer.',
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject(featureFilter),
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const caller = { mapId, signal: request.signal }
      await requireSight(request, request.query, mapId)
      const sight = await sightOf(request, database, mapId)
      const filter = await withoutUselessBox(database, mapId, filterInSight(request.query, sight))
      forOnePerson(reply)
      return reply
        .header('content-type', geoJsonType)
        .send(await readFeatureCollection(database, caller, filter))
    },
  })
  done()
}
