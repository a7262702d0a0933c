import { expect, it } from 'vitest'
import type { FeatureDetail, NewFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  point,
  someInstant,
  squareRing,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'

const metadata = [
  { name: 'customField1', value: 7 },
  { name: 'notes', value: 'a <b>note</b> — ünïcode 水' },
  { name: 'flag', value: true },
  { name: 'nothing', value: null },
]

onEachEngine('the detail of a feature', (createDatabase) => {
  async function store(...features: NewFeature[]) {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    const app = await startTestApp(database)
    const headers = await signIn(database, ['editor:oak-hills'])
    const asStaff = async (id: string) =>
      (await app.get(`/api/maps/oak-hills/features/${id}`, headers)).json<FeatureDetail>()
    return { database, app, asStaff }
  }
  const derived = { version: 1, updatedAt: new Date(someInstant).toISOString() }
  const missingParcel = { parcelId: null }

  it.each<NewFeature>([
    anIncident({ metadata, parcelId: 'lot-1', resolved: true, resolvedDate: '2026-05-21T10:00:00.000Z' }),
    anIncident({ type: null, severity: null, date: null, reportedBy: null }),
    anAsset({
      metadata,
      parcelId: 'lot-1',
      lastMaintenance: '2026-03-03',
      maintenanceHistory: [{ date: '2026-03-03', description: 'Cleaned' }],
    }),
    anAsset({ type: null, installDate: null }),
    aGeneralFeature({ metadata, featureType: 'incident', status: 'maintenance' }),
    aGeneralFeature({ featureType: 'incident', type: 'flood', date: '2026-05-19T23:59:59.999Z' }),
    aGeneralFeature({ featureType: 'parcel' }),
    aGeneralFeature({ featureType: 'communication', type: 'communication', status: 'offline' }),
  ])('has all stored values for staff: $kind $id', async (feature) => {
    const { asStaff } = await store(feature)
    expect(await asStaff(feature.id)).toEqual({
      ...(feature.kind === 'asset' ? { maintenancePlan: null, nextDue: null } : {}),
      ...feature,
      ...derived,
      own: null,
      shape: 'point',
      location: { lat: 34.05, lng: -111.09 },
      referenceNames: 'parcelId' in feature && feature.parcelId ? missingParcel : {},
    })
  })

  it('has the boundary of a parcel as latitude and longitude: the outer ring of its largest part', async () => {
    const [large, hole, small] = [
      squareRing(-111, 34, 0.4),
      squareRing(-110.99, 34.01, 0.01),
      squareRing(-112, 34, 0.1),
    ]
    const feature = aParcel({
      metadata,
      geometry: { type: 'MultiPolygon', coordinates: [[small], [large, hole]] },
    })
    const { asStaff } = await store(feature)
    const detail = (await asStaff(feature.id)) as FeatureDetail & { kind: 'parcel' }
    const { location, center, boundaries, ...rest } = detail
    expect(rest).toEqual({ ...feature, ...derived, own: null, shape: 'polygon', referenceNames: {} })
    expect(center).toEqual(location)
    expect(center.lat).toBeCloseTo(34.2, 2)
    expect(center.lng).toBeCloseTo(-110.8, 2)
    expect(boundaries).toEqual(large.map(([lng, lat]) => [lat, lng]))
  })

  it('has the names of related features for every caller', async () => {
    const well = anAsset({ id: 'well', parcelId: 'lot-1' })
    const { database, app, asStaff } = await store(
      well,
      anAsset({ id: 'tank', parcelId: 'well' }),
      aParcel({ id: 'lot-1', name: 'Lot 1 - Ridgeline Dr' }),
    )
    await storeClient(database, 'elm-park')
    await storeFeatures(database, [aParcel({ id: 'lot-1', mapId: 'elm-park', name: 'Of another map' })])
    const named = { parcelId: 'lot-1', referenceNames: { parcelId: 'Lot 1 - Ridgeline Dr' } }
    expect(await app.getJson('/api/maps/oak-hills/features/well')).toMatchObject(named)
    expect(await asStaff('tank')).toMatchObject({ parcelId: 'well', referenceNames: missingParcel })
    const changed = await app.send({
      method: 'PUT',
      url: '/api/maps/oak-hills/features/well/status',
      headers: { ...(await signIn(database, ['editor:oak-hills'])), 'if-match': '"1"' },
      payload: { status: 'offline' },
    })
    expect(changed.json()).toMatchObject(named)
  })

  it('has its version and the time of its last change', async () => {
    const { database, app } = await store(anAsset({ id: 'tank', geometry: point() }))
    await database.write((transaction) =>
      transaction
        .updateTable('features')
        .set({ version: 4, updated_at: someInstant + 1 })
        .where('id', '=', 'tank')
        .execute(),
    )
    expect(await app.getJson('/api/maps/oak-hills/features/tank')).toMatchObject({
      version: 4,
      updatedAt: new Date(someInstant + 1).toISOString(),
    })
    expect(await app.getJson('/api/maps/oak-hills/features')).toMatchObject({ items: [{ version: 4 }] })
  })

  it('shows the public personal data only if the applied configuration does', async () => {
    const [incident, parcel] = [anIncident({ id: 'i' }), aParcel({ id: 'p' })]
    const { database, app } = await store(incident, parcel)
    const read = async () => ({
      incident: await app.getJson('/api/maps/oak-hills/features/i'),
      parcel: await app.getJson('/api/maps/oak-hills/features/p'),
      list: await app.getJson('/api/maps/oak-hills/features'),
      sorted: await app.getJson('/api/maps/oak-hills/features?kind=parcel&sort=name'),
    })
    const listed = (owner: string | null) => ({
      list: { items: [{ owner: null }, { owner, area: 2.5 }] },
      sorted: { items: [{ owner, area: 2.5 }] },
    })
    const shown = {
      incident: { reportedBy: 'Rosa Whitfield' },
      parcel: { owner: 'Harold Vasquez', taxInfo: { annualAmount: 1234.5, lastPaid: '2026-01-31' } },
      ...listed('Harold Vasquez'),
    }
    const hidden = {
      incident: { reportedBy: null, title: incident.title },
      parcel: { owner: null, taxInfo: null, name: parcel.name, area: 2.5 },
      ...listed(null),
    }
    expect(await read()).toMatchObject(hidden)
    const asStaff = await signIn(database, ['editor:oak-hills'])
    const toStaff = await app.get('/api/maps/oak-hills/features', asStaff)
    expect(toStaff.json()).toMatchObject(listed('Harold Vasquez').list)
    expect(toStaff.headers['cache-control']).toBe('private, no-cache')
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData: true })
    expect(await read()).toMatchObject(shown)
    await storeConfiguration(database, 'oak-hills', 2, { showPersonalData: false })
    expect(await read()).toMatchObject(hidden)
    await storeConfiguration(database, 'oak-hills', 3, { startZoom: 9 })
    expect(await read()).toMatchObject(hidden)
  })

  it('shows the public metadata published by name, and staff all of it', async () => {
    const { database, app, asStaff } = await store(anAsset({ id: 'tank', metadata }))
    const seen = async () =>
      (await app.getJson<FeatureDetail>('/api/maps/oak-hills/features/tank')).metadata.map(({ name }) => name)
    expect(await seen()).toEqual([])
    await storeConfiguration(database, 'oak-hills', 1, {
      publicMetadata: ['flag', 'notes', 'Notes', 'absent'],
    })
    expect(await seen()).toEqual(['notes', 'flag'])
    expect((await asStaff('tank')).metadata).toEqual(metadata)
    await storeConfiguration(database, 'oak-hills', 2, { showPersonalData: true })
    expect(await seen()).toEqual([])
  })
})
