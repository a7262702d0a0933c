import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fileId, newUpload, type UploadState, uploadState } from '#domain/files/file.schema.ts'
import { maxPieceBytes } from '#domain/files/piece-size.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { acceptBytes, bytes } from '../http/octet-stream.ts'
import { numberText } from '../http/page-parameters.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { UploadReceiver } from './receive-upload.ts'

const path = '/api/maps/:mapId/uploads'
/** Also for reading: only the sender of a file asks for its progress. */
const config = { access: 'editor', tokenScope: 'write' } as const
const tags = ['files']
const uploadParams = z.object({ mapId, id: fileId })

export const uploadRoutes: FastifyPluginCallbackZod<{ uploads: UploadReceiver }> = (
  app,
  { uploads },
  done,
) => {
  acceptBytes(app)

  app.post(path, {
    config,
    bodyLimit: 4 * 1024,
    schema: {
      summary: 'Start the upload of a file',
      description:
        'The client sets the id, a random UUID. A repeated request returns the progress of the upload. Send the content ' +
        'in pieces afterward. Incomplete uploads are deleted after a day.',
      tags,
      params: z.object({ mapId }),
      body: newUpload,
      response: { 201: uploadState },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      refuseSample(mapId)
      return reply.status(201).send(await uploads.start(mapId, request.person, request.body))
    },
  })

  app.get(`${path}/:id`, {
    config,
    schema: {
      summary: 'Get the progress of an upload. HEAD returns it in `Upload-Offset`',
      tags,
      params: uploadParams,
      response: { 200: uploadState },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      forOnePerson(reply)
      const state = await uploads.readState({ mapId, id, person: request.person })
      setOffsetHeaders(reply, state)
      return state
    },
  })

  app.put(path.concat('/:id'), {
    config,
    bodyLimit: maxPieceBytes,
    schema: {
      summary: 'Upload a piece of a file',
      description:
        'Up to 5 MB, in order. Repeating a piece has no effect. The response to the last piece has the file, or the ' +
        'reason why the file was rejected, which also deletes the upload. The content determines the type of a file: ' +
        'JPEG, PNG, and WebP photos of up to 50 megapixels, and PDF.',
      tags,
      consumes: ['application/octet-stream'],
      params: uploadParams,
      querystring: z.strictObject({
        offset: numberText(z.int().min(0)).meta({ description: 'Position of the piece in the file' }),
      }),
      body: bytes,
      response: { 200: uploadState },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person } = request
      const state = await uploads.receive({ mapId, id, person }, request.query.offset, request.body)
      setOffsetHeaders(reply, state)
      return state
    },
  })
  done()
}

function setOffsetHeaders(
  reply: { header(name: string, value: string): unknown },
  { received, size }: UploadState,
) {
  reply.header('upload-offset', String(received))
  reply.header('upload-length', String(size))
}
