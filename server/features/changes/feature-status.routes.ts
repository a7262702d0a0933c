import { randomUUID } from 'node:crypto'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { featureStatuses } from '#domain/definition/kinds.ts'
import { featureDetail } from '#domain/features/feature.schema.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../../http/if-match.ts'
import { readFeatureDetail } from '../rows/feature-detail.ts'
import { changeStatus } from './change-status.commands.ts'

/** Section 4 of the specification. The valid states depend on the kind of the feature; parcels have none. */
const statusChange = z.strictObject({ status: z.enum(featureStatuses) })

export const statusRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.put('/api/maps/:mapId/features/:id/status', {
    config: { access: 'editor' },
    bodyLimit: 1024,
    schema: {
      summary: 'Resolve or reopen an incident, or set the status of an asset',
      description: 'Incidents are unresolved or resolved, assets operational, maintenance or offline.',
      tags: ['features'],
      params: z.object({ mapId, id: featureId }),
      headers: ifMatchHeader,
      body: statusChange,
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { status } = request.body
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { mapId, person, changeId: randomUUID() }
      const row = await changeStatus(database, change, { id, status, isExpected })
      reply.header('etag', etagOf(row.version))
      // Only staff can change a status.
      return readFeatureDetail(database, row, 'everything')
    },
  })
  done()
}
