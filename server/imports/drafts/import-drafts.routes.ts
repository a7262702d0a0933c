import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { noOwnFields } from '#domain/features/own-fields.ts'
import { maxPieceBytes } from '#domain/files/file.schema.ts'
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
import { readOwnFields } from '../../features/own-fields.queries.ts'
import { signalOfLeaving } from '../../http/asker-left.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { acceptBytes, bytes } from '../../http/octet-stream.ts'
import { notFound } from '../../http/problem.ts'
import { refuseSample } from '../../http/refuse-sample.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import {
  type DraftKey,
  readDraft,
  readDraftFiles,
  readDraftFilesOfMap,
  readDraftsOfMap,
  toDraft,
  toSummary,
} from '../import-drafts.queries.ts'
import { readNewerImports, toNewerImport } from '../publishing/imports.queries.ts'
import {
  beginStep,
  cancelStep,
  changeSettings,
  dropDraft,
  refuseBeforeNewer,
  startDraft,
} from './import-drafts.commands.ts'
import { matchColumns } from './match-columns.ts'
import { progressOf } from './progress-board.ts'
import { receiveDraftPiece, removeDraftPieces } from './receive-files.ts'
import { removeWorkingFolder } from './working-folder.ts'

const path = '/api/maps/:mapId/import-drafts'
const config = { access: 'editor' } as const
const tags = ['imports']
const ofDraft = z.object({ mapId, id: importDraftId })
const bodyLimit = 64 * 1024
/** A thousand rows that were mended. */
const settingsLimit = 1024 * 1024

type ImportDraftRoutes = {
  database: Database
  store: BlobStore
  dataDirectory: string
  limits: Pick<ImportLimits, 'mostBytes' | 'quotaBytes'>
}

