import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { activityPage, activityRead } from '#domain/activity/activity.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { mayRequest } from '../http/access.ts'
import { readTimePosition, writeTimePosition } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { pageCursor, pageLimit } from '../http/page-parameters.ts'
import { listActivity, noteRead } from './read-activity.queries.ts'

export const activityRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get('/api/maps/:mapId/activity', {
    config: { access: 'staff' },
    schema: {
      summary: 'What happened on a map, newest first',
      description:
        'Unread is what others did since the person last said how far they have read. Changes of webhooks and of the ' +
        'calendar are listed for managers.',
      tags: ['maps'],
      params: z.object({ mapId }),
      querystring: z.strictObject({ limit: pageLimit, after: pageCursor }),
      response: { 200: activityPage },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { limit, after } = request.query
      const { id: personId } = request.person
      const isManager = await mayRequest(request, 'manager', mapId)
      const page = { limit, after: readTimePosition(after) }
      const { items, unread, last } = await listActivity(database, { mapId, personId, isManager }, page)
      forOnePerson(reply)
      return { items, unread, next: last && writeTimePosition(last) }
    },
  })

  app.put('/api/maps/:mapId/activity/read', {
    config: { access: 'staff', tokenScope: null },
    bodyLimit: 1024,
    schema: {
      summary: 'Say how far one has read what happened on a map',
      tags: ['maps'],
      params: z.object({ mapId }),
      body: activityRead,
      response: { 204: z.undefined().meta({ description: 'Noted; an earlier instant changes nothing' }) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { id: personId } = request.person
      await noteRead(database, { mapId, personId }, Date.parse(request.body.at))
      return reply.status(204).send()
    },
  })
  done()
}
