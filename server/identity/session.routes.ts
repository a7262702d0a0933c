import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Session, sessionAnswer } from '#domain/access/session.schema.ts'
import type { Database } from '../database/database.ts'
import { sessionCookieName } from '../http/access.ts'
import { type AuditLog, digestOf } from '../http/audit.ts'
import type { Configuration } from '../settings/configuration.ts'
import { clearedCookie, newCookie, signOutCookieName } from './cookies.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { defaultReturnPath } from './return-path.ts'
import { deleteSession, deleteSessionsOf } from './sessions.queries.ts'
import { createSignOut } from './sign-outs.queries.ts'

const signedOutAnswer = z.object({
  /** The provider's sign-out, or a path of ours. */
  redirectTo: z.string(),
})

type Dependencies = {
  database: Database
  configuration: Configuration
  identityProvider: IdentityProvider | null
  audit: AuditLog
}

export const sessionRoutes: FastifyPluginCallbackZod<Dependencies> = (app, dependencies, done) => {
  const { database, configuration, identityProvider, audit } = dependencies
  const cookieName = sessionCookieName(configuration)

  app.get('/api/session', {
    config: { access: 'public', tokenScope: null, isBackground: true },
    schema: { summary: 'Get the signed-in user', tags: ['identity'], response: { 200: sessionAnswer } },
    async handler(request, reply) {
      const session = await request.findSession()
      reply.header('cache-control', 'no-store')
      return {
        person: session?.person ?? null,
        expiresAt: session ? new Date(session.expiresAt).toISOString() : null,
        isDemo: configuration.identity.kind === 'demo',
      }
    },
  })

  app.delete('/api/session', {
    config: { access: 'public', tokenScope: null },
    schema: {
      summary: 'Sign out',
      tags: ['identity'],
      response: { 200: signedOutAnswer },
    },
    async handler(request, reply) {
      const session = await request.findSession()
      const id = request.cookies[cookieName]
      if (id !== undefined) await deleteSession(database, id)
      if (session) audit.info({ person: digestOf(session.person.id) }, 'signed out')
      return leave(reply, session)
    },
  })

  app.delete('/api/sessions', {
    config: { access: 'signed-in' },
    schema: {
      summary: 'Sign out everywhere',
      description:
        'Ends your sessions in all browsers. Access tokens remain valid until they expire or are revoked.',
      tags: ['identity'],
      response: { 200: signedOutAnswer },
    },
    async handler(request, reply) {
      const session = await request.findSession()
      if (session) {
        const sessions = await deleteSessionsOf(database, session.person.id)
        audit.info({ person: digestOf(session.person.id), sessions }, 'signed out everywhere')
      }
      return leave(reply, session)
    },
  })

  /** Redirects to the provider: scripts must not read the id token in the URL. */
  async function leave(reply: FastifyReply, session: Session | null) {
    const providerUrl = session?.idToken ? await endSessionUrl(session.idToken) : null
    reply.clearCookie(cookieName, clearedCookie(configuration)).header('cache-control', 'no-store')
    if (providerUrl === null) return { redirectTo: defaultReturnPath }
    const signOut = await createSignOut(database, providerUrl)
    reply.setCookie(signOutCookieName(configuration), signOut, newCookie(configuration, 'sign-out'))
    return { redirectTo: '/sign-out' }
  }

  /** The user is signed out here even if the provider is unreachable. */
  async function endSessionUrl(idToken: string): Promise<URL | null> {
    try {
      return (await identityProvider?.endSessionUrl(idToken)) ?? null
    } catch (error) {
      app.log.warn({ message: (error as Error).message }, 'the identity provider was not told of a sign-out')
      return null
    }
  }
  done()
}
