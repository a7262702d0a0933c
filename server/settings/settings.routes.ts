import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Configuration } from '../configuration.ts'
import type { Database } from '../database/database.ts'
import { readDefaultMapId } from '../maps/maps.queries.ts'

const tileService = z.object({ url: z.string().nullable(), attribution: z.string(), maxZoom: z.number() })

/** What the page must know of this installation before it can show a map. */
const pageSettings = z.object({
  defaultMapId: z.string().nullable(),
  tileServices: z.object({
    street: tileService,
    satellite: tileService,
    terrain: tileService,
    labels: tileService,
  }),
})

export const settingsRoutes: FastifyPluginCallbackZod<{
  database: Database
  configuration: Configuration
}> = (app, { database, configuration }, done) => {
  app.get(
    '/api/settings',
    {
      config: { access: 'public' },
      schema: { summary: 'Settings of this installation', tags: ['maps'], response: { 200: pageSettings } },
    },
    async () => ({
      defaultMapId: await readDefaultMapId(database, configuration.defaultMapId),
      tileServices: configuration.tileServices,
    }),
  )
  done()
}
