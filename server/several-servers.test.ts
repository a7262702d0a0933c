import { expect, it, onTestFinished } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { openBrowser } from '#test/server/cookie-browser.ts'
import { sessionOf } from '#test/server/oidc-app.ts'
import { overHttp } from '#test/server/over-http.ts'
import { childrenOf } from '#test/server/processes.ts'
import { getOnce, reservePort, settingsOf, startServer } from '#test/server/server-process.ts'

onEachEngine('two servers of one machine', (_, { createLocation }) => {
  async function start(settings: Record<string, string> = {}) {
    const { port, release } = await reservePort()
    await release()
    const location = settingsOf(await createLocation())
    return startServer({ ...location, PORT: String(port), SERVERS: '2', ...settings })
  }

  it('share sessions and the demo sign-in, and stop together', async () => {
    await using servers = await start()
    const origin = `http://localhost:${servers.port}`
    const browser = openBrowser({ app: overHttp(servers.url) }, origin)
    // Each request has its own connection, and connections go to the servers in turn.
    for (const person of ['grace', 'rosa', 'tom']) {
      const choice = await browser.visit('/sign-in')
      expect(choice.body).toContain('<h1>Choose a demo user</h1>')
      await browser.visit(browser.url().href, { person })
      expect(await sessionOf(browser)).toMatchObject({ person: { id: `${origin}/demo-identity#${person}` } })
      const { redirectTo } = (await browser.signOut()).json()
      await browser.visit(redirectTo)
      expect(await sessionOf(browser)).toMatchObject({ person: null })
    }
    servers.kill('SIGTERM')
    expect(await servers.exited).toBe(0)
  }, 60_000)

  it('tell each other of changes', async () => {
    await using servers = await start({ SAMPLE_DATA: 'on' })
    const origin = `http://localhost:${servers.port}`
    const browser = openBrowser({ app: overHttp(servers.url) }, origin)
    await browser.visit('/sign-in')
    await browser.visit(browser.url().href, { person: 'grace' })
    const texts: string[] = []
    const closing = new AbortController()
    onTestFinished(() => closing.abort())
    // In turn, so that both servers have some.
    for (let stream = 0; stream < 4; stream++) {
      texts[stream] = ''
      const { body } = await fetch(`${servers.url}/api/events?map=pine-ridge`, { signal: closing.signal })
      const read = async () => {
        for await (const chunk of body ?? []) texts[stream] += Buffer.from(chunk).toString()
      }
      read().catch(() => {})
    }
    const incident = `${servers.url}/api/maps/pine-ridge/features/incident-1`
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const { headers } = await getOnce(incident, { cookie })
    const changed = await fetch(incident, {
      method: 'PATCH',
      headers: {
        cookie,
        'content-type': 'application/json',
        'if-match': String(headers.etag),
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify({ title: 'Limb removed' }),
    })
    expect(changed.status).toBe(200)
    await expect.poll(() => texts.filter((text) => text.includes('event: change')).length).toBe(4)
  }, 60_000)

  it('count the requests of an address together', async () => {
    await using servers = await start({ RATE_LIMIT_PER_MINUTE: '10' })
    const statuses: number[] = []
    for (let sent = 0; sent < 12; sent++) statuses.push((await getOnce(`${servers.url}/api/clients`)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  }, 60_000)

  it('are replaced when one ends unexpectedly', async () => {
    await using servers = await start()
    const [first = 0] = childrenOf(servers.pid)
    process.kill(first, 'SIGKILL')
    await servers.waitFor(/A server ended unexpectedly. Starting another./)
    await expect.poll(() => childrenOf(servers.pid).length, { timeout: 10_000 }).toBe(2)
    for (let sent = 0; sent < 4; sent++)
      expect((await getOnce(`${servers.url}/health/ready`)).status).toBe(200)
  }, 60_000)
})
