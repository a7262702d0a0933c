import { Readable } from 'node:stream'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  backgroundExport,
  backgroundExportId,
  backgroundExports,
  exportRetentionMs,
} from '#domain/exports/background-export.schema.ts'
import { convertedFormats, formatFacts, maxInBackground } from '#domain/exports/export-format.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { letLast } from '../../http/connections.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { badParameter, notFound, ProblemError } from '../../http/problem.ts'
import { piecesOf, readExport, readExportsOf, toBackgroundExport } from '../background-exports.queries.ts'
import { countExported, exportQuery, exportSelection, planExport } from '../export-query.ts'
import { sendFile } from '../send-export.ts'
import { removeExport, startExport } from './background-exports.commands.ts'
import { keyOf, readFile } from './export-pieces.ts'

const path = '/api/maps/:mapId/exports'
const config = { access: 'staff' } as const
const tags = ['features']
const exportParams = z.object({ mapId, id: backgroundExportId })
const mediaTypes = [...new Set(convertedFormats.map((format) => formatFacts[format].mediaType))]

const query = exportQuery.extend({
  format: z
    .enum(
      convertedFormats,
      `must be one of ${convertedFormats.join(', ')}. Use GET /api/maps/{mapId}/export for other formats`,
    )
    .meta({
      description: convertedFormats.map((format) => `${format}: ${formatFacts[format].label}.`).join(' '),
    }),
})

type BackgroundExportRoutes = { database: Database; store: BlobStore }

export const backgroundExportRoutes: FastifyPluginCallbackZod<BackgroundExportRoutes> = (
  app,
  { database, store },
  done,
) => {
  app.post(path, {
    bodyLimit: 2 ** 20,
    config: { ...config, onlyReads: true },
    schema: {
      summary: 'Export features of a map in the background',
      description:
        'For formats that are not streamed, with the same query as `GET /api/maps/{mapId}/export`: ' +
        `${convertedFormats.map((format) => `${format} of up to ${formatNumber(maxInBackground[format])} features`).join(', ')}. ` +
        'The client sets the id; repeating the request has no effect. Poll the state until it is `done` or `failed`. The ' +
        `same user can download the file for ${exportRetentionMs / 3_600_000} hours, as long as they are staff of the map.`,
      tags,
      params: z.object({ mapId }),
      querystring: query,
      body: z.strictObject({ id: backgroundExportId, selection: exportSelection.optional() }),
      response: { 202: backgroundExport },
    },
    async handler(request, reply) {
      const { params, query, body, person } = request
      const { mapId } = params
      const { id, selection } = body
      const client = { mapId, signal: disconnectSignal(reply) }
      const plan = await planExport(database, { mapId, sight: 'everything' }, query, selection)
      const total = await countExported(database, client, plan, selection)
      requireFitting(query.format, total)
      await startExport(
        database,
        { key: { mapId, id }, person },
        {
          question: JSON.stringify(query),
          selection: selection ? JSON.stringify(selection) : null,
          file_name: `${plan.name}.${formatFacts[query.format].ending}`,
          total,
        },
      )
      return reply.status(202).send(toBackgroundExport(await ownRow({ mapId, id }, person)))
    },
  })

  app.get(path, {
    config,
    schema: {
      summary: 'List your background exports, newest first',
      tags,
      params: z.object({ mapId }),
      response: { 200: backgroundExports },
    },
    async handler(request, reply) {
      const { params, person } = request
      forOnePerson(reply)
      const key = { mapId: params.mapId, personId: person.id }
      const rows = await readExportsOf(database.read, key, Date.now())
      return { items: rows.map(toBackgroundExport) }
    },
  })

  app.get(`${path}/:id`, {
    config,
    schema: {
      summary: 'Get the progress of a background export',
      tags,
      params: exportParams,
      response: { 200: backgroundExport },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return toBackgroundExport(await ownRow(request.params, request.person))
    },
  })

  app.get(`${path}/:id/file`, {
    exposeHeadRoute: false,
    config: { ...config, mediaTypes },
    schema: {
      summary: 'Download the file of a background export',
      description: 'Only for the user who started the export. Returns 409 until the file is ready.',
      tags,
      params: exportParams,
    },
    async handler(request, reply) {
      const row = await ownRow(request.params, request.person)
      if (row.state !== 'done') throw new ProblemError(409, row.problem ?? 'The file is not ready yet.')
      const chunks = await readFile(store, row)
      if (!chunks) throw notFound('The file is no longer on the server. Export again.')
      letLast(request)
      const { format, fileName } = toBackgroundExport(row)
      const bytes = piecesOf(row).reduce((sum, length) => sum + length, 0)
      return sendFile(reply, {
        stream: Readable.from(chunks, { objectMode: false }),
        bytes,
        format,
        fileName,
      })
    },
  })

  app.delete(`${path}/:id`, {
    config,
    schema: {
      summary: 'Cancel a background export or delete its file',
      tags,
      params: exportParams,
      response: { 204: z.undefined().meta({ description: 'Canceled or deleted' }) },
    },
    async handler(request, reply) {
      await removeExport(database, store, keyOf(await ownRow(request.params, request.person)))
      return reply.status(204).send()
    },
  })
  done()

  async function ownRow(
    { mapId, id }: { mapId: string; id: string },
    person: { id: string },
  ): Promise<BackgroundExportsTable> {
    const row = await readExport(database.read, { mapId, id })
    const isExpired = row?.finished_at !== null && (row?.finished_at ?? 0) <= Date.now() - exportRetentionMs
    if (!row || row.person_id !== person.id || isExpired)
      throw notFound(`You have no export ${id} of map ${mapId}. Files expire after a day.`)
    return row
  }
}

function requireFitting(format: keyof typeof maxInBackground, total: number) {
  const most = maxInBackground[format]
  if (total <= most) return
  throw badParameter(
    'query',
    'format',
    `${formatFacts[format].label} exports have at most ${formatNumber(most)} features, but ${formatNumber(total)} match. ` +
      'Use GeoJSON, GeoJSON lines, or CSV, which have no limit, or narrow the filter.',
  )
}
