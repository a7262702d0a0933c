import type { FastifyReply } from 'fastify'

/**
 * Aborted when whoever asked has left before the answer. For requests with a body: Fastify's own `request.signal` is
 * aborted as soon as the body has been read.
 */
export function signalOfLeaving({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  if (raw.destroyed) leaving.abort()
  return leaving.signal
}
