import { beforeEach, expect, it } from 'vitest'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { withFlag } from '../explain-remedy.ts'
import { type ImportOptions, importFeatures } from '../import-features.ts'

/** Near Tulsa. Each lot is about 100 m wide: 2.3 acres. */
const [lng, lat] = [-95.88, 36.1]

const lot = (index: number, [west, south] = [lng, lat], step = 0.001) => {
  const [x, y] = [west + index * step, south]
  return [
    [x, y],
    [x + step, y],
    [x + step, y + step],
    [x, y + step],
    [x, y],
  ]
}

const flip = (ring: number[][]) => ring.map(([x, y]) => [y, x])

function lots(ringOf: (index: number) => unknown[][], properties: Record<string, unknown> = {}) {
  const features = Array.from({ length: 20 }, (_, index) => ({
    type: 'Feature',
    id: index,
    properties,
    geometry: { type: 'Polygon', coordinates: [ringOf(index)] },
  }))
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const acresOfLot = 2.467
const inA = { columns: new Map([['area', 'A']]) }

onEngine('sqlite', 'a file that looks wrong as a whole', (createDatabase) => {
  type Changes = Partial<ImportOptions> & { name?: string; confirm?: () => Promise<boolean> }

  async function run(content: string, { name = 'lots.geojson', confirm, ...changes }: Changes = {}) {
    const doubts: string[] = []
    const result = await importFeatures(
      database,
      inputOf(content, name),
      {
        mapId: 'oak-hill',
        kind: 'parcel',
        source: 'lots',
        client: { name: 'Oak Hill', location: '' },
        ...changes,
      },
      {
        onNotice: (notice) => doubts.push(withFlag(notice)),
        confirm: confirm ?? (async (found) => doubts.push(...found.map(withFlag)) === 0),
      },
    ).catch((error) => {
      expect(error.message).toBe('Nothing was imported.')
      return null
    })
    return { doubts: doubts.join('\n'), result }
  }

  let database: TestDatabase
  beforeEach(async () => {
    database = await createDatabase()
  })

  async function expectDoubt(content: string, changes: Changes, words: string | RegExp) {
    const { doubts, result } = await run(content, changes)
    expect(doubts).toMatch(words)
    expect(result).toBeNull()
  }

  async function expectIn(content: string, changes: Changes = {}) {
    const { doubts, result } = await run(content, changes)
    expect(doubts).toBe('')
    expect(result?.created).toBeGreaterThan(0)
    return result
  }

  it('has areas in another unit', async () => {
    const inFeet = lots(lot, { Shape_Area: Math.round(acresOfLot * 43_560) })
    const named = { columns: new Map([['area', 'Shape_Area']]) }
    await expectDoubt(
      inFeet,
      named,
      'The areas in Shape_Area, read as acres, are about 44,000 times those of the shapes: Shape_Area looks like square feet. Add --area-unit sqft.',
    )
    await expectDoubt(
      inFeet,
      { ...named, areaUnit: 'ha' },
      'The areas in Shape_Area, read as hectares, are about 110,000 times those of the shapes: Shape_Area looks like square feet.',
    )
    await expectDoubt(
      lots(lot, { A: acresOfLot / 2.471 }),
      inA,
      'The areas in A, read as acres, are about 1/2.5 of those of the shapes: A looks like hectares. Add --area-unit ha.',
    )
    await expectDoubt(
      lots(lot, { A: 1e-9 }),
      inA,
      'The areas in A, read as acres, are about 1/2,500,000,000 of those of the shapes, and no unit fits. To measure areas on the map, remove --field area=A',
    )
    const result = await expectIn(inFeet, { ...named, areaUnit: 'sqft' })
    expect(result?.filled).toEqual([{ field: 'area', column: 'Shape_Area', rows: 20, notUnderstood: 0 }])
    const { fields } = await database.read.selectFrom('features').select('fields').executeTakeFirstOrThrow()
    expect(JSON.parse(fields).area).toBeCloseTo(acresOfLot, 1)
  })

  it('has areas larger than any land, and is imported unchanged after a confirmation', async () => {
    const table = `id,lat,lng,A\n1,${lat},${lng},107000000\n`
    const changes = { ...inA, name: 'lots.csv' }
    await expectDoubt(
      table,
      changes,
      'The areas in A, read as acres, are around 107,000,000 acres each. Add --area-unit with sqft, m2, ha, or acre.',
    )
    const { result } = await run(table, { ...changes, confirm: async () => true })
    expect(result?.created).toBe(1)
  })

  it.each(['1771-05-04', '9999-12-31'])('has the date %s', async (day) => {
    const dated = lots(lot, { purchaseDate: day })
    await expectDoubt(dated, {}, /^20 dates in purchaseDate are before 1800 or after 2200: /)
    await expectIn(lots(lot, { purchaseDate: '1971-01-01' }))
  })

  it('has latitude and longitude swapped', async () => {
    const inBoston = lots((index) => flip(lot(index, [-71.1, 42.37])))
    await expectDoubt(
      inBoston,
      {},
      'The rows are around -71.0905, 42.3705, in Antarctica: latitude and longitude look swapped. Add --swap-coordinates.',
    )
    await expectIn(inBoston, { areCoordinatesSwapped: true })
    await expectDoubt(
      lots((index) => flip(lot(index, [-71.3, 42.37]))),
      {},
      /^The rows are around -71.2905, 42.3705, [\d,]+ miles from the features on the map: latitude and longitude look swapped. Add --swap-coordinates.$/,
    )
    const { doubts, result } = await run(`id,lat,lng\n1,${lng},${lat}\n2,${lng},${lat}\n`, {
      name: 'lots.csv',
    })
    expect(result).toMatchObject({ created: 0, refused: 2 })
    expect(doubts).toBe(
      '2 of 2 rows have coordinates that are not longitude and latitude, such as 36.1, -95.88: latitude and longitude look swapped. Add --swap-coordinates.',
    )
  })

  it('has feet or meters of a projection', async () => {
    const { doubts, result } = await run(lots((index) => lot(index, [2_966_563, 754_321], 330)))
    expect(result).toMatchObject({ created: 0, refused: 20 })
    expect(doubts).toContain(
      '20 of 20 rows have coordinates that are not longitude and latitude, such as 2966563, 754321: they look like feet or meters in a projection. Add --projection EPSG:NNNN',
    )
    await expectIn(lots(lot))
    const web = lots((index) => lot(index, [-10_673_312, 4_314_000], 100))
    expect((await run(web)).doubts).toContain('Add --projection EPSG:3857.')
  })

  it('is far from the land of the map, or has rows that are', async () => {
    const oneAt = (place: [number, number]) => lots((index) => lot(index, index === 7 ? place : [lng, lat]))
    await expectDoubt(
      oneAt([-9.588, 36.1]),
      {},
      'Some rows are more than 311 miles from most other rows: row 8 at 36.1005, -9.5805. Fix or remove them in the file.',
    )
    await expectDoubt(
      lots((index) => lot(index, [0.1, 0.1])),
      {},
      'The rows are around 0.1005, 0.1095, in the ocean off Africa',
    )
    await expectIn(lots(lot))
    await expectDoubt(
      lots((index) => lot(index, [-111.09, 34.05])),
      {},
      /^The rows are around 34.0505, -111.0805, 8\d\d miles from the features on the map. Check that you chose the right map/,
    )
    await expectDoubt(
      oneAt([lng, 38.1]),
      {},
      '1 of 20 rows is more than 62 miles from the features on the map: row 8 at 38.1005, -95.8725. Fix or remove them in the file.',
    )
    await expectIn(
      lots((index) => lot(index, [-95.7, 36.2])),
      { source: 'more lots' },
    )
  })

  it('is on the land with other signs, or swapped', async () => {
    await expectIn(lots(lot))
    const at = (x: number, y: number) => `id,lat,lng\n1,${y},${x}\n2,${y},${x}\n`
    const onLand = 'they would be on the land of this map. Fix the file.'
    for (const [x, y, words] of [
      [-lng, lat, ` With a minus sign before the longitudes ${onLand}`],
      [lng, -lat, ` Without the minus sign before the latitudes ${onLand}`],
      [
        -lng,
        -lat,
        ` With a minus sign before the longitudes and without the minus sign before the latitudes ${onLand}`,
      ],
    ] as const) {
      const { doubts } = await run(at(x, y), { name: 'lots.csv' })
      expect(doubts).toMatch(/^The rows are around .* miles from the features on the map\./)
      expect(doubts).toContain(`on the map.${words}`)
    }
    database = await createDatabase()
    await expectIn(lots((index) => lot(index, [-71.1, 42.37])))
    const { doubts } = await run(at(42.37, 71.1), { name: 'lots.csv' })
    expect(doubts).toMatch(
      /miles from the features on the map: latitude and longitude look swapped. You also need to fix the file: with a minus sign before the longitudes the rows would be on the land of this map. Add --swap-coordinates.$/,
    )
    const mixed = `id,lat,lng\n1,42.37,-71.1\n${[2, 3, 4, 5, 6].map((id) => `${id},42.37,71.1\n`).join('')}`
    expect((await run(mixed, { name: 'lots.csv' })).doubts).toBe(
      `5 of 6 rows are more than 62 miles from the features on the map, such as row 2 at 42.37, 71.1. With a minus sign before the longitudes ${onLand}`,
    )
    const swapped = `id,lat,lng\n1,42.37,-71.1\n2,42.37,-71.1\n3,-71.1,42.37\n`
    expect((await run(swapped, { name: 'lots.csv' })).doubts).toBe(
      `1 of 3 rows is more than 62 miles from the features on the map: row 3 at -71.1, 42.37. With latitude and longitude swapped ${onLand}`,
    )
  })
})
