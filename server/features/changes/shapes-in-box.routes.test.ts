import { expect, it } from 'vitest'
import { maxShapes } from '#domain/features/shapes.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, aParcel, square, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

onEachEngine('shapes in a box', (createDatabase) => {
  const exact: Geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [10.123456789012, 20],
        [10.2, 20],
        [10.2, 20.1],
        [10.123456789012, 20],
      ],
    ],
  }

  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'inside', name: 'Lot 1', geometry: exact, area: 12.5 }),
      aParcel({ id: 'elsewhere', geometry: square(40, 40, 0.1) }),
      anAsset({ id: 'pipe', geometry: square(10.15, 20, 0.1) }),
    ])
    const app = await startTestApp(database)
    return { database, app }
  }
  const url = '/api/maps/oak-hills/shapes'

  it('have all digits and their versions, and are of one kind', async () => {
    const { database, app } = await start()
    await using _ = app
    const answer = await app.get(`${url}?kind=parcel&bbox=10,19,11,21`, await signIn(database))
    expect(answer.json()).toEqual({
      items: [{ id: 'inside', name: 'Lot 1', version: 1, geometry: exact, area: 12.5 }],
      isComplete: true,
    })
  })

  it('are not returned if there are too many', async () => {
    const { database, app } = await start()
    await using _ = app
    const many = Array.from({ length: maxShapes.count + 1 }, (_, index) =>
      aParcel({ id: `many-${index}`, geometry: square(60, 10, 0.1) }),
    )
    await storeFeatures(database, many)
    const answer = await app.get(`${url}?kind=parcel&bbox=59,9,61,11`, await signIn(database))
    expect(answer.json()).toEqual({ items: [], isComplete: false })
  })

  it('are not returned if they have too many digits, such as streets of a whole town', async () => {
    const { database, app } = await start()
    await using _ = app
    const ring = Array.from({ length: 20_000 }, (_, index): Position => {
      const angle = (index / 20_000) * 2 * Math.PI
      return [60 + Math.cos(angle), 10 + Math.sin(angle)]
    })
    const geometry: Geometry = { type: 'Polygon', coordinates: [[...ring, ring[0] as Position]] }
    const count = Math.ceil(maxShapes.characters / JSON.stringify(geometry).length)
    const streets = Array.from({ length: count }, (_, index) => aParcel({ id: `street-${index}`, geometry }))
    const staff = await signIn(database)
    const read = async () => (await app.get(`${url}?kind=parcel&bbox=59,9,61,11`, staff)).json()
    await storeFeatures(database, streets.slice(1))
    expect((await read()).items).toHaveLength(count - 1)
    await storeFeatures(database, streets.slice(0, 1))
    expect(await read()).toEqual({ items: [], isComplete: false })
  })

  it('are for editors, and need a valid box', async () => {
    const { database, app } = await start()
    await using _ = app
    expectProblem(await app.get(`${url}?kind=parcel&bbox=10,19,11,21`), 401)
    const viewer = await signIn(database, 'viewer')
    expectProblem(await app.get(`${url}?kind=parcel&bbox=10,19,11,21`, viewer), 403)
    const staff = await signIn(database)
    expectProblem(await app.get(`${url}?kind=parcel&bbox=10,19`, staff), 400)
    expectProblem(await app.get(`${url}?kind=road&bbox=10,19,11,21`, staff), 400)
    expectProblem(await app.get('/api/maps/nowhere/shapes?kind=parcel&bbox=10,19,11,21', staff), 404)
  })
})
