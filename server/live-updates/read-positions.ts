import type { FastifyInstance } from 'fastify'
import { positionName } from '#domain/values/position.ts'
import type { Database } from '../database/database.ts'
import { isOfMap, isReading } from '../http/data-routes.ts'
import type { ChangeFeed } from './change-feed.ts'

type Dependencies = { database: Database; changes: ChangeFeed }

/**
 * Reads of maps use the read replica. A page carries the position of the newest change that it made or heard of, because
 * its next request may reach another server. Programs with a token keep no cookies: they read from the primary.
 */
export function registerReadPositions(app: FastifyInstance, { database, changes }: Dependencies) {
  const { replica } = database
  if (replica === null) return

  app.addHook('preHandler', (request, _reply, done) => {
    const { method, routeOptions } = request
    const onlyReads = isReading(method) || routeOptions.config.onlyReads
    if (!onlyReads || !isOfMap(routeOptions.url) || request.token !== null) return done()
    const seen = Number(request.cookies[positionName]) || 0
    void changes.noticed(seen).then(() => replica.read(done, seen))
  })

  app.addHook('onSend', async ({ method }, reply) => {
    if (isReading(method) || reply.statusCode >= 400) return
    // The change is made, whatever happens to the primary now.
    const position = await replica.position().catch(() => null)
    if (position !== null) reply.header(positionName, position)
  })
}
