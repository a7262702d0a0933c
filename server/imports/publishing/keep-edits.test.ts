import { expect, it } from 'vitest'
import type { Person } from '#domain/access/session.schema.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import { type CreateDatabase, onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { changeFeatures } from '../../features/changes/change-features.commands.ts'
import type { ImportOptions } from '../import-features.ts'
import { importFeatures } from '../import-features.ts'
import { missingMark } from './missing-features.ts'
import { undoImport } from './undo-import.ts'

const options: ImportOptions = {
  mapId: 'oak-hills',
  kind: 'parcel',
  source: 'county',
  columns: new Map([['zoning.restrictions', 'restrictions']]),
}
const person: Person = { id: 'ann', name: 'Ann', roles: { isAdministrator: true, ofMaps: {} } }

const table = (...rows: string[]) =>
  inputOf(['id,name,lat,lon,owner,zoning,restrictions', ...rows].join('\n'), 'county.csv')

let changes = 0
async function start(createDatabase: CreateDatabase) {
  const database = await createDatabase()
  await storeClient(database, 'oak-hills')
  await importFeatures(
    database,
    table('1,Lot 1,34,-111,Jones,R1,None', '2,Lot 2,34.1,-111,Smith,R1,None'),
    options,
  )
  const ids = await idsOf(database)
  const context = () => ({ mapId: 'oak-hills', person, changeId: `change-${++changes}` })
  const change = (name: string, edit: FeatureChange) =>
    changeFeatures(database, context(), [
      { action: 'change', id: ids.get(name) ?? '', isExpected: () => true, change: edit },
    ])
  const remove = (name: string) =>
    changeFeatures(database, context(), [
      { action: 'remove', id: ids.get(name) ?? '', isExpected: () => true },
    ])
  return { database, change, remove, ids }
}

onEachEngine('edits of imported features', (createDatabase) => {
  it('are kept field by field, whatever the next file contains', async () => {
    const { database, change } = await start(createDatabase)
    await change('Lot 1', { name: 'The corner lot', zoning: { restrictions: 'No wells' } })
    const next = table('1,Lot 1 A,35,-111,Brown,R2,Some', '2,Lot 2,34.1,-111,Smith,R1,None')
    const result = await importFeatures(database, next, options)
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1, editsKept: 1 })
    const merged = {
      name: 'The corner lot',
      owner: 'Brown',
      lat: 35,
      zoning: { type: 'R2', restrictions: 'No wells' },
    }
    expect(await lotsOf(database)).toContainEqual(merged)
    await importFeatures(database, table('1,Lot 1 B,35,-111,Brown,R2,Some'), options)
    expect(await lotsOf(database)).toContainEqual(merged)
  })

  it('restore removed features only if chosen', async () => {
    const { database, remove, ids } = await start(createDatabase)
    await remove('Lot 2')
    const next = () => table('1,Lot 1,34,-111,Jones,R1,None', '2,Lot 2,34.1,-111,Smith,R1,None')
    expect(await importFeatures(database, next(), options)).toMatchObject({
      importId: null,
      created: 0,
      unchanged: 1,
      removedHere: 1,
    })
    // After 30 days the changes of the first import show that the feature existed.
    await database.write((transaction) => transaction.deleteFrom('removed_features').execute())
    expect(await importFeatures(database, next(), options)).toMatchObject({ removedHere: 1 })
    expect(await importFeatures(database, next(), { ...options, bringsBack: true })).toMatchObject({
      created: 1,
    })
    expect(await idsOf(database)).toEqual(ids)
  })

  it('are kept together with fields that are not in onlyFields', async () => {
    const { database, change } = await start(createDatabase)
    await change('Lot 2', { owner: 'Ann' })
    const next = table(
      '1,Lot 1 A,35,-111,Brown,R2,Some',
      '2,Lot 2 A,34.1,-111,White,R1,None',
      '3,Lot 3,34.2,-111,New,R1,',
    )
    const only = ['owner', 'zoning.restrictions']
    const result = await importFeatures(database, next, { ...options, onlyFields: only })
    expect(result).toMatchObject({ created: 1, updated: 1, unchanged: 1, editsKept: 1 })
    expect(await lotsOf(database)).toEqual([
      { name: 'Lot 1', lat: 34, owner: 'Brown', zoning: { type: 'R1', restrictions: 'Some' } },
      { name: 'Lot 2', lat: 34.1, owner: 'Ann', zoning: { type: 'R1', restrictions: 'None' } },
      { name: 'Lot 3', lat: 34.2, owner: 'New', zoning: { type: 'R1', restrictions: null } },
    ])
  })
})

