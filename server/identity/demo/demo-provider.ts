import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type {
  Adapter,
  AdapterPayload,
  KoaContextWithOIDC,
  Provider,
  Configuration as ProviderConfiguration,
} from 'oidc-provider'
import { type Nonces, type PlainPage, renderPage } from '../../http/plain-page.ts'
import { askFirst, isOneOfSeveral } from '../../processes/several-servers.ts'
import { demoRefusalPage, demoSignedOutPage, demoSignOutPage } from './demo-pages.ts'
import { findDemoPerson } from './demo-people.ts'

export const demoPath = '/demo-identity'
const daySeconds = 86_400

export type DemoClient = { id: string; secret: string }

/** The JSON Web Key that signs ID tokens, and the key of cookies. */
export type DemoKeys = { jwk: object; cookies: string }

export function createDemoKeys(): DemoKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { jwk: privateKey.export({ format: 'jwk' }), cookies: randomBytes(32).toString('base64url') }
}

/** Nonces by request: the provider renders pages without our replies. */
export const noncesOfRequest = new WeakMap<IncomingMessage, Nonces>()

/** A real OpenID Connect provider at our own address. Keys and sessions last as long as the first process. */
export async function createDemoProvider(publicUrl: string, client: DemoClient): Promise<Provider> {
  const { Provider } = await import('oidc-provider')
  const keys = isOneOfSeveral ? await askFirst<DemoKeys>('demoKeys') : createDemoKeys()
  const provider = new Provider(`${publicUrl}${demoPath}`, settings(publicUrl, client, keys))
  // Host headers may be forged: the demo's routes replace them.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    await endSessionUnasked(ctx as KoaContextWithOIDC, provider)
  })
  return provider
}

function settings(publicUrl: string, client: DemoClient, keys: DemoKeys): ProviderConfiguration {
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const
  const { port } = new URL(publicUrl)
  return {
    adapter: isOneOfSeveral ? sharedDemoStorage : createDemoStorage(),
    jwks: { keys: [{ ...keys.jwk, alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/config/map`],
      },
    ],
    cookies: {
      keys: [keys.cookies],
      long: { ...cookie, path: demoPath },
      // Each sign-in has its own path, for several tabs.
      short: cookie,
      // Cookies ignore ports: two servers on one machine must not share them.
      names: {
        session: `poa-demo-session-${port}`,
        interaction: `poa-demo-interaction-${port}`,
        resume: `poa-demo-resume-${port}`,
      },
    },
    claims: { openid: ['sub', 'roles'], profile: ['name'] },
    // All claims are in the ID token, as with many providers.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          const xsrf = /name="xsrf" value="(\w+)"/.exec(form)?.[1] ?? ''
          sendKoaPage(ctx, demoSignOutPage(`${publicUrl}${demoPath}/session/end/confirm`, xsrf))
        },
        postLogoutSuccessSource: async (ctx) => sendKoaPage(ctx, demoSignedOutPage()),
      },
    },
    interactions: { url: (_ctx, { uid }) => `${publicUrl}${demoPath}/choose/${uid}` },
    findAccount: async (_ctx, id) => {
      const person = findDemoPerson(id)
      return (
        person && {
          accountId: id,
          claims: async () => ({ sub: id, name: person.name, roles: [...person.roles] }),
        }
      )
    },
    // Needs no consent.
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.session?.grantIdFor(client.id)
      const found = grantId ? await oidc.provider.Grant.find(grantId) : undefined
      if (found) return found
      const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    renderError: async (ctx) => {
      if (ctx.oidc.route === 'end_session') ctx.redirect(`${publicUrl}/config/map`)
      else sendKoaPage(ctx, demoRefusalPage())
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 900,
      Session: daySeconds,
      Grant: daySeconds,
    },
  }
}

/** Skips the confirmation after our own sign-out, which sends a token. */
async function endSessionUnasked(ctx: KoaContextWithOIDC, provider: Provider) {
  if (ctx.method !== 'GET' || ctx.status !== 200 || ctx.oidc?.route !== 'end_session') return
  const { session, entities } = ctx.oidc
  const target = (session?.state as { postLogoutRedirectUri?: string } | undefined)?.postLogoutRedirectUri
  if (!session || !entities.IdTokenHint || !target) return
  await session.destroy()
  ctx.oidc.cookies.set(provider.cookieName('session'), null, { path: demoPath })
  ctx.status = 303
  ctx.redirect(target)
}

function sendKoaPage(ctx: KoaContextWithOIDC, page: PlainPage) {
  const nonces = noncesOfRequest.get(ctx.req)
  if (!nonces) throw new Error('A demo page without nonces')
  ctx.type = 'html'
  ctx.body = renderPage(page, nonces)
}

const maxEntries = 2_000

type Entry = { payload: AdapterPayload; expiresAt: number }

export function createDemoStorage(): (model: string) => Adapter {
  const entries = new Map<string, Entry>()
  const read = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > Date.now() ? entry : undefined
  }
  const dropOldest = () => {
    for (const key of entries.keys()) {
      if (entries.size <= maxEntries) return
      entries.delete(key)
    }
  }
  const findWhere = (model: string, isSought: (payload: AdapterPayload) => boolean) => {
    for (const [key, { payload }] of entries)
      if (key.startsWith(`${model}:`) && isSought(payload) && read(key)) return payload
    return undefined
  }

  return (model) => ({
    async upsert(id, payload, expiresInSeconds) {
      const key = `${model}:${id}`
      entries.delete(key)
      entries.set(key, {
        payload,
        expiresAt: Date.now() + (expiresInSeconds || Number.POSITIVE_INFINITY) * 1000,
      })
      dropOldest()
    },
    find: async (id) => read(`${model}:${id}`)?.payload,
    findByUid: async (uid) => findWhere(model, (payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const entry = read(`${model}:${id}`)
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key)
    },
  })
}

const storageMethods = [
  'upsert',
  'find',
  'findByUid',
  'findByUserCode',
  'consume',
  'destroy',
  'revokeByGrantId',
] as const

/** Several servers keep it in the first process. */
const sharedDemoStorage = (model: string) =>
  Object.fromEntries(
    storageMethods.map((method) => [
      method,
      (...args: unknown[]) => askFirst('demoStorage', model, method, ...args),
    ]),
  ) as unknown as Adapter

/** Answers the servers in the first process. */
export function demoHandlers() {
  let keys: DemoKeys | undefined
  const storage = createDemoStorage()
  return {
    demoKeys() {
      keys ??= createDemoKeys()
      return keys
    },
    demoStorage: (model: string, method: (typeof storageMethods)[number], ...args: unknown[]) =>
      (storage(model)[method] as (...args: unknown[]) => unknown)(...args),
  }
}
