import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRule } from '#domain/access/access.ts'
import { isEnough, mayReach, scopeOfRule, type TokenScope } from '#domain/access/api-token.schema.ts'
import type { Person } from '#domain/access/session.schema.ts'
import { readCredentials } from './credentials.ts'
import { isDataRoute } from './data-routes.ts'
import { ProblemError, RightsError } from './problem.ts'

/** A token as it holds at this moment: its person may do what its maker may now, and that on its maps alone. */
export type Token = { id: string; scopes: readonly TokenScope[]; mapIds: readonly string[]; person: Person }

export type TokenDependencies = {
  readToken: (secret: string) => Promise<Token | undefined>
  /** Counts a request of an address that brings a token, whether or not it holds; throws a 429 where there were too many. */
  limitAddress: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Counts a request of `request.token`; throws a 429 where there were too many. */
  limitToken: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

type RouteAccess = { access?: AccessRule; tokenScope?: 'write' | null; onlyReads?: true }

/** An import changes features in ways of its own, so that all about it has a scope of its own. */
const importPath = '/api/maps/:mapId/import-drafts'
const readingMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * The scope that a token needs at a route; null if no token is accepted. A method that can change something needs more than
 * `read`: a new route refuses tokens that only read without saying so.
 */
export function scopeOfRoute(
  { access = 'public', tokenScope, onlyReads }: RouteAccess,
  { method, url }: { method: string; url: string },
): TokenScope | null {
  if (tokenScope !== undefined) return tokenScope
  const scope = scopeOfRule(access, onlyReads === true || readingMethods.includes(method))
  return scope !== null && url.startsWith(importPath) ? 'import' : scope
}

/**
 * Lets the token of a request in, as `request.token`: then no cookie counts. Throws a 401 where it does not hold, a 429
 * where it asks too often, a 403 where it is not for the route or the map.
 */
export async function admitToken(
  request: FastifyRequest,
  reply: FastifyReply,
  { readToken, limitAddress, limitToken }: TokenDependencies,
): Promise<void> {
  const { url, config } = request.routeOptions
  const credentials = readCredentials(request)
  if (!credentials || url === undefined || !isDataRoute(url) || isAboutHealth(url)) return
  await limitAddress(request, reply)
  const token = await readToken(credentials.secret)
  if (!token)
    throw new ProblemError(
      401,
      'This token does not hold: it is wrong, has ended or was revoked. Make a new one.',
    )
  request.token = token
  await limitToken(request, reply)
  const scope = scopeOfRoute(config, { method: request.method, url })
  const { id } = token.person
  if (scope === null) throw new RightsError(id, 'No token may do this: sign in, and do it in the page.')
  if (!isEnough(token.scopes, scope))
    throw new RightsError(id, `This token lacks the scope '${scope}': it is for ${inWords(token.scopes)}.`)
  const { mapId } = request.params as { mapId?: string }
  if (mapId !== undefined) requireMap(token, mapId)
}

/** Also where visitors may ask: a program would take what they see for all that there is. */
function requireMap({ mapIds, person }: Token, mapId: string) {
  if (!mapIds.includes(mapId))
    throw new RightsError(person.id, `This token is not for the map ${mapId}: it is for ${inWords(mapIds)}.`)
  if (!mayReach(person.roles, mapId))
    throw new RightsError(person.id, `Whoever made this token has no role on the map ${mapId} any more.`)
}

/** Whoever looks after the server need not be known: a token there means nothing. */
const isAboutHealth = (url: string) => url.startsWith('/health/')

const inWords = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')
