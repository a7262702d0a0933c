import { readFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { quoteCell } from '#domain/exports/csv-cell.ts'
import {
  type ImportDraftState,
  type ImportSettings,
  importDraftId,
  problemColumnFor,
} from '#domain/imports/import-draft.schema.ts'
import { trialPlaces, trialRows } from '#domain/imports/import-trial.schema.ts'
import { trialOutcomes } from '#domain/imports/trial-outcome.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import { Pauses } from '../../database/pauses.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../../database/row-parts.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { boxQuery, numberText, pageLimit } from '../../http/page-parameters.ts'
import { notFound } from '../../http/problem.ts'
import { readTrialPlaces, readTrialRows, withTrial } from '../trial/read-trial.ts'
import { type DraftKey, readDraft, settingsOf, shownOf } from './import-drafts.queries.ts'
import { findResult } from './working-folder.ts'

const path = '/api/maps/:mapId/import-drafts/:id/trial'
const config = { access: 'editor' } as const
const tags = ['imports']
const params = z.object({ mapId, id: importDraftId })
const outcome = z.enum(trialOutcomes)

const shownIn: readonly ImportDraftState[] = ['tried', 'trying', 'importing']

const maxPlaces = 2_000

type ImportTrialRoutes = { database: Database; store: BlobStore; dataDirectory: string }

export const importTrialRoutes: FastifyPluginCallbackZod<ImportTrialRoutes> = (
  app,
  { database, store, dataDirectory },
  done,
) => {
  const places = { store, dataDirectory }
  app.get('/api/maps/:mapId/import-drafts/:id/sample', {
    config: { ...config, mediaTypes: ['application/geo+json'] },
    schema: {
      summary: 'Get the locations of the first rows as GeoJSON',
      description: 'Coordinates are as in the files: not swapped if latitude comes first.',
      tags,
      params,
    },
    async handler({ params }, reply) {
      forOnePerson(reply)
      const draft = await readDraft(database.read, params)
      if (!draft) throw notFound(`Map ${params.mapId} has no import ${params.id}.`)
      const { sample: attempt } = shownOf(draft)
      if (attempt === null) throw notFound(`The files of import ${draft.id} are not examined yet.`)
      const path = await findResult(places, 'sample', { ...params, attempt })
      const sample = path && (await readFile(path).catch(() => undefined))
      if (!sample) throw notFound(`The files of import ${draft.id} were examined on another server.`)
      return reply.type('application/geo+json').send(sample)
    },
  })

  app.get(path, {
    config,
    schema: {
      summary: 'List the rows of a preview',
      description:
        'In file order. Rows of existing features have the fields that would change. Skipped rows have their ' +
        'columns and the reason.',
      tags,
      params,
      querystring: z.strictObject({
        outcome: z
          .enum([...trialOutcomes, 'repaired'])
          .optional()
          .meta({ description: 'Only rows with this outcome' }),
        after: numberText(z.int().min(0)).default(0).meta({ description: 'Row number' }),
        limit: pageLimit,
      }),
      response: { 200: trialRows },
    },
    async handler({ params, query }, reply) {
      forOnePerson(reply)
      const { path } = await requireTrial(params)
      return readTrialRows(path, { ...query, outcome: query.outcome }) ?? throwNotFound(params)
    },
  })

  app.get(`${path}/places`, {
    config,
    schema: {
      summary: 'Get rows of a preview as GeoJSON',
      description: `At most ${formatNumber(maxPlaces)} rows in the box, evenly sampled.`,
      tags,
      params,
      querystring: z.strictObject({
        bbox: boxQuery,
        outcome: outcome.optional().meta({ description: 'Only rows with this outcome' }),
      }),
      response: { 200: trialPlaces },
    },
    async handler({ params, query }, reply) {
      forOnePerson(reply)
      const { path } = await requireTrial(params)
      const filter = { outcome: query.outcome, limit: maxPlaces }
      const found = readTrialPlaces(path, query.bbox, filter) ?? throwNotFound(params)
      return { type: 'FeatureCollection' as const, ...found }
    },
  })

  app.get(`${path}/refused`, {
    config: { ...config, mediaTypes: ['text/csv', 'application/geo+json'] },
    schema: {
      summary: 'Download the skipped rows, each with the reason',
      description:
        'CSV if locations are in columns, otherwise GeoJSON. The file is named after the source: when you fix the rows and ' +
        'import them, later versions of the original file update the same features.',
      tags,
      params,
    },
    async handler({ params }, reply) {
      forOnePerson(reply)
      const { settings, path } = await requireTrial(params)
      const file = refusedFile(path, problemColumnFor(settings)) ?? throwNotFound(params)
      return reply
        .type(file.mediaType)
        .header(
          'content-disposition',
          `attachment; filename*=UTF-8''${encodeURIComponent(settings.source)}.${file.ending}`,
        )
        .send(Readable.from(file.pieces))
    },
  })
  done()

  async function requireTrial(key: DraftKey): Promise<{ settings: ImportSettings; path: string }> {
    const draft = await readDraft(database.read, key)
    if (!draft) throw notFound(`Map ${key.mapId} has no import ${key.id}.`)
    if (!shownIn.includes(draft.state)) throw notFound('This import has no preview, or is already imported.')
    const { trial: attempt } = shownOf(draft)
    const path = attempt === null ? undefined : await findResult(places, 'trial', { ...key, attempt })
    return { settings: settingsOf(draft), path: path ?? throwNotFound(key) }
  }

  function throwNotFound({ id }: DraftKey): never {
    throw notFound(`The preview of import ${id} is on another server. Preview it again.`)
  }
}

type RefusedRow = {
  row_number: number
  reason: string
  columns: string | null
  geometry: string | null
  id: string | null
}

type RefusedFile = { mediaType: string; ending: string; pieces: AsyncIterable<string> }

/** The refused rows as in their file, with the reason in `problemColumn`. Undefined if there is no preview. */
export function refusedFile(path: string, problemColumn: string): RefusedFile | undefined {
  const first = pageOf(path, 0, rowsOfFirstPart)
  if (!first) return undefined
  const isTable = first.every(({ geometry }) => geometry === null)
  return isTable
    ? { mediaType: 'text/csv; charset=utf-8', ending: 'csv', pieces: table(path, problemColumn) }
    : { mediaType: 'application/geo+json', ending: 'geojson', pieces: collection(path, problemColumn) }
}

async function* table(path: string, problemColumn: string): AsyncGenerator<string> {
  const names = new Set<string>()
  for await (const rows of pages(path))
    for (const row of rows) for (const [name] of columnsOf(row)) names.add(name)
  names.delete(problemColumn)
  const columns = [...names, problemColumn]
  // Excel recognizes UTF-8 by this mark.
  yield `\uFEFF${lineOf(columns)}`
  for await (const rows of pages(path)) {
    const records = rows.map((row) => new Map([...columnsOf(row), [problemColumn, row.reason]]))
    yield records.map((record) => lineOf(columns.map((column) => record.get(column)))).join('')
  }
}

/** Formulas are not escaped: the file is imported again. */
const lineOf = (values: readonly unknown[]) =>
  `${values.map((value) => quoteCell(textOf(value))).join(',')}\r\n`

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

async function* collection(path: string, problemColumn: string): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":['
  let isFirst = true
  for await (const rows of pages(path)) {
    const features = rows.map((row) => {
      const properties = { ...Object.fromEntries(columnsOf(row)), [problemColumn]: row.reason }
      const geometry = row.geometry ?? 'null'
      const id = row.id === null ? '' : `"id":${row.id},`
      return `{"type":"Feature",${id}"properties":${JSON.stringify(properties)},"geometry":${geometry}}`
    })
    yield `${isFirst ? '' : ','}\n${features.join(',\n')}`
    isFirst = false
  }
  yield '\n]}\n'
}

const columnsOf = ({ columns }: RefusedRow): [string, unknown][] =>
  columns === null ? [] : JSON.parse(columns)

async function* pages(path: string): AsyncGenerator<RefusedRow[]> {
  const pauses = new Pauses()
  let size = rowsOfFirstPart
  for (let after = 0; ; ) {
    const rows = pageOf(path, after, size) ?? []
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.row_number
    const bytes = rows.reduce((sum, row) => sum + (row.columns?.length ?? 0) + (row.geometry?.length ?? 0), 0)
    size = rowsOfNextPart(rows.length, bytes)
    await pauses.pause()
  }
}

/** Opens the file for each page, so that slow readers keep nothing open. */
function pageOf(path: string, after: number, size: number): RefusedRow[] | undefined {
  return withTrial(
    path,
    (connection: DatabaseSync) =>
      connection
        .prepare(
          `select row_number, reason, columns, geometry, id from rows
          where outcome = 'refused' and row_number > ? order by row_number limit ?`,
        )
        .all(after, size) as RefusedRow[],
  )
}
