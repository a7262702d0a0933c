import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import fc from 'fast-check'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFeature } from '#domain/features/feature.schema.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { arbitraryFeatures } from '#test/random/arbitrary-features.ts'
import { fullestTiles, readAnchors, type Tile } from '#test/server/tile-cells.ts'
import { findOgrinfo } from '../../scripts/find-tools.mjs'
import { encodeTile } from './encode-tile.ts'

const tilesOfZoom = 2
const zooms = Array.from({ length: maxTileZoom + 1 }, (_, zoom) => zoom)
const ogrinfo = findOgrinfo()

onEachEngine('tiles', (createDatabase, { engine }) => {
  let database: TestDatabase
  let sample: Tile[]
  beforeAll(async () => {
    database = await createDatabase()
    await storeMap(database, 'a-map')
    const features = fc.sample(arbitraryFeatures, { numRuns: 40, seed: 5 }).flat()
    const storable = features.map((feature, index) => ({ ...feature, id: `f${index}` }))
    await storeFeatures(
      database,
      storable.filter((feature) => newFeature.safeParse(feature).success),
    )
    const anchors = await readAnchors(database, 'a-map')
    sample = zooms.flatMap((z) => fullestTiles(anchors, z).slice(0, tilesOfZoom))
    expect(sample.length).toBeGreaterThan(zooms.length)
  })

  const readTile = (tile: Tile) =>
    encodeTile(database, 'a-map', tile, { kinds: [], types: [], since: undefined })

  it('are read by the decoder of vector-tile, shape by shape', async () => {
    let shapes = 0
    for (const tile of sample) {
      const { layers } = new VectorTile(new PbfReader(await readTile(tile)))
      for (const layer of Object.values(layers)) {
        expect(layer).toMatchObject({ version: 2, extent: 4096 })
        for (let index = 0; index < layer.length; index++) {
          const { geometry } = layer.feature(index).toGeoJSON(tile.x, tile.y, tile.z)
          expect(JSON.stringify(geometry), `${layer.name} ${index}`).not.toMatch(/null|\[\]/)
          shapes++
        }
      }
    }
    expect(shapes).toBeGreaterThan(sample.length)
  })

  if (engine === 'postgres') return
  describe.skipIf(ogrinfo === undefined && !process.env.CI)('with GDAL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'poa-gdal-'))
    afterAll(() => rmSync(folder, { recursive: true }))

    it('are read with the same layers and numbers of features', async () => {
      const read: Record<string, unknown> = {}
      const written: Record<string, unknown> = {}
      for (const tile of sample.filter(({ z }, index) => sample[index - 1]?.z !== z)) {
        const bytes = await readTile(tile)
        const { layers } = new VectorTile(new PbfReader(bytes))
        const name = `${tile.z}-${tile.x}-${tile.y}.mvt`
        written[name] = Object.fromEntries(Object.values(layers).map((layer) => [layer.name, layer.length]))
        writeFileSync(join(folder, name), bytes)
        read[name] = readWithGdal(join(folder, name))
      }
      expect(read).toEqual(written)
    }, 60_000)
  })
})

function readWithGdal(path: string): Record<string, number> {
  list(path)
  const counts: Record<string, number> = {}
  for (const part of list(path, '-oo', 'CLIP=NO')
    .split(/^Layer name: /m)
    .slice(1)) {
    const layer = part.slice(0, part.indexOf('\n'))
    const listed = part.match(/^OGRFeature\(/gm)?.length ?? 0
    expect(listed, `${path} ${layer}`).toBe(Number(/^Feature Count: (\d+)$/m.exec(part)?.[1]))
    counts[layer] = listed
  }
  return counts
}

function list(path: string, ...options: string[]): string {
  const { status, stdout, stderr } = spawnSync(ogrinfo ?? 'ogrinfo', ['-ro', '-al', ...options, path], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  expect({ status, stderr }, path).toEqual({ status: 0, stderr: '' })
  return stdout
}
