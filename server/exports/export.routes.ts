import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { kindLabels } from '#domain/definition/kinds.ts'
import { exportFormats, formatFacts, mostConverted } from '#domain/exports/export-format.ts'
import { maxSelected } from '#domain/features/bulk-change.ts'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import type { Asker } from '../database/fair-queue.ts'
import { type FeatureFilter, featureFilter } from '../features/feature-filter.ts'
import { countMatching, withoutIdleBox } from '../features/feature-matches.queries.ts'
import { readOwnFields } from '../features/own-fields.queries.ts'
import { filterInSight, requireSight, seesPersonalData, sightOf } from '../features/sight.ts'
import { signalOfLeaving } from '../http/asker-left.ts'
import { letLast } from '../http/connections.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { badParameter } from '../http/problem.ts'
import { convertRows } from './conversion/convert-rows.ts'
import { type Exporter, exporterFor, unknownColumn } from './export-columns.ts'
import { type ExportedRow, type RowsWish, readExportedRows } from './export-rows.queries.ts'
import { writeCsv } from './write-csv.ts'
import { writeGeoJson, writeGeoJsonLines } from './write-geojson.ts'
import { writeGpx } from './write-gpx.ts'

/** More than any kind has, with all that a client may add. */
const maxColumns = 200

const question = z.strictObject({
  ...featureFilter,
  sort: z.enum(featureSorts).optional().meta({ description: 'As of the list; list order without' }),
  format: z.enum(exportFormats).meta({
    description: exportFormats.map((format) => `${format}: ${formatFacts[format].label}.`).join(' '),
  }),
  columns: z
    .string()
    .max(10_000)
    .transform((text) => [...new Set(text.split(',').filter((name) => name !== ''))])
    .pipe(z.array(z.string()).max(maxColumns, `must be ${maxColumns} columns at most`))
    .optional()
    .meta({
      description:
        'Names of columns in their order, separated by commas: paths of fields (owner,zoning.type,own.gateCode), ' +
        '`parcel`, `nextDue` and `metadata`. All without. `id`, `kind` and `mapId` are always there.',
    }),
})
type Question = z.infer<typeof question>

const ids = z.array(featureId).max(maxSelected, `must be ${maxSelected} at most`)
const selected = z
  .strictObject({ ids: ids.min(1, 'must name a feature').optional(), except: ids.optional() })
  .refine(({ ids, except }) => (ids === undefined) !== (except === undefined), 'must be either ids or except')

const described = {
  summary: 'Features of a map as a file',
  description:
    'All that a filter means, in the order of the list: not page by page. GeoJSON, GeoJSON lines, CSV and GPX are sent as a ' +
    `stream, however many there are. The others are written at once as a whole, of ${mostConverted} features at most. ` +
    'What who asks may not see has no column. An answer that ends early is no whole file: its connection is cut.',
  tags: ['features'],
  params: z.object({ mapId }),
  querystring: question,
}

type Asked = {
  request: FastifyRequest
  reply: FastifyReply
  mapId: string
  question: Question
  signal: AbortSignal
}

