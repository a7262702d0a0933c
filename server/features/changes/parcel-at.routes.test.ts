import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'

const lot = square(-111.1, 34.04, 0.01)
const place = point(-111.095, 34.045)

const sliver = (id: string) =>
  aParcel({
    id,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-111.0951, 34.0449],
          [-111.0949, 34.0449],
          [-111.0949, 34.0451],
          [-111.0949 - 1e-6, 34.0449 + 1e-6],
          [-111.0951, 34.0449],
        ],
      ],
    },
  })

onEngine('sqlite', 'the parcel of a place among thousands of parcels', (createDatabase) => {
  async function start(slivers: number) {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'lot', geometry: lot }),
      anAsset({ id: 'tank', parcelId: 'lot', geometry: place }),
      ...Array.from({ length: slivers }, (_, at) => sliver(`sliver-${at}`)),
    ])
    const app = await startTestApp(database)
    const editor = await signIn(database, ['editor:oak-hills'])
    const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
      const headers = { ...editor, 'if-match': '*' }
      const answer = await app.send({
        method,
        url: `/api/maps/oak-hills${url}`,
        headers,
        ...(payload && { payload }),
      })
      expect(answer.statusCode, answer.body).toBeLessThan(300)
      return answer.json()
    }
    return { app, ask }
  }

  it('is found if they can be examined', async () => {
    const { ask } = await start(1_000)
    const pump = { id: 'pump', kind: 'asset', name: 'Pump', geometry: place }
    expect(await ask('POST', '/features', pump)).toMatchObject({ parcelId: 'lot' })
    expect(await ask('POST', '/shape-check', { kind: 'asset', geometry: place })).toMatchObject({
      parcel: { id: 'lot' },
      notChecked: null,
    })
  })

  it('stays the same if there are too many, and is null for a new asset', async () => {
    const { ask } = await start(2_000)
    const moved = point(-111.09499, 34.04502)
    expect(await ask('PATCH', '/features/tank', { geometry: moved })).toMatchObject({ parcelId: 'lot' })
    expect(await ask('PATCH', '/features/tank', { parcelId: null })).toMatchObject({ parcelId: 'lot' })
    await ask('PATCH', '/features/lot', { geometry: square(-111.1, 34.04, 0.02) })
    expect(await ask('GET', '/features/tank')).toMatchObject({ parcelId: 'lot' })
    const pump = { id: 'pump', kind: 'asset', name: 'Pump', geometry: place }
    expect(await ask('POST', '/features', pump)).toMatchObject({ parcelId: null })
    expect(await ask('POST', '/shape-check', { kind: 'asset', geometry: place })).toMatchObject({
      parcel: null,
      notChecked: 'too many parcels around it',
    })
  })
})
