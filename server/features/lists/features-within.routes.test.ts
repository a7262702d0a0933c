import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeaturesWithin } from '#domain/features/features-within.schema.ts'
import { EnclosedArea } from '#domain/geometry/enclosed-area.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  line,
  point,
  square,
  squareRing,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { arbitraryFeatures, arbitraryPosition } from '#test/random/arbitrary-features.ts'
import { times } from '#test/random/how-much.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { readFeaturesWithin } from './feature-matches.queries.ts'

const overTheDateLine: NewFeature[] = [
  anAsset({ mapId: 'date-line', id: 'west', geometry: point(179, 1) }),
  anAsset({ mapId: 'date-line', id: 'east', geometry: point(-179, 1) }),
  anAsset({ mapId: 'date-line', id: 'home', geometry: point(0, 1) }),
  aParcel({
    mapId: 'date-line',
    id: 'on-both',
    geometry: {
      type: 'MultiPolygon',
      coordinates: [[squareRing(179.5, 0, 0.5)], [squareRing(-180, 0, 0.5)]],
    },
  }),
]
const anyFeatures = fc
  .sample(arbitraryFeatures, { numRuns: 8, seed: 12 })
  .flat()
  .map((feature, index): NewFeature => ({ ...feature, id: `any-${index}` }))

const triangle: Position[] = [
  [0, 0],
  [10, 0],
  [0, 10],
]

const features: NewFeature[] = [
  anAsset({ id: 'within', name: 'Tank', geometry: point(2, 2), status: 'offline' }),
  anAsset({ id: 'on-edge', name: 'Pump', geometry: point(5, 5) }),
  anAsset({ id: 'in-its-box', name: 'Mast', geometry: point(7, 7) }),
  anAsset({ id: 'road', name: 'Road', geometry: line([-5, 4], [20, 4]) }),
  anAsset({ id: 'bypass', name: 'Road', geometry: line([2, 20], [20, 2]) }),
  aParcel({ id: 'reaching-in', owner: 'Ann Zabriskie', geometry: square(4, 4, 10) }),
  aParcel({ id: 'around', geometry: square(-20, -20, 60) }),
  aParcel({
    id: 'in-its-hole',
    geometry: { type: 'Polygon', coordinates: [squareRing(-20, -20, 60), squareRing(-1, -1, 20)] },
  }),
  anIncident({
    id: 'several',
    geometry: {
      type: 'MultiPoint',
      coordinates: [
        [50, 50],
        [1, 1],
      ],
    },
  }),
  aGeneralFeature({ id: 'general', featureType: 'incident', geometry: point(3, 3) }),
  anIncident({ id: 'far', geometry: point(50, 50) }),
]

