import type { FastifyReply } from 'fastify'

/** For answers that depend on the person: no shared cache keeps them, and the browser revalidates each time. */
export function forOnePerson(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache').header('vary', 'Cookie, Authorization')
}
