import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251))

onEngine('sqlite', 'files of base maps', (createDatabase) => {
  async function start(settings: Record<string, string> = { BASE_MAP_STREET_URL: 'maps/county.pmtiles' }) {
    const folder = mkdtempSync(join(tmpdir(), 'poa-base-maps-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const data = join(folder, 'data')
    mkdirSync(join(data, 'maps'), { recursive: true })
    writeFileSync(join(data, 'maps/county.pmtiles'), bytes)
    writeFileSync(join(data, 'poa.sqlite'), 'secret')
    writeFileSync(join(folder, 'outside.pmtiles'), 'secret')
    symlinkSync(join(folder, 'outside.pmtiles'), join(data, 'link.pmtiles'))
    const database = await createDatabase()
    const app = await startTestApp(database, { settings: { DATA_DIR: data, ...settings } })
    onTestFinished(() => app.close())
    return { app, data }
  }
  const address = '/base-maps/street.pmtiles'

  it('serves files whole or in ranges', async () => {
    const { app } = await start()
    const { tileServices } = await app.getJson<{ tileServices: Record<string, unknown> }>('/api/settings')
    expect(tileServices.street).toMatchObject({ light: { format: 'pmtiles', url: address }, dark: null })
    const whole = await app.get(address)
    expect(whole.statusCode).toBe(200)
    expect(whole.rawPayload.equals(bytes)).toBe(true)
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '1000' })
    const part = await app.get(address, { range: 'bytes=100-199', 'accept-encoding': 'gzip' })
    expect(part.statusCode).toBe(206)
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 100-199/1000', 'cache-control': 'no-cache' })
    expect(part.headers['content-encoding']).toBeUndefined()
    expect(part.rawPayload.equals(bytes.subarray(100, 200))).toBe(true)
    const head = await app.send({ method: 'HEAD', url: address })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '1000', ''])
  })

  it.each(['bytes=1000-', 'bytes=5000-6000'])('refuse %s with 416', async (range) => {
    const { app } = await start()
    expect((await app.get(address, { range })).statusCode).toBe(416)
  })

  it.each(['bytes=9-3', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=--1'])(
    'answers the odd range %s without an error',
    async (range) => {
      const { app } = await start()
      expect((await app.get(address, { range })).statusCode).toBeLessThan(500)
    },
  )

  it('changes the ETag of a replaced file', async () => {
    const { app, data } = await start()
    const { headers } = await app.get(address)
    expect((await app.get(address, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
    writeFileSync(join(data, 'maps/county.pmtiles'), 'another')
    const replaced = await app.get(address, { range: 'bytes=0-1', 'if-range': String(headers.etag) })
    expect([replaced.statusCode, replaced.body]).toEqual([200, 'another'])
    expect(replaced.headers.etag).not.toBe(headers.etag)
  })

  it('finds files added later, and no other files', async () => {
    const { app, data } = await start({
      BASE_MAP_STREET_URL: 'later.pmtiles',
      BASE_MAP_TERRAIN_DARK_URL: 'night.pmtiles',
    })
    expectProblem(await app.get(address), 404)
    writeFileSync(join(data, 'later.pmtiles'), 'here')
    expect((await app.get(address)).body).toBe('here')
    for (const name of [
      'county.pmtiles',
      'terrain.pmtiles',
      'poa.sqlite',
      '..%2Fdata%2Fpoa.sqlite',
      '__proto__',
      '%00',
    ])
      expect((await app.get(`/base-maps/${name}`)).statusCode, name).toBeGreaterThanOrEqual(400)
    rmSync(join(data, 'later.pmtiles'))
    symlinkSync(join(data, '../outside.pmtiles'), join(data, 'later.pmtiles'))
    expectProblem(await app.get(address), 404)
  })

  it('prevents the start if a link points outside of the data directory', async () => {
    await expect(start({ BASE_MAP_STREET_URL: 'link.pmtiles' })).rejects.toThrow(
      /^BASE_MAP_STREET_URL: .*link\.pmtiles is outside of DATA_DIR/,
    )
  })
})
