import { describe, expect, it } from 'vitest'
import { type Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { findLandProblems } from './find-land-problems.ts'
import { proposeFix } from './fix-land-problem.ts'
import { type LandProblem, squareMetersOf } from './land-problem.ts'

// Coordinates are in hundred-thousandths of a degree at the equator, which are 1.1 m.

const degreesOf = (units: string) => Number((Number(units) / 1e5).toFixed(9))
const ringOf = (corners: string): Position[] => {
  const positions = corners
    .split(', ')
    .map((corner) => corner.split(' ').map(degreesOf) as unknown as Position)
  return [...positions, positions[0] as Position]
}
const area = (...rings: string[]): Geometry => ({ type: 'Polygon', coordinates: rings.map(ringOf) })
const box = (minX: number, minY: number, maxX: number, maxY: number) =>
  `${minX} ${minY}, ${maxX} ${minY}, ${maxX} ${maxY}, ${minX} ${maxY}`
const shapesOf = (...geometries: Geometry[]): Shape[] =>
  geometries.map((geometry, index) => ({ id: 'abcd'.charAt(index), name: `Lot ${index + 1}`, geometry }))

const cornersOf = ({ coordinates }: Geometry) => new Set(JSON.stringify(coordinates).match(/[\d.]+,[\d.]+/g))

const check = async (...geometries: Geometry[]) => (await findLandProblems(shapesOf(...geometries))).problems
const summaryOf = ({ class: name, ids, size }: LandProblem) => [name, ids.join(), Number(size.toFixed(3))]

/** The words, and the shapes after the fix. */
async function fix(geometries: Geometry[], name: LandProblem['class'], keeper?: string) {
  const problem = (await check(...geometries)).find((one) => one.class === name) as LandProblem
  const graph = new ShapeGraph(shapesOf(...geometries))
  const result = proposeFix(graph, problem, keeper)
  if ('refused' in result) return { words: result.refused, shapes: {} }
  graph.apply(result.edit)
  expect((await check(...[...graph.all()].map(({ geometry }) => geometry))).map(summaryOf)).toEqual([])
  const shapes = [...result.edit].map(([id, { after }]) => [id, after?.geometry])
  return { words: result.words, shapes: Object.fromEntries(shapes) }
}

const west = area(box(0, 0, 10, 10))
const east = area(box(10, 0, 20, 10))

describe('land without problems', () => {
  it.each([
    ['neighbors with the same border', [west, east]],
    ['areas that touch at one corner', [west, area(box(10, 10, 20, 20))]],
    [
      'a ring road, and the land inside',
      [area(box(0, 0, 30, 30), box(3, 3, 27, 27)), area(box(3, 3, 27, 27))],
    ],
    ['a pond that belongs to no record', [area(box(0, 0, 30, 30), box(3, 3, 27, 27))]],
    ['corners 11 cm apart', [area('10 0, 20 0, 20 10, 10.1 10, 10 9.9')]],
    ['an angle of two degrees', [area('0 0, 10 0, 10 10, 1 0.035')]],
    [
      'two parts that touch at a corner',
      [
        {
          type: 'MultiPolygon',
          coordinates: [west, area(box(10, 10, 20, 20))].flatMap(({ coordinates }) => [coordinates]),
        } as Geometry,
      ],
    ],
    [
      'points and lines',
      [
        { type: 'Point', coordinates: [0, 0] } as Geometry,
        {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [0, 0.1],
          ],
        } as Geometry,
      ],
    ],
    ['nothing', []],
  ] satisfies [string, Geometry[]][])('%s', async (_, geometries) => {
    expect((await check(...geometries)).map(summaryOf)).toEqual([])
  })
})

