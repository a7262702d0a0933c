import { once } from 'node:events'
import { truncateSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { getOnce } from '#test/server/server-process.ts'
import { startTestApp } from '#test/server/test-app.ts'

afterEach(() => vi.useRealTimers())

onEngine('sqlite', 'connections', (createDatabase) => {
  async function start(settings: Record<string, string> = {}) {
    const page = makeStubPage()
    onTestFinished(() => page.remove())
    const large = join(page.folder, 'assets/large-1a2b3c.js')
    writeFileSync(large, '')
    truncateSync(large, 200_000_000)
    const app = await startTestApp(await createDatabase(), { settings, pageDirectory: page.folder })
    const served: Socket[] = []
    app.app.server.on('connection', (socket) => served.push(socket))
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const open = async (text = '') => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      const accepted = once(app.app.server, 'connection')
      await once(socket, 'connect')
      await accepted
      socket.write(text)
      return socket
    }
    const accepted = async (count: number) => {
      while (served.length < count) await once(app.app.server, 'connection')
    }
    const timeOutAfter = (ms: number) => {
      expect(app.app.server.timeout).toBe(20_000)
      app.app.server.timeout = ms
    }
    return { url, open, accepted, served, timeOutAfter, [Symbol.asyncDispose]: app.close }
  }
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`
  const large = get('/assets/large-1a2b3c.js')

  it('are closed if a client reads nothing', async () => {
    await using server = await start()
    server.timeOutAfter(200)
    await server.open(large)
    await once(server.served[0] as Socket, 'close')
    expect((await getOnce(`${server.url}/health/live`)).status).toBe(200)
  })

  it('are closed if a client takes five minutes to read an answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    await using server = await start()
    const reader = await server.open(large)
    await once(reader, 'readable')
    const cut = once(server.served[0] as Socket, 'close')
    vi.advanceTimersByTime(4 * 60_000)
    expect(server.served[0]?.destroyed).toBe(false)
    vi.advanceTimersByTime(2 * 60_000)
    await cut
  })

  it('are served with a few concurrent requests, and closed with many', async () => {
    await using server = await start()
    const ask = async (count: number) => {
      const last = get('/health/live', 'connection: close\r\n')
      const socket = await server.open(get('/health/live').repeat(count - 1) + last)
      const text = (await socket.setEncoding('utf8').toArray()).join('')
      return text.match(/HTTP\/1\.1 200 /g)?.length ?? 0
    }
    expect(await ask(10)).toBe(10)
    expect(await ask(500)).toBe(0)
  })

  it.each<[settings: Record<string, string>, status: number, words: string]>([
    [{ MAX_CONNECTIONS_PER_ADDRESS: '3' }, 429, 'too many connections from this address'],
    [{ MAX_CONNECTIONS: '3' }, 503, 'too many connections'],
    [{ MAX_CONNECTIONS: '3', TRUSTED_PROXIES: '1' }, 503, 'too many connections'],
  ])(
    'beyond the limit get the reason, and still the health of the server: %j',
    async (settings, status, words) => {
      await using server = await start(settings)
      const idle = [await server.open(), await server.open(), await server.open()]
      const refused = await getOnce(`${server.url}/api/clients`)
      expect(refused.status, refused.body).toBe(status)
      expect(refused.body).toContain(words)
      expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '10' })
      const page = await getOnce(`${server.url}/map`, { accept: 'text/html' })
      expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } })
      expect(page.headers).toMatchObject({ connection: 'close', 'retry-after': '10' })
      expect(page.body).toContain(words)
      expect((await getOnce(`${server.url}/health/ready`)).status).toBe(200)
      const [one] = server.served
      idle[0]?.destroy()
      if (!one?.destroyed) await once(one as Socket, 'close')
      expect((await getOnce(`${server.url}/api/clients`)).status).toBe(200)
    },
  )

  it('of a proxy do not count as one address', async () => {
    await using server = await start({ MAX_CONNECTIONS_PER_ADDRESS: '1', TRUSTED_PROXIES: '1' })
    await Promise.all([server.open(), server.open()])
    expect((await getOnce(`${server.url}/api/clients`)).status).toBe(200)
  })

  it.each([
    ['a visitor', '0', 10],
    ['a proxy', '1', 130],
  ])('of %s stay open when idle', async (_of, proxies, seconds) => {
    await using server = await start({ TRUSTED_PROXIES: proxies })
    const { headers } = await fetch(`${server.url}/health/live`)
    expect(headers.get('keep-alive')).toBe(`timeout=${seconds}`)
  })

  it('beyond the limit by the thousand are closed without an answer, and do not block health checks', async () => {
    await using server = await start({ MAX_CONNECTIONS_PER_ADDRESS: '1' })
    const all = await Promise.all(Array.from({ length: 150 }, () => server.open()))
    await server.accepted(150)
    expect(server.served.filter(({ destroyed }) => destroyed)).toHaveLength(49)
    expect((await getOnce(`${server.url}/health/ready`)).status).toBe(200)
    const closed = server.served.filter(({ closed }) => !closed).map((socket) => once(socket, 'close'))
    for (const socket of all) socket.destroy()
    await Promise.all(closed)
    expect((await getOnce(`${server.url}/api/clients`)).status).toBe(200)
  })
})
