import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEngine } from '#test/databases.ts'
import { anAsker } from '#test/endless-question.ts'
import { startNode } from '#test/processes.ts'
import { insertMap } from '../clients/store-clients.queries.ts'

onEngine('sqlite', 'write', (createDatabase) => {
  it('lets other processes wait, so that none fails and no change is lost', async () => {
    const { location, ...database } = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const args = [JSON.stringify(location), '25']
    const processes = Array.from({ length: 4 }, () => startNode('test/count-up.ts', args))
    for (const one of processes) expect(await one.exited, one.output()).toBe(0)
    const map = await database.read.selectFrom('maps').selectAll().executeTakeFirstOrThrow()
    expect(map.updated_at).toBe(100)
  })
})

onEngine('sqlite', 'readAside', (createDatabase) => {
  it('lets others be answered while a long question is open', async () => {
    const database = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const count = sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000)
      select count(*) as count from numbers`
    const answered: string[] = []
    const long = database.readAside(anAsker(), async (read) => {
      const { rows } = await count.execute(read)
      answered.push('long')
      return rows
    })
    await database.read.selectFrom('maps').selectAll().execute()
    answered.push('short')
    expect(await long).toEqual([{ count: 1_000_000 }])
    expect(answered).toEqual(['short', 'long'])
  })

  it('sees what has just been written, and says what is wrong with a question', async () => {
    const database = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const ask = (question: RawBuilder<unknown>) =>
      database.readAside(anAsker(), async (read) => (await question.execute(read)).rows)
    const maps = sql`select map_id from maps`
    expect(await ask(maps)).toEqual([{ map_id: 'a-map' }])
    await expect(ask(sql`select no_column`)).rejects.toThrow('no such column: no_column')
    await expect(ask(sql`delete from maps`)).rejects.toThrow('readonly')
    expect(await ask(maps)).toEqual([{ map_id: 'a-map' }])
  })
})
