import { beforeAll, describe, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds, incidentStatuses, operationalStatuses } from '#domain/definition/kinds.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import type { TilePlace } from '#domain/tiles/make-tile.ts'
import { maxTileBytes, maxTileFeatures } from '#domain/tiles/tile-budget.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  home,
  line,
  point,
  square,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { queriesOf } from '#test/databases/queries-of.ts'
import { times } from '#test/random/how-much.ts'
import { seededRandom } from '#test/random/seeded-random.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { type Anchor, type Filter, fullestTiles, lookAtTile, readAnchors } from '#test/server/tile-cells.ts'
import { encodeTile } from '../tiles/encode-tile.ts'
import { countCoLocated } from './read-tile.queries.ts'

const all: Filter = { kinds: [], types: [], since: undefined }
const filters: Filter[] = [
  all,
  ...featureKinds.map((kind) => ({ ...all, kinds: [kind] })),
  ...[...incidentTypes.slice(0, 3), ...assetTypes.slice(0, 3)].map((type) => ({ ...all, types: [type] })),
  { ...all, types: [...incidentTypes.slice(0, 3), ...assetTypes.slice(0, 3)] },
  ...['2024-06-01', '2025-06-01', '2026-12-31'].map((since) => ({ ...all, since })),
  { kinds: ['incident', 'asset'], types: ['fire', 'road'], since: '2025-06-01' },
  { ...all, columns: { status: ['unresolved'] } },
  { ...all, columns: { status: ['offline', 'resolved'] } },
  { ...all, columns: { severity: ['high'] } },
  {
    ...all,
    types: ['fire', 'road'],
    since: '2025-06-01',
    columns: { status: ['unresolved', 'operational'] },
  },
]

onEachEngine('thinning', (createDatabase) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })

  describe('of a dense town and its surroundings', () => {
    let anchors: Anchor[]
    beforeAll(async () => {
      await storeMap(database, 'town')
      await storeFeatures(database, town())
      anchors = await readAnchors(database, 'town')
    })

    it.each([0, 3, 7, 10, 12, 13, 15, 17])('leaves no cell with a match empty, at zoom %i', async (z) => {
      for (const filter of filters)
        for (const tile of fullestTiles(anchors, z).slice(0, times(1)))
          expect(
            (await lookAtTile(database, 'town', anchors, tile, filter)).empty,
            JSON.stringify(filter),
          ).toEqual([])
    })

    it.each([0, 7, 12, 17])(
      'shows only matches with an unranked filter, and all of them that are visible without it, at zoom %i',
      async (z) => {
        const status = ['unresolved', 'offline']
        for (const tile of fullestTiles(anchors, z).slice(0, 1)) {
          const shownOf = async (filter: Filter) =>
            decodeTile(await encodeTile(database, 'town', tile, filter)).map(({ tags }) => tags)
          const shown = await shownOf({ ...all, columns: { status } })
          expect(shown.length).toBeGreaterThan(0)
          for (const tags of shown) expect(status).toContain(tags.status)
          const ids = new Set(shown.map(({ id }) => id))
          const unfiltered = await shownOf(all)
          const matching = unfiltered.filter((tags) => status.includes(String(tags.status)))
          expect(matching.filter(({ id }) => !ids.has(id))).toEqual([])
        }
      },
    )

    it('shows few of many at low zooms, and all at high zooms', async () => {
      const shown = async (z: number) => {
        const looks = fullestTiles(anchors, z).map((tile) => lookAtTile(database, 'town', anchors, tile, all))
        return (await Promise.all(looks)).reduce((sum, { features }) => sum + features, 0)
      }
      expect(await shown(0)).toBeLessThan(60)
      expect(await shown(8)).toBeLessThan(anchors.length / 4)
    })
  })

  it('shows an isolated feature at every zoom', async () => {
    await storeMap(database, 'lone')
    await storeFeatures(database, [
      anAsset({ mapId: 'lone', geometry: line([-60, 10], [-60.00001, 10.00001]) }),
    ])
    const anchors = await readAnchors(database, 'lone')
    for (let z = 0; z <= 17; z++) {
      const [tile] = fullestTiles(anchors, z)
      if (tile)
        expect(await lookAtTile(database, 'lone', anchors, tile, all)).toMatchObject({
          features: 1,
          empty: [],
        })
    }
  })

  it('shows one of several features at the same place at every zoom: the first match', async () => {
    await storeMap(database, 'stack')
    const dates = ['2024-01-01', '2026-01-01', '2025-01-01', null]
    const stack = dates.flatMap((date, index) =>
      (['fire', 'flood'] as const).map((type) =>
        anIncident({ mapId: 'stack', id: `${type}-${index}`, type, date: date && `${date}T00:00:00.000Z` }),
      ),
    )
    await storeFeatures(database, stack)
    const anchors = await readAnchors(database, 'stack')
    const idsAt = async (z: number, filter: Filter) => {
      const [tile] = fullestTiles(anchors, z)
      const features = decodeTile(await encodeTile(database, 'stack', tile ?? { z, x: 0, y: 0 }, filter))
      return features.filter(({ layer }) => layer === 'incidents').map(({ tags }) => tags.id)
    }
    for (let z = 0; z <= 17; z++) {
      expect(await idsAt(z, all)).toEqual(['fire-3'])
      expect(await idsAt(z, { ...all, types: ['flood'] })).toEqual(['flood-3'])
      expect(await idsAt(z, { ...all, types: ['flood', 'fire'] })).toEqual(['fire-3'])
      expect(await idsAt(z, { ...all, since: '2026-06-01' })).toEqual(['fire-3'])
    }
  })

  // Databases cache prepared queries by their text.
  it('uses the same SQL for any number of places', async () => {
    const database = await createDatabase()
    const place = (morton: number): TilePlace => ({ kind: 'asset', shape: 'point', morton })
    const countAround = (places: TilePlace[]) =>
      queriesOf(database.read, (read) => countCoLocated({ ...database, read }, 'places', all, places))
    const [[one], [many]] = await Promise.all([
      countAround([place(0)]),
      countAround([place(2 ** 20), place(2 ** 30)]),
    ])
    expect(one?.sql).toContain('features')
    expect(many?.sql).toBe(one?.sql)
  })

  it('limits a crowded tile, and leaves no cell empty', async () => {
    await storeMap(database, 'full')
    await storeFeatures(database, crowdedTile())
    const anchors = await readAnchors(database, 'full')
    const [tile] = fullestTiles(anchors, crowdedZoom)
    if (!tile) throw new Error('nothing is there')
    const tileFacts = await lookAtTile(database, 'full', anchors, tile, all)
    expect(tileFacts).toMatchObject({ empty: [], cells: 2_500 })
    expect(tileFacts.features).toBeLessThan(anchors.length)
    expect(tileFacts.features).toBeGreaterThan(4_500)
    expect(tileFacts.features).toBeLessThanOrEqual(maxTileFeatures)
    expect(tileFacts.bytes).toBeLessThanOrEqual(maxTileBytes)
    for (const kind of featureKinds)
      expect(await lookAtTile(database, 'full', anchors, tile, { ...all, kinds: [kind] })).toMatchObject({
        empty: [],
        features: 2_500,
      })
  })
})

