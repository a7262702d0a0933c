import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A small OpenID Connect provider on a real server with real keys, with configurable faults.

type Claims = Record<string, unknown>
type Body = { status?: number; type?: string; text: string } | 'hang'

export type Misbehaviour = {
  discovery?: Body
  token?: Body
  keys?: Body
  userInfo?: Body
  /** Called when a request starts to hang. */
  onHang?(): void
  /** Undefined values are removed. */
  metadata?: Claims
  /** Undefined values are removed. */
  claims?: Claims
  signedWith?: 'nothing' | 'the client secret' | 'a key of somebody else'
  withoutIdToken?: boolean
  callback?(parameters: URLSearchParams): void
}

export type HostileProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  authentication(): 'header' | 'body' | 'none' | undefined
  misbehave(how: Misbehaviour): void
  /** Undefined claims are removed. */
  logoutToken(claims?: Claims, type?: string): string
  [Symbol.asyncDispose](): Promise<void>
}

const clientId = 'land & maps'
const clientSecret = 'top-secret_%&'
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const json = (value: unknown, status = 200): Body => ({ status, text: JSON.stringify(value) })

export async function startHostileProvider(): Promise<HostileProvider> {
  let how: Misbehaviour = {}
  let authentication: ReturnType<HostileProvider['authentication']>
  const codes = new Map<string, { nonce: string; challenge: string }>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', issuer)
    if (url.pathname === '/authorize') return authorize(url.searchParams, response)
    const answers: Record<string, () => Body | Promise<Body>> = {
      '/.well-known/openid-configuration': () => how.discovery ?? json(metadata()),
      '/keys': () =>
        how.keys ?? json({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), use: 'sig' }] }),
      '/userinfo': () => how.userInfo ?? json({ sub: 'ana', name: 'Ana of Userinfo' }),
      '/token': () => exchange(request),
    }
    const body = (await answers[url.pathname]?.()) ?? { status: 404, text: '' }
    if (body === 'hang') return how.onHang?.()
    response.writeHead(body.status ?? 200, { 'content-type': body.type ?? 'application/json' }).end(body.text)
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end`,
    authorization_response_iss_parameter_supported: true,
    ...how.metadata,
  })

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const code = randomUUID()
    const read = (name: string) => asked.get(name) ?? ''
    codes.set(code, { nonce: read('nonce'), challenge: read('code_challenge') })
    if (read('code_challenge_method') !== 'S256' || read('nonce').length < 40)
      return response.writeHead(400).end()
    const target = new URL(read('redirect_uri'))
    for (const [name, value] of [
      ['code', code],
      ['state', read('state')],
      ['iss', issuer],
    ] as const)
      target.searchParams.set(name, value)
    how.callback?.(target.searchParams)
    response.writeHead(302, { location: target.href }).end()
  }

  async function exchange(request: IncomingMessage): Promise<Body> {
    const form = new URLSearchParams((await request.toArray()).join(''))
    authentication = readAuthentication(request, form)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (how.token) return how.token
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge) return json({ error: 'invalid_grant' }, 400)
    const idToken = how.withoutIdToken ? {} : { id_token: makeIdToken(code.nonce) }
    return json({ access_token: 'access', token_type: 'bearer', expires_in: 60, ...idToken })
  }

  function makeIdToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      sub: 'ana',
      aud: clientId,
      nonce,
      iat: now,
      exp: now + 300,
      name: 'Ana Ruiz',
      ...how.claims,
    }
    return makeToken(claims)
  }

  function makeToken(claims: Claims, typ = 'JWT'): string {
    const algorithms = { nothing: 'none', 'the client secret': 'HS256', 'a key of somebody else': 'RS256' }
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = encode({ alg: how.signedWith ? algorithms[how.signedWith] : 'RS256', typ })
    const signed = `${head}.${encode(claims)}`
    const signatures = {
      nothing: () => '',
      'the client secret': () => createHmac('sha256', clientSecret).update(signed).digest('base64url'),
      'a key of somebody else': () => signWith(signed, otherKeys),
    }
    return `${signed}.${how.signedWith ? signatures[how.signedWith]() : signWith(signed, keys)}`
  }

  return {
    issuer,
    clientId,
    clientSecret,
    authentication: () => authentication,
    misbehave(next) {
      how = next
    },
    logoutToken(claims = {}, type = 'logout+jwt') {
      const now = Math.floor(Date.now() / 1000)
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const usual = {
        iss: issuer,
        sub: 'ana',
        aud: clientId,
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        events,
      }
      return makeToken({ ...usual, ...claims }, type)
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function signWith(text: string, { privateKey }: typeof keys): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64url')
}

function readAuthentication({ headers }: IncomingMessage, form: URLSearchParams) {
  const form64 = headers.authorization?.match(/^Basic (.+)$/)?.[1]
  const decoded = form64 && Buffer.from(form64, 'base64').toString()
  const [id, secret] = decoded
    ? decoded.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    : []
  if (id === clientId && secret === clientSecret) return 'header'
  if (form.get('client_id') !== clientId) return undefined
  return form.get('client_secret') === clientSecret ? 'body' : form.has('client_secret') ? undefined : 'none'
}
