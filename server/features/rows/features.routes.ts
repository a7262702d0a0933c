import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { featureDetail } from '#domain/features/feature.schema.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { etagOf } from '../../http/if-match.ts'
import { notFound } from '../../http/problem.ts'
import { readFeatureDetail } from './feature-detail.ts'
import { readFeature } from './feature-rows.queries.ts'
import { sightOf } from './sight.ts'

export const featureRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get('/api/maps/:mapId/features/:id', {
    config: { access: 'public' },
    schema: {
      summary: 'Get a feature',
      description:
        'Staff of the map see all fields. Visitors see personal data and metadata only if the configuration ' +
        'makes them public.',
      tags: ['features'],
      params: z.object({ mapId, id: featureId }),
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const row = await readFeature(database, mapId, id)
      if (!row) throw notFound(`Map ${mapId} has no feature ${id}.`)
      const sight = await sightOf(request, database, mapId)
      forOnePerson(reply)
      reply.header('etag', etagOf(row.version))
      return readFeatureDetail(database, row, sight)
    },
  })
  done()
}
