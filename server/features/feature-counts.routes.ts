import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mapId } from '#domain/features/common.schema.ts'
import { featureCounts } from '#domain/features/feature.schema.ts'
import type { Database } from '../database/database.ts'
import { readCounts, sumCounts } from '../thinning/read-totals.queries.ts'
import { featureFilter } from './feature-filter.ts'

const { kind, shape, type, since } = featureFilter

export const featureCountRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get(
    '/api/maps/:mapId/counts',
    {
      config: { access: 'public' },
      schema: {
        summary: 'How many features a map has, of each kind and shape',
        description: 'Exact, and as fast for a million features as for fifty.',
        tags: ['features'],
        params: z.object({ mapId }),
        querystring: z.strictObject({ kind, shape, type, since }),
        response: { 200: featureCounts },
      },
    },
    async (request) => {
      return sumCounts(await readCounts(database.read, request.params.mapId, request.query))
    },
  )
  done()
}
