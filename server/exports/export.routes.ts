import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { formatFacts, isConverted, mostConverted } from '#domain/exports/export-format.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { requireSight } from '../features/lists/feature-filter.ts'
import { viewerOf } from '../features/rows/sight.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { badParameter } from '../http/problem.ts'
import {
  countExported,
  type ExportQuestion,
  type ExportSelection,
  exportQuestion,
  exportSelection,
  planExport,
} from './export-question.ts'
import { readExportedRows } from './export-rows.queries.ts'
import { type ExportAnswer, exportMediaTypes, sendExport } from './send-export.ts'

const described = {
  summary: 'Features of a map as a file',
  description:
    'All that a filter means, in the order of the list: not page by page. GeoJSON, GeoJSON lines, CSV and GPX are sent as a ' +
    `stream, however many there are. The others are written at once as a whole, of ${mostConverted} features at most: ` +
    'for more of them `POST /api/maps/{mapId}/exports` has the same question answered in the background. ' +
    'What who asks may not see has no column. An answer that ends early is no whole file: its connection is cut.',
  tags: ['features'],
  params: z.object({ mapId }),
  querystring: exportQuestion,
}

type Asked = ExportAnswer & { mapId: string; question: ExportQuestion; signal: AbortSignal }

export const exportRoutes: FastifyPluginCallbackZod<{ database: Database; dataDirectory: string }> = (
  app,
  { database, dataDirectory },
  done,
) => {
  app.get(
    '/api/maps/:mapId/export',
    {
      exposeHeadRoute: false,
      config: { access: 'public', mediaTypes: exportMediaTypes },
      schema: described,
    },
    async (request, reply) => {
      const { mapId } = request.params
      return send({ request, reply, mapId, question: request.query, signal: request.signal })
    },
  )

  app.post(
    '/api/maps/:mapId/export',
    {
      bodyLimit: 2 ** 20,
      config: { access: 'staff', onlyReads: true, mediaTypes: exportMediaTypes },
      schema: {
        ...described,
        summary: 'Selected features of a map as a file',
        description:
          'Of those that the filter means only `ids`, or all but `except`. Else as the export without a selection.',
        body: exportSelection,
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      const asked = { request, reply, mapId, question: request.query, signal: disconnectSignal(reply) }
      return send(asked, request.body)
    },
  )
  done()

  async function send(
    { request, reply, mapId, question, signal }: Asked,
    selection?: ExportSelection,
  ): Promise<FastifyReply> {
    await requireSight(request, question, mapId)
    const viewer = await viewerOf(request, database, mapId)
    const plan = await planExport(database, viewer, question, selection)
    const { format } = question
    const asker = { mapId, signal, isStaff: viewer.sight === 'everything' }
    if (isConverted(format)) requireFew(format, await countExported(database, asker, plan, selection))
    const { exporter, name, wish } = plan
    const file = { dataDirectory, format, exporter, name, asker }
    return sendExport({ request, reply }, file, readExportedRows(database, asker, wish))
  }
}

function requireFew(format: ExportQuestion['format'], total: number) {
  if (total <= mostConverted) return
  const [there, most] = [total, mostConverted].map((count) => count.toLocaleString('en-US'))
  throw badParameter(
    'query',
    'format',
    `${formatFacts[format].label} is written at once of ${most} features at most, and these are ${there}. ` +
      'Staff have it written in the background: POST /api/maps/{mapId}/exports with the same query. ' +
      'Or take GeoJSON, GeoJSON lines or CSV, or narrow the filter.',
  )
}
