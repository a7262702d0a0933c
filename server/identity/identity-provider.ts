import type { createRemoteJWKSet } from 'jose'
import type * as OpenidClient from 'openid-client'
import { everyRole, rolesOfClaim } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import type { Configuration } from '../settings/configuration.ts'
import { isLoopback } from '../settings/host-names.ts'
import { SignInRefusal } from './refusals.ts'
import type { SignIn } from './sign-ins.queries.ts'
import type { ProviderSignOut } from './sign-outs.queries.ts'

export const tokenRequestSeconds = 10
export const clockLeewaySeconds = 60

const logoutTokenSeconds = 300

const signatureAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string | null
  clientAuthentication: 'client_secret_basic' | 'client_secret_post'
  scope: string
  rolesClaim: string | null
  fetch?: OpenidClient.CustomFetch
}

export type Arrival = {
  person: Person
  idToken: string
  /** With its issuer; null if the provider does not send it. */
  providerSession: string | null
}

/** Contacted at the first sign-in. */
export type IdentityProvider = {
  authorizationUrl(checks: Pick<SignIn, 'codeVerifier' | 'nonce'> & { state: string }): Promise<URL>
  /** Exchanges the callback for a person. Throws a SignInRefusal. */
  finish(callback: URL, checks: Pick<SignIn, 'codeVerifier' | 'nonce'> & { state: string }): Promise<Arrival>
  /** The provider's own sign-out; null if it has none. */
  endSessionUrl(idToken: string): Promise<URL | null>
  readLogoutToken(token: string): Promise<ProviderSignOut>
}

export function connectIdentityProvider(
  settings: ProviderSettings,
  { publicUrl }: Pick<Configuration, 'publicUrl'>,
): IdentityProvider {
  let discovered: Promise<Connection> | undefined
  // Retries after a failure.
  const connect = () => {
    discovered ??= discover(settings).catch((error) => {
      discovered = undefined
      throw error
    })
    return discovered
  }

  return {
    async authorizationUrl({ codeVerifier, nonce, state }) {
      const { client, provider } = await connect()
      return client.buildAuthorizationUrl(provider, {
        redirect_uri: `${publicUrl}/sign-in/callback`,
        scope: settings.scope,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
    },
    async finish(callback, { codeVerifier, nonce, state }) {
      const { client, provider } = await connect()
      const tokens = await client.authorizationCodeGrant(provider, callback, {
        pkceCodeVerifier: codeVerifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims || !tokens.id_token) throw new SignInRefusal('unusable-answer')
      if (claims.iat > Date.now() / 1000 + clockLeewaySeconds) throw new SignInRefusal('wrong-clock')
      const lacking = isLacking(claims, settings.rolesClaim) && provider.serverMetadata().userinfo_endpoint
      const more = lacking ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
      return {
        person: personOf({ ...more, ...claims }, settings.issuer, settings.rolesClaim),
        idToken: tokens.id_token,
        providerSession: typeof claims.sid === 'string' ? `${settings.issuer}#${claims.sid}` : null,
      }
    },
    async endSessionUrl(idToken) {
      const { client, provider } = await connect()
      if (!provider.serverMetadata().end_session_endpoint) return null
      return client.buildEndSessionUrl(provider, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${publicUrl}/config/map`,
      })
    },
    async readLogoutToken(token) {
      const { provider, keys } = await connect()
      const { jwtVerify } = await import('jose')
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: signatureAlgorithms,
        issuer: provider.serverMetadata().issuer,
        audience: settings.clientId,
        clockTolerance: clockLeewaySeconds,
        maxTokenAge: logoutTokenSeconds,
      })
      return signOutOf(payload, protectedHeader.typ, settings.issuer)
    },
  }
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
function signOutOf(claims: Claims, type: string | undefined, issuer: string): ProviderSignOut {
  const { jti, sub, sid, events } = claims
  const refuseUnless = (isGood: boolean, what: string) => {
    if (!isGood) throw new Error(`the logout_token ${what}`)
  }
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  refuseUnless(type === undefined || /^(application\/)?(logout\+)?jwt$/i.test(type), 'is of another type')
  const event = (events as Claims | undefined)?.['http://schemas.openid.net/event/backchannel-logout']
  refuseUnless(typeof event === 'object' && event !== null, 'is not about a sign-out')
  refuseUnless(!('nonce' in claims), 'has a nonce')
  refuseUnless(isText(jti), 'has no jti')
  refuseUnless(
    [sub, sid].every((claim) => claim === undefined || isText(claim)),
    'names nobody',
  )
  refuseUnless(sub !== undefined || sid !== undefined, 'names nobody')
  return {
    issuer,
    tokenId: jti as string,
    subject: (sub as string | undefined) ?? null,
    session: (sid as string | undefined) ?? null,
  }
}

type Connection = {
  client: typeof OpenidClient
  provider: OpenidClient.Configuration
  keys: ReturnType<typeof createRemoteJWKSet>
}

async function discover(settings: ProviderSettings): Promise<Connection> {
  const client = await import('openid-client')
  const { issuer, clientId, clientSecret, clientAuthentication } = settings
  const authenticate = () => {
    if (clientSecret === null) return client.None()
    return clientAuthentication === 'client_secret_post'
      ? client.ClientSecretPost(clientSecret)
      : client.ClientSecretBasic(clientSecret)
  }
  // Without these checks the library ignores the signature of an ID token.
  const execute = [client.enableNonRepudiationChecks]
  if (issuer.startsWith('http:') && isLoopback(issuer)) execute.push(client.allowInsecureRequests)
  const provider = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockLeewaySeconds },
    authenticate(),
    {
      timeout: tokenRequestSeconds,
      execute,
      ...(settings.fetch ? { [client.customFetch]: settings.fetch } : {}),
    },
  )
  const { authorization_endpoint, token_endpoint, jwks_uri } = provider.serverMetadata()
  if (!authorization_endpoint || !token_endpoint || !jwks_uri) throw new SignInRefusal('unusable-answer')
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: tokenRequestSeconds * 1000,
    ...(settings.fetch ? { [customFetch]: settings.fetch as typeof fetch } : {}),
  })
  return { client, provider, keys }
}

/** Some providers put only the subject into the ID token, and the rest into the user info. */
function isLacking(claims: Claims, rolesClaim: string | null): boolean {
  const hasName = ['name', 'preferred_username', 'email'].some((name) => typeof claims[name] === 'string')
  return !hasName || (rolesClaim !== null && readClaim(claims, rolesClaim) === undefined)
}

type Claims = { readonly [name: string]: unknown }

const maxNameLength = 200

/** Subjects are unique only per issuer. */
export function personOf(claims: Claims, issuer: string, rolesClaim: string | null): Person {
  const { sub } = claims
  // OpenID Connect: at most 255 ASCII characters.
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) throw new SignInRefusal('unusable-answer')
  return {
    id: `${issuer}#${sub}`,
    name: nameOf(claims) ?? sub,
    roles: rolesClaim === null ? everyRole : rolesOfClaim(readClaim(claims, rolesClaim)),
  }
}

function nameOf(claims: Claims): string | undefined {
  return [claims.name, claims.preferred_username, claims.email].map(cleanName).find((name) => name !== '')
}

/** One line without control and bidirectional characters. */
function cleanName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const line = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, maxNameLength).join('').trim()
}

function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, step) => {
    const isObject = typeof value === 'object' && value !== null
    return isObject && Object.hasOwn(value, step) ? (value as Claims)[step] : undefined
  }, claims)
}