/** Dense in the middle, with isolated features far out, some at the same place; deterministic. */
function town(): NewFeature[] {
  const random = seededRandom('town')
  return Array.from({ length: 1_200 }, (_, index): NewFeature => {
    const far = random.next() ** 3 * (index % 40 === 0 ? 30 : 0.05)
    const angle = random.next() * 2 * Math.PI
    const place = index % 9 === 0 ? 0 : far
    const [lng, lat] = [home.lng + place * Math.cos(angle), home.lat + place * Math.sin(angle)]
    const size = 0.00005 * 40 ** random.next()
    const turn = random.next() * 2 * Math.PI
    const geometry = random.pick<Geometry>([
      point(lng, lat),
      line([lng, lat], [lng + size * Math.cos(turn), lat + size * Math.sin(turn)]),
      square(lng, lat, size),
    ])
    const common = { mapId: 'town', id: `f${index}`, geometry }
    const kind = random.pick(featureKinds)
    if (kind === 'parcel') return aParcel(common)
    const nth = <Word>(words: readonly Word[]) => words[Math.floor(index / 3) % words.length] as Word
    if (kind === 'asset')
      return anAsset({
        ...common,
        type: random.pick([...assetTypes, null]),
        status: nth(operationalStatuses),
      })
    const day = new Date(Date.UTC(2024, 0, random.integer(1, 1_000))).toISOString()
    return anIncident({
      ...common,
      type: random.pick([...incidentTypes, null]),
      date: random.chance(0.05) ? null : day,
      severity: random.pick(['high', 'low', null]),
      resolved: nth(incidentStatuses) === 'resolved',
    })
  })
}

const crowdedZoom = 12

function crowdedTile(): NewFeature[] {
  const [tileX, tileY] = [Math.floor((home.lng / 360 + 0.5) * 2 ** crowdedZoom), 1_635]
  return Array.from({ length: 7_500 }, (_, index): NewFeature => {
    const [column, row] = [Math.floor(index / 3) % 50, Math.floor(index / 150)]
    const x = (tileX + (column + 0.5) / 64) / 2 ** crowdedZoom
    const y = (tileY + (row + 0.5) / 64) / 2 ** crowdedZoom
    const lat = (Math.atan(Math.sinh(2 * Math.PI * (0.5 - y))) * 180) / Math.PI
    const common = { mapId: 'full', id: `${index}-`.padEnd(60, 'x'), geometry: point((x - 0.5) * 360, lat) }
    return [anIncident(common), anAsset(common), aParcel(common)][index % 3] as NewFeature
  })
}