export const exportRoutes: FastifyPluginCallbackZod<{ database: Database; dataDirectory: string }> = (
  app,
  { database, dataDirectory },
  done,
) => {
  const mediaTypes = [...new Set(exportFormats.map((format) => formatFacts[format].mediaType))]

  app.get(
    '/api/maps/:mapId/export',
    { exposeHeadRoute: false, config: { access: 'public', mediaTypes }, schema: described },
    async (request, reply) => {
      const { mapId } = request.params
      return send({ request, reply, mapId, question: request.query, signal: request.signal })
    },
  )

  app.post(
    '/api/maps/:mapId/export',
    {
      bodyLimit: 2 ** 20,
      config: { access: 'staff', tokenScope: 'read', mediaTypes },
      schema: {
        ...described,
        summary: 'Selected features of a map as a file',
        description:
          'Of those that the filter means only `ids`, or all but `except`. Else as the export without a selection.',
        body: selected,
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      const asked = { request, reply, mapId, question: request.query, signal: signalOfLeaving(reply) }
      return send(asked, request.body)
    },
  )
  done()

  async function send(
    { request, reply, mapId, question, signal }: Asked,
    selection?: z.infer<typeof selected>,
  ): Promise<FastifyReply> {
    const { sort, format, columns, ...asked } = question
    await requireSight(request, asked, mapId)
    const sight = await sightOf(request, database, mapId)
    const ownFields = await readOwnFields(database.read, mapId)
    const unknown = columns && unknownColumn(columns, ownFields, sight)
    if (unknown !== undefined)
      throw badParameter('query', 'columns', `must be names of fields: no kind of feature has ‘${unknown}’`)
    const exporter = exporterFor({ kinds: asked.kind, asked: columns, ownFields, sight })
    const filter = await withoutIdleBox(database, mapId, filterInSight(asked, seesPersonalData(sight)))
    const asker = { mapId, signal }
    const { ending, mediaType, isConverted } = formatFacts[format]
    // Those that somebody has named are few.
    if (isConverted && !selection?.ids) await requireFew(asker, filter, format)
    const wish = { filter, sort, isMeant: selection && meantBy(selection) }
    const name = fileNameOf(mapId, asked)
    letLast(request)
    forOnePerson(reply)
    const answer = await bytesOf(asker, { format, wish, exporter, name })
    if (answer.bytes !== null) reply.header('content-length', answer.bytes)
    return reply
      .header('content-type', mediaType === 'text/csv' ? 'text/csv; charset=utf-8' : mediaType)
      .header('content-disposition', `attachment; filename="${name}.${ending}"`)
      .send(answer.stream)
  }

  type Work = { format: Question['format']; wish: RowsWish; exporter: Exporter; name: string }

  async function bytesOf(asker: Asker, { format, wish, exporter, name }: Work): Promise<Answer> {
    const rows = () => readExportedRows(database, asker, wish)
    switch (format) {
      case 'geojson':
        return streamed(writeGeoJson(exporter, await begun(rows())))
      case 'geojsonl':
        return streamed(writeGeoJsonLines(exporter, await begun(rows())))
      case 'csv':
        return streamed(writeCsv(exporter, await begun(rows())))
      case 'gpx':
        return streamed(writeGpx(exporter, await begun(rows())))
      case 'xlsx':
      case 'gpkg':
      case 'fgb':
      case 'kml':
      case 'shp': {
        const { signal } = asker
        const { path, bytes, remove } = await convertRows(
          { dataDirectory, format, exporter, name, signal },
          rows(),
        )
        return { stream: createReadStream(path).once('close', () => void remove()), bytes }
      }
    }
  }

  async function requireFew(asker: Asker, filter: FeatureFilter, format: Question['format']) {
    const total = await database.readInWorker(asker, (read) =>
      countMatching(database, read, asker.mapId, filter),
    )
    if (total <= mostConverted) return
    const [there, most] = [total, mostConverted].map((count) => count.toLocaleString('en-US'))
    const { label } = formatFacts[format]
    throw badParameter(
      'query',
      'format',
      `${label} is written of ${most} features at most, and these are ${there}. Take GeoJSON, GeoJSON lines or CSV, or narrow the filter.`,
    )
  }
}

function meantBy({ ids, except }: z.infer<typeof selected>): (id: string) => boolean {
  const [chosen, left] = [ids && new Set(ids), new Set(except)]
  return (id) => (chosen ? chosen.has(id) : !left.has(id))
}

/** `bytes` is null where nobody knows how many will come. */
type Answer = { stream: Readable; bytes: number | null }

const streamed = (chunks: AsyncIterable<string>): Answer => ({ stream: Readable.from(chunks), bytes: null })

/** What goes wrong before there is anything to send is answered as an error, and not by a file that ends early. */
async function begun(parts: AsyncGenerator<ExportedRow[]>): Promise<AsyncIterable<ExportedRow[]>> {
  const first = await parts.next()
  async function* all() {
    try {
      if (!first.done) yield first.value
      yield* parts
    } finally {
      await parts.return(undefined)
    }
  }
  return all()
}

/** The map, the kind and the day: 'oak-hills-assets-2026-05-21'. */
function fileNameOf(mapId: string, { kind }: Pick<FeatureFilter, 'kind'>): string {
  const what = kind?.length === 1 && kind[0] ? kindLabels[kind[0]].many.toLowerCase() : 'features'
  return `${mapId}-${what}-${new Date().toISOString().slice(0, 10)}`
}
