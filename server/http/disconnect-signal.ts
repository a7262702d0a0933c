import type { FastifyReply } from 'fastify'

/** For requests with a body: Fastify aborts `request.signal` as soon as the body is read. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnect = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) disconnect.abort()
  })
  if (raw.destroyed) disconnect.abort()
  return disconnect.signal
}
