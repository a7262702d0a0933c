import type { FastifyReply } from 'fastify'

/** For answers that depend on the user: no shared cache stores them, and browsers revalidate. */
export function forOnePerson(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache').header('vary', 'Cookie, Authorization')
}
