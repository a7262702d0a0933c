import type { FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { client, clientChange, clientTotals, newClient } from '#domain/clients/client.schema.ts'
import { clientSorts } from '#domain/clients/client-sort.ts'
import { pageOf } from '#domain/features/feature.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { requireAccess } from '../http/access.ts'
import { readNumberCursor, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { pageCursor, pageLimit, searchText } from '../http/page-parameters.ts'
import { notFound } from '../http/problem.ts'
import { addClient } from './add-client.commands.ts'
import { archiveClient, changeClient, restoreClient } from './change-client.commands.ts'
import { listClients, readClient, readThumbnail } from './clients.queries.ts'
import { createLandPictures } from './land-pictures.queries.ts'

const maxClients = 1_000_000

const bodyLimit = 8 * 1024

/** Loose: the parsed object replaces the request's headers. */
const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 visible ASCII characters')
    .optional()
    .meta({ description: 'Identifies the request. Repeating it within a day has no effect' }),
})

const clientSchema = { tags: ['clients'], params: z.object({ mapId }), response: { 200: client } }

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const

export const clientRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  const landPicture = createLandPictures()
  app.get('/api/clients', {
    config: { access: 'public' },
    schema: {
      summary: 'List clients',
      description:
        'Archived clients are for administrators only. `mine` lists clients on whose maps you have a role. Sorting by ' +
        'open incidents, last change, or size (number of parcels) lists the highest or newest first. `totals` are ' +
        'for all pages.',
      tags: ['clients'],
      querystring: z.strictObject({
        text: searchText,
        state: z.enum(['open', 'archived']).default('open'),
        mine: z.enum(['true', 'false']).default('false'),
        sort: z.enum(clientSorts).default('name'),
        totals: z.enum(['true', 'false']).default('false'),
        limit: pageLimit,
        after: pageCursor,
      }),
      response: { 200: pageOf(client).extend({ totals: clientTotals.optional() }) },
    },
    async handler(request, reply) {
      // Read first: a signal that is first read after the client disconnected never aborts.
      const { signal } = request
      const { text, state, mine, sort, limit, after } = request.query
      if (state === 'archived') await requireAccess(request, 'administrator')
      const mapIds = mine === 'true' ? await readOwnMapIds(request) : undefined
      if (state === 'archived' || mine === 'true') forOnePerson(reply)
      const offset = after === undefined ? 0 : readNumberCursor(after, maxClients)
      const page = { sort, limit, offset, hasTotals: request.query.totals === 'true' }
      const { isFollowed, ...list } = await listClients(database, { text, state, mapIds, signal }, page)
      return { ...list, next: isFollowed ? writeCursor([String(offset + limit)]) : null }
    },
  })

  app.get('/api/clients/:mapId', {
    config: { access: 'public' },
    schema: {
      summary: 'Get a client',
      tags: ['clients'],
      params: z.object({ mapId }),
      response: { 200: client },
    },
    async handler(request, reply) {
      const found = await readClient(database, request.params.mapId)
      if (!found) throw notFound(`There is no client ${request.params.mapId}.`)
      reply.header('etag', etagOf(found.version))
      return found
    },
  })
  app.get('/api/clients/:mapId/thumbnail', {
    config: { access: 'public', mediaTypes: pictureTypes },
    schema: {
      summary: 'Get the thumbnail of a client',
      tags: ['clients'],
      params: z.object({ mapId }),
      querystring: z.strictObject({
        land: z.string().max(20).optional().meta({
          description:
            'Version of the land from the client, so that browsers load a new drawing when it changes',
        }),
      }),
    },
    async handler(request, reply) {
      const { mapId: id } = request.params
      const own = await readThumbnail(database, id)
      const picture = own === undefined ? await pictureOfLand(id) : decodePicture(own)
      if (!picture) throw notFound(`Client ${id} has no thumbnail.`)
      return (
        reply
          .header('content-type', picture.type)
          .header('cache-control', 'no-cache')
          // Scripts in an SVG must not run.
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
          .send(picture.bytes)
      )
    },
  })

  app.post('/api/clients', {
    config: { access: 'administrator' },
    bodyLimit,
    schema: {
      summary: 'Add a client and its map',
      description: 'The id is derived from the name and never changes.',
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
      summary: 'Change the name, location, or time zone of a client',
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
      summary: 'Archive a client. Its map is closed until you restore it',
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
    schema: { ...clientSchema, summary: 'Restore an archived client' },
    async handler(request, reply) {
      const { person } = request
      const restored = await restoreClient(database, { mapId: request.params.mapId, person })
      reply.header('etag', etagOf(restored.version))
      return restored
    },
  })
  done()

  async function pictureOfLand(id: string) {
    const svg = await landPicture(database.read, id)
    return svg === null ? undefined : { type: 'image/svg+xml', bytes: Buffer.from(svg) }
  }
}

async function readOwnMapIds(request: FastifyRequest): Promise<string[] | undefined> {
  const { roles } = await requireAccess(request, 'signed-in')
  if (roles.isAdministrator) return undefined
  // A claim may contain any text, including text that databases cannot store.
  return Object.keys(roles.ofMaps).filter((id) => mapId.safeParse(id).success)
}

const pictureAddress = /^data:(image\/(?:png|jpeg|webp|svg\+xml))(;base64)?,(.*)$/s

function decodePicture(dataAddress: string): { type: string; bytes: Buffer } | undefined {
  const [, type, isBase64, data] = pictureAddress.exec(dataAddress) ?? []
  if (type === undefined || data === undefined) return undefined
  try {
    return { type, bytes: isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data)) }
  } catch {
    return undefined
  }
}
