import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider, Configuration as ProviderConfiguration } from 'oidc-provider'
import { type Nonces, type PlainPage, renderPage } from '../../http/plain-page.ts'
import { demoRefusalPage, demoSignedOutPage, demoSignOutPage } from './demo-pages.ts'
import { findDemoPerson } from './demo-people.ts'
import { createDemoStorage } from './demo-storage.ts'

export const demoPath = '/demo-identity'
const daySeconds = 86_400

export type DemoClient = { id: string; secret: string }

/** Nonces of the answer to a request: the provider makes pages where our server's replies are out of reach. */
export const noncesOfRequest = new WeakMap<IncomingMessage, Nonces>()

/** A real OpenID Connect provider, at our own address, with keys and a memory that last as long as the process. */
export async function createDemoProvider(publicUrl: string, client: DemoClient): Promise<Provider> {
  const { Provider } = await import('oidc-provider')
  const provider = new Provider(`${publicUrl}${demoPath}`, settings(publicUrl, client))
  // A request's host header may be forged: the demo's routes replace it by ours.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    await endSessionUnasked(ctx as KoaContextWithOIDC, provider)
  })
  return provider
}

function settings(publicUrl: string, client: DemoClient): ProviderConfiguration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const
  const { port } = new URL(publicUrl)
  return {
    adapter: createDemoStorage(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/config/map`],
      },
    ],
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      long: { ...cookie, path: demoPath },
      // Each has the path of its own sign-in: several tabs have several.
      short: cookie,
      // Cookies know no ports: two servers on one machine must not take each other's.
      names: {
        session: `poa-demo-session-${port}`,
        interaction: `poa-demo-interaction-${port}`,
        resume: `poa-demo-resume-${port}`,
      },
    },
    claims: { openid: ['sub', 'roles'], profile: ['name'] },
    // Everything stands in the ID token, as many providers do.
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
    // Nobody has to consent to what the demo tells its own server.
    loadExistingGrant: async ({ oidc }) => {
      const known = oidc.session?.grantIdFor(client.id)
      const found = known ? await oidc.provider.Grant.find(known) : undefined
      if (found) return found
      const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    renderError: async (ctx) => {
      // A hint from before the server was started anew: nobody is signed in here any more.
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

/** Whoever comes from our own sign-out, with a token to show for it, is not asked whether they mean it. */
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
