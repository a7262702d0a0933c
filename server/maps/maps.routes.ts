import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mapSummary } from '#domain/clients/client.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { readMapSummary } from './maps.queries.ts'

export const mapRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get('/api/maps/:mapId', {
    config: { access: 'public' },
    schema: {
      summary: 'Get the client, extent, and size of a map',
      tags: ['maps'],
      params: z.object({ mapId }),
      response: { 200: mapSummary },
    },
    async handler(request) {
      return readMapSummary(database, request.params.mapId)
    },
  })
  done()
}
