import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'
import type { DatabaseLocation } from '#server/database/open-database.ts'
import { filledDatabase, maps, withServer } from './filled-database.ts'
import type { Row } from './row.ts'
import { sampleTiles, tilePath } from './sample-tiles.ts'
import { countText, largeCount } from './scale.ts'

// From the issue, not from the server's constants: a wrong constant would agree with itself.
const limitBytes = 500_000
const limitFeatures = 24_000

const requestsAtOnce = 4
/** The generated dates are from 2024 to 2026. */
const filters = [
  ...[...incidentTypes, ...assetTypes].map((type) => `?type=${type}`),
  `?type=${[...incidentTypes, ...assetTypes].join(',')}`,
  '?since=2026-06-01',
  '?kind=incident',
]

/** The largest tile of a million features, at all zooms, with and without filters. */
export async function measureTileBudget(): Promise<Row[]> {
  return budgetOf(await filledDatabase('sqlite'), maps.large, `${countText(largeCount)}, SQLite`)
}

export async function budgetOf(location: DatabaseLocation, mapId: string, where: string): Promise<Row[]> {
  const tiles = await sampleTiles(location, mapId, { fullest: 24, others: 16 })
  const fullest = await sampleTiles(location, mapId, { fullest: 6, others: 0 })
  const paths = [
    ...tiles.map((tile) => ({ tile, query: '' })),
    ...fullest.flatMap((tile) => filters.map((query) => ({ tile, query }))),
  ]
  const sizes = await withServer(location, async ({ address }) => {
    const waiting = [...paths]
    const measured: { bytes: number; features: number; path: string }[] = []
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        measured.push(await sizeOf(address, mapId, next.tile, next.query))
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, work))
    return measured
  })
  const largest = sizes.reduce((most, size) => (size.bytes > most.bytes ? size : most))
  const fullestTile = sizes.reduce((most, size) => (size.features > most.features ? size : most))
  const sample = `of ${countText(sizes.length)} tiles`
  return [
    {
      figure: `largest tile, uncompressed (${where})`,
      value: largest.bytes,
      unit: 'B',
      limit: limitBytes,
      note: `${sample}: ${largest.path}`,
    },
    {
      figure: `most features on a tile (${where})`,
      value: fullestTile.features,
      unit: 'features',
      limit: limitFeatures,
      note: `${sample}: ${fullestTile.path}`,
    },
  ]
}

async function sizeOf(address: string, mapId: string, tile: TileAddress, query: string) {
  const path = tilePath(mapId, tile, query)
  const answer = await fetch(`${address}${path}`, { headers: { 'accept-encoding': 'identity' } })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const { layers } = new VectorTile(new PbfReader(bytes))
  const features = Object.values(layers).reduce((sum, layer) => sum + layer.length, 0)
  return { bytes: bytes.length, features, path: path.slice(path.indexOf('tiles/')) }
}
