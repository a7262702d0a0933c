import { readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { meetsBox } from '#domain/land-check/border-network.ts'
import { boxOf, findLandProblems } from '#domain/land-check/find-land-problems.ts'
import { onEngine } from '#test/databases/databases.ts'
import { hasRealData, realDataFile } from '#test/imports/real-data-files.ts'
import { isLong, timeLimit } from '#test/random/how-much.ts'
import { seededRandom } from '#test/random/seeded-random.ts'
import type { Geometry, Position } from '../geometry.schema.ts'
import { cornerKey, pathsOf } from './corners.ts'
import { mergeShapes, splitShape } from './divide-shapes.ts'
import { deleteCorner, insertCorner, moveCorner } from './edit-corners.ts'
import { edgesOf, type Shape, type ShapeEdit, ShapeGraph, ShapeRefusal } from './shape-graph.ts'
import { planarArea } from './trace-areas.ts'

function readParcels(): Shape[] {
  const { features } = JSON.parse(
    readFileSync(realDataFile('parcels/cambridge-parcels-fy2014-joined.geojson'), 'utf8'),
  ) as { features: { geometry: Geometry }[] }
  return features.map(({ geometry }, index) => ({ id: `${index}`, name: `Lot ${index}`, geometry }))
}

/** Checks each edit and applies it. Edits of `excluded` shapes are skipped. */
function editAtRandom(
  graph: ShapeGraph,
  seed: string,
  excluded: ReadonlySet<string> = new Set(),
): ShapeEdit[] {
  const done: ShapeEdit[] = []
  let count = 0
  const { next } = seededRandom(seed)
  while (done.length < editCount && count++ < 3 * editCount) {
    const shapes = [...graph.all()]
    const shape = shapes[Math.floor(next() * shapes.length)] as Shape
    try {
      const edit = randomEdit(graph, shape, next, done)
      if (edit === null || [...edit.edit.keys()].some((id) => excluded.has(id))) continue
      const concerned = [...new Set([...around(graph, shape), ...edit.edit.keys()])]
      const [areaBefore, oneSidedBefore] = [areaOf(graph, concerned), oneSided(graph, concerned)]
      graph.apply(edit.edit)
      done.push(edit.edit)
      if (edit.keepsArea)
        expect(Math.abs(areaOf(graph, concerned) - areaBefore), edit.what).toBeLessThan(roundingArea)
      expect(
        edit.delta(oneSided(graph, [...concerned, ...edit.edit.keys()]) - oneSidedBefore),
        edit.what,
      ).toBe(true)
    } catch (error) {
      if (!(error instanceof ShapeRefusal)) throw error
    }
  }
  expect(done).toHaveLength(editCount)
  return done
}

const changedIn = (done: readonly ShapeEdit[]) => new Set(done.flatMap((edit) => [...edit.keys()]))

describe.runIf(hasRealData)('13,116 real parcels', () => {
  it(
    'keep their shared borders through random edits, and return to the last digit',
    () => {
      const parcels = readParcels()
      const graph = new ShapeGraph(parcels)
      const before = new Map(parcels.map(({ id, geometry }) => [id, JSON.stringify(geometry)]))
      const done = editAtRandom(graph, 'real parcels')
      for (const id of changedIn(done)) before.delete(id)
      for (const [id, geometry] of before) expect(JSON.stringify(graph.shape(id).geometry)).toBe(geometry)
      for (const edit of done.toReversed()) graph.revert(edit)
      expect([...graph.all()].length).toBe(parcels.length)
      for (const { id, geometry } of parcels) expect(graph.shape(id).geometry).toStrictEqual(geometry)
    },
    timeLimit(60_000),
  )
})

onEngine('postgres', 'random edits of real parcels', (_, { createLocation }) => {
  it.runIf(hasRealData)(
    'leave no overlap and no gap that PostGIS finds',
    async () => {
      const parcels = readParcels()
      const { problems } = await findLandProblems(parcels)
      const graph = new ShapeGraph(parcels)
      const changed = changedIn(editAtRandom(graph, 'PostGIS', new Set(problems.flatMap(({ ids }) => ids))))
      const boxes = [...changed].flatMap((id) => {
        const shape = graph.get(id) ?? parcels.find((one) => one.id === id)
        return shape ? [boxOf(shape.geometry)] : []
      })
      const near = (shape: Shape) => boxes.some((box) => meetsBox(boxOf(shape.geometry), box))
      const client = new pg.Client({ connectionString: (await createLocation()).databaseUrl })
      await client.connect()
      try {
        const after = [...graph.all()].filter(near)
        expect(await overlapsOf(client, after, changed)).toEqual([])
        expect(await countGaps(client, after)).toBe(await countGaps(client, parcels.filter(near)))
      } finally {
        await client.end()
      }
    },
    timeLimit(120_000),
  )
})

async function store(client: pg.Client, shapes: readonly Shape[]) {
  await client.query('drop table if exists lots')
  await client.query('create table lots (id text primary key, shape geometry)')
  await client.query(
    `insert into lots select id, ST_GeomFromGeoJSON(shape)
     from unnest($1::text[], $2::text[]) as given (id, shape)`,
    [shapes.map(({ id }) => id), shapes.map(({ geometry }) => JSON.stringify(geometry))],
  )
  await client.query('create index on lots using gist (shape)')
}

async function overlapsOf(client: pg.Client, shapes: readonly Shape[], ids: ReadonlySet<string>) {
  await store(client, shapes)
  const { rows } = await client.query(
    `select one.id, other.id as other from lots one join lots other on one.id <> other.id and one.shape && other.shape
     where one.id = any($1) and ST_IsValid(one.shape) and ST_IsValid(other.shape)
       and ST_Area(ST_Intersection(one.shape, other.shape)::geography) >= 0.01`,
    [[...ids]],
  )
  return rows
}

/** Land that other parcels enclose. Rounded corners leave less than a square decimeter. */
async function countGaps(client: pg.Client, shapes: readonly Shape[]): Promise<number> {
  await store(client, shapes)
  const { rows } = await client.query<{ count: string }>(
    `with areas as (select (ST_Dump(ST_Union(shape))).geom as area from lots where ST_IsValid(shape)),
       rings as (select (ST_DumpRings(area)).* from areas)
     select count(*) from rings where path[1] > 0 and ST_Area(geom::geography) >= 0.01`,
  )
  return Number(rows[0]?.count)
}

const editCount = isLong ? 1_000 : 100

/** Square degrees: an edge of 0.005 degrees, moved by the rounding. */
const roundingArea = 5e-12

type Tried = {
  what: string
  edit: ShapeEdit
  keepsArea: boolean
  delta(difference: number): boolean
}

function randomEdit(
  graph: ShapeGraph,
  shape: Shape,
  next: () => number,
  done: readonly ShapeEdit[],
): Tried | null {
  const corners = pathsOf(shape.geometry).flatMap((path) => [...path.corners])
  const corner = corners[Math.floor(next() * corners.length)] as Position
  const of = (what: string, edit: ShapeEdit, rest: Partial<Tried> = {}): Tried => ({
    what,
    edit,
    keepsArea: true,
    delta: (difference) => difference === 0,
    ...rest,
  })
  const kind = next()
  if (kind < 0.35) {
    const to: Position = [corner[0] + (next() - 0.5) * 2e-6, corner[1] + (next() - 0.5) * 2e-6]
    return of('move', moveCorner(graph, cornerKey(corner), to), { keepsArea: false })
  }
  if (kind < 0.5) {
    const edges = edgesOf(shape)
    const { from, to } = edges[Math.floor(next() * edges.length)] as (typeof edges)[number]
    const share = 0.1 + next() * 0.8
    const place: Position = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    return of('insert', insertCorner(graph, place), {
      delta: (difference) => difference === 0 || difference === 1,
    })
  }
  if (kind < 0.6)
    return of('delete', deleteCorner(graph, cornerKey(corner)), {
      keepsArea: false,
      delta: (difference) => difference <= 0 && difference >= -1,
    })
  if (kind < 0.75) {
    const other = corners[Math.floor(next() * corners.length)] as Position
    const { edit, pieces } = splitShape(graph, shape.id, [corner, other])
    const added = pieces.map((geometry, index) => ({
      id: `${shape.id}-${done.length}-${index}`,
      name: 'piece',
      geometry,
    }))
    const all: ShapeEdit = new Map([
      ...edit,
      ...added.map((after) => [after.id, { before: null, after }] as const),
    ])
    return of('split', all, { delta: (difference) => difference >= 0 && difference <= 4 })
  }
  if (kind < 0.9) {
    const neighbor = [...graph.idsWith(cornerKey(corner))].find((id) => id !== shape.id)
    if (!neighbor) return null
    return of('merge', mergeShapes(graph, [shape.id, neighbor]), { delta: (difference) => difference <= 0 })
  }
  const last = done.at(-1)
  if (!last) return null
  return of(
    'undo',
    new Map([...last].map(([id, { before, after }]) => [id, { before: after, after: before }])),
    { keepsArea: false, delta: () => true },
  )
}

/** All that share a corner with the shape. */
function around(graph: ShapeGraph, { geometry }: Shape): Set<string> {
  const corners = pathsOf(geometry).flatMap((path) => [...path.corners])
  return new Set(corners.flatMap((corner) => [...graph.idsWith(cornerKey(corner))]))
}

const areaOf = (graph: ShapeGraph, ids: readonly string[]) =>
  [...new Set(ids)].reduce((sum, id) => sum + (graph.get(id) ? planarArea(graph.shape(id).geometry) : 0), 0)

/** Edges that only one of the shapes has. */
function oneSided(graph: ShapeGraph, ids: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const id of new Set(ids)) {
    const shape = graph.get(id)
    for (const { from, to } of shape ? edgesOf(shape) : []) {
      const key = [cornerKey(from), cornerKey(to)].sort().join(' to ')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts.values()].filter((count) => count === 1).length
}
