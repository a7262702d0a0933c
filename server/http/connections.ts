import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'
import { addressGroup } from './address-group.ts'
import { ProblemError } from './problem.ts'

/** A connection is closed when its client has read nothing for so long. */
const nothingReadMs = 20_000

/** And when one answer has taken so long: even the slowest line transfers any answer in this time. */
const answerMs = 5 * 60_000
const pollMs = 5_000

/** Browsers and proxies send one request after the other; each that is not waited for may hold an answer. */
const maxRequestsAtOnce = 16

/**
 * So many connections beyond the limits are answered with the reason. Any more close the oldest of these without an
 * answer, so that a health check on a new connection is always answered.
 */
const maxTold = 100

type Connection = {
  address: string
  requests: number
  /** When the first of its requests under way began. */
  since: number
  /** Why its requests are refused. */
  refusal: 'all' | 'address' | null
}

const endless = new WeakSet<Socket>()

/** The answer to this request may take as long as it likes: the route itself watches its reader. */
export function letLast({ raw }: FastifyRequest): void {
  endless.add(raw.socket)
}

type Limits = Pick<Configuration, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>

/**
 * Limits what connections may hold, and ends them. A server that closes waits for its connections, also for those
 * that are kept for a next request or never made one. Here it waits for requests under way alone.
 */
export function registerConnections(app: FastifyInstance, limits: Limits) {
  const connections = new Map<Socket, Connection>()
  const counts = new Map<string, number>()
  const told = new Set<Socket>()
  let isClosing = false

  function pushOut(newest: Socket) {
    told.add(newest)
    const [oldest] = told
    if (told.size <= maxTold || !oldest) return
    told.delete(oldest)
    oldest.destroy()
  }

  app.server.on('connection', (socket) => {
    if (isClosing) socket.destroy()
    const address = addressGroup(socket.remoteAddress ?? '')
    const ofAddress = (counts.get(address) ?? 0) + 1
    counts.set(address, ofAddress)
    const refusal = refusalOf(limits, connections.size + 1, ofAddress)
    connections.set(socket, { address, requests: 0, since: 0, refusal })
    if (refusal !== null) pushOut(socket)
    socket.once('close', () => {
      connections.delete(socket)
      told.delete(socket)
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    })
  })
  // Before the one that answers.
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

  // No bytes for a while: either we are still working, or the client does not read, or it is gone.
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
  all: new ProblemError(503, 'The server has as many connections as it can keep. Try again in a moment.'),
  address: new ProblemError(
    429,
    'There are too many connections from this address. Close some, then try again.',
  ),
}

function refusalOf(limits: Limits, ofAll: number, ofAddress: number): Connection['refusal'] {
  if (ofAll > limits.maxConnections) return 'all'
  // A proxy brings everybody along on connections of its own.
  const isProxy = limits.trustedProxies > 0
  return !isProxy && ofAddress > limits.maxConnectionsPerAddress ? 'address' : null
}
