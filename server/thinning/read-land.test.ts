import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, aParcel, square, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { landAround, readLand, withoutStrays } from './read-land.queries.ts'

const town = [
  { lng: -71.1, lat: 42.37 },
  { lng: -71.11, lat: 42.38 },
  { lng: -71.12, lat: 42.36 },
]

it('is the box around the places, without strays', () => {
  const box = { west: -71.12, east: -71.1, south: 42.36, north: 42.38 }
  for (const places of [town, [...town, { lng: 42.37, lat: -71.1 }]]) {
    const land = landAround(places)?.box
    for (const side of ['west', 'east', 'south', 'north'] as const)
      expect(land?.[side]).toBeCloseTo(box[side], 9)
  }
})

it('contains both of two places, however far apart', () => {
  const land = landAround([
    { lng: -111, lat: 34 },
    { lng: -100, lat: 35 },
  ])?.box
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
  const land = landAround(many)?.box
  expect(land?.west).toBeCloseTo(-118.1, 9)
  expect(land?.east).toBeCloseTo(-71.1, 9)
})

it('crosses the date line', () => {
  const land = landAround([
    { lng: 179.9, lat: -17 },
    { lng: -179.9, lat: -17.1 },
    { lng: 179.8, lat: -16.9 },
  ])?.box
  expect(land?.west).toBeCloseTo(179.8, 9)
  expect(land?.east).toBeCloseTo(180.1, 9)
})

it('contains the shapes around the places, but no shape that is cut at the date line', () => {
  const shape = { south: -17.2, north: -16.8 }
  const land = landAround([
    { lng: 179.9, lat: -17, west: 179.7, east: 180, ...shape },
    { lng: -179.9, lat: -17, west: -180, east: 180, ...shape },
  ])?.box
  expect(land).toEqual({
    west: expect.closeTo(179.7, 9),
    east: expect.closeTo(180.1, 9),
    south: -17.2,
    north: -16.8,
  })
})

onEachEngine('the land of a map', (createDatabase) => {
  it('is read from its features, and undefined without any', async () => {
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
  it('is the box around all features, unless some lie far from the others', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const lot = (id: string, lng: number, lat: number) => aParcel({ id, geometry: square(lng, lat, 0.4) })
    await storeFeatures(database, [lot('a', -111, 34), lot('b', -110, 34), lot('c', -110.5, 35)])
    const extent = { west: -111, south: 34, east: -109.6, north: 35.4 }
    expect(await withoutStrays(database.read, 'oak-hills', extent)).toEqual(extent)

    await storeFeatures(database, [lot('stray', 111, 34)])
    const withStray = { ...extent, east: 111.4 }
    expect(await withoutStrays(database.read, 'oak-hills', withStray)).toEqual({
      west: -111,
      south: 34,
      east: expect.closeTo(-109.53, 6),
      north: 35.4,
    })
  })

  it('crosses the date line with a west greater than its east', async () => {
    const database = await createDatabase()
    await storeClient(database, 'fiji')
    const lot = (id: string, lng: number) => aParcel({ id, mapId: 'fiji', geometry: square(lng, -17, 0.1) })
    await storeFeatures(database, [lot('a', 179.8), lot('b', -179.9), lot('c', 179.5)])
    const world = { west: -179.9, south: -17, east: 179.9, north: -16.9 }
    const crossing = { west: expect.closeTo(179.5, 6), east: expect.closeTo(-179.8, 6) }
    expect(await readLand(database.read, 'fiji')).toMatchObject(crossing)
    const shown = await withoutStrays(database.read, 'fiji', world)
    expect(shown.west).toBeGreaterThan(179)
    expect(shown.east).toBeLessThan(-179)
    const exact = { ...world, west: 179.5, east: -179.8 }
    expect(await withoutStrays(database.read, 'fiji', exact)).toEqual(exact)
  })
})
