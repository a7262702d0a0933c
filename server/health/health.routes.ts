import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { pingDatabase } from './health.queries.ts'

const state = z.object({ status: z.literal('ok') })

export const healthRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get(
    '/health/live',
    {
      config: { access: 'public' },
      schema: { summary: 'The process answers', tags: ['health'], response: { 200: state } },
    },
    async () => ({ status: 'ok' as const }),
  )
  app.get(
    '/health/ready',
    {
      config: { access: 'public' },
      schema: {
        summary: 'The database answers too (else 503), and has room (else 507)',
        tags: ['health'],
        response: { 200: state },
      },
    },
    async () => {
      await pingDatabase(database)
      await database.checkRoom()
      return { status: 'ok' as const }
    },
  )
  done()
}
