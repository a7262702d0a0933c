import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { aParcel, storeClient, storeConfiguration, storeFeatures } from '#test/databases/feature-builders.ts'
import { oldDatabases, openOldDatabase } from '#test/databases/old-databases.ts'
import { expectExactRanks } from '#test/server/expect-exact-ranks.ts'
import { publicUrl, sessionOf, signInWith, startOidcApp } from '#test/server/oidc-app.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { sessionCookieName } from '../http/access.ts'
import { undoImport } from '../imports/publishing/undo-import.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { removeFeatures } from '../thinning/write-features.queries.ts'
import { applyMigrations, migrate, migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'

onEachEngine('an old database', (_createDatabase, { createLocation }) => {
  it.each(oldDatabases)(
    'returns the same data after %i migrations, and supports all later features',
    async (applied) => {
      const database = await openOldDatabase(await createLocation(), applied)
      expect(await migrate(database)).toEqual(migrations.slice(applied).map(({ name }) => name))
      const app = await startTestApp(database)
      const staff = await signIn(database)
      const list = async (query: string) => {
        const { items } = await app.getJson<{ items: FeatureSummary[] }>(
          `/api/maps/oak-hills/features?${query}`,
        )
        return items.map(({ name }) => name)
      }
      const details = async (name: string) => {
        const { items } = await app.getJson<{ items: FeatureSummary[] }>('/api/maps/oak-hills/features')
        const id = items.find((item) => item.name === name)?.id
        return (await app.get(`/api/maps/oak-hills/features/${id}`, staff)).json()
      }

      const inListOrder = [
        'Main at Élan Rd 12',
        'Well',
        'Smoke over the ridge',
        'Old burn',
        'Lot 2 and the creek',
        'Lot 10',
      ]
      expect(await list('')).toEqual(inListOrder)
      expect(await list('sort=name')).toEqual([
        'Lot 2 and the creek',
        'Lot 10',
        'Main at Élan Rd 12',
        'Old burn',
        'Smoke over the ridge',
        'Well',
      ])
      expect(await list('text=elan')).toEqual(['Main at Élan Rd 12'])
      expect(await list('text=creek')).toEqual(['Lot 2 and the creek'])
      const found = await app.get('/api/maps/oak-hills/features?text=rui%20creek', staff)
      expect(found.json().items).toMatchObject([{ name: 'Lot 2 and the creek' }])
      expect(await details('Lot 2 and the creek')).toMatchObject({
        kind: 'parcel',
        owner: 'Ana Ruiz',
        zoning: { type: 'Residential', restrictions: null },
        metadata: expect.arrayContaining([{ name: 'Ward', value: 7 }]),
        version: 2,
      })
      expect(await details('Smoke over the ridge')).toMatchObject({
        kind: 'incident',
        date: '2026-05-20T08:30:00.000Z',
        reportedBy: 'Rosa Whitfield',
        resolved: false,
      })
      expect(await details('Old burn')).toMatchObject({ severity: null, date: null, resolved: true })
      expect(await details('Main at Élan Rd 12')).toMatchObject({
        kind: 'asset',
        status: 'maintenance',
        installDate: '2001-04-05',
        maintenanceHistory: [],
      })
      const sample = await app.getJson<{ total: number }>('/api/maps/sample/features')
      expect(sample.total).toBe(50)
      const general = await app.getJson<FeatureDetail>('/api/maps/sample/features/feature-1')
      expect(general).toMatchObject({
        kind: 'feature',
        status: expect.any(String),
        featureType: expect.any(String),
      })
      const clients = await app.get('/api/clients?text=payson', staff)
      expect(clients.json().items).toMatchObject([{ name: 'Oak Hills POA' }])
      for (const mapId of ['oak-hills', 'sample']) await expectExactRanks(database, mapId)

      const { items } = (await app.get('/api/maps/oak-hills/activity', staff)).json()
      const { subject } = items.find(
        ({ details }: { details: { updated?: number } }) => details.updated === 1,
      )
      await undoImport(database, { importId: subject })
      expect(await list('')).toEqual(inListOrder.with(4, 'Lot 2'))
      expect(await list('text=creek')).toEqual([])
      expect(await details('Lot 2')).toMatchObject({ owner: 'Harold Vasquez', version: 3 })
      await expectExactRanks(database, 'oak-hills')
      await app.close()
      await database.close()
    },
  )

  it('converts the maintenance in asset fields to entries', async () => {
    const database = await openOldDatabase(await createLocation(), 11)
    const asset = await database.read
      .selectFrom('features')
      .select(['id', 'fields', 'import_id'])
      .where('kind', '=', 'asset')
      .where('map_id', '=', 'oak-hills')
      .executeTakeFirstOrThrow()
    const history = [
      { date: '2021-05-05', description: 'Flushed' },
      { date: '2022-05-05', description: 'Capped' },
    ]
    await database.write(async (transaction) => {
      const fields = {
        ...JSON.parse(asset.fields),
        lastMaintenance: '2024-02-29',
        maintenanceHistory: history,
      }
      await transaction
        .updateTable('features')
        .set({ fields: JSON.stringify(fields) })
        .where('id', '=', asset.id)
        .execute()
    })
    await migrate(database)
    const app = await startTestApp(database)
    const staff = await signIn(database)
    const path = `/api/maps/oak-hills/features/${asset.id}`
    const { items } = (await app.get(`${path}/maintenance`, staff)).json()
    const entries = items.map(({ date, text }: { date: string; text: string }) => [date, text])
    expect(entries).toEqual([
      ['2024-02-29', 'Maintenance'],
      ['2022-05-05', 'Capped'],
      ['2021-05-05', 'Flushed'],
    ])
    expect((await app.get(path)).json()).toMatchObject({
      lastMaintenance: '2024-02-29',
      maintenanceHistory: entries.map(([date, description]: string[]) => ({ date, description })),
    })
    await undoImport(database, { importId: asset.import_id ?? '', confirm: async () => true })
    expect(await database.read.selectFrom('maintenance_entries').select('id').execute()).toEqual([])
    await app.close()
    await database.close()
  })
})

onEngine('sqlite', 'migrating a database in use', (_createDatabase, { createLocation }) => {
  it('separates words by map', async () => {
    const database = await openOldDatabase(await createLocation(), 5)
    expect(await migrate(database)).toContain('006-words-of-maps')
    const find = (mapId: string, word: string) =>
      database.read
        .selectFrom('features')
        .select('name')
        .where(database.dialect.matchesWords(mapId, [word]))
        .orderBy('id')
        .execute()
    expect(await find('oak-hills', 'lot')).toHaveLength(2)
    expect(await find('oak', 'lot')).toEqual([])
    expect(await find('sample', 'elan')).toEqual([])
    expect(await find('oak-hills', 'elan')).toHaveLength(1)
    const later = aParcel({ id: 'later', mapId: 'oak-hills', name: 'Lot after it', description: '' })
    await storeFeatures(database, [later])
    expect(await find('oak-hills', 'after')).toEqual([{ name: 'Lot after it' }])
    await database.write((transaction) => removeFeatures(transaction, 'sqlite', 'oak-hills', ['later']))
    expect(await find('oak-hills', 'after')).toEqual([])
    await database.close()
  })
})

onEachEngine(
  'migrating a database in which nothing was hidden by itself',
  (_createDatabase, { createLocation }) => {
    const start = async () => openOldDatabase(await createLocation(), 9)
    const lot = '/api/maps/oak-hills/features/parcel-20e6bcb1b509b9d3'

    it.each<[string, Record<string, unknown> | null, string | null]>([
      ['without a configuration', null, null],
      ['that shows owners', { showPersonalData: true, center: [34.5, -111.5], zoom: 9 }, 'Ana Ruiz'],
      ['that hides owners', { showPersonalData: false }, null],
      ['that does not set it', { startZoom: 9 }, null],
    ])(
      'keeps visible owners visible, and publishes nothing of a map %s',
      async (_which, configuration, owner) => {
        const database = await start()
        if (configuration) await storeConfiguration(database, 'oak-hills', 1, configuration)
        const stored = () =>
          database.read
            .selectFrom('map_configurations')
            .selectAll()
            .where('map_id', '=', 'oak-hills')
            .execute()
        const before = await stored()
        expect(await migrate(database)).toContain('010-published-metadata')
        expect(await stored()).toEqual(before)
        const app = await startTestApp(database)
        expect(await app.getJson(lot)).toMatchObject({ owner, metadata: [] })
        const seen = (await app.get(lot, await signIn(database, ['editor:oak-hills']))).json()
        expect(seen).toMatchObject({
          owner: 'Ana Ruiz',
          metadata: expect.arrayContaining([{ name: 'Ward', value: 7 }]),
        })
        await app.close()
        await database.close()
      },
    )

    const names = ['customField1', 'notes', 'flag']
    const applied = {
      center: { lat: 35, lng: -112 },
      startZoom: 9,
      mapTypes: ['street'],
      showPersonalData: true,
    }
    it.each<[string, Record<string, unknown> | 'none' | null, unknown]>([
      [
        'without a configuration',
        null,
        { version: 1, configuration: { publicMetadata: names, startZoom: 14 } },
      ],
      ['that is configured', applied, { version: 3, configuration: { ...applied, publicMetadata: names } }],
      ['whose configuration cannot be read', { startZoom: 'far' }, { isApplied: false, version: 3 }],
      ['whose configuration is no JSON', 'none', { isApplied: false, version: 1 }],
    ])('publishes three metadata names of the map `sample`, %s', async (_which, configuration, expected) => {
      const database = await start()
      if (configuration === 'none') {
        const row = { map_id: 'sample', version: 1, configuration, applied_at: 0, applied_by: null }
        await database.write((transaction) =>
          transaction.insertInto('map_configurations').values(row).execute(),
        )
      } else if (configuration)
        for (const version of [1, 2]) await storeConfiguration(database, 'sample', version, configuration)
      await migrate(database)
      const app = await startTestApp(database)
      const answer = await app.getJson<MapConfigurationAnswer>('/api/maps/sample/configuration')
      expect(answer).toMatchObject(expected as object)
      const { metadata: seen } = await app.getJson<FeatureDetail>('/api/maps/sample/features/feature-1')
      expect(seen.map(({ name }) => name)).toEqual(answer.isApplied ? names : [])
      const versions = await app.get('/api/maps/sample/configuration/versions', await signIn(database))
      expect(versions.json().items).toHaveLength(answer.version)
      await app.close()
      await database.close()
    })

    it('does not add the map `sample`, or configure other maps', async () => {
      const database = await openDatabase(await createLocation())
      await database.write((transaction) =>
        applyMigrations(transaction, database.engine, migrations.slice(0, 9)),
      )
      await storeClient(database, 'oak-hills')
      await migrate(database)
      expect(await database.read.selectFrom('map_configurations').selectAll().execute()).toEqual([])
      await database.close()
    })
  },
)

onEachEngine('migrating a database with signed-in users', (_createDatabase, { createLocation }) => {
  it('keeps them signed in, and their sessions expire as usual', async () => {
    const location = await createLocation()
    const database = Object.assign(await openDatabase(location), { location })
    await database.write((transaction) =>
      applyMigrations(transaction, database.engine, migrations.slice(0, 10)),
    )
    const hour = 3_600_000
    const now = Date.now()
    const lastSeen = { here: now, elsewhere: now - hour, idle: now - 9 * hour }
    const rows = Object.entries(lastSeen).map(([id, last_seen_at]) => ({
      id_hash: createHash('sha256').update(id).digest('hex'),
      person_id: 'maya',
      person_name: 'Maya Ortiz',
      roles: '{"isAdministrator":true,"ofMaps":{}}',
      id_token: null,
      created_at: now - 10 * hour,
      expires_at: now + 14 * hour,
      last_seen_at,
    }))
    await database.write((transaction) => transaction.insertInto('sessions').values(rows).execute())
    expect(await migrate(database)).toContain('011-sessions')

    await using app = await startOidcApp(database)
    const cookieOf = (id: string) => ({
      cookie: `${sessionCookieName(readConfiguration({ PUBLIC_URL: publicUrl }))}=${id}`,
      host: new URL(publicUrl).host,
      'sec-fetch-site': 'same-origin',
    })
    const isSignedIn = async (id: string) =>
      (await app.get('/api/session', cookieOf(id))).json().person !== null
    expect(await Promise.all(['here', 'elsewhere', 'idle'].map(isSignedIn))).toEqual([true, true, false])
    const { browser } = await signInWith(app)
    expect(await sessionOf(browser)).toMatchObject({ person: { name: 'Ana Ruiz' } })
    await app.send({ method: 'DELETE', url: '/api/sessions', headers: cookieOf('here') })
    expect(await Promise.all(['here', 'elsewhere'].map(isSignedIn))).toEqual([false, false])
    expect(await sessionOf(browser)).toMatchObject({ person: { name: 'Ana Ruiz' } })
    await database.close()
  })
})
