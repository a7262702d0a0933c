import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  contentOf,
  fillDatabase,
  hashIn,
  linesOf,
  manyPoints,
  runBackup,
  runRestore,
} from '#test/databases/backups.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { storeChange } from '#test/databases/feature-builders.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'
import { writeBackup } from './write-backup.ts'

onEachEngine('npm run backup and npm run restore', (createDatabase, { engine, createLocation }) => {
  async function filled() {
    const database = await createDatabase()
    await fillDatabase(database)
    return { database, file: join(database.location.dataDirectory, 'one.backup.gz') }
  }

  it('restore every row of every table, from a file that only its owner can read', async () => {
    const { database, file } = await filled()
    const backedUp = await runBackup(database.location, file)
    expect(backedUp).toMatchObject({ code: 0, output: expect.stringContaining(`backed up in`) })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const beside = readdirSync(database.location.dataDirectory)
    expect(beside.filter((name) => !name.startsWith('poa.sqlite'))).toEqual(['one.backup.gz'])
    const location = await createLocation()
    const restored = await runRestore(location, file)
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('restored and verified in') })
    expect(hashIn(restored)).toBe(hashIn(backedUp))

    const reopened = await openDatabase(location)
    expect(await contentOf(reopened)).toEqual(await contentOf(database))
    const search = reopened.read.selectFrom('features').select('name')
    expect(await search.where(reopened.dialect.matchesWords('oak-hills', ['quarry'])).execute()).toEqual([
      { name: 'Quarry' },
    ])
    const box = { west: -111.2, south: 34, east: -111, north: 34.1 }
    expect(await search.where(reopened.dialect.intersects('oak-hills', box)).execute()).toHaveLength(4)
    await reopened.close()
  })

  it('give the same hash after a restore, although it records an activity', async () => {
    const { database, file } = await filled()
    const first = await runBackup(database.location, file)
    const location = await createLocation()
    await runRestore(location, file)
    const again = await runBackup(location, `${file}.again`)
    expect(hashIn(again)).toBe(hashIn(first))
    expect(linesOf(`${file}.again`).filter((line) => line.includes('database.restored'))).toHaveLength(2)
    const replaced = await runRestore(location, `${file}.again`, '--replace')
    expect(hashIn(replaced)).toBe(hashIn(first))
    expect(hashIn(await runBackup(location, `${file}.third`))).toBe(hashIn(first))
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ location: 'Elsewhere' }).execute(),
    )
    expect(hashIn(await runBackup(database.location, file, '--force'))).not.toBe(hashIn(first))
  })

  it('back up a consistent snapshot during concurrent writes', async () => {
    const { database, file } = await filled()
    const { trailer: quiet } = await writeBackup(database, file, { isForced: false })

    let changes = 0
    const change = () => storeChange(database, 'oak-hills', manyPoints(1, `late-${++changes}`))
    // Sequential: parallel requests would time out waiting for a connection.
    let underWay: Promise<unknown> = Promise.resolve()
    const busy: Database = {
      ...database,
      readSnapshot: (work) =>
        database.readSnapshot(async (snapshot) => {
          await snapshot.selectFrom('maps').selectAll().execute()
          await change()
          return work(snapshot)
        }),
    }
    const { trailer } = await writeBackup(busy, `${file}.busy`, {
      isForced: false,
      onProgress: () => {
        underWay = underWay.then(change)
      },
    })
    await underWay
    expect(changes).toBeGreaterThan(5)
    expect(trailer).toMatchObject({ rows: quiet.rows, contentHash: quiet.contentHash })
  })

  it('read a snapshot that does not change', async () => {
    const database = await createDatabase()
    await fillDatabase(database)
    const before = await contentOf(database)
    await database.readSnapshot(async (snapshot) => {
      await storeChange(database, 'oak-hills', manyPoints(1))
      expect(await contentOf({ ...database, read: snapshot })).toEqual(before)
    })
    expect(await contentOf(database)).not.toEqual(before)
  })

  it('reject a database that is not empty, except with --replace', async () => {
    const { database, file } = await filled()
    await writeBackup(database, file, { isForced: false })
    const other = await createDatabase()
    await fillDatabase(other, { name: 'Elm Park' })
    const before = await contentOf(other)
    expect(await runRestore(other.location, file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('The database is not empty. --replace deletes its content'),
    })
    expect(await contentOf(other)).toEqual(before)

    const tables = await other.maintenance.describeTables(other.read)
    expect(await runRestore(other.location, file, '--replace')).toMatchObject({ code: 0 })
    expect(await contentOf(other)).toEqual(await contentOf(database))
    // Other connections find the same schema.
    expect(await other.maintenance.describeTables(other.read)).toEqual(tables)
    expect(await migrate(other)).toEqual([])
    await expect(other.write((transaction) => transaction.deleteFrom('activity').execute())).rejects.toThrow(
      'append-only',
    )
  })

  it('roll back when a signal ends a restore', async () => {
    const source = await createDatabase()
    await fillDatabase(source, { points: 10_000 })
    const file = join(source.location.dataDirectory, 'large.backup.gz')
    await runBackup(source.location, file)
    const { database } = await filled()
    const before = await contentOf(database)
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const restoring = runRestore.start(database.location, file, '--replace')
      await restoring.waitFor(/Restoring: [1-9]/)
      restoring.kill(signal)
      expect(await restoring.exited).toBe(signal === 'SIGKILL' ? null : 1)
      expect(restoring.output()).not.toContain('Content hash')
      if (signal === 'SIGTERM') expect(restoring.output()).toContain('Interrupted: nothing was changed.')
      expect(await contentOf(database)).toEqual(before)
      await expect(
        database.write((transaction) => transaction.deleteFrom('activity').execute()),
      ).rejects.toThrow('append-only')
    }
    expect(await runRestore(database.location, file, '--replace')).toMatchObject({ code: 0 })
    expect(await contentOf(database)).toEqual(await contentOf(source))
  })

  it('leave no file when a backup is canceled', async () => {
    const { database, file } = await filled()
    const controller = new AbortController()
    const reason = new Error('ended')
    const options = { isForced: false, signal: controller.signal, onProgress: () => controller.abort(reason) }
    await expect(writeBackup(database, file, options)).rejects.toBe(reason)
    const beside = readdirSync(database.location.dataDirectory)
    expect(beside.filter((name) => !name.startsWith('poa.sqlite'))).toEqual([])
  })

  if (engine === 'postgres') return

  it('overwrite a file only with --force', async () => {
    const { database, file } = await filled()
    writeFileSync(file, 'precious')
    expect(await runBackup(database.location, file)).toEqual({
      code: 1,
      output: `${file} exists already. Choose another name, or --force to replace it.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect(await runBackup(database.location, file, '--force')).toMatchObject({ code: 0 })
  })
})
