import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine, onEngine } from '#test/databases.ts'
import { anIncident, aParcel, storeClient, storeFeatures } from '#test/feature-builders.ts'
import { removeFeatures } from '../features/store-features.queries.ts'
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
