import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'
import { addressGroup } from './address-group.ts'
import { ProblemError } from './problem.ts'

const nothingReadMs = 20_000

/** Even the slowest connection transfers any answer in this time. */
const answerMs = 5 * 60_000
const pollMs = 5_000

/** Browsers and proxies send one request after the other; each pending one may hold an answer. */
const maxRequestsAtOnce = 16

/**
 * Connections beyond the limits that are answered with the reason. More of them close the oldest without an
 * answer, so that a health check on a new connection is always answered.
 */
const maxRefused = 100

type Connection = {
  address: string
  requests: number
  since: number
  refusal: 'all' | 'address' | null
}

const endless = new WeakSet<Socket>()

/** The route detects slow readers itself. */
export function letLast({ raw }: FastifyRequest): void {
  endless.add(raw.socket)
}

type Limits = Pick<Configuration, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>

/** Limits and ends connections. A closing server waits for pending requests, but not for idle connections. */
export function registerConnections(app: FastifyInstance, limits: Limits) {
  const connections = new Map<Socket, Connection>()
  const counts = new Map<string, number>()
  const refused = new Set<Socket>()
  let isClosing = false

  function pushOut(newest: Socket) {
    refused.add(newest)
    const [oldest] = refused
    if (refused.size <= maxRefused || !oldest) return
    refused.delete(oldest)
    oldest.destroy()
  }

  app.server.on('connection', (socket) => {
    if (isClosing) socket.destroy()
    const address = addressGroup(socket.remoteAddress)
    const countOfAddress = (counts.get(address) ?? 0) + 1
    counts.set(address, countOfAddress)
    const refusal = refusalOf(limits, connections.size + 1, countOfAddress)
    connections.set(socket, { address, requests: 0, since: 0, refusal })
    if (refusal !== null) pushOut(socket)
    socket.once('close', () => {
      connections.delete(socket)
      refused.delete(socket)
      const remaining = (counts.get(address) ?? 1) - 1
      if (remaining === 0) counts.delete(address)
      else counts.set(address, remaining)
    })
  })
  app.server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (!connection) return
    if (connection.requests++ === 0) connection.since = Date.now()
    response.once('close', () => {
      connection.requests--
      if (isClosing && connection.requests === 0) socket.destroySoon()
    })
  })
  app.addHook('onRequest', async ({ raw: { socket }, routeOptions }, reply) => {
    const connection = connections.get(socket)
    if (!connection) return
    if (connection.requests > maxRequestsAtOnce) {
      reply.hijack()
      socket.destroy()
    } else if (connection.refusal !== null && !routeOptions.url?.startsWith('/health/')) {
      reply.header('connection', 'close').header('retry-after', '10')
      throw refusals[connection.refusal]
    }
  })

  // Closes a connection on which nothing moves, unless the client waits for our answer.
  app.server.setTimeout(nothingReadMs, (socket) => {
    const isAtWork = (connections.get(socket)?.requests ?? 0) > 0 && socket.writableLength === 0
    if (!isAtWork) socket.destroy()
  })
  const polling = setInterval(() => {
    const oldest = Date.now() - answerMs
    for (const [socket, { requests, since }] of connections)
      if (requests > 0 && since < oldest && !endless.has(socket)) socket.destroy()
  }, pollMs)
  polling.unref()

  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(polling)
    for (const [socket, { requests }] of connections) if (requests === 0) socket.destroy()
  })
}

const refusals = {
  all: new ProblemError(503, 'The server has too many connections. Try again in a moment.'),
  address: new ProblemError(
    429,
    'There are too many connections from this address. Close some, then try again.',
  ),
}

function refusalOf(limits: Limits, totalCount: number, countOfAddress: number): Connection['refusal'] {
  if (totalCount > limits.maxConnections) return 'all'
  // A proxy uses its own connections for all clients.
  const isProxy = limits.trustedProxies > 0
  return !isProxy && countOfAddress > limits.maxConnectionsPerAddress ? 'address' : null
}