describe('overlaps', () => {
  it('are found where borders cross, and belong to the smaller area by default', async () => {
    const across = area(box(-5, 3, 20, 4))
    expect((await check(west, across)).map(summaryOf)).toEqual([['overlap', 'a,b', 12.309]])
    const { words, shapes } = await fix([west, across], 'overlap')
    expect(words).toBe('Lot 2 keeps 12.31 m², which Lot 1 loses.')
    expect(squareMetersOf(shapes.a as Geometry)).toBeCloseTo(squareMetersOf(west) * 0.9, 6)
    const other = await fix([west, across], 'overlap', 'a')
    expect(other.words).toBe('Lot 1 keeps 12.31 m², which Lot 2 loses.')
    expect(other.shapes.b?.type).toBe('MultiPolygon')
  })

  it('are found along one line, with the corners missing there', async () => {
    const over = area(box(9, 0, 20, 10))
    expect((await check(west, over)).map(summaryOf)).toEqual([
      ...['a,b', 'a,b', 'b,a', 'b,a'].map((ids) => ['missing-corner', ids, 0]),
      ['overlap', 'a,b', 12.309],
    ])
    expect((await fix([west, over], 'overlap')).shapes).toEqual({ b: east })
  })

  it('are found inside an area, and become a hole', async () => {
    const inner = area(box(3, 3, 6, 6))
    expect((await check(west, inner)).map(summaryOf)).toEqual([['overlap', 'a,b', 11.078]])
    const { shapes } = await fix([west, inner], 'overlap')
    expect((shapes.a as Geometry).coordinates).toHaveLength(2)
    expect((await fix([west, inner], 'overlap', 'a')).words).toBe(
      'Lot 2 would have no land left. Remove it instead.',
    )
  })

  it('of equal areas, and of one that covers neighbors, are found', async () => {
    expect((await check(west, west)).map(summaryOf)).toEqual([['overlap', 'a,b', 123.091]])
    expect((await check(west, east, area(box(-1, -1, 21, 11)))).map(summaryOf)).toEqual([
      ['overlap', 'a,c', 123.091],
      ['overlap', 'b,c', 123.091],
    ])
  })

  it('insert corners into a neighbor where the new border ends', async () => {
    const inner = area(box(5, 3, 10, 6))
    const { shapes } = await fix([west, inner, east], 'overlap')
    expect(Object.keys(shapes)).toEqual(['a', 'c'])
    expect(cornersOf(shapes.c as Geometry)).toEqual(cornersOf(area(`${box(10, 0, 20, 10)}, 10 6, 10 3`)))
  })

  it('narrower than a millimeter are explained by rounding', async () => {
    const tall = area(box(0, 0, 10, 100))
    const bent = area('10 0, 20 0, 20 100, 10 100, 9.9993 50')
    expect((await check(tall, bent)).map(summaryOf)).toEqual([['missing-corner', 'a,b', 0.001]])
  })
})

describe('gaps', () => {
  // 0.3 is 33 cm.
  it.each([
    ['at both ends', [west, area(box(10.3, 0, 20, 10))], 3.693, 'Lot 1 gets the 3.69 m² of land.'],
    ['at one end', [west, area('10 0, 20 0, 20 10, 10.3 10')], 1.846, 'Lot 2 gets the 1.85 m² of land.'],
    ['beside a longer border', [west, area(box(10.3, -5, 20, 15))], 3.693, 'Lot 1 gets the 3.69 m² of land.'],
    [
      'around bends',
      [area('0 0, 10 0, 12 5, 10 10, 0 10'), area('10.3 0, 20 0, 20 10, 10.3 10, 12.3 5')],
      3.654,
      'Lot 2 gets the 3.65 m² of land.',
    ],
    [
      'with corners on one side only',
      [west, area('10.3 0, 20 0, 20 10, 10.3 10, 10.25 8, 10.3 5')],
      3.539,
      'Lot 2 gets the 3.54 m² of land.',
    ],
  ])('open %s are found and closed', async (_, lots, size, words) => {
    expect((await check(...lots)).map(summaryOf)).toEqual([['gap', 'a,b', size]])
    expect((await fix(lots, 'gap')).words).toBe(words)
    expect((await fix(lots, 'gap', 'b')).words).toMatch(/^Lot 2 gets /)
  })

  it('open on both sides of a narrow area are two', async () => {
    const lots = [west, area(box(10.3, 0, 20, 10)), area(box(10.1, 0, 10.2, 10))]
    expect((await check(...lots)).map(({ ids }) => ids.join())).toEqual(['b,c', 'a,c'])
  })

  it.each([
    ['wider than a meter', [west, area(box(11, 0, 20, 10))]],
    ['between borders that go different ways', [west, area('10 0, 20 0, 20 10, 10.7 10')]],
    ['wider than a meter at one end', [area(box(0, 0, 10, 50)), area('10 0, 20 0, 20 50, 11 50')]],
    ['not much longer than wide', [west, area(box(10.8, 5, 20, 10))]],
    ['in one area', [area('0 0, 10 0, 10 10, 10.3 10, 10.3 0, 20 0, 20 20, 0 20')]],
    ['narrower than the same corner', [west, area(box(10.04, 1, 20, 9))]],
  ])('are no problem if they are %s', async (_, lots) => {
    expect((await check(...lots)).filter((one) => one.class === 'gap')).toEqual([])
  })

  const bent = area('10 0, 20 0, 20 10, 10 10, 10.5 5')

  it('are slivers between areas, closed by the one with the longest border', async () => {
    expect((await check(west, bent)).map(summaryOf)).toEqual([['gap', 'a,b', 3.077]])
    const { words, shapes } = await fix([west, bent], 'gap')
    expect(words).toBe('Lot 2 gets the 3.08 m² of land.')
    expect(shapes).toEqual({ b: area(box(10, 0, 20, 10)) })
  })

  it('around an area are found and closed', async () => {
    const moat = [area(box(0, 0, 10, 10), box(3, 3, 6, 6)), area(box(3.2, 3.2, 5.8, 5.8))]
    expect((await check(...moat)).map(summaryOf)).toEqual([['gap', 'a,b', 2.757]])
    expect((await fix(moat, 'gap')).words).toBe('Lot 1 gets the 2.76 m² of land.')
  })

  it('beside an overlap are found where borders cross', async () => {
    const crossing = area('10 0, 20 0, 20 10, 10 10, 9.5 7, 10.5 3')
    expect((await check(west, crossing)).map(summaryOf)).toEqual([
      ['overlap', 'a,b', 1.539],
      ['gap', 'a,b', 1.539],
    ])
  })
})

