import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { isOfMap } from '../http/data-routes.ts'
import { requireOpenMap } from './maps.queries.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also for archived maps. */
    isForArchived?: true
  }
}

/**
 * Responds with 404 to routes below `/api/maps/:mapId` and `/ogc/:mapId` if the map does not exist or its client is
 * archived. Changes check again in their transactions.
 */
export function registerOpenMaps(app: FastifyInstance, { database }: { database: Database }) {
  app.addHook('preHandler', async (request) => {
    if (!isOfMap(request.routeOptions.url) || request.routeOptions.config.isForArchived) return
    // Creates the signal now: one that is first read after the client disconnected never aborts.
    void request.signal
    await requireOpenMap(database, (request.params as { mapId: string }).mapId)
  })
}
