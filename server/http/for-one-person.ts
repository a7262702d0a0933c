import type { FastifyReply } from 'fastify'

/** For answers that depend on who asks: no cache gives them to anybody else, and the browser asks each time. */
export function forOnePerson(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache').header('vary', 'Cookie')
}
