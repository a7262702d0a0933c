import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { requireOpenMap } from './maps.queries.ts'

/**
 * Answers 404 for a map that does not exist or whose client is archived, before any route of `/api/maps/:mapId` begins, or of
 * `/ogc/:mapId`.
 * What changes a map asks once more inside its transaction: it may have been archived meanwhile.
 */
export function registerOpenMaps(app: FastifyInstance, { database }: { database: Database }) {
  app.addHook('preHandler', async (request) => {
    if (!/^\/(api\/maps|ogc)\/:mapId(\/|$)/.test(request.routeOptions.url ?? '')) return
    // For the routes that use it: a signal that is first read after the client has disconnected is never aborted.
    void request.signal
    await requireOpenMap(database, (request.params as { mapId: string }).mapId)
  })
}
