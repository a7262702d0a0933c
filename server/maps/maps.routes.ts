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
      summary: 'Whose map it is, where its land lies and how much is on it',
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
