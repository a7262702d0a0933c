import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'
import { sessionCookieName } from './access.ts'
import { readCredentials } from './credentials.ts'
import { ProblemError } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whoever may send it shows so by a signature, and not by a cookie. */
    isFromAnywhere?: true
  }
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Nobody's browser changes anything here because a page of another site told it to: a request that may change
 * something comes from our own page, or from a program that holds no session.
 */
export function registerSameOrigin(app: FastifyInstance, configuration: Configuration) {
  const cookieName = sessionCookieName(configuration)
  app.addHook('onRequest', async (request) => {
    if (safeMethods.includes(request.method) || request.routeOptions.config.isFromAnywhere) return
    const hasCookie = cookieName in readCookies(request)
    // No browser adds a bearer's token by itself, as it does a cookie, or a password that it has asked for once.
    if (readCredentials(request)?.scheme === 'Bearer' && !hasCookie) return
    const { origin, 'sec-fetch-site': site } = request.headers
    if (site !== undefined && site !== 'same-origin') throw refused
    if (origin !== undefined && !isOwn(origin, request, configuration)) throw refused
    // Every browser names the origin of such a request, or says how far it comes from, or both. A session
    // without either is a browser that was made silent, or a stolen cookie; a program that has good reasons
    // to use one can send the header.
    if (site === undefined && origin === undefined && hasCookie) throw refused
  })
  // A form of another site can send text/plain; JSON it cannot, without asking us first.
  app.removeContentTypeParser('text/plain')
}

const refused = new ProblemError(403, 'This request does not come from a page of this server.')

function isOwn(origin: string, request: FastifyRequest, { publicUrl }: Configuration): boolean {
  return origin === publicUrl || origin === `${request.protocol}://${request.host}`
}

function readCookies(request: FastifyRequest): Record<string, string> {
  return request.server.parseCookie(request.headers.cookie ?? '') as Record<string, string>
}
