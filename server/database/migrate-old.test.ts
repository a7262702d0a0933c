import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine, onEngine } from '#test/databases.ts'
import {
  aGeneralFeature,
  anIncident,
  aParcel,
  storeClient,
  storeConfiguration,
  storeFeatures,
  storeMap,
} from '#test/feature-builders.ts'
import { publicUrl, sessionOf, signInWith, startOidcApp } from '#test/oidc-app.ts'
import { signIn } from '#test/signed-in.ts'
import { startTestApp } from '#test/test-app.ts'
import { readConfiguration } from '../configuration.ts'
import { removeFeatures } from '../features/store-features.queries.ts'
import { sessionCookieName } from '../http/access.ts'
import { openDatabase } from './database.ts'
import { applyMigrations, migrate, migrations } from './migrate.ts'

onEachEngine('migrating a database that is in use', (createDatabase) => {
  it('finds the parcels of features, and parts what clients are searched by', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [aParcel({ id: 'lot' }), anIncident({ id: 'fire', parcelId: 'lot' })])
    // As it was before the third migration.
    await database.write(async (transaction) => {
      await sql`drop index features_of_parcels`.execute(transaction)
      if (database.engine === 'postgres')
        await sql`drop trigger activity_not_emptied on activity`.execute(transaction)
      await sql`alter table features drop column parcel_id`.execute(transaction)
      await sql`update clients set search_text = 'oak hills payson arizona'`.execute(transaction)
      await sql`delete from migrations where name like '003%'`.execute(transaction)
    })
    expect(await migrate(database)).toEqual(['003-order-and-search'])
    const rows = database.read.selectFrom('features').select(['id', 'parcel_id']).orderBy('id')
    expect(await rows.execute()).toEqual([
      { id: 'fire', parcel_id: 'lot' },
      { id: 'lot', parcel_id: null },
    ])
    const client = database.read.selectFrom('clients').select('search_text')
    expect(await client.executeTakeFirst()).toEqual({ search_text: 'oak hills\npayson arizona' })
  })
})

onEngine('sqlite', 'migrating a database that is in use', (_createDatabase, { createLocation }) => {
  it('keeps words apart by map', async () => {
    const database = await openDatabase(await createLocation())
    await database.write((transaction) => applyMigrations(transaction, 'sqlite', migrations.slice(0, 5)))
    for (const mapId of ['oak', 'oak-hills']) {
      await storeClient(database, mapId)
      await storeFeatures(database, [aParcel({ id: mapId, mapId, name: `Lot of ${mapId}`, description: '' })])
    }
    expect(await migrate(database)).toContain('006-words-of-maps')
    await storeFeatures(database, [
      aParcel({ id: 'later', mapId: 'oak', name: 'Lot after it', description: '' }),
    ])
    const find = (mapId: string, word: string) =>
      database.read
        .selectFrom('features')
        .select('id')
        .where(database.dialect.matchesWords(mapId, [word]))
        .orderBy('id')
        .execute()
    expect(await find('oak', 'lot')).toEqual([{ id: 'later' }, { id: 'oak' }])
    expect(await find('oak-hills', 'lot')).toEqual([{ id: 'oak-hills' }])
    expect(await find('oak', 'after')).toEqual([{ id: 'later' }])
    await database.write((transaction) => removeFeatures(transaction, 'sqlite', 'oak', ['later']))
    expect(await find('oak', 'after')).toEqual([])
    await database.close()
  })
})

onEachEngine(
  'migrating a database in which nothing was hidden by itself',
  (_createDatabase, { createLocation }) => {
    /** As it was before the tenth migration. */
    async function start() {
      const location = await createLocation()
      const database = Object.assign(await openDatabase(location), { location })
      await database.write((transaction) =>
        applyMigrations(transaction, database.engine, migrations.slice(0, 9)),
      )
      return database
    }
    const metadata = [
      { name: 'OwnerName', value: 'Vasquez' },
      { name: 'notes', value: 'by the road' },
    ]

    it('publishes nothing, and hides what nobody decided to show', async () => {
      const database = await start()
      const configurations = {
        unconfigured: null,
        shown: { showPersonalData: true, center: [34.5, -111.5], zoom: 9 },
        hidden: { showPersonalData: false },
        undecided: { startZoom: 9 },
      }
      for (const [mapId, configuration] of Object.entries(configurations)) {
        await storeClient(database, mapId)
        await storeFeatures(database, [aParcel({ id: 'lot', mapId, metadata })])
        if (configuration) await storeConfiguration(database, mapId, 1, configuration)
      }
      const stored = () =>
        database.read.selectFrom('map_configurations').selectAll().orderBy('map_id').execute()
      const before = await stored()
      expect(await migrate(database)).toContain('010-published-metadata')
      expect(await stored()).toEqual(before)

      const app = await startTestApp(database)
      const seen: Record<string, unknown> = {}
      for (const mapId of Object.keys(configurations)) {
        const lot = (await app.get(`/api/maps/${mapId}/features/lot`)).json()
        seen[mapId] = { owner: lot.owner, tax: lot.taxInfo?.annualAmount ?? null, metadata: lot.metadata }
      }
      const nothing = { owner: null, tax: null, metadata: [] }
      expect(seen).toEqual({
        unconfigured: nothing,
        shown: { owner: 'Harold Vasquez', tax: 1234.5, metadata: [] },
        hidden: nothing,
        undecided: nothing,
      })
      const headers = await signIn(database, ['editor:hidden'])
      expect((await app.get('/api/maps/hidden/features/lot', headers)).json()).toMatchObject({ metadata })
      await app.close()
      await database.close()
    })

    const names = ['customField1', 'notes', 'flag']
    const applied = {
      center: { lat: 35, lng: -112 },
      startZoom: 9,
      mapTypes: ['street'],
      showPersonalData: true,
    }
    it.each<[string, Record<string, unknown> | 'none' | null, unknown]>([
      [
        'that nobody has configured',
        null,
        { version: 1, configuration: { publicMetadata: names, startZoom: 14 } },
      ],
      ['that is configured', applied, { version: 3, configuration: { ...applied, publicMetadata: names } }],
      ['whose configuration cannot be read', { startZoom: 'far' }, { isApplied: false, version: 3 }],
      ['whose configuration is no JSON', 'none', { isApplied: false, version: 1 }],
    ])('lets the map `sample` publish its three, one %s', async (_which, configuration, expected) => {
      const database = await start()
      await storeMap(database, 'sample')
      await storeFeatures(database, [aGeneralFeature({ id: 'spring', mapId: 'sample', metadata })])
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
      const { metadata: seen } = await app.getJson<FeatureDetail>('/api/maps/sample/features/spring')
      expect(seen).toEqual(answer.isApplied ? [{ name: 'notes', value: 'by the road' }] : [])
      // What was there before is there still, to be brought back.
      const versions = await app.get('/api/maps/sample/configuration/versions', await signIn(database))
      expect(versions.json().items).toHaveLength(answer.version)
      await app.close()
      await database.close()
    })

    it('adds no map `sample` where there is none, nor configures any other', async () => {
      const database = await start()
      await storeClient(database, 'oak-hills')
      await migrate(database)
      expect(await database.read.selectFrom('map_configurations').selectAll().execute()).toEqual([])
      await database.close()
    })
  },
)

onEachEngine('migrating a database with people signed in', (_createDatabase, { createLocation }) => {
  it('leaves them signed in, and their sessions end as new ones do', async () => {
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
