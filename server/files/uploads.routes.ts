import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fileId, maxPieceBytes, newUpload, type UploadState, uploadState } from '#domain/files/file.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { acceptBytes, bytes } from '../http/octet-stream.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { ReceptionDesk } from './receive-upload.ts'

const path = '/api/maps/:mapId/uploads'
/** Whoever sends a file asks how far it has come. */
const config = { access: 'editor', tokenScope: 'write' } as const
const tags = ['files']
const ofUpload = z.object({ mapId, id: fileId })

export const uploadRoutes: FastifyPluginCallbackZod<{ reception: ReceptionDesk }> = (
  app,
  { reception },
  done,
) => {
  acceptBytes(app)

  app.post(
    path,
    {
      config,
      bodyLimit: 4 * 1024,
      schema: {
        summary: 'Announce a file of a feature',
        description:
          'The sender chooses its id, a random UUID; sent again, it says how far the file has come. Then its bytes are sent ' +
          'in pieces. What has not come as a whole after a day is forgotten.',
        tags,
        params: z.object({ mapId }),
        body: newUpload,
        response: { 201: uploadState },
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      refuseSample(mapId)
      return reply.status(201).send(await reception.begin(mapId, request.person, request.body))
    },
  )

  app.get(
    `${path}/:id`,
    {
      config,
      schema: {
        summary: 'How far a file has come; HEAD says it in `Upload-Offset`',
        tags,
        params: ofUpload,
        response: { 200: uploadState },
      },
    },
    async (request, reply) => {
      const { mapId, id } = request.params
      forOnePerson(reply)
      const state = await reception.look({ mapId, id, person: request.person })
      tellOffset(reply, state)
      return state
    },
  )

  app.put(
    path.concat('/:id'),
    {
      config,
      bodyLimit: maxPieceBytes,
      schema: {
        summary: 'Send a piece of a file',
        description:
          'Up to 5 MB, each behind the one before; one that came already does no harm. The answer to the last piece has the ' +
          'file, or says why it is refused: then nothing of it is kept. What is in a file decides what it is, not its name: ' +
          'JPEG, PNG and WebP photos of up to 50 megapixels, and PDF.',
        tags,
        consumes: ['application/octet-stream'],
        params: ofUpload,
        querystring: z.strictObject({
          offset: z.coerce.number().int().min(0).meta({ description: 'Where in the file the piece begins' }),
        }),
        body: bytes,
        response: { 200: uploadState },
      },
    },
    async (request, reply) => {
      const { mapId, id } = request.params
      const { person } = request
      const state = await reception.receive({ mapId, id, person }, request.query.offset, request.body)
      tellOffset(reply, state)
      return state
    },
  )
  done()
}

function tellOffset(
  reply: { header(name: string, value: string): unknown },
  { received, size }: UploadState,
) {
  reply.header('upload-offset', String(received))
  reply.header('upload-length', String(size))
}
