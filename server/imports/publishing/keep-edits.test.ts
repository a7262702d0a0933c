import { expect, it } from 'vitest'
import type { Person } from '#domain/access/session.schema.ts'
import type { FeatureChange } from '#domain/features/change-feature.ts'
import { onEachEngine, type TestDatabase } from '#test/databases.ts'
import { storeClient } from '#test/feature-builders.ts'
import { inputOf } from '#test/import-inputs.ts'
import { changeFeatures } from '../../features/change-features.commands.ts'
import { importFeatures } from '../import-features.ts'
import type { ImportOptions } from '../import-options.ts'
import { undoImport } from './undo-import.ts'

const options: ImportOptions = { mapId: 'oak-hills', kind: 'parcel', source: 'county' }
const person: Person = { id: 'ann', name: 'Ann', roles: { isAdministrator: true, ofMaps: {} } }

const table = (...rows: string[]) =>
  inputOf(['id,name,lat,lon,owner,zoning,restrictions', ...rows].join('\n'), 'county.csv')

onEachEngine('what people did to imported features', (createDatabase) => {
  let changes = 0
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await importFeatures(
      database,
      table('1,Lot 1,34,-111,Jones,R1,None', '2,Lot 2,34.1,-111,Smith,R1,None'),
      options,
    )
    const ids = await idsOf(database)
    const scene = () => ({ mapId: 'oak-hills', person, changeId: `change-${++changes}` })
    const change = (name: string, said: FeatureChange) =>
      changeFeatures(database, scene(), [
        { action: 'change', id: ids.get(name) ?? '', isExpected: () => true, change: said },
      ])
    const remove = (name: string) =>
      changeFeatures(database, scene(), [
        { action: 'remove', id: ids.get(name) ?? '', isExpected: () => true },
      ])
    return { database, change, remove, ids }
  }

  it('stay as they are, field by field, whatever the next file says', async () => {
    const { database, change } = await start()
    await change('Lot 1', { name: 'The corner lot', zoning: { restrictions: 'No wells' } })
    const next = table('1,Lot 1 A,35,-111,Brown,R2,Some', '2,Lot 2,34.1,-111,Smith,R1,None')
    const result = await importFeatures(database, next, options)
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1, editsKept: 1 })
    const kept = {
      name: 'The corner lot',
      owner: 'Brown',
      lat: 35,
      zoning: { type: 'R2', restrictions: 'No wells' },
    }
    expect(await lotsOf(database)).toContainEqual(kept)
    // And so the next time.
    await importFeatures(database, table('1,Lot 1 B,35,-111,Brown,R2,Some'), options)
    expect(await lotsOf(database)).toContainEqual(kept)
  })

  it('hold no more once they were taken back', async () => {
    const { database, change } = await start()
    await change('Lot 1', { name: 'The corner lot' })
    await change('Lot 1', { name: 'Lot 1' })
    await importFeatures(database, table('1,Lot 1 A,34,-111,Jones,R1,None'), options)
    expect([...(await idsOf(database)).keys()]).toEqual(['Lot 1 A', 'Lot 2'])
  })

  it('are put aside by an import that is told so, and then for good', async () => {
    const { database, change } = await start()
    await change('Lot 1', { name: 'The corner lot' })
    const next = table('1,Lot 1 A,34,-111,Jones,R1,None')
    expect(await importFeatures(database, next, { ...options, keepsEdits: false })).toMatchObject({
      editsKept: 0,
    })
    expect([...(await idsOf(database)).keys()]).toEqual(['Lot 1 A', 'Lot 2'])
    await importFeatures(database, table('1,Lot 1 B,34,-111,Jones,R1,None'), options)
    expect([...(await idsOf(database)).keys()]).toEqual(['Lot 1 B', 'Lot 2'])
  })

  it('keep what was removed away, until it is asked for', async () => {
    const { database, remove, ids } = await start()
    await remove('Lot 2')
    const next = () => table('1,Lot 1,34,-111,Jones,R1,None', '2,Lot 2,34.1,-111,Smith,R1,None')
    expect(await importFeatures(database, next(), options)).toMatchObject({
      importId: null,
      created: 0,
      unchanged: 1,
      removedHere: 1,
    })
    // Where nobody can put it back any more, the import that made it still knows.
    await database.write((transaction) => transaction.deleteFrom('removed_features').execute())
    expect(await importFeatures(database, next(), options)).toMatchObject({ removedHere: 1 })
    expect(await importFeatures(database, next(), { ...options, bringsBack: true })).toMatchObject({
      created: 1,
    })
    expect(await idsOf(database)).toEqual(ids)
  })

  it('do not keep features away whose import was taken back', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const rows = () => table('1,Lot 1,34,-111,Jones,R1,None')
    const { importId } = await importFeatures(database, rows(), options)
    await undoImport(database, { importId: importId ?? '' })
    expect(await importFeatures(database, rows(), options)).toMatchObject({ created: 1, removedHere: 0 })
  })
})

async function idsOf({ read }: TestDatabase): Promise<Map<string, string>> {
  const rows = await read.selectFrom('features').select(['id', 'name']).orderBy('name').execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

async function lotsOf({ read }: TestDatabase) {
  const rows = await read
    .selectFrom('features')
    .select(['id', 'name', 'lat', 'fields'])
    .orderBy('name')
    .execute()
  return rows.map(({ name, lat, fields }) => {
    const { owner, zoning } = JSON.parse(fields)
    return { name, lat, owner, zoning }
  })
}
