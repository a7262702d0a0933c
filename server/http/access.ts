import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccessRule, isAllowed } from '#domain/access/access.ts'
import type { Person, Session } from '#domain/access/session.schema.ts'
import type { Configuration } from '../configuration.ts'
import { type AuditLog, digestOf } from './audit.ts'
import { isDataRoute } from './data-routes.ts'
import { ProblemError } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may ask. Every route of ours has one; `staff`, `editor` and `manager` are meant on `:mapId`. */
    access?: AccessRule
    /** The page asks by itself, not the person: the request keeps no session alive. */
    isBackground?: true
  }
  interface FastifyRequest {
    /** The session that the request's cookie names; null for a visitor. Looked up once. */
    findSession(): Promise<Session | null>
    /** Who asks. Throws in a public route, where nobody need be signed in. */
    readonly person: Person
  }
}

/** The session of a cookie. A session ends some time after the last request with `keepsAlive`. */
type ReadSession = (id: string, keepsAlive: boolean) => Promise<Session | undefined>
type Dependencies = { configuration: Configuration; audit: AuditLog; readSession: ReadSession }

/**
 * Refuses a request before anything of it is read: 401 where nobody is signed in, 403 where the person may not.
 * A route without a rule is refused when the program starts.
 */
export async function registerAccess(
  app: FastifyInstance,
  { configuration, audit, readSession }: Dependencies,
) {
  await app.register(cookie)
  app.decorateRequest('findSession', () => Promise.resolve(null))
  const people = new WeakMap<FastifyRequest, Person>()
  app.decorateRequest('person', {
    getter() {
      const person = people.get(this)
      if (!person) throw new Error(`${this.routeOptions.url} is for everybody: nobody in particular asks.`)
      return person
    },
  })

  app.addHook('onRoute', ({ url, config }) => {
    if (isDataRoute(url) && config?.access === undefined)
      throw new Error(`The route ${url} does not say who may ask: give it config.access.`)
  })

  app.addHook('onRequest', async (request) => {
    let found: Promise<Session | null> | undefined
    request.findSession = () => {
      found ??= findSession(request, configuration, readSession)
      return found
    }
    const rule = request.routeOptions.config.access ?? 'public'
    if (rule === 'public') return
    const { mapId } = request.params as { mapId?: string }
    people.set(request, await requireAccess(request, rule, mapId))
  })

  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof RightsError)) return
    const { method, routeOptions } = request
    audit.info(
      { person: digestOf(error.personId), method, route: routeOptions.url },
      'refused for want of rights',
    )
  })
}

/** A 403 for somebody who is signed in. */
class RightsError extends ProblemError {
  readonly personId: string
  constructor(personId: string) {
    super(403, 'Your role does not allow this.')
    this.personId = personId
  }
}

async function findSession(request: FastifyRequest, configuration: Configuration, readSession: ReadSession) {
  const id = request.cookies[sessionCookieName(configuration)]
  if (id === undefined) return null
  // The page sends this header when nobody has touched it for a while and it only follows changes.
  const isUnattended = request.headers['x-unattended'] !== undefined
  const keepsAlive = !isUnattended && request.routeOptions.config.isBackground !== true
  return (await readSession(id, keepsAlive)) ?? null
}

/** For the part of a public route that not everybody may use; throws a 401 or a 403. */
export async function requireAccess(
  request: FastifyRequest,
  rule: AccessRule,
  mapId?: string,
): Promise<Person> {
  const session = await request.findSession()
  if (session === null)
    throw new ProblemError(401, 'Sign in first: nobody is signed in, or the session ended.')
  if (!isAllowed(session.person.roles, rule, mapId)) throw new RightsError(session.person.id)
  return session.person
}

/**
 * Whether the person of a request may do something; false for visitors. For answers that contain more for some than
 * for others.
 */
export async function mayRequest(request: FastifyRequest, rule: AccessRule, mapId?: string) {
  const session = await request.findSession()
  return isAllowed(session?.person.roles ?? null, rule, mapId)
}

/**
 * Over HTTPS the browser guarantees that this very host set it. Cookies ignore ports, so that over plain HTTP
 * the port is part of the name: two installations on one machine must not sign each other out.
 */
export function sessionCookieName({ publicUrl }: Configuration): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? '__Host-poa-session' : `poa-session-${port || '80'}`
}
