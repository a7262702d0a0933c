import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contentOf, fillDatabase } from '#test/databases/backups.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { applyMigrations, migrations } from '../database/migrate.ts'
import type { Migration } from '../database/migrations/migration.ts'
import { openDatabase } from '../database/open-database.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const shout: Migration = {
  name: '900-shout',
  async up(transaction) {
    await sql`alter table clients add column loud_name text`.execute(transaction)
    await sql`update clients set loud_name = upper(name)`.execute(transaction)
  },
}
const later = [...migrations, shout]

onEachEngine('a backup of an older version', (createDatabase, { createLocation }) => {
  async function backUp() {
    const database = await createDatabase()
    await fillDatabase(database)
    const path = join(database.location.dataDirectory, 'old.backup.gz')
    await writeBackup(database, path, { isForced: false })
    const file = await open(path)
    const options = { isReplacing: true, migrations: later }
    return { database, file, options, checked: await checkBackup(file, options) }
  }

  it('is migrated in a new database', async () => {
    const { file, checked, options } = await backUp()
    const database = await openDatabase(await createLocation())
    expect(await restoreBackup(database, file, checked, options)).toBe(checked.trailer.contentHash)
    const { rows } = await sql`select loud_name from clients`.execute(database.read)
    expect(rows).toEqual([{ loud_name: 'OAK HILLS' }])
    const applied = await database.read.selectFrom('migrations').select('name').orderBy('name').execute()
    expect(applied.map(({ name }) => name)).toEqual(later.map(({ name }) => name))
    await database.close()
    await file.close()
  })

  it('is refused by a database with a newer structure', async () => {
    const { file, checked, options } = await backUp()
    const database = await createDatabase()
    await database.write((transaction) => applyMigrations(transaction, database.engine, later))
    await expect(restoreBackup(database, file, checked, options)).rejects.toThrow(
      /older than the structure of this database, which has 900-shout/,
    )
    await file.close()
  })

  it('rejects a database that is newer than the program', async () => {
    const { database, file } = await backUp()
    await file.close()
    await database.write((transaction) => applyMigrations(transaction, database.engine, later))
    const path = join(database.location.dataDirectory, 'new.backup.gz')
    await expect(writeBackup(database, path, { isForced: false })).rejects.toThrow(
      'The database was made by a newer version of this program: it has 900-shout, which this version does not know. Nothing was changed. Update this program, or use another database',
    )
  })

  it('changes nothing if the file changes between check and restore', async () => {
    const { database, file, checked, options } = await backUp()
    const before = await contentOf(database)
    const other = { ...checked, trailer: { ...checked.trailer, fileHash: '0'.repeat(64) } }
    await expect(restoreBackup(database, file, other, options)).rejects.toThrow('changed while it was being')
    const lossy = { ...checked, trailer: { ...checked.trailer, contentHash: '0'.repeat(64) } }
    await expect(restoreBackup(database, file, lossy, options)).rejects.toThrow('differs from the backup')
    expect(await contentOf(database)).toEqual(before)
    await file.close()
  })
})
