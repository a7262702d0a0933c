import { expect, it, onTestFinished } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const services = {
  BASE_MAP_STREET_URL: 'https://street.example:8443/a/{z}/{x}/{y}.png',
  BASE_MAP_SATELLITE_URL: 'http://imagery.example/{z}/{y}/{x}',
  BASE_MAP_TERRAIN_URL: 'county.pmtiles',
  BASE_MAP_TERRAIN_DARK_URL: 'https://styles.example/night',
  BASE_MAP_HOSTS: 'https://glyphs.example, http://local.example:81/',
  BASE_MAP_LABELS_URL: 'http://imagery.example/labels/{z}/{y}/{x}',
}

onEngine('sqlite', 'security', (createDatabase) => {
  it('sets headers on every answer: constant ones on data, and those of a page', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await using app = await startTestApp(database)
    const data = {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    }
    const page = {
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-frame-options': 'SAMEORIGIN',
    }
    for (const [url, own] of [
      ['/api/clients', data],
      ['/api/clients/A_B', data],
      ['/health/live', data],
      ['/api/maps/oak-hills/tiles/0/0/0.mvt', data],
      ['/api/nothing', page],
      ['/nothing', page],
    ] as const) {
      const { headers } = await app.get(url)
      expect(headers, url).toMatchObject({
        ...own,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
      })
      expect(headers['strict-transport-security']).toBeUndefined()
      expect(headers['x-powered-by']).toBeUndefined()
    }
  })

  it.each([
    ['https://land.example', 'max-age=31536000'],
    ['http://land.example', undefined],
    ['https://localhost:3000', undefined],
  ])('sends HSTS for public HTTPS addresses only: %s', async (PUBLIC_URL, header) => {
    await using app = await startTestApp(await createDatabase(), { settings: { PUBLIC_URL } })
    for (const url of ['/api/clients', '/health/live', '/api/nothing', '/nothing', '/sign-in'])
      expect((await app.get(url)).headers['strict-transport-security'], url).toBe(header)
  })

  it('lets the page connect to exactly the configured tile hosts', async () => {
    await using app = await startTestApp(await createDatabase(), { settings: services })
    const { headers } = await app.get('/a-page')
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split(';')
        .map((directive) => directive.trim().split(' '))
        .map(([name = '', ...sources]) => [name, sources.filter((source) => !source.startsWith("'nonce-"))]),
    )
    const hosts = [
      'https://street.example:8443',
      'http://imagery.example',
      'https://styles.example',
      'https://glyphs.example',
      'http://local.example:81',
    ]
    expect(policy).toEqual({
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'worker-src': ["'self'", 'blob:'],
      'img-src': ["'self'", 'data:', 'blob:', ...hosts],
      'connect-src': ["'self'", ...hosts],
      'font-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    })
  })

  it('limits an address with too many requests, and no other', async () => {
    const settings = { RATE_LIMIT_PER_MINUTE: '3', TRUSTED_PROXIES: '1' }
    await using app = await startTestApp(await createDatabase(), { settings })
    const from = (address: string, url = '/api/clients') => app.get(url, { 'x-forwarded-for': address })
    for (let requests = 0; requests < 3; requests++) expect((await from('10.0.0.1')).statusCode).toBe(200)
    const refused = await from('10.0.0.1')
    expectProblem(refused, 429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await from('10.0.0.2')).statusCode).toBe(200)
    expect((await from('10.0.0.1', '/health/ready')).statusCode).toBe(200)
    for (let requests = 0; requests < 15; requests++)
      expectProblem(await from('10.0.0.1', '/api/maps/nobody/tiles/0/0/0.mvt'), 404)
    expectProblem(await from('10.0.0.1', '/api/maps/nobody/tiles/0/0/0.mvt'), 429)
  })

  it.each([
    ['/api/clients', {}],
    ['/api/maps/nobody/tiles/0/0/0.mvt', {}],
    ['/nothing', {}],
    ['/api/clients', { authorization: 'Bearer wrong' }],
  ])('counts all addresses of one IPv6 network together: %s %j', async (url, headers) => {
    const settings = { RATE_LIMIT_PER_MINUTE: '2' }
    await using app = await startTestApp(await createDatabase(), { settings })
    const from = (remoteAddress: string) => app.send({ url, remoteAddress, headers })
    const statuses: number[] = []
    for (let host = 1; host <= 12; host++) statuses.push((await from(`2001:db8:1:2::${host}`)).statusCode)
    expect(statuses.at(-1)).toBe(429)
    expect((await from('2001:db8:1:3::1')).statusCode).not.toBe(429)
  })

  it('counts pages, files and unknown addresses in the same limit', async () => {
    const page = makeStubPage()
    onTestFinished(() => page.remove())
    for (const url of ['/', '/map/oak-hills', '/assets/page-1a2b3c.js', '/api/nothing']) {
      const settings = { RATE_LIMIT_PER_MINUTE: '2' }
      await using app = await startTestApp(await createDatabase(), { settings, pageDirectory: page.folder })
      for (const path of [url, '/api/clients']) expect((await app.get(path)).statusCode).not.toBe(429)
      expectProblem(await app.get(url), 429)
    }
  })

  it('answers browsers with a page, and programs with a problem', async () => {
    const page = makeStubPage()
    onTestFinished(() => page.remove())
    const settings = { RATE_LIMIT_PER_MINUTE: '2' }
    await using app = await startTestApp(await createDatabase(), { settings, pageDirectory: page.folder })
    for (const url of ['/', '/map/oak-hills', '/assets/page-1a2b3c.js', '/api/clients']) {
      const ask = (accept: string) => app.get(url, { accept })
      for (let count = 0; count < 2; count++) await ask('*/*')
      const refused = await ask('text/html,application/xhtml+xml,*/*;q=0.8')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expectProblem(await ask('*/*'), 429)
      if (url.startsWith('/api/')) {
        expectProblem(refused, 429)
        continue
      }
      expect(refused.statusCode).toBe(429)
      expect(refused.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      })
      expect(refused.body).toContain('<h1>Too many requests</h1>')
      expect(refused.body).toMatch(/try again in (1 minute|\d+ seconds)/)
      expect(refused.body).toContain('<a class="button primary" href="">Try again</a>')
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(
        String(refused.headers['content-security-policy']),
      )?.[1]
      expect(refused.body).toContain(`<style nonce="${nonce}">`)
    }
  })

  it('ignores forwarded addresses unless a proxy is trusted', async () => {
    await using app = await startTestApp(await createDatabase(), { settings: { RATE_LIMIT_PER_MINUTE: '3' } })
    const ask = (forged: number) => app.get('/api/clients', { 'x-forwarded-for': `10.0.0.${forged}` })
    for (let requests = 0; requests < 3; requests++) expect((await ask(requests)).statusCode).toBe(200)
    expectProblem(await ask(3), 429)
  })
})
