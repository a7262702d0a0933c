import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { pageSettings } from '#domain/opening/opening.schema.ts'
import type { Database } from '../database/database.ts'
import { readDefaultMapId } from '../maps/maps.queries.ts'
import type { Configuration } from '../settings/configuration.ts'

export const settingsRoutes: FastifyPluginCallbackZod<{
  database: Database
  configuration: Configuration
}> = (app, { database, configuration }, done) => {
  app.get('/api/settings', {
    config: { access: 'public' },
    schema: {
      summary: 'Get the settings of this installation',
      tags: ['maps'],
      response: { 200: pageSettings },
    },
    handler: async () => ({
      defaultMapId: await readDefaultMapId(database, configuration.defaultMapId),
      sendsMail: configuration.mailServer !== null,
      tileServices: configuration.tileServices,
    }),
  })
  done()
}
