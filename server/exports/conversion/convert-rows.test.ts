import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runConversion } from './convert-rows.ts'

const feature = (id: string) =>
  `{"type":"Feature","properties":{"id":"${id}"},"geometry":{"type":"Point","coordinates":[1,2]}}\n`

async function start(features: number) {
  const folder = await mkdtemp(join(tmpdir(), 'poa-conversion-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'all.geojsonl')
  await writeFile(path, feature('a').repeat(features))
  const leaving = new AbortController()
  const layers = [{ name: '', path, isEmpty: false }]
  const limits = { signal: leaving.signal, timeLimitMs: 120_000 }
  return { folder, leaving, limits, order: { format: 'gpkg', layers, folder, name: 'lots' } as const }
}

it('ends when the client disconnects', async () => {
  const { order, leaving, limits, folder } = await start(200_000)
  const running = runConversion(order, limits)
  leaving.abort(new Error('left'))
  await expect(running).rejects.toThrow('left')
  expect(await readdir(folder)).toEqual(['all.geojsonl'])
})

it('reports the error of GDAL', async () => {
  const { order, limits, folder } = await start(0)
  await expect(runConversion(order, limits)).rejects.toThrow(/^Could not write an export: /)
  expect(await readdir(folder)).toEqual(['all.geojsonl'])
})
