import { randomBytes } from 'node:crypto'
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Person } from '#domain/access/session.schema.ts'
import type { Database } from '../database/database.ts'
import { sessionCookieName } from '../http/access.ts'
import { type AuditLog, digestOf, wordsOf } from '../http/audit.ts'
import { sendPage } from '../http/plain-page.ts'
import type { Configuration } from '../settings/configuration.ts'
import { clearedCookie, newCookie, signInCookieName, signOutCookieName } from './cookies.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { noteRoles } from './last-roles.queries.ts'
import { issuersOf, reasonOf } from './reason-of.ts'
import { type Reason, refusals, SignInRefusal } from './refusals.ts'
import { defaultReturnPath, toReturnPath } from './return-path.ts'
import { createSession, deleteSession } from './sessions.queries.ts'
import { type Destination, refusalPage, signedInPage } from './sign-in-pages.ts'
import { createSignIn, type SignIn, takeSignIn } from './sign-ins.queries.ts'
import { takeSignOut } from './sign-outs.queries.ts'
import { requireThisMachine } from './this-machine.ts'

type Dependencies = {
  database: Database
  configuration: Configuration
  identityProvider: IdentityProvider | null
  audit: AuditLog
}

const secret = () => randomBytes(32).toString('base64url')
const isSecret = (value: string | undefined): value is string => /^[\w-]{43}$/.test(value ?? '')
const isAnywhere: Destination = { returnTo: defaultReturnPath, isPopup: false }

export const signInRoutes: FastifyPluginCallback<Dependencies> = (app, dependencies, done) => {
  const { database, configuration, identityProvider, audit } = dependencies
  const { publicUrl, rateLimitPerMinute } = configuration
  const browserCookie = signInCookieName(configuration)
  const sessionName = sessionCookieName(configuration)
  const signOutName = signOutCookieName(configuration)
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    refuse(error, request, reply, { audit, destination: destinationOf(request, publicUrl) }),
  )

  // People sign in rarely; more frequent requests come from programs.
  const options = {
    config: { access: 'public', rateLimit: { max: Math.ceil(rateLimitPerMinute / 20) } },
    schema: { hide: true },
  } as const

  if (configuration.identity.kind === 'demo') app.addHook('onRequest', requireThisMachine)

  app.get('/sign-in', options, async (request, reply) => {
    const { searchParams } = addressOf(request, publicUrl)
    // Cookies belong to one host name: move the sign-in to ours. Only once: behind a proxy that changes the
    // host this would loop.
    if (request.host !== new URL(publicUrl).host && !searchParams.has('moved')) {
      searchParams.set('moved', '1')
      return reply.redirect(`${publicUrl}/sign-in?${searchParams}`, 303)
    }
    if (identityProvider === null) throw new SignInRefusal('not-set-up')
    const cookie = request.cookies[browserCookie]
    const browserId = isSecret(cookie) ? cookie : secret()
    const state = secret()
    const signIn: SignIn = {
      codeVerifier: secret(),
      nonce: secret(),
      ...destinationOf(request, publicUrl),
    }
    const url = await identityProvider.authorizationUrl({ ...signIn, state })
    await createSignIn(database, { browserId, state }, signIn)
    return reply
      .setCookie(browserCookie, browserId, newCookie(configuration, 'sign-in'))
      .header('cache-control', 'no-store')
      .redirect(url.href, 303)
  })

  app.get('/sign-in/callback', options, async (request, reply) => {
    const callback = addressOf(request, publicUrl)
    const [state, ...more] = callback.searchParams.getAll('state')
    const browserId = request.cookies[browserCookie]
    if (!isSecret(state) || more.length > 0 || !isSecret(browserId) || identityProvider === null)
      throw new SignInRefusal('unknown-sign-in')
    const signIn = await takeSignIn(database, { browserId, state })
    if (signIn === undefined) throw new SignInRefusal('unknown-sign-in')
    try {
      const { person, ...origin } = await identityProvider.finish(callback, { ...signIn, state })
      // The previous session may belong to another user.
      const previous = request.cookies[sessionName]
      if (previous !== undefined) await deleteSession(database, previous)
      const session = await createSession(database, person, origin)
      reply.setCookie(sessionName, session, newCookie(configuration, 'session'))
      await noteSignIn(person)
    } catch (error) {
      return refuse(error, request, reply, { audit, destination: signIn })
    }
    reply.header('cache-control', 'no-store')
    return signIn.isPopup ? sendPage(reply, 200, signedInPage()) : reply.redirect(signIn.returnTo, 303)
  })

  app.get('/sign-out', options, async (request, reply) => {
    const id = request.cookies[signOutName]
    const providerUrl = isSecret(id) ? await takeSignOut(database, id) : undefined
    return reply
      .clearCookie(signOutName, clearedCookie(configuration))
      .header('cache-control', 'no-store')
      .redirect(providerUrl ?? defaultReturnPath, 303)
  })

  async function noteSignIn(person: Person) {
    const digest = digestOf(person.id)
    const roles = wordsOf(person.roles)
    const previous = await noteRoles(database, { digest, name: person.name, roles })
    audit.info({ person: digest, roles }, 'signed in')
    if (previous && previous.join() !== roles.join())
      audit.info({ person: digest, from: previous, to: roles }, 'rights have changed since the last sign-in')
  }

  for (const url of ['/sign-in/*', '/demo-identity', '/demo-identity/*'])
    if (!app.hasRoute({ method: 'GET', url }))
      app.get(url, {
        config: { access: 'public' },
        schema: { hide: true },
        handler() {
          throw new SignInRefusal('not-there')
        },
      })
  done()
}

/** Not sign-in attempts, or so many that they would fill the log. */
const notLogged: readonly Reason[] = ['too-many', 'not-there', 'not-set-up']

function refuse(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { audit, destination }: { audit: AuditLog; destination: Destination },
) {
  const isTooMany = (error as { status?: number }).status === 429
  const reason = isTooMany ? 'too-many' : reasonOf(error)
  const { status } = refusals[reason]
  const issuers = issuersOf(error)
  if (!notLogged.includes(reason)) {
    if (status < 500) audit.info({ reason }, 'sign-in was refused')
    else request.log.warn({ reason, ...describe(error), ...issuers }, 'sign-in was refused')
  }
  if (status === 503 && reason !== 'not-set-up') reply.header('retry-after', '10')
  return sendPage(reply, status, refusalPage(reason, destination, issuers))
}

/** Never the error itself: it contains the provider's answer, tokens included. */
function describe(thrown: unknown) {
  const { message, code, cause, error, error_description } = thrown as Error & Record<string, unknown>
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : undefined)
  const below = cause instanceof Error ? cause.message : undefined
  return { message, code: cut(code), below, providerSaid: cut(error), more: cut(error_description) }
}

function addressOf(request: FastifyRequest, publicUrl: string): URL {
  return URL.canParse(request.url, publicUrl) ? new URL(request.url, publicUrl) : new URL(publicUrl)
}

function destinationOf(request: FastifyRequest, publicUrl: string): Destination {
  const { pathname, searchParams } = addressOf(request, publicUrl)
  if (pathname !== '/sign-in') return isAnywhere
  return { returnTo: toReturnPath(searchParams.get('returnTo')), isPopup: searchParams.get('popup') === '1' }
}
