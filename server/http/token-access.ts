import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRule } from '#domain/access/access.ts'
import { isEnough, mayReach, scopeOfRule, type TokenScope } from '#domain/access/api-token.schema.ts'
import type { Person } from '#domain/access/session.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { readCredentials } from './credentials.ts'
import { isDataRoute, isReading } from './data-routes.ts'
import { ProblemError, RightsError } from './problem.ts'

/** `person` has the current rights of the token's creator, on the token's maps only. */
export type Token = { id: string; scopes: readonly TokenScope[]; mapIds: readonly string[]; person: Person }

export type TokenDependencies = {
  readToken: (secret: string) => Promise<Token | undefined>
  limitAddress: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  limitToken: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

type RouteAccess = { access?: AccessRule; tokenScope?: 'write' | null; onlyReads?: true }

const importPath = '/api/maps/:mapId/import-drafts'

/**
 * The scope that a token needs at a route; null if the route accepts no token. Methods that can change
 * something need more than `read`, so new routes reject read-only tokens by default.
 */
export function scopeOfRoute(
  { access = 'public', tokenScope, onlyReads }: RouteAccess,
  { method, url }: { method: string; url: string },
): TokenScope | null {
  if (tokenScope !== undefined) return tokenScope
  const scope = scopeOfRule(access, onlyReads === true || isReading(method))
  return scope !== null && url.startsWith(importPath) ? 'import' : scope
}

export async function admitToken(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: TokenDependencies,
): Promise<void> {
  const { url } = request.routeOptions
  const credentials = readCredentials(request)
  if (!credentials || url === undefined || !isDataRoute(url) || isAboutHealth(url)) return
  await admitSecret(request, reply, credentials.secret, dependencies)
}

/** Throws a 401 for an invalid token, a 429 for too many requests, a 403 for another route or map. */
export async function admitSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  { readToken, limitAddress, limitToken }: TokenDependencies,
): Promise<void> {
  const { url = '', config } = request.routeOptions
  await limitAddress(request, reply)
  const token = await readToken(secret)
  if (!token)
    throw new ProblemError(
      401,
      'This access token is invalid, has expired, or was revoked. Create a new one.',
    )
  request.token = token
  await limitToken(request, reply)
  const scope = scopeOfRoute(config, { method: request.method, url })
  const { id } = token.person
  if (scope === null)
    throw new RightsError(id, 'This is not available to access tokens. Sign in to the website instead.')
  if (!isEnough(token.scopes, scope))
    throw new RightsError(id, `This token lacks the scope '${scope}'. It has ${inWords(token.scopes)}.`)
  const { mapId } = request.params as { mapId?: string }
  if (mapId !== undefined) requireMap(token, mapId)
}

/** Also on public routes: a program would mistake the visitors' view for all data. */
function requireMap({ mapIds, person }: Token, mapId: string) {
  if (!mapIds.includes(mapId))
    throw new RightsError(
      person.id,
      `This token is not valid for the map ${mapId}. It is valid for ${inWords(mapIds)}.`,
    )
  if (!mayReach(person.roles, mapId))
    throw new RightsError(person.id, `The owner of this token no longer has a role on the map ${mapId}.`)
}

const isAboutHealth = (url: string) => url.startsWith('/health/')

const inWords = (words: readonly string[]) => formatList(words.map((word) => `'${word}'`))
