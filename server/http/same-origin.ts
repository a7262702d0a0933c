import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'
import { sessionCookieName } from './access.ts'
import { readCredentials } from './credentials.ts'
import { isReading } from './data-routes.ts'
import { ProblemError } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request carries a signature instead of a cookie. */
    isFromAnywhere?: true
  }
}

/** A request that may change something must come from our own page, or from a program without a session. */
export function registerSameOrigin(app: FastifyInstance, configuration: Configuration) {
  const cookieName = sessionCookieName(configuration)
  app.addHook('onRequest', async (request) => {
    if (isReading(request.method) || request.routeOptions.config.isFromAnywhere) return
    const hasCookie = cookieName in readCookies(request)
    // Browsers do not add bearer tokens on their own, unlike cookies and stored passwords.
    if (readCredentials(request)?.scheme === 'Bearer' && !hasCookie) return
    const { origin, 'sec-fetch-site': site } = request.headers
    if (site !== undefined && site !== 'same-origin') throw refused
    if (origin !== undefined && !isOwn(origin, request, configuration)) throw refused
    // Every browser sends Origin, Sec-Fetch-Site or both. A session without either is a crippled browser or a
    // stolen cookie.
    if (site === undefined && origin === undefined && hasCookie) throw refused
  })
  // Forms of other sites can send text/plain, but not JSON.
  app.removeContentTypeParser('text/plain')
}

const refused = new ProblemError(403, 'This request does not come from a page of this server.')

function isOwn(origin: string, request: FastifyRequest, { publicUrl }: Configuration): boolean {
  return origin === publicUrl || origin === `${request.protocol}://${request.host}`
}

function readCookies(request: FastifyRequest): Record<string, string> {
  return request.server.parseCookie(request.headers.cookie ?? '') as Record<string, string>
}
