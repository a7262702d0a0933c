import { beforeAll, expect, it } from 'vitest'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { comb, flatBoomerang, slantedComb, slantedHoles } from '#test/random/hostile-shapes.ts'
import { measureDelay } from '#test/server/event-loop-delay.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

/** At most 100 ms on an idle machine; processors differ. Without limits each shape takes seconds, or forever. */
const maxBusyMs = 400

onEngine('sqlite', 'a hostile shape', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let staff: SignedIn
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [aParcel({ id: 'comb', geometry: comb(150) })])
    staff = await signIn(database)
    app = await startTestApp(database)
    // The first request starts the thread and compiles its code.
    await send('/shape-check', { kind: 'parcel', geometry: comb(200) })
  })

  it('is compared with parcels within the time limit, without blocking other requests', async () => {
    const { answer, busyMs } = await measureDelay(() =>
      send('/shape-check', { kind: 'parcel', geometry: comb(150, true) }),
    )
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({
      fault: null,
      acres: expect.any(Number),
      neighbors: [],
      overlaps: [],
      notChecked: 'shape is too large',
    })
    expect(busyMs).toBeLessThan(maxBusyMs)
  })

  it('is not compared with 10,000 corners or more', async () => {
    const answer = await send('/shape-check', { kind: 'parcel', geometry: comb(2_600) })
    expect(answer.json()).toMatchObject({ fault: null, notChecked: 'shape is too large' })
  })

  it.each<[what: string, geometry: Geometry, status: number]>([
    ['with teeth whose boxes overlap', slantedComb(19_990), 400],
    ['with holes whose boxes overlap', slantedHoles(3_990), 400],
    ['with 20,000 corners', comb(4_990), 201],
    ['a billion times wider than high', flatBoomerang(1e9), 201],
  ])('is saved or refused without blocking other requests: %s', async (_what, geometry, status) => {
    for (const kind of ['parcel', 'asset']) {
      const body = { kind, id: crypto.randomUUID(), name: 'Hostile', geometry }
      const { answer, busyMs } = await measureDelay(() => send('/features', body))
      expect(answer.statusCode, answer.body.slice(0, 300)).toBe(status)
      expect(busyMs).toBeLessThan(maxBusyMs)
    }
  })

  const send = (url: string, payload: object) =>
    app.send({ method: 'POST', url: `/api/maps/oak-hills${url}`, headers: staff, payload })
})

onEngine('sqlite', 'a place far from the land', (createDatabase) => {
  const at = (lng: number, lat: number): Geometry => ({ type: 'Point', coordinates: [lng, lat] })

  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(
      database,
      [-111.08, -111.09, -111.1, -111.11].map((lng, index) =>
        anAsset({ id: `well-${index}`, geometry: at(lng, 34.04) }),
      ),
    )
    const staff = await signIn(database)
    const app = await startTestApp(database)
    const check = async (geometry: Geometry, id: string | null = null) => {
      const url = '/api/maps/oak-hills/shape-check'
      const answer = await app.send({
        method: 'POST',
        url,
        headers: staff,
        payload: { kind: 'asset', id, geometry },
      })
      return answer.json().farFromLand
    }
    return { check, [Symbol.asyncDispose]: () => app.close() }
  }

  it.each<[what: string, place: Geometry, instead: object | null]>([
    ['a missing minus sign', at(111.0819, 34.0389), { lat: 34.0389, lng: -111.0819 }],
    ['a wrong hemisphere', at(-111.0819, -34.0389), { lat: 34.0389, lng: -111.0819 }],
    ['a decimal comma', at(5, 34), null],
  ])('is reported for %s, with the likely place if there is one', async (_what, place, instead) => {
    await using app = await start()
    expect(await app.check(place)).toEqual({ kilometers: expect.any(Number), instead })
  })

  it('is not reported for places on the land and beside it', async () => {
    await using app = await start()
    expect(await app.check(at(-111.0819, 34.0389))).toBeNull()
    expect(await app.check(at(-111.9, 34.0389), 'well-0')).toBeNull()
  })
})
