import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

onEachEngine('migrate', (createDatabase, { createLocation }) => {
  it('finds nothing to do the second time', async () => {
    const database = await openDatabase(await createLocation())
    expect(await migrate(database)).toEqual(['001-initial'])
    expect(await migrate(database)).toEqual([])
    await database.close()
  })

  it('gives every test an empty database', async () => {
    const database = await createDatabase()
    expect(await database.read.selectFrom('features').selectAll().execute()).toEqual([])
  })
})
