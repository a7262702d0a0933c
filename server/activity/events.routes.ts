import type { FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isAllowed } from '#domain/access/access.ts'
import { isOfDrawings } from '#domain/activity/activity.schema.ts'
import { mapId } from '#domain/features/common.schema.ts'
import type { Database } from '../database/database.ts'
import { mayRequest, requireAccess } from '../http/access.ts'
import { requireOpenMap } from '../maps/maps.queries.ts'
import type { ChangeFeed } from './change-feed.ts'

/** Proxies close connections on which nothing is said. */
const heartbeatMs = 15_000

/** A reader that leaves this much unread is cut off; its browser connects again. */
const maxUnreadBytes = 256 * 1024

type Dependencies = { database: Database; changes: ChangeFeed }

export const eventRoutes: FastifyPluginCallbackZod<Dependencies> = (app, { database, changes }, done) => {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  app.get(
    '/api/events',
    {
      config: { access: 'public', mediaTypes: ['text/event-stream'] },
      schema: {
        summary: 'Server-sent events: which maps changed',
        description:
          'Each event `change` carries {mapId, action, subject}. Ask again for what you show. Without `map` it ' +
          'is for who is signed in, and tells of the maps on which they have a role.',
        tags: ['maps'],
        querystring: z.strictObject({ map: mapId.optional() }),
      },
    },
    async (request, reply) => {
      const { map } = request.query
      const isMeant = map === undefined ? await ownMaps(request) : (mapId: string) => mapId === map
      if (map !== undefined) await requireOpenMap(database, map)
      const isStaff = map === undefined || (await mayRequest(request, 'editor', map))
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      })
      if (request.method === 'HEAD') {
        raw.end()
        return
      }
      const say = (text: string) => {
        raw.write(text)
        if (raw.writableLength > maxUnreadBytes) end()
      }
      say('retry: 2000\n\nevent: open\ndata: {}\n\n')
      const heartbeat = setInterval(() => {
        say(': still here\n\n')
        if (map === undefined) void endWithSession()
      }, heartbeatMs)
      const stop = changes.listen(({ id, mapId, action, subject }) => {
        if (!isMeant(mapId) || (isOfDrawings(action) && !isStaff)) return
        say(`id: ${id}\nevent: change\ndata: ${JSON.stringify({ mapId, action, subject })}\n\n`)
        // The map is closed: whoever connects again hears so.
        if (map !== undefined && action === 'client.archived') end()
      })
      const endWithSession = async () => {
        // While the database is away nobody knows; the next heartbeat asks again.
        const session = await request.findSession('again').catch(() => undefined)
        if (session === null) end()
      }
      const end = () => {
        clearInterval(heartbeat)
        stop()
        open.delete(end)
        if (!raw.destroyed) raw.end()
      }
      open.add(end)
      raw.on('close', end)
      raw.on('error', end)
    },
  )
  done()
}

/** Which maps whoever asks for no map in particular hears of: those on which they have a role. */
async function ownMaps(request: FastifyRequest): Promise<(mapId: string) => boolean> {
  const { roles } = await requireAccess(request, 'signed-in')
  return (mapId) => isAllowed(roles, 'editor', mapId)
}
