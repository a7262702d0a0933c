import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const page = makeStubPage()
afterAll(() => page.remove())

const publicUrl = 'https://land.example'

onEngine('sqlite', 'host names', (createDatabase) => {
  const start = async (settings = {}) =>
    startTestApp(await createDatabase(), {
      settings: { PUBLIC_URL: publicUrl, ALLOWED_HOSTS: 'land.internal, [fd00::7],192.168.0.7', ...settings },
      pageDirectory: page.folder,
    })

  it.each([
    'land.example',
    'LAND.EXAMPLE',
    'land.example:443',
    'land.example:8443',
    'localhost',
    'localhost:5173',
    'poa.localhost',
    '127.0.0.1:3000',
    '[::1]:3000',
    'land.internal:3000',
    '[fd00::7]:3000',
    '192.168.0.7',
  ])('are accepted: %s', async (host) => {
    await using app = await start()
    for (const url of ['/api/clients', '/', '/assets/page-1a2b3c.js'])
      expect((await app.get(url, { host })).statusCode).toBe(200)
  })

  describe('are rejected otherwise', () => {
    it.each([
      'evil.example',
      'evil.example:3000',
      'land.example.evil.example',
      'evil-land.example',
      'localhost.evil.example',
      '10.0.0.7:3000',
      'land.example@evil.example',
      'evil.example@land.example',
      'land.example/evil',
      '[::2]',
      ' ',
      'ü',
    ])('%j', async (host) => {
      await using app = await start()
      for (const url of [
        '/api/clients',
        '/api/nothing',
        '/',
        '/assets/page-1a2b3c.js',
        '/sign-in',
        '/nothing/x',
      ])
        expectProblem(await app.get(url, { host }), 421)
      const change = { method: 'DELETE', url: '/api/session', headers: { host } } as const
      expectProblem(await app.send(change), 421)
    })

    it('also through a proxy, which may forward another name', async () => {
      await using app = await start({ TRUSTED_PROXIES: '1' })
      const ask = (host: string, forwarded: string) =>
        app.get('/api/clients', { host, 'x-forwarded-host': forwarded })
      expect((await ask('127.0.0.1:3000', 'land.example')).statusCode).toBe(200)
      expectProblem(await ask('127.0.0.1:3000', 'evil.example'), 421)
      expectProblem(await ask('evil.example', 'land.example'), 421)
    })

    it('with a page for people that links to the right address', async () => {
      await using app = await start()
      for (const url of ['/', '/map/pine-ridge', '/sign-in']) {
        const answer = await app.get(url, { host: '<b>evil.example', accept: 'text/html,*/*' })
        expect(answer.statusCode).toBe(421)
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(answer.body).toContain('<h1>Wrong address</h1>')
        expect(answer.body).toContain(`href="${publicUrl}/"`)
        expect(answer.body).not.toContain('<b>')
      }
      expectProblem(await app.get('/api/clients', { host: 'evil.example', accept: 'text/html' }), 421)
    })

    it.each<[what: string, request: string, status: number]>([
      [
        'an address with another name in it',
        'GET http://evil.example/api/clients HTTP/1.1\r\nhost: localhost',
        421,
      ],
      [
        'an address with our name, for another',
        'GET http://localhost/api/clients HTTP/1.1\r\nhost: evil.example',
        421,
      ],
      ['an address with our name', 'GET http://localhost/api/clients HTTP/1.1\r\nhost: localhost', 200],
      ['no name, as old programs ask', 'GET /api/clients HTTP/1.0', 421],
      ['no name, for the state of the server', 'GET /health/live HTTP/1.0', 200],
      ['a blank name', 'GET /api/clients HTTP/1.1\r\nhost:', 421],
      ['no name', 'GET /api/clients HTTP/1.1', 400],
      ['two names', 'GET /api/clients HTTP/1.1\r\nhost: localhost\r\nHOST: evil.example', 400],
      ['one name twice', 'GET / HTTP/1.1\r\nhost: localhost\r\nhost: localhost', 400],
      ['two names for what is not there', 'GET /x HTTP/1.1\r\nhost: localhost\r\nhost: a', 400],
      ['two names, for the state', 'GET /health/live HTTP/1.1\r\nhost: localhost\r\nhost: a', 400],
      ['a header with the value host', 'GET /api/clients HTTP/1.1\r\nhost: localhost\r\nx: host', 200],
    ])('in raw requests: %s', async (_what, request, status) => {
      await using app = await start()
      const port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
      const socket = connect(port, '127.0.0.1')
      socket.end(`${request}\r\nconnection: close\r\n\r\n`)
      const answer = (await socket.setEncoding('utf8').toArray()).join('')
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    })
  })

  it.each(['10.0.0.7', 'evil.example', '?'])('do not matter to who asks for its state: %j', async (host) => {
    await using app = await start()
    for (const url of ['/health/live', '/health/ready'])
      expect((await app.get(url, { host })).statusCode).toBe(200)
    expectProblem(await app.get('/health/nothing', { host }), 421)
  })
})
