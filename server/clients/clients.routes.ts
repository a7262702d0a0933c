import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { client } from '#domain/clients/client.schema.ts'
import { mapId } from '#domain/features/common.schema.ts'
import { pageOf } from '#domain/features/feature.schema.ts'
import type { Database } from '../database/database.ts'
import { readCursor, writeCursor } from '../http/cursor.ts'
import { pageCursor, pageLimit, searchText } from '../http/page-parameters.ts'
import { notFound } from '../http/problem.ts'
import { listClients, readClient, readThumbnail } from './clients.queries.ts'
import { decodePicture } from './picture.ts'

export const clientRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get(
    '/api/clients',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Clients by name, page by page',
        tags: ['clients'],
        querystring: z.strictObject({ text: searchText, limit: pageLimit, after: pageCursor }),
        response: { 200: pageOf(client) },
      },
    },
    async (request) => {
      const { text, limit, after } = request.query
      const page = { limit, after: after === undefined ? undefined : readCursor(after, 2) }
      const { items, total, last } = await listClients(database, text, page)
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
    async (request) => {
      const found = await readClient(database, request.params.mapId)
      if (!found) throw notFound(`There is no client ${request.params.mapId}.`)
      return found
    },
  )
  app.get(
    '/api/clients/:mapId/thumbnail',
    {
      config: { access: 'public' },
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
