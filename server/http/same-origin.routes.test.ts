import { describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const publicUrl = 'https://land.example'
const settings = { PUBLIC_URL: publicUrl, ALLOWED_HOSTS: '10.0.0.7' }

onEngine('sqlite', 'a request that may change data', (createDatabase) => {
  const start = async (more = {}) => {
    const database = await createDatabase()
    const app = await startTestApp(database, { settings: { ...settings, ...more } })
    const { cookie } = await signIn(database, 'administrator', { settings })
    const send = (headers: Record<string, string>, method: 'DELETE' | 'GET' = 'DELETE') =>
      app.send({ method, url: '/api/session', headers: { host: 'land.example', cookie, ...headers } })
    return { send, app, cookie, [Symbol.asyncDispose]: app.close }
  }

  describe('is rejected without effect when it comes', () => {
    it.each<[what: string, headers: Record<string, string>]>([
      ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['from another site, by a browser that tells no more', { origin: 'https://evil.example' }],
      [
        'from a site that says it is ours',
        { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      ],
      ['from a neighbour', { 'sec-fetch-site': 'same-site', origin: 'https://other.land.example' }],
      ['from the same name without https', { origin: 'http://land.example:80' }],
      ['from a name that begins like ours', { origin: 'https://land.example.evil.example' }],
      ['from a document without an origin', { origin: 'null' }],
      ['from the address line', { 'sec-fetch-site': 'none' }],
      ['from nowhere, with a session', {}],
      [
        'with a forged host of an untrusted proxy',
        { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
      ],
    ])('%s', async (_what, headers) => {
      await using server = await start()
      expectProblem(await server.send(headers), 403)
      expect((await server.send({}, 'GET')).json()).toMatchObject({ person: { name: 'Maya Ortiz' } })
    })
  })

  describe('is accepted when it comes', () => {
    it.each<[what: string, headers: Record<string, string>]>([
      ['from our own page', { 'sec-fetch-site': 'same-origin', origin: publicUrl }],
      ['from our own page, in an older browser', { origin: publicUrl }],
      ['from our own page, in a browser that sends no origin', { 'sec-fetch-site': 'same-origin' }],
      ['from the requested host', { host: '10.0.0.7:3000', origin: 'http://10.0.0.7:3000' }],
      ['from a program without a session', { cookie: '' }],
    ])('%s', async (_what, headers) => {
      await using server = await start()
      expect((await server.send(headers)).statusCode).toBe(200)
    })
  })

  it('is accepted from another site if it only reads', async () => {
    await using server = await start()
    expect((await server.send({ 'sec-fetch-site': 'cross-site' }, 'GET')).statusCode).toBe(200)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s to nowhere is refused too', async (method) => {
    await using server = await start()
    const headers = { origin: 'https://evil.example' }
    expectProblem(await server.app.send({ method, url: '/api/nothing', headers }), 403)
    expectProblem(await server.app.send({ method, url: '/demo-identity/token', headers }), 403)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/xml',
  ])('accepts only JSON: %s', async (type) => {
    await using server = await start()
    const body = { 'content-type': type, 'sec-fetch-site': 'same-origin', cookie: server.cookie }
    const answer = await server.app.send({
      method: 'DELETE',
      url: '/api/session',
      headers: body,
      payload: '{}',
    })
    expectProblem(answer, 415)
  })
})
