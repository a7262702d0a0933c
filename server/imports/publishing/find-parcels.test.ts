import { expect, it } from 'vitest'
import type { Person } from '#domain/access/session.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { aParcel, square, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { changeFeatures } from '../../features/changes/change-features.commands.ts'
import { importFeatures } from '../import-features.ts'

const options = { mapId: 'oak-hills', kind: 'asset', source: 'hydrants' } as const
const person: Person = { id: 'ann', name: 'Ann', roles: { isAdministrator: true, ofMaps: {} } }

const table = (header: string, ...rows: string[]) => inputOf([header, ...rows].join('\n'), 'hydrants.csv')
const columns = 'id,name,lat,lon'

onEachEngine('imported assets', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'lot-1', geometry: square(-111, 34, 0.1) }),
      aParcel({ id: 'lot-2', geometry: square(-110.9, 34, 0.1) }),
    ])
    const assets = () =>
      database.read
        .selectFrom('features')
        .select(['id', 'name', 'parcel_id', 'version'])
        .where('kind', '=', 'asset')
        .orderBy('name')
        .execute()
    const parcels = async () => (await assets()).map(({ name, parcel_id }) => [name, parcel_id])
    const choose = async (name: string, parcelId: string | null) => {
      const id = (await assets()).find((asset) => asset.name === name)?.id ?? ''
      const change = { mapId: 'oak-hills', person, changeId: `choice-${name}` }
      await changeFeatures(database, change, [
        { action: 'change', id, isExpected: () => true, change: { parcelId } },
      ])
    }
    return { database, parcels, choose }
  }

  it('get the parcel at their place, unless the file has one', async () => {
    const { database, parcels } = await start()
    const file = table(
      `${columns},parcelId,lastMaintenance,maintenanceType`,
      '1,A,34.05,-110.95,,2026-01-05,Flushed',
      '2,B,34.05,-110.85,lot-1,,',
      '3,C,34.05,-110.5,,,',
    )
    const chosen = { ...options, columns: new Map([['parcelId', 'parcelId']]) }
    await importFeatures(database, file, chosen)
    expect(await parcels()).toEqual([
      ['A', 'lot-1'],
      ['B', 'lot-1'],
      ['C', null],
    ])
    expect(await importFeatures(database, file, chosen)).toMatchObject({ unchanged: 3, updated: 0 })
  })

  it('keep their parcel while they stay, and get another when they move', async () => {
    const { database, parcels, choose } = await start()
    const first = table(columns, '1,A,34.05,-110.95', '2,B,34.05,-110.95')
    await importFeatures(database, first, options)
    expect(await importFeatures(database, first, options)).toMatchObject({ unchanged: 2, updated: 0 })
    await choose('B', 'lot-2')
    await importFeatures(database, table(columns, '1,A,34.05,-110.85', '2,B2,34.05,-110.95'), options)
    expect(await parcels()).toEqual([
      ['A', 'lot-2'],
      ['B2', 'lot-2'],
    ])
  })
})
