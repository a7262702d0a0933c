import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccessRule, isAllowed } from '#domain/access/access.ts'
import type { Person, Session } from '#domain/access/session.schema.ts'
import { writingClient } from '../database/write-turns.ts'
import type { Configuration } from '../settings/configuration.ts'
import { addressGroup } from './address-group.ts'
import { type AuditLog, digestOf } from './audit.ts'
import { challengeOf } from './credentials.ts'
import { isDataRoute } from './data-routes.ts'
import { ProblemError, RightsError } from './problem.ts'
import { admitSecret, admitToken, type Token, type TokenDependencies } from './token-access.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required for our own routes; `staff`, `editor` and `manager` refer to `:mapId`. */
    access?: AccessRule
    /** Overrides `scopeOfRoute`; null rejects all tokens. */
    tokenScope?: 'write' | null
    /** A POST that only reads: any token may send it. */
    onlyReads?: true
    /** The page sends it on its own: the request does not keep the session alive. */
    isBackground?: true
  }
  interface FastifyRequest {
    findSession(): Promise<Session | null>
    token: Token | null
    /** Admits a token from the body instead of a header: throws a 403 if it is invalid. */
    admitKey(reply: FastifyReply, key: string): Promise<void>
    readonly person: Person
  }
}

type ReadSession = (id: string, keepsAlive: boolean) => Promise<Session | undefined>
type Dependencies = TokenDependencies & {
  configuration: Configuration
  audit: AuditLog
  readSession: ReadSession
}

/**
 * Rejects a request before its body is read: 401 without a session or with an invalid token, 403 without the
 * role or the scope. A route without a rule fails at the start.
 */
export async function registerAccess(
  app: FastifyInstance,
  { configuration, audit, readSession, ...ofTokens }: Dependencies,
) {
  await app.register(cookie)
  app.decorateRequest('token', null)
  app.decorateRequest('admitKey', async function (reply, key) {
    try {
      await admitSecret(this, reply, key, ofTokens)
    } catch (error) {
      throw error instanceof ProblemError && error.status === 401
        ? new ProblemError(403, error.message)
        : error
    }
  })
  app.decorateRequest('findSession', () => Promise.resolve(null))
  const people = new WeakMap<FastifyRequest, Person>()
  app.decorateRequest('person', {
    getter() {
      const person = people.get(this)
      if (!person) throw new Error(`${this.routeOptions.url} is public: it has no user.`)
      return person
    },
  })

  app.addHook('onRoute', ({ url, method, config }) => {
    if (isDataRoute(url) && config?.access === undefined)
      throw new Error(`The route ${url} does not say who may ask: give it config.access.`)
    if (config?.onlyReads && [method].flat().some((one) => one !== 'POST'))
      throw new Error(`The route ${method} ${url} cannot have config.onlyReads: that is for POST.`)
  })

  app.addHook('onRequest', async (request, reply) => {
    let found: Promise<Session | null> | undefined
    request.findSession = () => {
      found ??= findSession(request, configuration, readSession)
      return found
    }
    await admitToken(request, reply, ofTokens)
    const rule = request.routeOptions.config.access ?? 'public'
    if (rule === 'public') return
    const { mapId } = request.params as { mapId?: string }
    people.set(request, await requireAccess(request, rule, mapId))
  })

  // After reading the body, which loses the context.
  app.addHook('preValidation', (request, _reply, done) => {
    const { mapId = '' } = request.params as { mapId?: string }
    const client = people.get(request)?.id ?? addressGroup(request.ip)
    writingClient.run(`${client} ${mapId}`, done)
  })

  app.addHook('onError', async (request, reply, error) => {
    if (error instanceof ProblemError && error.status === 401)
      reply.header('www-authenticate', challengeOf(request))
    if (!(error instanceof RightsError)) return
    const { method, routeOptions } = request
    audit.info(
      { person: digestOf(error.personId), token: request.token?.id, method, route: routeOptions.url },
      'refused for want of rights',
    )
  })
}

async function findSession(request: FastifyRequest, configuration: Configuration, readSession: ReadSession) {
  const id = request.cookies[sessionCookieName(configuration)]
  if (id === undefined) return null
  // The page sends this header after a while without input, when it only follows changes.
  const isUnattended = request.headers['x-unattended'] !== undefined
  const keepsAlive = !isUnattended && request.routeOptions.config.isBackground !== true
  return (await readSession(id, keepsAlive)) ?? null
}

/** Throws a 401 or a 403 that begins with `what`: for parts of public routes. */
export async function requireAccess(
  request: FastifyRequest,
  rule: AccessRule,
  mapId?: string,
  what?: string,
): Promise<Person> {
  const person = await findPerson(request)
  const withSubject = (text: string) => (what === undefined ? text : `${what} ${text}`)
  if (person === null)
    throw new ProblemError(
      401,
      withSubject('You are not signed in, or your session has expired. Sign in and try again.'),
    )
  if (!isAllowed(person.roles, rule, mapId)) {
    const subject = person.tokenId === undefined ? 'Your role' : 'The role of this token’s owner'
    throw new RightsError(person.id, withSubject(`${subject} does not allow this.`))
  }
  return person
}

async function findPerson(request: FastifyRequest): Promise<Person | null> {
  return request.token?.person ?? (await request.findSession())?.person ?? null
}

export async function mayRequest(request: FastifyRequest, rule: AccessRule, mapId?: string) {
  const person = await findPerson(request)
  return isAllowed(person?.roles ?? null, rule, mapId)
}

export async function mayWrite(request: FastifyRequest, mapId: string) {
  const isForIt = request.token === null || request.token.scopes.includes('write')
  return isForIt && mayRequest(request, 'editor', mapId)
}

/**
 * `__Host-` makes the browser guarantee the host. Cookies ignore ports, so without HTTPS the name contains
 * the port: two installations on one machine must not sign each other out.
 */
export function cookieName({ publicUrl }: Configuration, purpose: string): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? `__Host-poa-${purpose}` : `poa-${purpose}-${port || '80'}`
}

export const sessionCookieName = (configuration: Configuration) => cookieName(configuration, 'session')
