import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contentOf, fillDatabase, runBackup, runRestore } from '#test/databases/backups.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { startNode } from '#test/server/processes.ts'
import { runServer, settingsOf } from '#test/server/server-process.ts'
import { applyMigrations, migrate, migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const note = (database: TestDatabase, name: string) =>
  database.write((transaction) =>
    transaction.insertInto('migrations').values({ name, applied_at: 1 }).execute(),
  )

async function runAll({ location }: TestDatabase, backup: string) {
  const table = join(location.dataDirectory, 'hydrants.csv')
  writeFileSync(table, 'id,name,lat,lng\n1,A,34,-111\n')
  const env = { ...process.env, DATABASE_URL: '', ...settingsOf(location) }
  const importing = startNode(
    'server/imports/import.cli.ts',
    [table, '--map', 'oak-hills', '--kind', 'asset'],
    { env },
  )
  const compacting = startNode('server/database/compact.cli.ts', [], { env })
  const server = runServer(settingsOf(location))
  return {
    server: { code: await server.exited, output: server.output() },
    import: { code: await importing.exited, output: importing.output() },
    compact: { code: await compacting.exited, output: compacting.output() },
    backup: await runBackup(location, join(location.dataDirectory, 'new.backup.gz')),
    restore: await runRestore(location, backup, '--replace'),
  }
}

onEachEngine('a database of another version', (createDatabase, { createLocation }) => {
  const names = migrations.map(({ name }) => name)

  it.each([
    [
      'newer',
      [],
      ['998-later', '999-later'],
      'was made by a newer version of this program: it has 998-later, 999-later, which this version does not know. Nothing was changed. Update this program, or use another database',
    ],
    [
      'other',
      names.slice(-1),
      ['008-other'],
      `was made by another version of this program, no older and no newer one: it has 008-other, which this version does not know, and lacks ${names.at(-1)}. Nothing was changed. Use the version that made it, or another database`,
    ],
  ])('is rejected by all commands if it is %s', async (_, without, others, words) => {
    const database = await createDatabase()
    await fillDatabase(database)
    const backup = join(database.location.dataDirectory, 'own.backup.gz')
    expect(await runBackup(database.location, backup)).toMatchObject({ code: 0 })
    await database.write((transaction) =>
      transaction
        .deleteFrom('migrations')
        .where('name', 'in', ['', ...without])
        .execute(),
    )
    for (const name of others) await note(database, name)
    const before = await contentOf(database)
    for (const [what, { code, output }] of Object.entries(await runAll(database, backup))) {
      expect(output, what).toContain(`The database ${words}`)
      expect(output, what).not.toContain('    at ')
      expect(code, what).toBe(1)
    }
    expect(await contentOf(database)).toEqual(before)
    rmSync(backup)
  })

  it('reports an existing table that a migration would create, and changes nothing', async () => {
    const made = [
      sql`create index features_of_parcels on features (map_id)`,
      sql`alter table features add column parcel_id text`,
      sql`create table drawings (id text)`,
    ]
    for (const make of made) {
      const database = await openDatabase(await createLocation())
      await database.write((transaction) =>
        applyMigrations(transaction, database.engine, migrations.slice(0, 2)),
      )
      await database.write((transaction) => make.execute(transaction))
      await expect(migrate(database)).rejects.toThrow(
        /^The database cannot be migrated: 00[35]-[a-z-]+ would create something that exists already \(.*(exists|duplicate column).*\).*Nothing was changed\.\n.*Restore your last backup/,
      )
      const applied = await database.read.selectFrom('migrations').select('name').execute()
      expect(applied).toHaveLength(2)
      await database.close()
    }
  })

  it('is reported if another program stores its migrations there', async () => {
    const database = await openDatabase(await createLocation())
    await database.write((transaction) =>
      sql`create table migrations (id integer, migration text)`.execute(transaction),
    )
    await expect(migrate(database)).rejects.toThrow(
      /^The database has a table "migrations" that is not of this program .*Give this program a database of its own/,
    )
    await database.close()
  })
})
