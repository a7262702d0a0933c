import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { finishJobs, startTestApp } from '#test/server/test-app.ts'
import { applyMigrations, migrate, migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const text = { type: 'line', choices: [], isRequired: false, help: null }
const shownField = { ...text, key: 'color', label: 'Color', isPersonal: false }
const hiddenField = { ...text, key: 'gateCode', label: 'Gate code', isPersonal: true }
const gone = { ...text, key: 'key', label: 'Key', isPersonal: true }

onEachEngine('custom fields from before each had a visibility', (_createDatabase, { createLocation }) => {
  const version = migrations.findIndex(({ name }) => name.startsWith('042-'))

  async function start(showPersonalData: boolean) {
    const location = await createLocation()
    const database = Object.assign(await openDatabase(location), { location })
    await database.write((transaction) =>
      applyMigrations(transaction, database.engine, migrations.slice(0, version)),
    )
    await storeClient(database, 'oak-hills')
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData })
    const own = { color: 'Crimson', gateCode: 'Zebra' }
    await storeFeatures(database, [
      { ...anAsset({ id: 'gate' }), own },
      aParcel({ id: 'lot', owner: 'Ana Ruiz' }),
    ])
    await database.write(async (transaction) => {
      const row = {
        map_id: 'oak-hills',
        version: 3,
        fields: JSON.stringify({ asset: [shownField, hiddenField] }),
        removed: JSON.stringify({ asset: [gone] }),
        words_after: null,
        changed_at: 1,
        changed_by: 'Maya Ortiz',
      }
      await transaction.insertInto('own_fields').values(row).execute()
      const setWords = (id: string, search_text: string) =>
        transaction.updateTable('features').set({ search_text }).where('id', '=', id).execute()
      await setWords('gate', 'gate crimson ~zebra')
      await setWords('lot', 'lot ~ana ~ruiz')
    })
    expect(await migrate(database)).toContain('042-visibility-of-own-fields')
    const app = await startTestApp(database)
    const staff = await signIn(database, ['editor:oak-hills'])
    const found = async (text: string, headers: Record<string, string> = {}) => {
      const { items } = (await app.get(`/api/maps/oak-hills/features?text=${text}`, headers)).json()
      return items.map(({ id }: { id: string }) => id)
    }
    return { database, app, staff, found }
  }

  it.each([true, false])('publish no more fields on a map with showPersonalData %s', async (isShown) => {
    const { database, app, staff, found } = await start(isShown)
    await using _ = app
    const fields = '/api/maps/oak-hills/fields'
    const { isPersonal: _shown, ...color } = { ...shownField, visibleTo: 'everyone' }
    const { isPersonal: _hidden, ...gateCode } = { ...hiddenField, visibleTo: 'staff' }
    const { isPersonal: _gone, ...key } = { ...gone, visibleTo: 'staff' }
    const answer = (await app.get(fields, staff)).json()
    expect(answer).toMatchObject({
      version: 3,
      fields: { asset: [color, gateCode] },
      removed: { asset: [key] },
    })
    expect((await app.get(fields)).json()).toMatchObject({ fields: { asset: [color] } })
    const gate = '/api/maps/oak-hills/features/gate'
    expect((await app.get(gate)).json().own).toEqual({ color: 'Crimson' })
    expect((await app.get(gate, staff)).json().own).toEqual({ color: 'Crimson', gateCode: 'Zebra' })
    expect([await found('zebra'), await found('zebra', staff)]).toEqual([[], ['gate']])
    expect([await found('crimson'), await found('ruiz', staff)]).toEqual([['gate'], ['lot']])
    await finishJobs(database)
    expect([await found('zebra'), await found('zebra', staff)]).toEqual([[], ['gate']])
    expect([await found('crimson'), await found('ruiz', staff)]).toEqual([['gate'], ['lot']])
    expect(await found('ruiz')).toEqual(isShown ? ['lot'] : [])
  })
})