export const importDraftRoutes: FastifyPluginCallbackZod<ImportDraftRoutes> = (
  app,
  { database, store, dataDirectory, limits },
  done,
) => {
  acceptBytes(app)

  app.post(
    path,
    {
      config,
      bodyLimit,
      schema: {
        summary: 'Announce files to be imported',
        description:
          'The sender chooses the id, a random UUID; sent again it changes nothing. Then the bytes of each file are sent in ' +
          'pieces. When all have come the server looks at them: ask for the state until it is `examined` or `refused`.',
        tags,
        params: z.object({ mapId }),
        body: newImportDraft,
        response: { 201: importDraft },
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      refuseSample(mapId)
      await startDraft(database, { mapId, person: request.person, ...limits }, request.body)
      return reply.status(201).send(await answer({ mapId, id: request.body.id }, reply))
    },
  )

  app.get(
    path,
    {
      config,
      schema: {
        summary: 'The imports that are being prepared, and what became of the latest, newest first',
        description:
          'Without settings, columns, and rows that were refused or repaired: each import by itself has them.',
        tags,
        params: z.object({ mapId }),
        response: { 200: importDrafts },
      },
    },
    async (request, reply) => {
      forOnePerson(reply)
      const { mapId } = request.params
      const rows = await readDraftsOfMap(database.read, mapId)
      const files = Map.groupBy(await readDraftFilesOfMap(database.read, mapId), (file) => file.draft_id)
      const items = rows.map((row) => ({
        ...withoutRows(toSummary(row, files.get(row.id) ?? [])),
        progress: progressOf(row),
      }))
      return { items, mostBytes: limits.mostBytes }
    },
  )

  app.get(
    `${path}/:id`,
    {
      config,
      schema: {
        summary: 'How far an import is, and what it would do or has done',
        tags,
        params: ofDraft,
        response: { 200: importDraft },
      },
    },
    async (request, reply) => {
      forOnePerson(reply)
      return answer(request.params, reply)
    },
  )

  app.put(
    `${path}/:id/files/:index`,
    {
      config,
      bodyLimit: maxPieceBytes,
      schema: {
        summary: 'Send a piece of a file to be imported',
        description: 'Up to 5 MB, each behind the one before; one that came already does no harm.',
        tags,
        consumes: ['application/octet-stream'],
        params: ofDraft.extend({
          index: z.coerce
            .number()
            .int()
            .min(0)
            .max(maxImportFiles - 1)
            .meta({ description: 'Of the files, from 0' }),
        }),
        querystring: z.strictObject({
          offset: z.coerce.number().int().min(0).meta({ description: 'Where in the file the piece begins' }),
        }),
        body: bytes,
        response: { 200: importDraft },
      },
    },
    async (request, reply) => {
      const { params, query, body } = request
      const { person } = request
      await receiveDraftPiece({ database, store }, { ...params, person, offset: query.offset, bytes: body })
      return answer(params, reply)
    },
  )

  app.patch(
    `${path}/:id/settings`,
    {
      config,
      bodyLimit: settingsLimit,
      schema: {
        summary: 'Say what the files are, and which rows come in',
        description:
          'Only what is named changes. What a trial has shown with other settings is forgotten; what is said of its rows ' +
          'keeps it, and asks for another one before the import. Some settings have the files examined again.',
        tags,
        params: ofDraft,
        body: importSettings.partial(),
        response: {
          200: importDraft.extend({
            isExaminedAgain: z
              .boolean()
              .meta({ description: 'Whether the files are examined again; a trial waits for it' }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { params: key, person, body } = request
      const isExaminedAgain = await changeSettings(database, { key, person }, body)
      return { ...(await answer(key, reply)), isExaminedAgain }
    },
  )

  const steps = [
    [
      'try',
      'trying',
      'Read every row and say what an import would do; nothing is changed. While the files are examined it waits for that',
    ],
    ['import', 'importing', 'Import what was tried'],
    ['undo', 'undoing', 'Take an import back; what somebody has changed since stays as it is'],
  ] as const
  for (const [verb, step, summary] of steps)
    app.post(
      `${path}/:id/${verb}`,
      {
        config,
        bodyLimit: 1024,
        schema: {
          summary,
          tags,
          params: ofDraft,
          querystring: z.strictObject({
            confirmed: z.enum(['true']).optional().meta({
              description:
                'Undo although newer imports changed the same features; otherwise that is a conflict',
            }),
          }),
          response: { 200: importDraft },
        },
      },
      async (request, reply) => {
        const { params: key, person, query } = request
        const isConfirmed = query.confirmed !== undefined
        if (step === 'undoing' && !isConfirmed) await refuseBeforeNewer(database, key, askerOf(key, reply))
        await database.write((transaction) => beginStep(transaction, { key, step, person }))
        return answer(request.params, reply)
      },
    )

  app.post(
    `${path}/:id/cancel`,
    {
      config,
      bodyLimit: 1024,
      schema: {
        summary: 'End what the server is at with an import; nothing of it stays',
        tags,
        params: ofDraft,
        response: { 200: importDraft },
      },
    },
    async (request, reply) => {
      await cancelStep(database, request.params)
      return answer(request.params, reply)
    },
  )

  app.delete(
    `${path}/:id`,
    {
      config,
      schema: {
        summary: 'Forget the files of an import; what it has imported stays',
        tags,
        params: ofDraft,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const files = await readDraftFiles(database.read, request.params)
      await dropDraft(database, request.params)
      await removeDraftPieces(store, files)
      await removeWorkingFolder(dataDirectory, request.params)
      return reply.status(204).send(null)
    },
  )
  done()

  async function answer(key: DraftKey, reply: FastifyReply): Promise<ImportDraft> {
    const [row, files] = await Promise.all([
      readDraft(database.read, key),
      readDraftFiles(database.read, key),
    ])
    if (!row) throw notFound(`Map ${key.mapId} has no import ${key.id}.`)
    const draft = toDraft(row, files)
    const ownFields =
      draft.settings.kind === null ? noOwnFields : await readOwnFields(database.read, key.mapId)
    const newer =
      draft.state === 'imported' ? await readNewerImports(database, askerOf(key, reply), row.import_id) : []
    const undoFirst = newer.map(toNewerImport)
    return { ...draft, ...matchColumns(draft, ownFields), undoFirst, progress: progressOf(row) }
  }
}

const askerOf = ({ mapId }: DraftKey, reply: FastifyReply) => ({ mapId, signal: signalOfLeaving(reply) })

const withoutRows = <Draft extends Pick<ImportDraft, 'outcome'>>(draft: Draft): Draft =>
  draft.outcome === null ? draft : { ...draft, outcome: { ...draft.outcome, reported: [] } }
