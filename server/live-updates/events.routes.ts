import type { FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isAllowed } from '#domain/access/access.ts'
import { type Audience, activityRule, isPublicSubject } from '#domain/activity/activity-rules.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { mayRequest, requireAccess } from '../http/access.ts'
import { addressGroup } from '../http/address-group.ts'
import { letLast } from '../http/connections.ts'
import { ProblemError } from '../http/problem.ts'
import { findLiveSessions } from '../identity/sessions.queries.ts'
import { requireOpenMap } from '../maps/maps.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { ChangeFeed } from './change-feed.ts'

/** Proxies close idle connections. */
const heartbeatMs = 15_000

const sessionPollMs = 1_000

/** Readers with this much unread data, or unread for this long, are disconnected. Browsers reconnect. */
const maxUnreadMs = 20_000
const maxUnreadBytes = 64 * 1024

type Dependencies = { database: Database; changes: ChangeFeed; configuration: Configuration }

type Stream = {
  address: string
  session: string | null
  /** Ends the stream after everything was sent; `lastWords` gives the page the reason. */
  end(lastWords?: string): void
}

export const eventRoutes: FastifyPluginCallbackZod<Dependencies> = (app, dependencies, done) => {
  const { database, changes, configuration } = dependencies
  const open = new Set<Stream>()
  app.addHook('preClose', async () => {
    clearInterval(polling)
    for (const { end } of open) end()
  })

  let isPolling = false
  const polling = setInterval(async () => {
    const staffStreams = [...open].filter(({ session }) => session !== null)
    if (isPolling || staffStreams.length === 0) return
    isPolling = true
    const hashes = [...new Set(staffStreams.map(({ session }) => session as string))]
    const live = await findLiveSessions(database, hashes, { idleMs: configuration.sessionIdleMs }).catch(
      () => null,
    )
    isPolling = false
    if (live === null) return
    for (const { session, end } of staffStreams)
      if (!live.has(session as string)) end('event: session-ended\ndata: {}\n\n')
  }, sessionPollMs)
  polling.unref()

  function requireFreeStream(address: string) {
    const { maxEventStreams, maxEventStreamsPerAddress } = configuration
    if (open.size >= maxEventStreams)
      throw new ProblemError(503, 'Too many open pages are receiving live updates. Try again later.')
    const addressStreams = [...open].filter((stream) => stream.address === address).length
    if (addressStreams >= maxEventStreamsPerAddress)
      throw new ProblemError(429, 'Too many pages are open at your address. Close some of them.')
  }

  app.get('/api/events', {
    // A stream may outlast the token.
    config: { access: 'public', tokenScope: null, isBackground: true, mediaTypes: ['text/event-stream'] },
    schema: {
      summary: 'Stream changes to maps as server-sent events',
      description:
        'Each `change` event has {mapId, action, subject}, and the current version of the subject if it ' +
        'has one. With a read replica there is a `position`: send it as the cookie `poa-position` to read at least this change. Reload the data you display. Visitors receive events for data they can see, with ids of ' +
        'features and of the map only. Without `map`, signed-in users receive events of all maps on which they have a role.',
      tags: ['maps'],
      querystring: z.strictObject({ map: mapId.optional() }),
    },
    async handler(request, reply) {
      const { map } = request.query
      const canSee = map === undefined ? await watchOwnMaps(request) : await watchMap(request, map)
      if (map !== undefined) await requireOpenMap(database, map)
      const isStaff = map === undefined || (await mayRequest(request, 'staff', map))
      const session = isStaff ? ((await request.findSession())?.idHash ?? null) : null
      const address = addressGroup(request.ip)
      reply.header('retry-after', '30')
      requireFreeStream(address)
      reply.removeHeader('retry-after')
      reply.hijack()
      letLast(request)
      const { raw } = reply
      // A response queued on the connection cannot end it.
      const { socket } = request.raw
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
      let allReadAt = Date.now()
      const send = (text: string) => {
        raw.write(text)
        if (raw.writableLength > maxUnreadBytes) socket.destroy()
      }
      const heartbeat = setInterval(() => {
        if (raw.writableLength === 0) allReadAt = Date.now()
        if (Date.now() - allReadAt > maxUnreadMs) socket.destroy()
        else send(': still here\n\n')
      }, heartbeatMs)
      const stop = changes.listen(({ id, mapId, action, audience, subject, version, position }) => {
        if (!canSee(mapId, audience)) return
        const isNamed = isStaff || isPublicSubject(activityRule(action).subject)
        const change = {
          mapId,
          action,
          subject: isNamed ? subject : null,
          ...(version === null ? {} : { version }),
          ...(position === null ? {} : { position }),
        }
        send(`id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`)
        if (map !== undefined && action === 'client.archived') stream.end()
      })
      const stream: Stream = {
        address,
        session,
        end(lastWords) {
          clearInterval(heartbeat)
          stop()
          if (!open.delete(stream) || raw.destroyed) return
          raw.end(lastWords)
        },
      }
      open.add(stream)
      raw.on('close', () => stream.end())
      raw.on('error', () => stream.end())
      send('retry: 2000\n\nevent: open\ndata: {}\n\n')
    },
  })
  done()
}

type CanSee = (mapId: string, audience: Audience) => boolean

async function watchMap(request: FastifyRequest, map: string): Promise<CanSee> {
  const audiences: Audience[] = ['public']
  for (const audience of ['staff', 'manager'] as const)
    if (await mayRequest(request, audience, map)) audiences.push(audience)
  return (mapId, audience) => mapId === map && audiences.includes(audience)
}

async function watchOwnMaps(request: FastifyRequest): Promise<CanSee> {
  const { roles } = await requireAccess(request, 'signed-in')
  return (mapId, audience) => isAllowed(roles, audience === 'public' ? 'staff' : audience, mapId)
}
