import type { FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { client } from '#domain/clients/client.schema.ts'
import { pageOf } from '#domain/features/feature.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { requireAccess } from '../http/access.ts'
import { readCursor, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf } from '../http/if-match.ts'
import { pageCursor, pageLimit, searchText } from '../http/page-parameters.ts'
import { notFound } from '../http/problem.ts'
import { listClients, readClient, readThumbnail } from './clients.queries.ts'

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const

export const clientRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get(
    '/api/clients',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Clients by name, page by page',
        description:
          'Archived ones are for administrators; `mine` keeps those on whose map the person has a role.',
        tags: ['clients'],
        querystring: z.strictObject({
          text: searchText,
          state: z.enum(['open', 'archived']).default('open'),
          mine: z.enum(['true', 'false']).default('false'),
          limit: pageLimit,
          after: pageCursor,
        }),
        response: { 200: pageOf(client) },
      },
    },
    async (request, reply) => {
      // Read now: a signal that is first read after the client has disconnected is never aborted.
      const { signal: asker } = request
      const { text, state, mine, limit, after } = request.query
      if (state === 'archived') await requireAccess(request, 'administrator')
      const mapIds = mine === 'true' ? await readOwnMapIds(request) : undefined
      if (state === 'archived' || mine === 'true') forOnePerson(reply)
      const page = { limit, after: after === undefined ? undefined : readCursor(after, 2) }
      const { items, total, last } = await listClients(database, { text, state, mapIds, asker }, page)
      return { items, total, next: last && writeCursor(last) }
    },
  )

  app.get(
    '/api/clients/:mapId',
    {
      config: { access: 'public' },
      schema: {
        summary: 'One client',
        tags: ['clients'],
        params: z.object({ mapId }),
        response: { 200: client },
      },
    },
    async (request, reply) => {
      const found = await readClient(database, request.params.mapId)
      if (!found) throw notFound(`There is no client ${request.params.mapId}.`)
      reply.header('etag', etagOf(found.version))
      return found
    },
  )
  app.get(
    '/api/clients/:mapId/thumbnail',
    {
      config: { access: 'public', mediaTypes: pictureTypes },
      schema: { summary: 'Picture of a client', tags: ['clients'], params: z.object({ mapId }) },
    },
    async (request, reply) => {
      const { mapId: id } = request.params
      const picture = decodePicture((await readThumbnail(database, id)) ?? '')
      if (!picture) throw notFound(`Client ${id} has no thumbnail.`)
      return (
        reply
          .header('content-type', picture.type)
          .header('cache-control', 'no-cache')
          // An SVG opened by itself must not run anything.
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
          .send(picture.bytes)
      )
    },
  )
  done()
}

/** The maps on which the person has a role; undefined for an administrator, who has every role on every map. */
async function readOwnMapIds(request: FastifyRequest): Promise<string[] | undefined> {
  const { roles } = await requireAccess(request, 'signed-in')
  if (roles.isAdministrator) return undefined
  // A provider's claim may name any map, also in texts that the database cannot store.
  return Object.keys(roles.ofMaps).filter((id) => mapId.safeParse(id).success)
}

const pictureAddress = /^data:(image\/(?:png|jpeg|webp|svg\+xml))(;base64)?,(.*)$/s

/** Type and bytes of a picture that is written as a data address; undefined for anything else. */
function decodePicture(dataAddress: string): { type: string; bytes: Buffer } | undefined {
  const [, type, isBase64, data] = pictureAddress.exec(dataAddress) ?? []
  if (type === undefined || data === undefined) return undefined
  try {
    return { type, bytes: isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data)) }
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}
