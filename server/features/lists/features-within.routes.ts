import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { maxSelected } from '#domain/features/bulk-change.ts'
import { areaRing, featuresWithin } from '#domain/features/features-within.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { featureFilter, filterInSight } from './feature-filter.ts'
import { readFeaturesWithin } from './features-within.queries.ts'

const bodyLimit = 128 * 1024

export const featuresWithinRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.post('/api/maps/:mapId/features-within', {
    config: { access: 'editor', onlyReads: true },
    bodyLimit,
    schema: {
      summary: 'Which features an area on the map touches',
      description:
        'Those that have a point in common with it, its edge included: what lies within, and what reaches into it. ' +
        `Up to ${maxSelected.toLocaleString('en')}, to be named in a change of many features. It waits for its turn, ` +
        'and has 10 seconds: 503 with Retry-After where too many wait, or it took longer.',
      tags: ['features'],
      params: z.object({ mapId }),
      body: z.strictObject({
        ring: areaRing,
        filter: z
          .strictObject(featureFilter)
          .default({})
          .meta({ description: 'As the list of features takes it; empty is everything on the map' }),
      }),
      response: { 200: featuresWithin },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { ring, filter } = request.body
      const signal = disconnectSignal(reply)
      forOnePerson(reply)
      return readFeaturesWithin(database, { mapId, signal }, filterInSight(filter, 'everything'), ring)
    },
  })
  done()
}
