import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { sessionAnswer } from '#domain/access/session.schema.ts'

export const sessionRoutes: FastifyPluginCallbackZod = (app, _options, done) => {
  app.get(
    '/api/session',
    {
      config: { access: 'public' },
      schema: { summary: 'Who is signed in', tags: ['identity'], response: { 200: sessionAnswer } },
    },
    async (request, reply) => {
      const session = await request.findSession()
      reply.header('cache-control', 'no-store')
      return {
        person: session?.person ?? null,
        expiresAt: session ? new Date(session.expiresAt).toISOString() : null,
        isDemo: false,
      }
    },
  )
  done()
}
