import type { FastifyReply } from 'fastify'

/**
 * Aborts when the client disconnects before the answer. For requests with a body: Fastify aborts
 * `request.signal` as soon as the body has been read.
 */
export function signalOfLeaving({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  if (raw.destroyed) leaving.abort()
  return leaving.signal
}