onEngine('sqlite', 'edits of imported features', (createDatabase) => {
  it('are not kept after they were reverted', async () => {
    const { database, change } = await start(createDatabase)
    await change('Lot 1', { name: 'The corner lot' })
    await change('Lot 1', { name: 'Lot 1' })
    await importFeatures(database, table('1,Lot 1 A,34,-111,Jones,R1,None'), options)
    expect(await namesOf(database)).toEqual(['Lot 1 A', 'Lot 2'])
  })

  it('are replaced by an import with keepsEdits false, and stay replaced', async () => {
    const { database, change } = await start(createDatabase)
    await change('Lot 1', { name: 'The corner lot' })
    const next = table('1,Lot 1 A,34,-111,Jones,R1,None')
    expect(await importFeatures(database, next, { ...options, keepsEdits: false })).toMatchObject({
      editsKept: 0,
    })
    expect(await namesOf(database)).toEqual(['Lot 1 A', 'Lot 2'])
    await importFeatures(database, table('1,Lot 1 B,34,-111,Jones,R1,None'), options)
    expect(await namesOf(database)).toEqual(['Lot 1 B', 'Lot 2'])
  })

  it('do not exclude features of an undone import', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const rows = () => table('1,Lot 1,34,-111,Jones,R1,None')
    const { importId } = await importFeatures(database, rows(), options)
    await undoImport(database, { importId: importId ?? '' })
    expect(await importFeatures(database, rows(), options)).toMatchObject({ created: 1, removedHere: 0 })
  })

  it('survive in fields that an import was not to change, though it replaced others', async () => {
    const { database, change } = await start(createDatabase)
    await change('Lot 1', { name: 'The corner lot', owner: 'Ann' })
    const next = () => table('1,Lot 1 A,34,-111,Brown,R1,None')
    await importFeatures(database, next(), { ...options, keepsEdits: false, onlyFields: ['owner'] })
    expect(await lotsOf(database)).toContainEqual(
      expect.objectContaining({ name: 'The corner lot', owner: 'Brown' }),
    )
    expect(await importFeatures(database, next(), options)).toMatchObject({ editsKept: 1 })
    expect(await namesOf(database)).toContain('The corner lot')
  })

  it('are replaced by a changed export', async () => {
    const { database, change, remove, ids } = await start(createDatabase)
    await change('Lot 1', { name: 'The corner lot' })
    await remove('Lot 2')
    const rows = [...ids].map(([name, id]) => `oak-hills,parcel,${id},${name} of the office,34,-111`)
    const exported = () =>
      inputOf(['mapId,kind,id,name,latitude,longitude', ...rows].join('\n'), 'parcels.csv')
    const result = await importFeatures(database, exported(), {
      ...options,
      columns: new Map(),
      source: 'export',
    })
    expect(result).toMatchObject({ updated: 1, editsKept: 0 })
    expect(await namesOf(database)).toEqual(['Lot 1 of the office'])
  })
})