describe('corners', () => {
  it('that are nearly equal are joined with the one that more areas have', async () => {
    const above = area(box(0, 10, 10, 20))
    const near = area('10 0, 20 0, 20 10, 10.03 10')
    expect((await check(west, above, near)).map(summaryOf)).toEqual([['near-corners', 'a,b,c', 0.033]])
    const { words, shapes } = await fix([west, above, near], 'near-corners')
    expect(words).toBe('Moves a corner by 3.3 cm in 1 record.')
    expect(shapes).toEqual({ c: east })
  })

  it('a tenth of a millimeter apart are found, and joined in all areas', async () => {
    const above = area(box(0, 10, 10, 20))
    const near = area('10 0, 20 0, 20 10, 10.0001 10')
    expect((await check(west, above, near)).map(summaryOf)).toEqual([['near-corners', 'a,b,c', 0]])
    const { words, shapes } = await fix([west, above, near], 'near-corners')
    expect(words).toBe('Moves a corner by less than 1 mm in 1 record.')
    expect(shapes).toEqual({ c: east })
  })

  it('that are joined are equal to the last digit', async () => {
    const exact = 0.000_100_000_123_456_78
    const areas = [box(0, 0, 10, 10), box(0, 10, 10, 20), '10 0, 20 0, 20 10, 10.03 10'].map((corners) => {
      const ring = ringOf(corners).map(([lng, lat]): Position => [lng === 1e-4 ? exact : lng, lat])
      return { type: 'Polygon' as const, coordinates: [ring] }
    })
    const { shapes } = await fix(areas, 'near-corners')
    expect(Object.keys(shapes)).toEqual(['c'])
    expect(cornersOf(shapes.c as Geometry)).toContain(`${exact},0.0001`)
  })

  it('missing on an edge are inserted', async () => {
    const parts = [west, area(box(10, 0, 20, 5)), area(box(10, 5, 20, 10))]
    expect((await check(...parts)).map(summaryOf)).toEqual([['missing-corner', 'a,b,c', 0]])
    expect((await fix(parts, 'missing-corner')).shapes).toEqual({
      a: area('0 0, 10 0, 10 5, 10 10, 0 10'),
    })
  })

  it('beside an edge are moved onto it in all areas', async () => {
    const parts = [west, area('10 0, 20 0, 20 5, 10.02 5'), area('10.02 5, 20 5, 20 10, 10 10')]
    expect((await check(...parts)).map(summaryOf)).toEqual([
      ['missing-corner', 'a,b,c', 0.022],
      ['gap', 'a,b,c', 0.123],
    ])
    const { words, shapes } = await fix(parts, 'missing-corner')
    expect(words).toBe('Moves a corner by 2.2 cm in 3 records.')
    expect(shapes.b).toEqual(area(box(10, 0, 20, 5)))
  })

  it('remain if every fix would create other problems', async () => {
    const areas = [area('0 0, 10 0, 10 5.035, 10 10, 0 10'), area('10 0, 20 0, 20 10, 10 10, 10.04 5')]
    const { words } = await fix(areas, 'missing-corner')
    expect(words).toBe('A fix would create nearly equal corners here. Edit the border by hand.')
  })

  it('of a narrow area are not missing in its neighbor', async () => {
    const strip = area('10 0, 10 10, 10.03 5')
    expect((await check(west, strip)).map(summaryOf).filter(([name]) => name === 'missing-corner')).toEqual(
      [],
    )
  })
})

