import { parse } from 'node:querystring'
import type { FastifyPluginCallback } from 'fastify'
import type { Database } from '../database/database.ts'
import { outageOf } from '../database/outage.ts'
import { type AuditLog, digestOf } from '../http/audit.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { endSessionsOfProvider } from './sign-outs.queries.ts'

type Dependencies = { database: Database; identityProvider: IdentityProvider; audit: AuditLog }

/** OpenID Connect Back-Channel Logout 1.0: the provider reports sign-outs with a signed token. */
export const backChannelRoutes: FastifyPluginCallback<Dependencies> = (app, dependencies, done) => {
  const { database, identityProvider, audit } = dependencies
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 50_000 },
    (_request, body, next) => next(null, parse(body as string)),
  )

  app.post('/sign-in/back-channel-logout', {
    config: { access: 'public', isFromAnywhere: true },
    schema: { hide: true },
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { logout_token: token } = (request.body ?? {}) as Record<string, unknown>
      const refuse = (why: string) => {
        audit.info({ why }, 'a sign-out by the identity provider was refused')
        return reply.status(400).send({ error: 'invalid_request', error_description: why })
      }
      if (typeof token !== 'string') return refuse('one logout_token is needed')
      try {
        const signOut = await identityProvider.readLogoutToken(token)
        const ended = await endSessionsOfProvider(database, signOut)
        if (ended === null) return refuse('this logout_token was used already')
        for (const personId of new Set(ended))
          audit.info({ person: digestOf(personId) }, 'signed out by the identity provider')
        return reply.send()
      } catch (error) {
        if (outageOf(error)) throw error
        return refuse((error as Error).message)
      }
    },
  })
  done()
}
