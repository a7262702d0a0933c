import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/feature-builders.ts'
import { landAround, readLand } from './read-land.queries.ts'

const town = [
  { lng: -71.1, lat: 42.37 },
  { lng: -71.11, lat: 42.38 },
  { lng: -71.12, lat: 42.36 },
]

it('is the box around the places, without a stray one', () => {
  const box = { west: -71.12, east: -71.1, south: 42.36, north: 42.38 }
  for (const places of [town, [...town, { lng: 42.37, lat: -71.1 }]]) {
    const land = landAround(places)
    for (const side of ['west', 'east', 'south', 'north'] as const)
      expect(land?.[side]).toBeCloseTo(box[side], 9)
  }
})

it('holds both of two places, however far apart', () => {
  const land = landAround([
    { lng: -111, lat: 34 },
    { lng: -100, lat: 35 },
  ])
  expect(land).toMatchObject({ west: expect.closeTo(-111, 9), east: expect.closeTo(-100, 9) })
})

it('covers clusters that are far apart', () => {
  const many = [
    ...town,
    { lng: -118, lat: 34 },
    { lng: -118.1, lat: 34.1 },
    { lng: -80, lat: 26 },
    { lng: -80, lat: 27 },
  ]
  const land = landAround(many)
  expect(land?.west).toBeCloseTo(-118.1, 9)
  expect(land?.east).toBeCloseTo(-71.1, 9)
})

it('crosses the date line with a west greater than its east', () => {
  const land = landAround([
    { lng: 179.9, lat: -17 },
    { lng: -179.9, lat: -17.1 },
    { lng: 179.8, lat: -16.9 },
  ])
  expect(land?.west).toBeCloseTo(179.8, 9)
  expect(land?.east).toBeCloseTo(-179.9, 9)
})

onEachEngine('the land of a map', (createDatabase) => {
  it('is read from its features, and is none without any', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    expect(await readLand(database.read, 'oak-hills')).toBeUndefined()
    const at = (id: string, lng: number, lat: number) =>
      anAsset({ id, geometry: { type: 'Point', coordinates: [lng, lat] } })
    await storeFeatures(database, [
      ...town.map(({ lng, lat }, index) => at(`a${index}`, lng, lat)),
      at('stray', 42.37, -71.1),
    ])
    expect(await readLand(database.read, 'oak-hills')).toMatchObject({
      west: expect.closeTo(-71.12, 6),
      north: expect.closeTo(42.38, 6),
    })
  })
})
