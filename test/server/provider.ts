import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { createDemoStorage } from '#server/identity/demo/demo-provider.ts'

// A third-party identity provider on its own address, with back-channel logout. All users are Ana.

type Visit = { status: number; body: string }

/** Cookies by host and port; follows redirects. */
type NetworkBrowser = {
  visit(url: string, form?: Record<string, string>): Promise<Visit>
  delete(url: string): Promise<Visit>
}

type RealProvider = {
  issuer: string
  /** The port and the settings for the application. */
  appPort: number
  publicUrl: string
  settings: Record<string, string>
  openBrowser(): NetworkBrowser
  [Symbol.asyncDispose](): Promise<void>
}

export async function startProvider(): Promise<RealProvider> {
  const server = await listen()
  const issuer = addressOf(server)
  const publicUrl = await reserveAddress()
  const client = { id: 'land', secret: 'a-secret_of-many-letters' }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    adapter: createDemoStorage(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key for cookies'] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/sign-in/callback`],
        backchannel_logout_uri: `${publicUrl}/sign-in/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // The default agent refuses loopback addresses.
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
    interactions: { url: (_ctx, { uid }) => `/as-ana/${uid}` },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id, name: 'Ana Ruiz' }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/as-ana/')) return answer(request, response)
    return provider.interactionFinished(request, response, { login: { accountId: 'ana' } })
  })

  return {
    issuer,
    appPort: Number(new URL(publicUrl).port),
    publicUrl,
    settings: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_CLIENT_AUTHENTICATION: 'client_secret_post',
    },
    openBrowser,
    [Symbol.asyncDispose]: () => close(server),
  }
}

/** The provider must know the address before the application listens. */
export async function reserveAddress(): Promise<string> {
  const reserved = await listen()
  const address = addressOf(reserved)
  await close(reserved)
  return address
}

export function openBrowser(): NetworkBrowser {
  const jars = new Map<string, Map<string, string>>()
  const visit = (url: string, form?: Record<string, string>) =>
    ask(url, form ? { method: 'POST', body: new URLSearchParams(form) } : {})
  async function ask(url: string, request: RequestInit): Promise<Visit> {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...request,
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const next = answer.headers.get('location')
    return next ? visit(new URL(next, url).href) : { status: answer.status, body: await answer.text() }
  }
  return { visit, delete: (url) => ask(url, { method: 'DELETE' }) }
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function close(server: Server) {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
