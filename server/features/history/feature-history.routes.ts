import { randomUUID } from 'node:crypto'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { featureDetail } from '#domain/features/feature.schema.ts'
import {
  featureHistory,
  removedFeature,
  removedSince,
  removedUntil,
} from '#domain/features/history.schema.ts'
import { lineage } from '#domain/features/land-change.schema.ts'
import { changeId, featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { readTimePosition, writeTimePosition } from '../../http/cursor.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../../http/if-match.ts'
import { pageCursor, pageLimit } from '../../http/page-parameters.ts'
import { notFound } from '../../http/problem.ts'
import { changeFeature, rowOf } from '../changes/change-features.commands.ts'
import { readFeatureDetail } from '../rows/feature-detail.ts'
import { countFeaturesOf, listRemoved } from './feature-history.queries.ts'
import { readFeatureHistory } from './feature-history.ts'
import { readLineage } from './land-changes.queries.ts'
import { restoreVersion } from './undo.commands.ts'

const tags = ['features']
const featureParams = z.object({ mapId, id: featureId })

export const featureHistoryRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/features/:id/history', {
    config: { access: 'staff' },
    schema: {
      summary: 'List the history of a feature, newest first',
      description:
        'Includes changes by users and imports. Also works for removed features. Shapes are described by their size.',
      tags,
      params: featureParams,
      response: { 200: featureHistory },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const history = await readFeatureHistory(database.read, mapId, id)
      if (!history) throw notFound(`Map ${mapId} has no feature ${id}.`)
      forOnePerson(reply)
      return history
    },
  })

  app.get('/api/maps/:mapId/features/:id/lineage', {
    config: { access: 'staff' },
    schema: {
      summary: 'List the features that a feature came from, and those it became',
      description: 'By splits and merges, with the record they follow. Also works for removed features.',
      tags,
      params: featureParams,
      response: { 200: lineage },
    },
    handler(request, reply) {
      const { mapId, id } = request.params
      forOnePerson(reply)
      return readLineage(database.read, mapId, id)
    },
  })

  app.post('/api/maps/:mapId/features/:id/restore', {
    config: { access: 'editor' },
    bodyLimit: 1024,
    schema: {
      summary: 'Restore a version of a feature',
      tags,
      params: featureParams,
      headers: ifMatchHeader,
      body: z.strictObject({
        changeId,
        isBefore: z
          .boolean()
          .default(false)
          .meta({ description: 'True for the version before the change, not after it' }),
      }),
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person, body: point } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { mapId, person, changeId: randomUUID() }
      const row = rowOf(await restoreVersion(database, change, { id, isExpected, point }), mapId)
      reply.header('etag', etagOf(row.version))
      return readFeatureDetail(database, row, 'everything')
    },
  })

  app.get('/api/maps/:mapId/removed-features', {
    config: { access: 'staff' },
    schema: {
      summary: 'List removed features that can be restored, newest first',
      tags,
      params: z.object({ mapId }),
      querystring: z.strictObject({ limit: pageLimit, after: pageCursor }),
      response: { 200: z.object({ items: z.array(removedFeature), next: z.string().nullable() }) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { limit, after } = request.query
      const rows = await listRemoved(database.read, mapId, {
        since: removedSince(Date.now()),
        limit: limit + 1,
        after: readTimePosition(after),
      })
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      const counts = await countFeaturesOf(
        database.read,
        mapId,
        page.map(({ change_id }) => change_id),
      )
      forOnePerson(reply)
      return {
        items: page.map(({ id, kind, name, change_id, removed_at, removed_by }) => ({
          id,
          kind,
          name,
          removedAt: new Date(removed_at).toISOString(),
          removedBy: removed_by,
          keptUntil: new Date(removedUntil(removed_at)).toISOString(),
          changeId: change_id,
          others: Math.max(0, (counts.get(change_id) ?? 0) - 1),
        })),
        next: last ? writeTimePosition({ at: last.removed_at, id: last.id }) : null,
      }
    },
  })

  app.post('/api/maps/:mapId/removed-features/:id/put-back', {
    config: { access: 'editor' },
    bodyLimit: 1024,
    schema: {
      summary: 'Restore a removed feature',
      tags,
      params: featureParams,
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person } = request
      const change = { mapId, person, changeId: randomUUID() }
      const row = await changeFeature(database, change, { action: 'restore', id })
      reply.header('etag', etagOf(row.version))
      return readFeatureDetail(database, row, 'everything')
    },
  })
  done()
}