onEachEngine('features within an area', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let editor: SignedIn
  beforeAll(async () => {
    database = await createDatabase()
    for (const mapId of ['oak-hills', 'date-line', 'a-map']) await storeClient(database, mapId)
    for (const some of [features, overTheDateLine, anyFeatures]) await storeFeatures(database, some)
    app = await startTestApp(database)
    editor = await signIn(database, ['editor:oak-hills', 'editor:date-line'])
  })

  const ask = (body: object, { mapId = 'oak-hills', as = editor }: { mapId?: string; as?: object } = {}) =>
    app.send({
      method: 'POST',
      url: `/api/maps/${mapId}/features-within`,
      headers: { 'sec-fetch-site': 'same-origin', ...as },
      payload: body,
    })
  async function find(ring: Position[], filter?: object, mapId = 'oak-hills') {
    const answer = await ask({ ring, ...(filter ? { filter } : {}) }, { mapId })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<FeaturesWithin>()
  }
  async function idsIn(ring: Position[], filter?: object, mapId = 'oak-hills') {
    const { items, isAll } = await find(ring, filter, mapId)
    expect(isAll).toBe(true)
    return items.map(({ id }) => id).sort()
  }

  it('are those in it and those that overlap it, with their kinds', async () => {
    const touching = ['around', 'general', 'on-edge', 'reaching-in', 'road', 'several', 'within']
    expect(await idsIn(triangle)).toEqual(touching)
    expect(await idsIn([...triangle, [0, 0]])).toEqual(touching)
    const kinds = new Map((await find(triangle)).items.map(({ id, kind }) => [id, kind]))
    expect(kinds.get('within')).toBe('asset')
    expect(kinds.get('reaching-in')).toBe('parcel')
    expect(kinds.get('general')).toBe('incident')
  })

  it('are narrowed by the filters of the list', async () => {
    expect(await idsIn(triangle, { kind: 'asset' })).toEqual(['on-edge', 'road', 'within'])
    expect(await idsIn(triangle, { kind: 'asset', status: 'offline' })).toEqual(['within'])
    expect(await idsIn(triangle, { text: 'tank' })).toEqual(['within'])
    expect(await idsIn(triangle, { text: 'zabriskie' })).toEqual(['reaching-in'])
    expect(await idsIn(triangle, { kind: 'incident,asset', bbox: '2.5,2.5,3.5,3.5' })).toEqual([
      'general',
      'several',
    ])
    expect(await idsIn(triangle, { due: 'overdue' })).toEqual([])
  })

  it('are found across the date line, on both sides', async () => {
    const idsOf = (ring: Position[]) => idsIn(ring, {}, 'date-line')
    expect(await idsOf(squareRing(178, 0, 4))).toEqual(['east', 'on-both', 'west'])
    expect(await idsOf(squareRing(-182, 0, 2.2))).toEqual(['on-both', 'west'])
    expect(
      await idsOf([
        [-300, -9],
        [300, -9],
        [300, 9],
        [-300, 9],
      ]),
    ).toEqual(['east', 'home', 'on-both', 'west'])
  })

  it('are reported as incomplete above the limit', async () => {
    const caller = { mapId: 'oak-hills', signal: new AbortController().signal }
    const read = (found: number, around = 1_000) =>
      readFeaturesWithin(database, caller, {}, triangle, { found, around })
    expect(await read(7)).toMatchObject({ isAll: true, items: { length: 7 } })
    expect(await read(6)).toMatchObject({ isAll: false, items: { length: 6 } })
    expect(await read(100, 3)).toMatchObject({ isAll: false })
  })

  it.each([
    ['no area', {}, 'ring'],
    ['two corners', { ring: triangle.slice(1) }, 'ring'],
    ['too many corners', { ring: Array.from({ length: 2_001 }, () => [0, 0]) }, 'ring'],
    ['a corner beyond the pole', { ring: [...triangle, [0, 91]] }, 'ring.3.1'],
    ['a corner beyond all worlds', { ring: [[721, 0], ...triangle] }, 'ring.0.0'],
    ['a corner of one number', { ring: [[1], ...triangle] }, 'ring.0'],
    ['text for a corner', { ring: ['0,0', ...triangle] }, 'ring.0'],
    ['an unknown filter', { ring: triangle, filter: { owner: 'Ann' } }, 'filter'],
    ['a filter that cannot be', { ring: triangle, filter: { status: 'asleep' } }, 'filter.status.0'],
  ])('are refused with %s', async (_, body, name) => {
    const { errors } = expectProblem(await ask(body), 400)
    expect(errors).toContainEqual({ in: 'body', name, message: expect.stringMatching(/\S/) })
  })

  it('are for editors only', async () => {
    expectProblem(await ask({ ring: triangle }, { as: {} }), 401)
    expectProblem(await ask({ ring: triangle }, { as: await signIn(database, ['editor:elsewhere']) }), 403)
    expectProblem(await ask({ ring: triangle }, { as: await signIn(database), mapId: 'nowhere' }), 404)
  })

  it('are exactly those that share a point with it, whatever their shape', async () => {
    const caller = { mapId: 'a-map', signal: new AbortController().signal }
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryPosition, { minLength: 3, maxLength: 9 }), async (ring) => {
        const { items } = await readFeaturesWithin(database, caller, {}, ring)
        const area = new EnclosedArea(ring)
        const expected = anyFeatures.filter(({ geometry }) => area.meets(geometry))
        expect(items.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
      }),
      { numRuns: times(15) },
    )
  })
})
