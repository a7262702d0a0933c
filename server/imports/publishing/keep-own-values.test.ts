import { expect, it } from 'vitest'
import type { Person } from '#domain/access/session.schema.ts'
import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { changeFeatures } from '../../features/changes/change-features.commands.ts'
import { changeCustomFields } from '../../features/custom-fields/custom-fields.commands.ts'
import { importFeatures } from '../import-features.ts'

const options = { mapId: 'oak-hills', kind: 'asset', source: 'hydrants' } as const
const person: Person = { id: 'ann', name: 'Ann', roles: { isAdministrator: true, ofMaps: {} } }
const field = { choices: [], isRequired: false, visibleTo: 'everyone' as const, help: null }
const customFields: CustomFields = {
  ...noCustomFields,
  asset: [
    {
      ...field,
      key: 'color',
      label: 'Bonnet color',
      type: 'choice',
      choices: [{ key: 'safetyYellow', label: 'Safety yellow' }],
      isRequired: true,
    },
    { ...field, key: 'manual', label: 'Manual', type: 'link' },
    { ...field, key: 'gateCode', label: 'Gate code', type: 'line', visibleTo: 'staff' as const },
  ],
}

const table = (...rows: string[]) =>
  inputOf(['id,name,lat,lon,BONNET_COLOR,manual', ...rows].join('\n'), 'hydrants.csv')

onEachEngine('custom fields of an import', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await changeCustomFields(database, { mapId: 'oak-hills', person, isExpected: () => true }, customFields)
    const features = async () => {
      const rows = await database.read
        .selectFrom('features')
        .select(['id', 'name', 'fields', 'metadata', 'search_text'])
        .orderBy('name')
        .execute()
      return rows.map((row) => ({
        ...row,
        own: JSON.parse(row.fields).own,
        kept: JSON.parse(row.metadata).map(({ name }: { name: string }) => name),
      }))
    }
    return { database, features }
  }

  it('are filled by columns of their names; other values stay in the metadata', async () => {
    const { database, features } = await start()
    const rows = table(
      '1,A,34,-111,Safety Yellow,https://example.com/a',
      '2,B,34.1,-111,blue,javascript:alert(1)',
      '3,C,34.2,-111,,',
    )
    const result = await importFeatures(database, rows, options)
    expect(result.notes).toEqual(['2 rows have no ‘Bonnet color’, which is required.'])
    expect(result.filled).toContainEqual({
      field: 'own.color',
      column: 'BONNET_COLOR',
      rows: 1,
      notUnderstood: 1,
      unknown: ['blue'],
      unknownRows: [{ row: 2, value: 'blue' }],
    })
    expect((await features()).map(({ own, kept }) => [own, kept])).toEqual([
      [{ color: 'safetyYellow', manual: 'https://example.com/a' }, ['id']],
      [undefined, ['id', 'BONNET_COLOR', 'manual']],
      [undefined, ['id']],
    ])
  })

  it('keep values of users if the file has none, and are found by them', async () => {
    const { database, features } = await start()
    await importFeatures(database, table('1,A,34,-111,Safety yellow,'), options)
    const [{ id = '' } = {}] = await features()
    const change = { own: { gateCode: 'Zebra' } }
    await changeFeatures(database, { mapId: 'oak-hills', person, changeId: 'one' }, [
      { action: 'change', id, isExpected: () => true, change },
    ])
    const again = await importFeatures(database, table('1,A,34,-111,Safety yellow,'), options)
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    await importFeatures(database, table('1,New name,34,-111,,'), options)
    const [feature] = await features()
    expect(feature).toMatchObject({ name: 'New name', own: { color: 'safetyYellow', gateCode: 'Zebra' } })
    expect(feature?.search_text.split(' ')).toEqual(expect.arrayContaining(['safety', 'yellow', '~~zebra']))
  })
})
