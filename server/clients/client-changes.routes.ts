import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { client, clientChange, newClient } from '#domain/clients/client.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { addClient } from './add-client.commands.ts'
import { archiveClient, changeClient, restoreClient } from './change-client.commands.ts'

const bodyLimit = 8 * 1024

/** Loose: the parsed object replaces the request's headers. */
const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 visible ASCII characters')
    .optional()
    .meta({ description: 'A name for this request: sent again with it within a day, it adds nothing' }),
})

const clientSchema = { tags: ['clients'], params: z.object({ mapId }), response: { 200: client } }

export const clientChangeRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.post('/api/clients', {
    config: { access: 'administrator' },
    bodyLimit,
    schema: {
      summary: 'Add a client and its map',
      description: 'Its id is made from its name and never changes.',
      tags: ['clients'],
      headers: idempotencyHeader,
      body: newClient,
      response: { 201: client },
    },
    async handler(request, reply) {
      const { person } = request
      const added = await addClient(database, person, request.body, request.headers['idempotency-key'])
      return reply
        .status(201)
        .header('location', `/api/clients/${added.id}`)
        .header('etag', etagOf(added.version))
        .send(added)
    },
  })

  app.patch('/api/clients/:mapId', {
    config: { access: 'manager' },
    bodyLimit,
    schema: {
      ...clientSchema,
      summary: 'Change name or location of a client',
      headers: ifMatchHeader,
      body: clientChange,
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const changed = await changeClient(database, { mapId, person, isExpected }, request.body)
      reply.header('etag', etagOf(changed.version))
      return changed
    },
  })

  app.post('/api/clients/:mapId/archive', {
    config: { access: 'administrator' },
    bodyLimit,
    schema: {
      ...clientSchema,
      summary: 'Archive a client: its map is closed until it is restored',
    },
    async handler(request, reply) {
      const { person } = request
      const archived = await archiveClient(database, { mapId: request.params.mapId, person })
      reply.header('etag', etagOf(archived.version))
      return archived
    },
  })

  app.post('/api/clients/:mapId/restore', {
    config: { access: 'administrator' },
    bodyLimit,
    schema: { ...clientSchema, summary: 'Open the map of an archived client again' },
    async handler(request, reply) {
      const { person } = request
      const restored = await restoreClient(database, { mapId: request.params.mapId, person })
      reply.header('etag', etagOf(restored.version))
      return restored
    },
  })
  done()
}
