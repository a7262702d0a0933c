import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { migrations } from '#server/database/migrate.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { projectFolder } from '#test/server/processes.ts'
import type { TestDatabase } from './databases.ts'

// Databases made by older versions, named by their last migration: an import of parcels, incidents and assets into
// `oak-hills`, one of which replaced a parcel, and the sample of general features.

export const oldDatabases = [2, 3, 5, 9, 11] as const

/** Does not run later migrations. */
export async function openOldDatabase(
  location: DatabaseLocation,
  applied: (typeof oldDatabases)[number],
): Promise<TestDatabase> {
  const database = Object.assign(await openDatabase(location), { location })
  const name = `${String(applied).padStart(3, '0')}.backup`
  const file = await open(join(projectFolder, 'test/databases/old-databases', name))
  try {
    const then = migrations.slice(0, applied)
    const checked = await checkBackup(file, { migrations: then })
    await restoreBackup(database, file, checked, { isReplacing: false, migrations: then })
  } finally {
    await file.close()
  }
  return database
}
