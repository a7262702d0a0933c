import { resolve } from 'node:path'
import { abortOnSignals, runCommand, say, secondsSince, warn, withDatabase } from '../command.ts'
import { readConfiguration } from '../configuration.ts'
import { hasSqliteDatabase } from '../database/sqlite.ts'
import { BackupError } from './backup-error.ts'
import { readArguments } from './read-arguments.ts'
import { progressLines, rowsOf } from './show-progress.ts'
import { backupUsage } from './usage.ts'
import { writeBackup } from './write-backup.ts'

// npm run backup: exit code 0 written, 1 failed, 2 not understood.

async function backUp(args: readonly string[]) {
  const command = readArguments(args, ['force'])
  if (!command) {
    say(backupUsage)
    return 0
  }
  const start = performance.now()
  const configuration = readConfiguration(process.env)
  // An empty backup of a folder that was misspelt would look like a good one.
  if (!configuration.databaseUrl && !hasSqliteDatabase(configuration.dataDirectory))
    throw new BackupError(`There is no database in ${configuration.dataDirectory} (DATA_DIR).`)
  const path = resolve(command.file)
  return withDatabase(configuration, async (database) => {
    const { rowCount, trailer } = await writeBackup(database, path, {
      isForced: command.flags.force,
      signal: abortOnSignals('Interrupted: no backup was written.'),
      onProgress: progressLines(warn),
      onNotice: warn,
    })
    say(`${rowsOf(rowCount)} backed up in ${secondsSince(start)}: ${path}`)
    say(`Content hash: ${trailer.contentHash}`)
    return 0
  })
}

await runCommand(() => backUp(process.argv.slice(2)), 'No backup was written.')