onEachEngine('a feature that the file no longer has', (createDatabase) => {
  const whole = () =>
    table('1,Lot 1,34,-111,Jones,R1,', '2,Lot 2,34.1,-111,Smith,R1,', '3,Lot 3,34.2,-111,Hill,R1,')
  const rest = () => table('1,Lot 1,34,-111,Jones,R1,', '3,Lot 3,nowhere,-111,Hill,R1,')
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await importFeatures(database, whole(), options)
    await importFeatures(database, table('1,Barn,34.5,-111,,,'), { ...options, source: 'barns' })
    return database
  }
  const marksOf = async ({ read }: TestDatabase) => {
    const rows = await read.selectFrom('features').select(['name', 'metadata']).orderBy('name').execute()
    return rows.filter(({ metadata }) => metadata.includes(missingMark)).map(({ name }) => name)
  }

  it('stays, is marked once, and loses its mark when it is in the file again', async () => {
    const database = await start()
    expect(await importFeatures(database, rest(), options)).toMatchObject({ importId: null, refused: 1 })
    const marked = await importFeatures(database, rest(), { ...options, missing: 'mark' })
    expect(marked).toMatchObject({ updated: 1, gone: 1 })
    expect(await marksOf(database)).toEqual(['Lot 2'])
    expect(await importFeatures(database, rest(), { ...options, missing: 'mark' })).toMatchObject({
      importId: null,
    })
    await undoImport(database, { importId: marked.importId ?? '' })
    expect(await marksOf(database)).toEqual([])
    await importFeatures(database, rest(), { ...options, missing: 'mark' })
    await importFeatures(database, whole(), { ...options, missing: 'mark' })
    expect(await marksOf(database)).toEqual([])
  })

  it('is removed as by a user, and restored by undo or by a file that has it again', async () => {
    const database = await start()
    const removing = { ...options, missing: 'remove', actor: { id: 'ann', name: 'Ann' } } as const
    const { importId, ...counts } = await importFeatures(database, rest(), removing)
    expect(counts).toMatchObject({ created: 0, updated: 0, gone: 1 })
    expect(await namesOf(database)).toEqual(['Barn', 'Lot 1', 'Lot 3'])
    const removed = await database.read
      .selectFrom('removed_features')
      .select(['name', 'removed_by'])
      .execute()
    expect(removed).toEqual([{ name: 'Lot 2', removed_by: 'Ann' }])
    expect(await undoImport(database, { importId: importId ?? '' })).toMatchObject({ restored: 1, kept: [] })
    expect(await namesOf(database)).toEqual(['Barn', 'Lot 1', 'Lot 2', 'Lot 3'])
    await importFeatures(database, rest(), removing)
    await database.write((transaction) => transaction.deleteFrom('removed_features').execute())
    expect(await importFeatures(database, whole(), options)).toMatchObject({ created: 1, removedHere: 0 })
  })

  it('is removed again by a file or a user after it was restored', async () => {
    const database = await start()
    const removing = { ...options, missing: 'remove' } as const
    const removed = async () =>
      (await database.read.selectFrom('removed_features').select('name').execute()).map(({ name }) => name)
    for (const _ of [1, 2]) {
      await importFeatures(database, rest(), removing)
      expect(await removed()).toEqual(['Lot 2'])
      await importFeatures(database, whole(), options)
      expect(await removed()).toEqual([])
    }
    const id = (await idsOf(database)).get('Lot 2') ?? ''
    const remove = { action: 'remove', id, isExpected: () => true } as const
    await changeFeatures(database, { mapId: 'oak-hills', person, changeId: 'by-hand' }, [remove])
    await database.write((transaction) => transaction.deleteFrom('removed_features').execute())
    expect(await importFeatures(database, whole(), options)).toMatchObject({ created: 0, removedHere: 1 })
  })

  it('is marked even if only some fields are updated', async () => {
    const database = await start()
    const marking = { ...options, missing: 'mark', onlyFields: ['owner'] } as const
    expect(await importFeatures(database, rest(), marking)).toMatchObject({ updated: 1 })
    expect(await marksOf(database)).toEqual(['Lot 2'])
  })

  it('is restored unchanged, in any number', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const lots = (count: number) =>
      table(
        ...Array.from(
          { length: count },
          (_, index) => `${index},Lot ${index},34,-${110 + index / 1000},A,R1,`,
        ),
      )
    await importFeatures(database, lots(1_100), options)
    const { importId } = await importFeatures(database, lots(1), { ...options, missing: 'remove' })
    expect(await idsOf(database)).toHaveProperty('size', 1)
    expect(await undoImport(database, { importId: importId ?? '' })).toMatchObject({
      restored: 1_099,
      kept: [],
    })
    expect(await idsOf(database)).toHaveProperty('size', 1_100)
  })
})

const namesOf = async (database: TestDatabase) => [...(await idsOf(database)).keys()]

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
