import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { singleFields } from '#domain/definition/definition.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { type CustomFields, fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import { maxPieceBytes } from '#domain/files/piece-size.ts'
import {
  type ImportDraft,
  importDraft,
  importDraftId,
  importDrafts,
  importSettings,
  maxImportFiles,
  newImportDraft,
} from '#domain/imports/import-draft.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import { readCustomFields } from '../../features/custom-fields/custom-fields.queries.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { acceptBytes, bytes } from '../../http/octet-stream.ts'
import { numberText } from '../../http/page-parameters.ts'
import { notFound } from '../../http/problem.ts'
import { refuseSample } from '../../http/refuse-sample.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { addressFieldOf, columnsOfLayout } from '../layout/decide-layout.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import { ColumnMapping, storedColumnsOf } from '../mapping/map-columns.ts'
import { isBlank } from '../mapping/read-values.ts'
import { readNewerImports, toNewerImport } from '../publishing/imports.queries.ts'
import {
  beginStep,
  cancelStep,
  changeSettings,
  dropDraft,
  refuseBeforeNewer,
  startDraft,
} from './import-drafts.commands.ts'
import {
  type DraftKey,
  readDraft,
  readDraftFiles,
  readDraftFilesOfMap,
  readDraftsOfMap,
  toDraft,
  toSummary,
} from './import-drafts.queries.ts'
import { progressOf } from './progress-board.ts'
import { receiveDraftPiece, removeDraftPieces } from './receive-files.ts'
import { removeWorkingFolder } from './working-folder.ts'

const path = '/api/maps/:mapId/import-drafts'
const config = { access: 'editor' } as const
const forMap = { tags: ['imports'], params: z.object({ mapId }) }
const draftParams = z.object({ mapId, id: importDraftId })
const forDraft = { tags: ['imports'], params: draftParams, response: { 200: importDraft } }
const [smallBody, filesBody] = [1024, 64 * 1024]
const settingsBody = 1024 * 1024

const index = numberText(
  z
    .int()
    .min(0)
    .max(maxImportFiles - 1),
).meta({ description: 'Index of the file, starting at 0' })
const offset = numberText(z.int().min(0)).meta({ description: 'Position of the piece in the file' })
const confirmed = z.enum(['true']).optional().meta({
  description: 'Undo even if newer imports changed the same features. Otherwise that returns 409',
})

const steps = [
  ['try', 'trying', 'Preview an import. Waits until the files have been examined'],
  ['import', 'importing', 'Import the previewed files'],
  ['undo', 'undoing', 'Undo an import. Skips features that have changed since'],
] as const

type ImportDraftRoutes = {
  database: Database
  store: BlobStore
  dataDirectory: string
  limits: Pick<ImportLimits, 'maxBytes' | 'quotaBytes'>
}

export const importDraftRoutes: FastifyPluginCallbackZod<ImportDraftRoutes> = (
  app,
  { database, store, dataDirectory, limits },
  done,
) => {
  acceptBytes(app)

  const createSchema = {
    ...forMap,
    summary: 'Create an import',
    description:
      'The client sets the id, a random UUID; repeating the request has no effect. Then upload each file in ' +
      'pieces. After the last piece, the server examines the files: poll until the state is `examined` or `refused`.',
    body: newImportDraft,
    response: { 201: importDraft },
  }
  app.post(path, {
    config,
    bodyLimit: filesBody,
    schema: createSchema,
    async handler(request, reply) {
      const { mapId } = request.params
      refuseSample(mapId)
      await startDraft(database, { mapId, person: request.person, ...limits }, request.body)
      return reply.status(201).send(await answer({ mapId, id: request.body.id }, reply))
    },
  })

  const listSchema = {
    ...forMap,
    summary: 'List imports, newest first',
    description: 'Without settings, columns, and skipped or repaired rows. Get a single import for those.',
    response: { 200: importDrafts },
  }
  app.get(path, {
    config,
    schema: listSchema,
    async handler(request, reply) {
      forOnePerson(reply)
      const { mapId } = request.params
      const rows = await readDraftsOfMap(database.read, mapId)
      const files = Map.groupBy(await readDraftFilesOfMap(database.read, mapId), (file) => file.draft_id)
      const items = rows.map((row) => ({
        ...withoutRows(toSummary(row, files.get(row.id) ?? [])),
        progress: progressOf(row),
      }))
      return { items, mostBytes: limits.maxBytes }
    },
  })

  const readSchema = { ...forDraft, summary: 'Get the state, settings, and outcome of an import' }
  app.get(`${path}/:id`, {
    config,
    schema: readSchema,
    async handler(request, reply) {
      forOnePerson(reply)
      return answer(request.params, reply)
    },
  })

  const uploadSchema = {
    ...forDraft,
    summary: 'Upload a piece of a file',
    description: 'Up to 5 MB, in order. Repeating a piece has no effect.',
    consumes: ['application/octet-stream'],
    params: draftParams.extend({ index }),
    querystring: z.strictObject({ offset }),
    body: bytes,
  }
  app.put(`${path}/:id/files/:index`, {
    config,
    bodyLimit: maxPieceBytes,
    schema: uploadSchema,
    async handler({ params, query, body, person }, reply) {
      await receiveDraftPiece({ database, store }, { ...params, person, offset: query.offset, bytes: body })
      return answer(params, reply)
    },
  })

  const isExaminedAgain = z
    .boolean()
    .meta({ description: 'Whether the files are examined again. A preview waits for this' })
  const settingsSchema = {
    ...forDraft,
    summary: 'Change the settings of an import',
    description:
      'Changes only the settings in the request. Discards the preview, except for settings of its rows, which need a new preview before ' +
      'the import. After some changes, the files are examined again.',
    body: importSettings.partial(),
    response: { 200: importDraft.extend({ isExaminedAgain }) },
  }
  app.patch(`${path}/:id/settings`, {
    config,
    bodyLimit: settingsBody,
    schema: settingsSchema,
    async handler({ params: key, person, body }, reply) {
      const isExaminedAgain = await changeSettings(database, { key, person }, body)
      return { ...(await answer(key, reply)), isExaminedAgain }
    },
  })

  for (const [verb, step, summary] of steps) {
    const schema = { ...forDraft, summary, querystring: z.strictObject({ confirmed }) }
    app.post(`${path}/:id/${verb}`, {
      config,
      bodyLimit: smallBody,
      schema,
      async handler({ params: key, person, query }, reply) {
        if (step === 'undoing' && query.confirmed === undefined)
          await refuseBeforeNewer(database, key, callerOf(key, reply))
        await database.write((transaction) => beginStep(transaction, { key, step, person }))
        return answer(key, reply)
      },
    })
  }

  const cancelSchema = { ...forDraft, summary: 'Cancel the running step of an import' }
  app.post(`${path}/:id/cancel`, {
    config,
    bodyLimit: smallBody,
    schema: cancelSchema,
    async handler(request, reply) {
      await cancelStep(database, request.params)
      return answer(request.params, reply)
    },
  })

  const deleteSchema = {
    ...forDraft,
    summary: 'Discard an import and its files. Imported features are not removed',
    response: { 204: z.null() },
  }
  app.delete(`${path}/:id`, {
    config,
    schema: deleteSchema,
    async handler(request, reply) {
      const files = await readDraftFiles(database.read, request.params)
      await dropDraft(database, request.params)
      await removeDraftPieces(store, files)
      await removeWorkingFolder(dataDirectory, request.params)
      return reply.status(204).send(null)
    },
  })
  done()

  async function answer(key: DraftKey, reply: FastifyReply): Promise<ImportDraft> {
    const [row, files] = await Promise.all([
      readDraft(database.read, key),
      readDraftFiles(database.read, key),
    ])
    if (!row) throw notFound(`Map ${key.mapId} has no import ${key.id}.`)
    const draft = toDraft(row, files)
    const customFields =
      draft.settings.kind === null ? noCustomFields : await readCustomFields(database.read, key.mapId)
    const newer =
      draft.state === 'imported' ? await readNewerImports(database, callerOf(key, reply), row.import_id) : []
    const undoFirst = newer.map(toNewerImport)
    return { ...draft, ...matchColumns(draft, customFields), undoFirst, progress: progressOf(row) }
  }
}

