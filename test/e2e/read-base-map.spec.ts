import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zxyToTileId } from 'pmtiles'
import { encodeLayers } from '#domain/tiles/encode-layers.ts'
import { asset, createMap, placeAt, pointAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { MapPage } from './map-page.driver.ts'
import { serveProject } from './served-project.ts'
import { plainTile, stubTileColors } from './stub-tiles.ts'

const camera = { ...placeAt(0, 0), zoom: 13 }

/** A PMTiles file whose first layer covers the whole world. */
function fileOf(layers: string[], attribution?: string): Buffer {
  const ring = [
    [0, 0],
    [4096, 0],
    [4096, 4096],
    [0, 4096],
    [0, 0],
  ]
  const [first = ''] = layers
  const bytes = encodeLayers({ [first]: [{ id: 'land', attributes: {}, type: 3, geometry: [ring] }] })
  const described = layers.map((id) => ({ id, fields: {} }))
  return pmtilesOf([{ z: 0, x: 0, y: 0, bytes }], 'mvt', { attribution, vector_layers: described })
}

const style = {
  version: 8,
  sources: {
    // Has the name of a layer of the app.
    features: {
      type: 'geojson',
      attribution: '© Example Styles',
      data: {
        type: 'Polygon',
        coordinates: [
          [
            [-120, 30],
            [-100, 30],
            [-100, 40],
            [-120, 40],
            [-120, 30],
          ],
        ],
      },
    },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#000000' } },
    { id: 'parcel-areas', type: 'fill', source: 'features', paint: { 'fill-color': '#c08050' } },
  ],
}

test.use({ toleratesNetworkFailures: true })

test('loads a base map from a data directory file or a style, light and dark', {
  tag: '@painted',
}, async ({ page, tiles }) => {
  await using server = await serveProject({
    tileAddress: tiles.address,
    settings: {
      BASE_MAP_STREET_URL: 'streets.pmtiles',
      BASE_MAP_SATELLITE_URL: 'photo.pmtiles',
      BASE_MAP_TERRAIN_URL: `${tiles.origin}/hills.json`,
      BASE_MAP_TERRAIN_DARK_URL: 'county.pmtiles',
    },
  })
  const mapId = await createMap(server.database, [asset({ id: 'well', geometry: pointAt(500, 0) })])
  const map = new MapPage(page, server.url)
  const credit = page.locator('.maplibregl-ctrl-attrib')
  const ground = async () => (await map.canvas.ink()).colorAt(await map.canvas.pointOf(placeAt(-500, 200)))

  const away = page.getByText('No base map', { exact: true })
  await page.goto(server.url + map.addressOf(mapId, { camera }))
  await expect(away).toBeVisible()
  const put = (name: string, bytes: Buffer) => writeFileSync(join(server.dataDirectory, name), bytes)
  const credits = '© Example <a href="javascript:alert(1)">County</a><iframe src="/webgl"></iframe>'
  put('streets.pmtiles', fileOf(['earth', 'water', 'roads', 'places'], credits))
  put('county.pmtiles', fileOf(['county_land']))
  put(
    'photo.pmtiles',
    pmtilesOf([{ z: 0, x: 0, y: 0, bytes: plainTile(stubTileColors.satellite) }], 'png', {}),
  )
  await map.button('Retry').click()
  await expect.poll(ground).toEqual([226, 223, 218])
  await expect(away).toBeHidden()
  await expect(credit).toContainText('© Example County')
  await expect(credit.locator('iframe, [href^=javascript]')).toHaveCount(0)
  await map.canvas.click(placeAt(500, 0))
  await map.hasDetailsOf('Asset well')

  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(ground).toEqual([31, 31, 31])
  await map.hasDetailsOf('Asset well')
  await map.button('Close details').click()
  await map.baseMap('Terrain').click()
  await expect.poll(ground).toEqual([38, 45, 43])

  await page.route(`${tiles.origin}/hills.json`, (route) => route.fulfill({ status: 404 }))
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(away).toBeVisible()
  await page.unroute(`${tiles.origin}/hills.json`)
  await page.route(`${tiles.origin}/hills.json`, (route) =>
    route.fulfill({ json: style, headers: { 'access-control-allow-origin': '*' } }),
  )
  await map.button('Retry').click()
  await expect.poll(ground).toEqual([192, 128, 80])
  await expect(credit).toContainText('© Example Styles')
  await map.baseMap('Satellite').click()
  await expect.poll(ground).toEqual([...stubTileColors.satellite])
  await map.canvas.click(placeAt(500, 0))
  await map.hasDetailsOf('Asset well')
})

type PmTile = { z: number; x: number; y: number; bytes: Uint8Array }

/** PMTiles version 3, uncompressed (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
function pmtilesOf(tiles: readonly PmTile[], type: 'mvt' | 'png', metadata: object): Buffer {
  const sorted = tiles
    .map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
    .sort((one, other) => one.id - other.id)
  const data = Buffer.concat(sorted.map(({ bytes }) => bytes))
  const offsets = sorted.map((_, index) =>
    sorted.slice(0, index).reduce((sum, { bytes }) => sum + bytes.length, 0),
  )
  const directory = Buffer.from([
    ...varint(sorted.length),
    ...sorted.flatMap(({ id }, index) => varint(id - (sorted[index - 1]?.id ?? 0))),
    ...sorted.flatMap(() => varint(1)),
    ...sorted.flatMap(({ bytes }) => varint(bytes.length)),
    ...offsets.flatMap((offset) => varint(offset + 1)),
  ])
  const description = Buffer.from(JSON.stringify(metadata))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header.writeUInt8(3, 7)
  const write64 = (value: number, at: number) => header.writeBigUInt64LE(BigInt(value), at)
  const dataAt = 127 + directory.length + description.length
  const parts = [127, directory.length, 127 + directory.length, description.length, 0, 0, dataAt, data.length]
  for (const [index, value] of parts.entries()) write64(value, 8 + 8 * index)
  for (const at of [72, 80, 88]) write64(sorted.length, at)
  header.set([1, 1, 1, type === 'mvt' ? 1 : 2], 96)
  const zooms = sorted.map(({ z }) => z)
  header.set([Math.min(...zooms), Math.max(...zooms)], 100)
  const bounds = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]
  for (const [index, value] of bounds.entries()) header.writeInt32LE(value, 102 + 4 * index)
  return Buffer.concat([header, directory, description, data])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}
