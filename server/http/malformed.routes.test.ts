import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

const page = makeStubPage()
afterAll(() => page.remove())

// Through a real socket, because clients cannot send most of these.
onEachEngine('a malformed request', (createDatabase, { engine }) => {
  let app: TestApp
  let database: TestDatabase
  let port: number
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    app = await startTestApp(database, { pageDirectory: page.folder })
    port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  afterAll(() => app.close())

  const get = (target: string | Buffer, ...headers: string[]) =>
    exchange(port, [
      Buffer.from('GET '),
      Buffer.from(target),
      Buffer.from([' HTTP/1.1', 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n')),
    ])

  describe('has an unreadable address', () => {
    it.each<[what: string, target: string | Buffer, status: number]>([
      ['a percent sign that encodes nothing', '/api/clients/%zz', 400],
      ['half a percent code', '/api/clients/%4', 400],
      ['a lone percent sign', '/%', 400],
      ['bytes that are no UTF-8', '/api/clients/%ff%fe', 400],
      ['a lone surrogate', '/api/clients/%ed%a0%80', 400],
      ['NUL', '/api/clients/%00', 400],
      ['NUL in a search', '/api/clients?text=%00', 400],
      ['raw bytes that are no UTF-8', Buffer.from([...Buffer.from('/api/clients/'), 0xff, 0xfe]), 400],
      ['an over-long parameter', `/api/clients/${'x'.repeat(400)}`, 414],
      ['an over-long path', `/${'x'.repeat(20_000)}`, 431],
      ['an over-long search', `/api/clients?text=${'x'.repeat(20_000)}`, 431],
      ['a blank', '/api/ clients', 400],
      ['no slash', 'api/clients', 400],
    ])('%s', async (_what, target, status) => {
      expectProblem(await get(target), status)
    })
  })

  it.each(['', '%20', '0x10', 'Infinity', '1_0', 'true'])('has %j as a number', async (text) => {
    for (const target of [
      `/api/clients?limit=${text}`,
      `/api/maps/oak-hills/reports/similar?lat=${text}&lng=0`,
      `/ogc/oak-hills/collections/parcels/items?bbox=${text},0,1,1`,
    ])
      expect(expectProblem(await get(target), 400).errors, target).toHaveLength(1)
  })

  it.each([
    '/api/clients?text=%ff',
    '/api/clients?text=%zz',
    '/api/clients?%zz=1',
    '/api/clients?text=%ed%a0%80',
  ])('has an invalid query, without a server error: %s', async (target) => {
    const answer = await get(target)
    expect([200, 400]).toContain(answer.statusCode)
  })

  if (engine === 'postgres') return
  describe('is not HTTP', () => {
    it.each<[what: string, text: string, status: number]>([
      ['nonsense', 'nonsense\r\n\r\n', 400],
      ['a header without a colon', 'GET /api/clients HTTP/1.1\r\nhost localhost\r\n\r\n', 400],
      [
        'headers that never end',
        `GET /api/clients HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
        431,
      ],
      [
        'two lengths',
        'POST /api/x HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
        400,
      ],
      ['a bad chunk', 'POST /api/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
    ])('%s', async (_what, text, status) => {
      expectProblem(await exchange(port, [Buffer.from(text)]), status)
    })
  })

  it.each(['application/json', 'application/merge-patch+json', 'application/geo+json'])(
    'has a body of %s that is nested too deep',
    async (type) => {
      const url =
        type === 'application/geo+json' ? '/ogc/oak-hills/collections/parcels/items' : '/api/clients'
      for (const payload of ['['.repeat(5_000), `{"name":${'{"a":'.repeat(33)}1${'}'.repeat(34)}`]) {
        const method = type === 'application/merge-patch+json' ? 'PATCH' : 'POST'
        const at = method === 'PATCH' ? `${url}/oak-hills` : url
        const headers = { 'content-type': type, ...(await signIn(database)) }
        const answer = await app.send({ method, url: at, headers, payload })
        expect(expectProblem(answer, 400).detail).toBe('The body is nested more than 32 levels deep.')
      }
    },
  )

  it('may have any number of brackets in its texts', async () => {
    const headers = { 'content-type': 'application/json', ...(await signIn(database)) }
    const payload = JSON.stringify({ name: `"\\${'[{'.repeat(90)}`, location: '\\"' })
    const answer = await app.send({ method: 'POST', url: '/api/clients', headers, payload })
    expect(answer.statusCode, answer.body).toBe(201)
  })

  it.each(['PROPFIND', 'TRACE', 'SEARCH', 'LOCK', 'PURGE'])(
    'has an unsupported method: %s',
    async (method) => {
      const request = `${method} /api/clients HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`
      expectProblem(await exchange(port, [Buffer.from(request)]), 404)
    },
  )
})

async function exchange(port: number, pieces: Buffer[]) {
  const socket = connect(port, '127.0.0.1')
  socket.write(Buffer.concat(pieces))
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('end', resolve)
    socket.once('close', () => resolve())
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' ? resolve() : reject(error),
    )
  })
  socket.destroy()
  const text = Buffer.concat(chunks).toString('utf8')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { statusCode: Number(statusLine.split(' ')[1]), headers, body }
}
