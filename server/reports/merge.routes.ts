import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { incidentMerge, mergedIncident } from '#domain/reports/report.schema.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { mergeIncident, undoMerge } from './merge-incidents.commands.ts'

const path = '/api/maps/:mapId/incidents/:id'
const params = z.object({ mapId, id: featureId })
const tags = ['reports']
const config = { access: 'editor' } as const

export const mergeRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.post(`${path}/merge`, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Merge an incident into another one',
      description:
        'Its photos, notes and reporters move to the other incident, and it leaves the map. The other one may be resolved. ' +
        'Reports are merged by a decision with the state `duplicate`.',
      tags,
      params,
      headers: ifMatchHeader,
      body: incidentMerge,
      response: { 200: mergedIncident },
    },
    async handler(request) {
      const { mapId, id } = request.params
      refuseSample(mapId)
      const isExpected = readIfMatch(request.headers['if-match'])
      const { person, body } = request
      const removed = await mergeIncident(database, { mapId, id, person, isExpected }, body.into)
      return { ...body, ...removed }
    },
  })

  app.post(`${path}/undo-merge`, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Undo the merge of an incident or a report',
      description:
        'Restores its photos, notes and reporters. Photos and notes that became public since are for staff again. Possible ' +
        'for 30 days if the incident had no report.',
      tags,
      params,
      response: { 204: z.null() },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      refuseSample(mapId)
      await undoMerge(database, { mapId, id, person: request.person })
      reply.status(204)
      return null
    },
  })
  done()
}
