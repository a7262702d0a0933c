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
      summary: 'List the activity on a map, newest first',
      description:
        '`unread` counts activity of other users since you last marked it as read. Changes to webhooks and to the ' +
        'calendar are listed for managers only.',
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
      summary: 'Mark activity on a map as read',
      tags: ['maps'],
      params: z.object({ mapId }),
      body: activityRead,
      response: {
        204: z.undefined().meta({ description: 'Marked as read. An earlier time changes nothing' }),
      },
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
