import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { aQueueClient } from '#test/databases/endless-query.ts'
import { startNode } from '#test/server/processes.ts'
import { insertMap } from '../clients/store-clients.queries.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { requireSafeSqlite } from './sqlite.ts'

onEngine('sqlite', 'write', (createDatabase) => {
  it('waits for other processes, so that no write fails or is lost', async () => {
    const { location, ...database } = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const args = [JSON.stringify(location), '25']
    const processes = Array.from({ length: 4 }, () => startNode('test/databases/count-up.ts', args))
    for (const one of processes) expect(await one.exited, one.output()).toBe(0)
    const map = await database.read.selectFrom('maps').selectAll().executeTakeFirstOrThrow()
    expect(map.updated_at).toBe(100)
  })
})

onEngine('sqlite', 'the files of a database', (createDatabase, { createLocation }) => {
  const files = ['poa.sqlite', 'poa.sqlite-wal', 'poa.sqlite-shm']
  const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

  it('creates files and folder for their owner only', async () => {
    const { dataDirectory } = await createLocation()
    const folder = join(dataDirectory, 'not', 'there')
    const database = await openDatabase({ dataDirectory: folder, databaseUrl: undefined })
    await migrate(database)
    for (const file of files) expect(rightsOf(join(folder, file)), file).toBe('600')
    for (const made of [folder, join(dataDirectory, 'not')]) expect(rightsOf(made)).toBe('700')
    await database.close()
  })

  it('restricts existing files to their owner at the next start', async () => {
    const { location } = await createDatabase()
    const paths = files.map((file) => join(location.dataDirectory, file))
    for (const path of paths) chmodSync(path, 0o664)
    chmodSync(location.dataDirectory, 0o755)
    const again = await openDatabase(location)
    expect(paths.map(rightsOf)).toEqual(['600', '600', '600'])
    expect(rightsOf(location.dataDirectory)).toBe('755')
    await again.close()
  })
})

onEngine('sqlite', 'readInWorker', (createDatabase) => {
  it('does not block other requests during a long query', async () => {
    const database = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const count = sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000)
      select count(*) as count from numbers`
    const answered: string[] = []
    const long = database.readInWorker(aQueueClient(), async (read) => {
      const { rows } = await count.execute(read)
      answered.push('long')
      return rows
    })
    await database.read.selectFrom('maps').selectAll().execute()
    answered.push('short')
    expect(await long).toEqual([{ count: 1_000_000 }])
    expect(answered).toEqual(['short', 'long'])
  })

  it('sees new rows, and reports errors of queries', async () => {
    const database = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const ask = (query: RawBuilder<unknown>) =>
      database.readInWorker(aQueueClient(), async (read) => (await query.execute(read)).rows)
    const maps = sql`select map_id from maps`
    expect(await ask(maps)).toEqual([{ map_id: 'a-map' }])
    await expect(ask(sql`select no_column`)).rejects.toThrow('no such column: no_column')
    await expect(ask(sql`delete from maps`)).rejects.toThrow('readonly')
    expect(await ask(maps)).toEqual([{ map_id: 'a-map' }])
  })
})

describe('requireSafeSqlite', () => {
  it.each(['3.51.3', '3.51.10', '3.52.0', '3.50.7', '3.50.8', '3.44.6', '4.0.0'])('accepts %s', (version) => {
    expect(() => requireSafeSqlite(version)).not.toThrow()
  })

  it.each(['3.51.2', '3.50.6', '3.49.9', '3.45.9', '3.44.5', '3.43.9', '2.99.99', 'unknown'])(
    'rejects %s, which can corrupt a database in WAL mode',
    (version) => {
      expect(() => requireSafeSqlite(version)).toThrow(`SQLite ${version}, which can corrupt the database`)
    },
  )

  it('accepts the version that runs these tests', () => {
    expect(() => requireSafeSqlite()).not.toThrow()
  })
})
