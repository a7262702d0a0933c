import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  fileChange,
  fileId,
  fileOfFeature,
  filesOfFeature,
  fileVersions,
  redaction,
} from '#domain/files/file.schema.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import type { Database } from '../database/database.ts'
import type { FilesTable } from '../database/tables.ts'
import { hasFeature } from '../features/rows/feature-rows.queries.ts'
import { mayRequest } from '../http/access.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { notFound } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { changeFile, removeFile, restoreFile } from './change-files.commands.ts'
import { readFile, readFilesOf, readReportTitle, toFile, toRemovedFile } from './files.queries.ts'
import type { UploadReceiver } from './receive-upload.ts'
import { undoRedaction } from './redact-photo.commands.ts'
import { sendFile } from './send-file.ts'

const path = '/api/maps/:mapId/files/:id'
const tags = ['files']
const fileParams = z.object({ mapId, id: fileId })
const config = { access: 'editor' } as const

type Dependencies = { database: Database; store: BlobStore; uploads: UploadReceiver }

export const fileRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, store, uploads },
  done,
) => {
  app.get('/api/maps/:mapId/features/:id/files', {
    config: { access: 'public' },
    schema: {
      summary: 'List photos and documents of a feature',
      description:
        'Staff of the map see all files, including removed ones that can be restored, also of a report that is not on the ' +
        'map. Visitors see public files.',
      tags,
      params: z.object({ mapId, id: featureId }),
      response: { 200: filesOfFeature },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const isStaff = await mayRequest(request, 'staff', mapId)
      const hasReport = async () => (await readReportTitle(database.read, { mapId, id })) !== undefined
      if (!(await hasFeature(database, mapId, id)) && !(isStaff && (await hasReport())))
        throw notFound(`Map ${mapId} has no feature ${id}.`)
      const rows = (await readFilesOf(database.read, mapId, id)).filter((row) => isStaff || isPublic(row))
      forOnePerson(reply)
      const removed = rows.filter((row) => row.removed_at !== null)
      return {
        items: rows.filter((row) => row.removed_at === null).map((row) => toFile(row, isStaff)),
        removed: removed
          .toSorted((one, other) => (other.removed_at ?? 0) - (one.removed_at ?? 0))
          .map(toRemovedFile),
      }
    },
  })

  app.get(`${path}/:version`, {
    config: {
      access: 'public',
      mediaTypes: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
    },
    compress: false,
    schema: {
      summary: 'Download a file',
      description:
        'Photos: `large` fits into 2048 pixels and `small` into 400, both without metadata. The ' +
        '`original` of a photo is for staff only. PDFs only have an `original`.',
      tags,
      params: fileParams.extend({ version: z.enum(fileVersions) }),
    },
    async handler(request, reply) {
      const { mapId, id, version } = request.params
      const missing = () => notFound(`Map ${mapId} has no file ${id} in this version.`)
      const row = await readFile(database.read, { mapId, id })
      if (!row?.[version]) throw missing()
      const isShown = isPublic(row) && !(version === 'original' && row.kind === 'photo')
      const isForAll = isShown && (await hasFeature(database, mapId, row.feature_id))
      if (!isForAll && !(await mayRequest(request, 'staff', mapId))) throw missing()
      return sendFile(request, reply, { store, row, version, isForAll })
    },
  })

  app.patch(path, {
    config,
    bodyLimit: 4 * 1024,
    schema: {
      summary: 'Change the caption, position, or visibility of a file',
      description: 'Returns 412 with the current version as `current` if the file has changed.',
      tags,
      params: fileParams,
      headers: ifMatchHeader,
      body: fileChange,
      response: { 200: fileOfFeature },
    },
    async handler(request, reply) {
      const changed = await changeFile(database, toChange(request), request.body)
      reply.header('etag', etagOf(changed.version))
      return changed
    },
  })

  app.delete(path, {
    config,
    schema: {
      summary: 'Remove a file. It can be restored for 30 days',
      tags,
      params: fileParams,
      headers: ifMatchHeader,
      response: { 200: fileOfFeature },
    },
    handler: (request) => removeFile(database, toChange(request)),
  })

  app.post(`${path}/put-back`, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Restore a removed file',
      tags,
      params: fileParams,
      response: { 200: fileOfFeature },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      refuseSample(mapId)
      const back = await restoreFile(database, { mapId, id, person: request.person, isExpected: () => true })
      reply.header('etag', etagOf(back.version))
      return back
    },
  })

  app.post(`${path}/redact`, {
    config,
    bodyLimit: 16 * 1024,
    schema: {
      summary: 'Black out areas of a photo',
      description:
        'Adds a new photo with black areas in its place. The original is removed: only staff see it, and can restore it ' +
        'for 30 days.',
      tags,
      params: fileParams,
      headers: ifMatchHeader,
      body: redaction,
      response: { 200: fileOfFeature },
    },
    handler: (request) => uploads.redact(toChange(request), request.body),
  })

  app.post(`${path}/undo-redaction`, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Restore the original of a redacted photo',
      tags,
      params: fileParams,
      headers: ifMatchHeader,
      response: { 200: fileOfFeature },
    },
    handler: (request) => undoRedaction(database, toChange(request)),
  })
  done()
}

type ChangeRequest = {
  params: { mapId: string; id: string }
  headers: { 'if-match'?: string | undefined }
  person: Parameters<typeof changeFile>[1]['person']
}

function toChange({ params: { mapId, id }, headers, person }: ChangeRequest) {
  refuseSample(mapId)
  return { mapId, id, person, isExpected: readIfMatch(headers['if-match']) }
}

const isPublic = (row: FilesTable) => row.is_public === 1 && row.removed_at === null
