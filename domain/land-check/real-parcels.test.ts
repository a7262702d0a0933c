import { readFileSync } from 'node:fs'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { cornerKey, mapPaths, pathsOf } from '#domain/geometry/borders/corners.ts'
import { edgesOf, type Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { covers } from '#domain/geometry/covers.ts'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import type { Box } from '#domain/geometry/segments.ts'
import { onEngine } from '#test/databases/databases.ts'
import { hasRealData, realDataFile } from '#test/imports/real-data-files.ts'
import { timeLimit, times } from '#test/random/how-much.ts'
import { type SeededRandom, seededRandom } from '#test/random/seeded-random.ts'
import { findLandProblems, findProblemsInWindow } from './find-land-problems.ts'
import { proposeFix } from './fix-land-problem.ts'
import type { LandProblem, ProblemClass } from './land-problem.ts'

function readParcels(): Shape[] {
  const { features } = JSON.parse(
    readFileSync(realDataFile('parcels/cambridge-parcels-fy2014-joined.geojson'), 'utf8'),
  ) as { features: { geometry: Geometry }[] }
  return features.map(({ geometry }, index) => ({ id: `${index}`, name: `Lot ${index}`, geometry }))
}

describe.runIf(hasRealData)('13,116 real parcels', () => {
  let parcels: Shape[]
  beforeAll(() => {
    parcels = readParcels()
  })

  it('have few problems, found in at most 20 s of one processor', async () => {
    const start = process.threadCpuUsage()
    const { problems, counts, unchecked } = await findLandProblems(parcels)
    const { user, system } = process.threadCpuUsage(start)
    expect(unchecked).toEqual([])
    expect(counts).toEqual({
      'near-corners': 0,
      'missing-corner': 17,
      spike: 22,
      'self-intersection': 23,
      overlap: 95,
      gap: 24,
      'no-parcel': 13,
    })
    expect(user + system).toBeLessThan(20e6)
    for (const { place } of problems.filter((one) => one.class === 'gap'))
      expect(parcels.filter(({ geometry }) => covers(geometry, place))).toEqual([])
    for (const { ids, place } of problems.filter((one) => one.class === 'missing-corner')) {
      const { geometry } = parcels[Number(ids[0])] as Shape
      const corners = pathsOf(geometry).flatMap((path) => path.corners.map(cornerKey))
      expect(corners).not.toContain(cornerKey(place))
    }
  })

  it(
    'are fixed after random damage, without new problems',
    async () => {
      const random = seededRandom('land check')
      const damaged = new ShapeGraph(parcels)
      for (let count = 0; count < times(40); count++) damage(damaged, random)
      const before = await findLandProblems([...damaged.all()])
      const outcomes = { fixed: 0, gone: 0, refused: 0 }
      // Each fix of two streets checks half of the town.
      const streets = streetsOf(parcels)
      const local = before.problems.filter(({ ids }) => ids.filter((id) => streets.has(id)).length < 2)
      for (const problem of random.shuffle(local).slice(0, times(40))) {
        const around = boxAround(problem)
        const near = () =>
          findProblemsInWindow(
            [...damaged.idsInBox(around)].map((id) => damaged.shape(id)),
            around,
          )
        const old = new Map(countByClass(near()))
        const result = proposeFix(damaged, problem)
        if ('refused' in result) {
          outcomes[result.refused.includes('no longer exists') ? 'gone' : 'refused']++
          continue
        }
        damaged.apply(result.edit)
        outcomes.fixed++
        const next = near()
        expect(next.map(({ key }) => key)).not.toContain(problem.key)
        for (const [name, count] of countByClass(next))
          expect(count, name).toBeLessThanOrEqual(old.get(name) ?? 0)
      }
      const after = await findLandProblems([...damaged.all()])
      for (const name of Object.keys(after.counts) as ProblemClass[])
        expect(after.counts[name], name).toBeLessThanOrEqual(before.counts[name])
      expect(outcomes.fixed).toBeGreaterThan(2 * outcomes.refused)
    },
    timeLimit(240_000),
  )
})

const streetCorners = 500

const streetsOf = (shapes: readonly Shape[]) =>
  new Set(shapes.filter(({ geometry }) => countPositions(geometry) >= streetCorners).map(({ id }) => id))

const countByClass = (problems: readonly LandProblem[]) =>
  [...Map.groupBy(problems, (one) => one.class)].map(([name, some]) => [name, some.length] as const)

/** With a margin of about 30 m. */
function boxAround({ place: [lng, lat], geometry }: LandProblem): Box {
  const corners = geometry ? pathsOf(geometry).flatMap((path) => [...path.corners]) : []
  const all = [[lng, lat], ...corners]
  const margin = 3e-4
  const range = (axis: number) => all.map((one) => one[axis] as number)
  return [
    Math.min(...range(0)) - margin,
    Math.min(...range(1)) - margin,
    Math.max(...range(0)) + margin,
    Math.max(...range(1)) + margin,
  ]
}

/** Changes one shape at a corner, and none of its neighbors. */
function damage(graph: ShapeGraph, random: SeededRandom) {
  const shape = random.pick([...graph.all()])
  const edge = random.pick(edgesOf(shape))
  const [x, y] = scaleAt(edge.from[1])
  const shifted = ([lng, lat]: Position, meters: number): Position => {
    const angle = random.between(0, 2 * Math.PI)
    return [lng + (Math.cos(angle) * meters) / x, lat + (Math.sin(angle) * meters) / y]
  }
  const share = random.between(0.2, 0.8)
  const middle: Position = [
    edge.from[0] + (edge.to[0] - edge.from[0]) * share,
    edge.from[1] + (edge.to[1] - edge.from[1]) * share,
  ]
  const added = random.pick<() => Position[]>([
    () => [shifted(edge.from, random.between(0.005, 0.05))],
    () => [shifted(edge.from, random.between(0.05, 0.5))],
    () => [],
    () => [edge.from, middle],
    () => [edge.from, shifted(middle, random.between(0.01, 0.5))],
    () => [edge.from, middle, shifted(middle, random.between(0.5, 5)), middle],
  ])()
  const geometry = mapPaths(shape.geometry, ({ corners }) => {
    const changed = corners.flatMap((corner) => (corner === edge.from ? added : [corner]))
    return changed.length < 3 ? corners : changed
  })
  if (geometry) graph.apply(new Map([[shape.id, { before: shape, after: { ...shape, geometry } }]]))
}

onEngine('postgres', 'problems of real parcels', (_, { createLocation }) => {
  it.runIf(hasRealData)('are those that PostGIS finds', async () => {
    const location = await createLocation()
    const parcels = readParcels()
    const { problems } = await findLandProblems(parcels)
    const streets = streetsOf(parcels)
    const client = new pg.Client({ connectionString: location.databaseUrl })
    await client.connect()
    try {
      await client.query('create table lots (id text primary key, corners integer, shape geometry)')
      const rows = parcels.map(({ id, geometry }) => [id, countPositions(geometry), JSON.stringify(geometry)])
      await client.query(
        `insert into lots select id, corners, ST_GeomFromGeoJSON(shape)
         from unnest($1::text[], $2::integer[], $3::text[]) as given (id, corners, shape)`,
        [0, 1, 2].map((column) => rows.map((row) => row[column])),
      )
      const invalid = await client.query<{ id: string }>('select id from lots where not ST_IsValid(shape)')
      const idsOf = (name: ProblemClass) =>
        problems.filter((one) => one.class === name).flatMap(({ ids }) => ids)
      const [own, spikes] = [idsOf('self-intersection'), idsOf('spike')]
      const invalidIds = invalid.rows.map(({ id }) => id)
      expect(invalidIds).toEqual(expect.arrayContaining(own))
      // Spikes of no width.
      expect(invalidIds.filter((id) => !own.includes(id) && !spikes.includes(id))).toEqual([])
      // Streets have thousands of neighbors, which would take minutes. Invalid areas have several interpretations.
      await client.query(`delete from lots where corners >= ${streetCorners} or not ST_IsValid(shape)`)
      await client.query('create index on lots using gist (shape)')
      const overlaps = await client.query<{ ids: string }>(
        `select one.id || ',' || other.id as ids
         from lots one join lots other on one.id collate "C" < other.id and one.shape && other.shape
         where ST_Area(ST_Intersection(one.shape, other.shape)::geography) >= 0.01`,
      )
      const isCompared = (id: string) => !invalidIds.includes(id) && !streets.has(id)
      const found = problems.filter((one) => one.class === 'overlap' && one.ids.every(isCompared))
      expect(found.map(({ ids }) => ids.join()).sort()).toEqual(overlaps.rows.map(({ ids }) => ids).sort())
    } finally {
      await client.end()
    }
  })
})
