import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type * as OpenidClient from 'openid-client'
import type { Configuration } from '../settings/configuration.ts'
import { connectIdentityProvider, type IdentityProvider } from './identity-provider.ts'

export type ChosenProvider = {
  identityProvider: IdentityProvider | null
  demoClient: { id: string; secret: string } | null
}

export function chooseProvider(app: FastifyInstance, configuration: Configuration): ChosenProvider {
  const { identity, publicUrl } = configuration
  if (identity.kind === 'none') return { identityProvider: null, demoClient: null }
  if (identity.kind === 'oidc')
    return { identityProvider: connectIdentityProvider(identity, configuration), demoClient: null }

  const demoClient = { id: 'poa-land-management', secret: randomBytes(32).toString('base64url') }
  const identityProvider = connectIdentityProvider(
    {
      issuer: `${publicUrl}/demo-identity`,
      clientId: demoClient.id,
      clientSecret: demoClient.secret,
      clientAuthentication: 'client_secret_post',
      scope: 'openid profile email',
      rolesClaim: 'roles',
      fetch: fetchFromOurselves(app),
    },
    configuration,
  )
  return { identityProvider, demoClient }
}

/** In a container or behind a proxy, this process may not reach its public address. */
function fetchFromOurselves(app: FastifyInstance): OpenidClient.CustomFetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url)
    const {
      statusCode,
      headers: given,
      rawPayload,
    } = await app.inject({
      method: method as 'GET' | 'POST',
      url: `${pathname}${search}`,
      headers,
      ...(body === null || body === undefined ? {} : { payload: String(body) }),
    })
    return new Response(new Uint8Array(rawPayload), {
      status: statusCode,
      headers: { 'content-type': String(given['content-type']) },
    })
  }
}
