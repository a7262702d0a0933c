import { join } from 'node:path'
import { timeCommand } from './commands.ts'
import { fill, filledDatabase } from './filled-database.ts'
import { type Row, rounded } from './row.ts'
import { countText, largeCount } from './scale.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Backup of the database with the large map, and its restore into an empty one. */
export async function measureRestore(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { folder, remove } = makeTemporaryFolder()
    const empty = await fill(engine, [])
    try {
      const file = join(folder, 'all.backup.gz')
      const backup = await timeCommand('server/backup/backup.cli.ts', [file], await filledDatabase(engine))
      const restore = await timeCommand('server/backup/restore.cli.ts', [file, '--replace'], empty.location)
      const where = `${countText(largeCount)} (${engine})`
      rows.push(
        { figure: `backup of ${where}`, value: rounded(backup, 1), unit: 's' },
        { figure: `restore of ${where}`, value: rounded(restore, 1), unit: 's', limit: 30 },
      )
    } finally {
      await empty.discard()
      remove()
    }
  }
  return rows
}
