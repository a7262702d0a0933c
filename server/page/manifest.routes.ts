import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { mapId } from '#domain/values/common.schema.ts'
import { readClientOfMap } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import { requireOpenMap } from '../maps/maps.queries.ts'

const path = '/manifest/:mapId.webmanifest'

/** With it, browsers install the public map of an association as an app. */
export function registerManifest(app: FastifyInstance, database: Database) {
  app.get<{ Params: { mapId: string } }>(path, {
    schema: { hide: true, params: z.object({ mapId }) },
    async handler(request, reply) {
      const { mapId } = request.params
      await requireOpenMap(database, mapId)
      const name = (await readClientOfMap(database.read, mapId))?.name ?? mapId
      return reply
        .header('content-type', 'application/manifest+json')
        .header('cache-control', 'no-cache')
        .send(JSON.stringify(manifestOf(mapId, name)))
    },
  })
}

export const manifestElementOf = (mapId: string) =>
  `<link rel="manifest" href="${path.replace(':mapId', encodeURIComponent(mapId))}">`

function manifestOf(mapId: string, name: string) {
  const address = `/map/${encodeURIComponent(mapId)}`
  const icon = (file: string, sizes: string, purpose: string) => ({
    src: `/${file}`,
    sizes,
    purpose,
    type: 'image/png',
  })
  return {
    id: address,
    name,
    short_name: name,
    start_url: address,
    // Reports and sign-in have other addresses.
    scope: '/',
    display: 'standalone',
    theme_color: '#2f6b4f',
    background_color: '#ffffff',
    icons: [
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('icon-maskable-512.png', '512x512', 'maskable'),
    ],
  }
}