describe('spikes', () => {
  it.each([
    [
      'narrow',
      '5.01 10, 5.005 20, 5 10',
      [
        ['near-corners', 'a', 0.011],
        ['spike', 'a', 11.057],
      ],
    ],
    ['without width', '5 10, 5 20, 5 10', [['spike', 'a', 11.057]]],
  ])('%s ones are removed', async (_, tip, expected) => {
    const spiked = area(`0 0, 10 0, 10 10, ${tip}, 0 10`)
    expect((await check(spiked)).map(summaryOf)).toEqual(expected)
    const [spike] = (await check(spiked)).filter((one) => one.class === 'spike')
    const result = proposeFix(new ShapeGraph(shapesOf(spiked)), spike as LandProblem)
    const after = 'edit' in result ? result.edit.get('a')?.after?.geometry : null
    expect(cornersOf(after as Geometry)).not.toContain([...cornersOf(area(tip))][1])
  })

  it('of two areas are removed in both', async () => {
    const outer = area('0 0, 10 0, 10 5, 4 5.02, 10 5.04, 10 10, 0 10')
    const wedge = area('10 5, 20 5, 20 5.04, 10 5.04, 4 5.02')
    const spike = (await check(outer, wedge)).find((one) => one.class === 'spike')
    expect(spike?.ids).toEqual(['a', 'b'])
  })
})

it('finds wider land that parcels surround, and gives it to one of them', async () => {
  const around = [
    west,
    area(box(12, 0, 20, 10)),
    area('0 10, 10 10, 12 10, 20 10, 10 20'),
    area('0 0, 10 -10, 20 0, 12 0, 10 0'),
  ]
  expect((await check(...around)).map(({ class: name, ids }) => [name, ids.join()])).toEqual([
    ['no-parcel', 'a,b,c,d'],
  ])
  expect((await fix(around, 'no-parcel', 'b')).words).toMatch(/^Lot 2 gets the .* of land\.$/)
})

describe('self-intersections', () => {
  it('are refused if land would be lost', async () => {
    const bow = area('0 0, 10 10, 10 0, 0 10')
    expect((await check(bow)).map((one) => [one.class, one.what])).toEqual([
      ['self-intersection', 'crosses itself'],
    ])
    expect((await fix([bow], 'self-intersection')).words).toMatch(/^Lot 1 encloses no land/)
  })

  it('at a corner become two parts', async () => {
    const eight = area('0 0, 5 5, 10 0, 10 10, 5 5, 0 10')
    const { shapes } = await fix([eight], 'self-intersection')
    expect(shapes.a).toMatchObject({ type: 'MultiPolygon' })
  })
})

it('has the same keys whatever the order of areas and corners', async () => {
  const over = area(box(9, -3, 20, 10))
  const turned = area('10 10, 0 10, 0 0, 10 0')
  const shapes = shapesOf(west, over)
  const again = [{ ...(shapes[1] as Shape) }, { ...(shapes[0] as Shape), geometry: turned }]
  const keysOf = async (some: Shape[]) => (await findLandProblems(some)).problems.map(({ key }) => key).sort()
  expect(await keysOf(again)).toEqual(await keysOf(shapes))
})

it('reports progress, and stops if the pause throws', async () => {
  const rows = Array.from({ length: 600 }, (_, index) => area(box(index, 0, index + 1, 1)))
  const shapes = rows.map((geometry, index) => ({ id: `${index}`, name: '', geometry }))
  const progress: number[] = []
  await findLandProblems(shapes, { onProgress: (share) => void progress.push(share) })
  expect(progress.length).toBeGreaterThan(8)
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  expect(progress.at(-1)).toBeLessThanOrEqual(1)
  const pause = () => {
    throw new Error('stopped')
  }
  await expect(findLandProblems(shapes, { pause })).rejects.toThrow('stopped')
})

it('measures small areas as geodesics do', () => {
  const lot = area(box(0, 0, 100, 60))
  expect(squareMetersOf(lot) / 4_046.856_422_4).toBeCloseTo(measureAcres(lot) ?? 0, 6)
})
