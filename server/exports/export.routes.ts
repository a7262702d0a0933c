import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { formatFacts, isConverted, maxConverted, maxDownloaded } from '#domain/exports/export-format.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import { requireSight } from '../features/lists/feature-filter.ts'
import { viewerOf } from '../features/rows/sight.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { badParameter } from '../http/problem.ts'
import {
  countExported,
  type ExportQuery,
  type ExportSelection,
  exportQuery,
  exportSelection,
  planExport,
} from './export-query.ts'
import { readExportedRows } from './export-rows.queries.ts'
import { type ExportAnswer, exportMediaTypes, sendExport } from './send-export.ts'

const described = {
  summary: 'Export features of a map',
  description:
    'Exports all features that match a filter, in list order. GeoJSON, GeoJSON lines, CSV, Excel, and GPX are streams ' +
    `of any size. The other formats are limited to ${maxConverted} features: for more, ` +
    '`POST /api/maps/{mapId}/exports` with the same query exports in the background. ' +
    'Values that you cannot see have no column. If an error occurs during the response, the connection is closed.',
  tags: ['features'],
  params: z.object({ mapId }),
  querystring: exportQuery,
}

type Request = ExportAnswer & { mapId: string; query: ExportQuery; signal: AbortSignal }

export const exportRoutes: FastifyPluginCallbackZod<{ database: Database; dataDirectory: string }> = (
  app,
  { database, dataDirectory },
  done,
) => {
  app.get('/api/maps/:mapId/export', {
    exposeHeadRoute: false,
    config: { access: 'public', mediaTypes: exportMediaTypes },
    schema: described,
    async handler(request, reply) {
      const { mapId } = request.params
      return send({ request, reply, mapId, query: request.query, signal: request.signal })
    },
  })

  app.post('/api/maps/:mapId/export', {
    bodyLimit: 2 ** 20,
    config: { access: 'staff', onlyReads: true, mediaTypes: exportMediaTypes },
    schema: {
      ...described,
      summary: 'Export selected features of a map',
      description: 'Exports features that match the filter and are in `ids`, or are not in `except`.',
      body: exportSelection,
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const exported = { request, reply, mapId, query: request.query, signal: disconnectSignal(reply) }
      return send(exported, request.body)
    },
  })
  done()

  async function send(
    { request, reply, mapId, query, signal }: Request,
    selection?: ExportSelection,
  ): Promise<FastifyReply> {
    await requireSight(request, query, mapId)
    const viewer = await viewerOf(request, database, mapId)
    const plan = await planExport(database, viewer, query, selection)
    const { format, form } = query
    const client = { mapId, signal, isStaff: viewer.sight === 'everything' }
    if (Number.isFinite(maxDownloaded(format)))
      requireFew(format, await countExported(database, client, plan, selection))
    const { exporter, name, rows } = plan
    const file = { dataDirectory, format, form, exporter, name, client }
    return sendExport({ request, reply }, file, readExportedRows(database, client, rows))
  }
}

function requireFew(format: ExportQuery['format'], total: number) {
  const limit = maxDownloaded(format)
  if (total <= limit) return
  const [count, most] = [total, limit].map((count) => formatNumber(count))
  throw badParameter(
    'query',
    'format',
    `${formatFacts[format].label} downloads have at most ${most} features, but ${count} match. ` +
      `${isConverted(format) ? inBackground : 'Use'} GeoJSON, GeoJSON lines, or CSV, or narrow the filter.`,
  )
}

const inBackground =
  'Staff can export them in the background: POST /api/maps/{mapId}/exports with the same query. Or use'
