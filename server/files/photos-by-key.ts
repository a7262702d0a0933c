import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Person } from '#domain/access/session.schema.ts'
import { fileId, fileVersions, maxFileBytes, newUpload, uploadState } from '#domain/files/file.schema.ts'
import { maxPieceBytes } from '#domain/files/piece-size.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import type { Database } from '../database/database.ts'
import type { FilesTable } from '../database/tables.ts'
import { ConflictError, NotFoundError } from '../domain-error.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { acceptBytes, bytes } from '../http/octet-stream.ts'
import { numberText } from '../http/page-parameters.ts'
import type { UploadReceiver } from './receive-upload.ts'
import { sendFile } from './send-file.ts'
import { countUploadsOf } from './uploads.queries.ts'

type Opened = {
  /** The report or incident. */
  featureId: string
  /** Stands for the holder of the key. */
  person: Person
  /** Also those of other people, if the holder sees them. */
  files: readonly FilesTable[]
  isHidden?: boolean
  /** Why it accepts no more photos. */
  refusal?: string | null
}

type Request = { params: unknown; headers: unknown }

type Options = {
  database: Database
  uploads: UploadReceiver
  store: BlobStore
  path: string
  tags: string[]
} & {
  params: z.ZodObject
  headers: z.ZodType
  maxPhotos: number
  /** In summaries: 'a photo with ...'. */
  link: string
  /** Throws unless the key is right. The request matches `params` and `headers`. */
  open(request: Request): Promise<Opened>
}

/** Photos that people without an account add and see by the key of a private link. */
export function addPhotosByKey(
  app: Parameters<FastifyPluginCallbackZod>[0],
  { database, uploads, store, path, params, headers, tags, link, maxPhotos, open }: Options,
) {
  acceptBytes(app)
  const config = { access: 'public' } as const
  const mapOf = ({ params }: Request) => (params as { mapId: string }).mapId

  app.post(`${path}/photos`, {
    config,
    bodyLimit: 4 * 1024,
    schema: {
      summary: `Start the upload of a photo with ${link}`,
      description: `At most ${maxPhotos}. For staff, until they publish it. Send the content in pieces afterward, as for other files. The upload is deleted 15 minutes after the last piece.`,
      tags,
      params,
      headers,
      body: newUpload.pick({ id: true, size: true, sha256: true }),
      response: { 201: uploadState },
    },
    async handler(request, reply) {
      const { body } = request
      const mapId = mapOf(request)
      const { featureId, person, files, refusal } = await open(request)
      if (refusal) throw new ConflictError(refusal)
      const own = files.filter(({ id, added_by_id }) => added_by_id === person.id && id !== body.id)
      const waiting = await countUploadsOf(database.read, { mapId, personId: person.id, except: body.id })
      if (own.length + waiting >= maxPhotos)
        throw new ConflictError(`You can add at most ${maxPhotos} photos.`)
      forOnePerson(reply.status(201))
      const upload = { ...body, featureId, maintenanceId: null, name: 'Photo' }
      return uploads.start(mapId, person, upload, { isVisitor: true })
    },
  })

  app.put(`${path}/photos/:photoId`, {
    config,
    bodyLimit: maxPieceBytes,
    schema: {
      summary: `Upload a piece of a photo with ${link}`,
      tags,
      consumes: ['application/octet-stream'],
      params: params.extend({ photoId: fileId }),
      headers,
      querystring: z.strictObject({ offset: numberText(z.int().min(0).max(maxFileBytes)) }),
      body: bytes,
      response: { 200: uploadState },
    },
    async handler(request, reply) {
      const { photoId } = request.params as { photoId: string }
      const { person, refusal } = await open(request)
      if (refusal) throw new ConflictError(refusal)
      forOnePerson(reply)
      const upload = { mapId: mapOf(request), id: photoId, person, isPhoto: true }
      return uploads.receive(upload, request.query.offset, request.body)
    },
  })

  app.get(`${path}/photos/:photoId/:version`, {
    config: { ...config, mediaTypes: ['image/jpeg', 'image/webp'] },
    compress: false,
    schema: {
      summary: `Download a photo with ${link}`,
      tags,
      params: params.extend({ photoId: fileId, version: z.enum(fileVersions).exclude(['original']) }),
      headers,
    },
    async handler(request, reply) {
      const { photoId, version } = request.params as { photoId: string; version: 'large' | 'small' }
      const { files, isHidden = false } = await open(request)
      const row = files.find(({ id }) => id === photoId)
      if (isHidden || !row?.[version]) throw new NotFoundError(`There is no photo ${photoId} at this link.`)
      return sendFile(request, reply, { store, row, version })
    },
  })
}
