import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mapId } from '#domain/features/common.schema.ts'
import { mapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database } from '../database/database.ts'
import { requireOpenMap } from '../maps/maps.queries.ts'
import { readConfigurationOfMap } from './map-configuration.queries.ts'

export const mapConfigurationRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get(
    '/api/maps/:mapId/configuration',
    {
      config: { access: 'public' },
      schema: {
        summary: 'The configuration of a map: the applied one, or the default',
        tags: ['maps'],
        params: z.object({ mapId }),
        response: { 200: mapConfigurationAnswer },
      },
    },
    async (request) => {
      await requireOpenMap(database, request.params.mapId)
      return readConfigurationOfMap(database, request.params.mapId)
    },
  )
  done()
}
