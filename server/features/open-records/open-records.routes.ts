import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { openPage, pageId, recordReaders } from '#domain/features/open-record.schema.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { notFound } from '../../http/problem.ts'
import { hasFeature } from '../rows/feature-rows.queries.ts'
import { noteClosed, noteOpen, readOtherReaders } from './open-records.queries.ts'

const path = '/api/maps/:mapId/features/:id/open-pages/:pageId'
const params = z.object({ mapId, id: featureId, pageId })
const tags = ['features']

/** Only pages of users who are signed in: programs do not block records. */
const config = { access: 'staff', tokenScope: null } as const

export const openRecordRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.put(path, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Report an open feature, and list other users who have it open',
      description:
        'Repeat this every 10 seconds; the feature counts as closed after 90 seconds without a request. The page ' +
        'generates an id of 32 hexadecimal digits each time it opens a feature; a closed id cannot be opened again.',
      tags,
      params,
      body: openPage,
      response: { 200: recordReaders },
    },
    async handler(request, reply) {
      const { person, body } = request
      const { mapId, id, pageId } = request.params
      if (!(await hasFeature(database, mapId, id))) throw notFound(`Map ${mapId} has no feature ${id}.`)
      const now = Date.now()
      const open = { mapId, featureId: id, pageId }
      await noteOpen(database, open, { person, isEditing: body.isEditing }, now)
      forOnePerson(reply)
      return { others: await readOtherReaders(database, open, person, now) }
    },
  })

  app.delete(path, {
    config,
    schema: {
      summary: 'Report that a feature was closed',
      tags,
      params,
      response: { 204: z.undefined().meta({ description: 'Closed, or already closed before' }) },
    },
    async handler(request, reply) {
      const { mapId, id, pageId } = request.params
      if (await hasFeature(database, mapId, id))
        await noteClosed(database, { mapId, featureId: id, pageId }, request.person, Date.now())
      return reply.status(204).send()
    },
  })
  done()
}