const callerOf = ({ mapId }: DraftKey, reply: FastifyReply) => ({ mapId, signal: disconnectSignal(reply) })

const withoutRows = <Draft extends Pick<ImportDraft, 'outcome'>>(draft: Draft): Draft =>
  draft.outcome === null ? draft : { ...draft, outcome: { ...draft.outcome, reported: [] } }

type Draft = Pick<ImportDraft, 'settings' | 'found' | 'outcome'>
type Matched = Pick<ImportDraft, 'matches' | 'words'>

export function matchColumns(draft: Draft, customFields: CustomFields): Matched {
  const { settings, found } = draft
  const { kind } = settings
  if (kind === null || !found) return { matches: {}, words: [] }
  const fields = fieldsOfKind(kind, customFields)
  const names = found.columns.map(({ name }) => name)
  const { columns, made } = columnsOfLayout(found.layout, names, {
    overrides: settings.layout,
    columns: new Map(Object.entries(settings.columns)),
    fields,
    addressField: addressFieldOf(kind),
  })
  const mapping = new ColumnMapping(fields, columns, storedColumnsOf(settings.keptFor))
  const properties = [...names, ...made.map(({ name }) => name)].map((name) => [name, null] as const)
  // In a layer with shapes, no column is used for places.
  const hasPlaces = found.layers.find(({ id }) => id === found.layer)?.geometry !== null
  const ignored = [
    ...(hasPlaces ? ['latitude', 'longitude'] : []),
    ...(settings.type === null ? [] : ['type']),
  ]
  const filling = [...mapping.assign(properties, new Set(ignored)).fields]
  const fieldsWithWords = findFieldsWithWords(kind, customFields)
  const words = filling
    .filter(([field]) => fieldsWithWords.has(field))
    .map(([field, { column }]) => {
      const becomes = (word: string) => {
        const read = fields[field]?.reader.read(word, { timeZone: 'UTC', areaUnit: 'acre' })
        return typeof read === 'boolean' ? (read ? 'yes' : 'no') : ((read as string | undefined) ?? null)
      }
      const values = valuesOf(draft, { field, column }).map((word) => ({
        said: word,
        becomes: becomes(word),
      }))
      return { field, column, values }
    })
    .filter(({ values }) => values.length > 0)
  // If a column fills two fields, the place is shown.
  const placeLast = filling.toSorted(([one], [other]) => Number(one === 'wkt') - Number(other === 'wkt'))
  return { matches: Object.fromEntries(placeLast.map(([field, { column }]) => [column, field])), words }
}

function findFieldsWithWords(kind: FeatureKind, customFields: CustomFields): Set<string> {
  const found = singleFields(fieldsOf(kind, customFields)).filter(
    ([, { value }]) => value.type === 'choice' || value.type === 'flag',
  )
  return new Set(found.map(([path]) => path))
}

function valuesOf({ found, outcome }: Draft, { field, column }: { field: string; column: string }): string[] {
  const first = found?.columns.find(({ name }) => name === column)?.values ?? []
  const later = outcome?.filled.find((one) => one.field === field && one.column === column)?.unknown ?? []
  return [...new Set([...first, ...later])].filter((value) => !isBlank(value))
}
