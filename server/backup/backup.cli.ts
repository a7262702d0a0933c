import { resolve } from 'node:path'
import { readConfiguration } from '../configuration.ts'
import { openDatabase } from '../database/database.ts'
import { hasSqliteDatabase } from '../database/sqlite.ts'
import { BackupError } from './backup-error.ts'
import { abortOnSignals, exitCodeOf, rowsOf, say, secondsSince, warn } from './command.ts'
import { readArguments } from './read-arguments.ts'
import { progressLines } from './show-progress.ts'
import { backupUsage } from './usage.ts'
import { writeBackup } from './write-backup.ts'

// npm run backup: exit code 0 written, 1 failed, 2 not understood.

async function backUp(args: readonly string[]) {
  const command = readArguments(args, ['force'])
  if (!command) return say(backupUsage)
  const start = performance.now()
  const configuration = readConfiguration(process.env)
  // An empty backup of a folder that was misspelt would look like a good one.
  if (!configuration.databaseUrl && !hasSqliteDatabase(configuration.dataDirectory))
    throw new BackupError(`There is no database in ${configuration.dataDirectory} (DATA_DIR).`)
  const path = resolve(command.file)
  const database = await openDatabase(configuration, (error) => warn(error.message))
  try {
    const { rowCount, trailer } = await writeBackup(database, path, {
      isForced: command.flags.force,
      signal: abortOnSignals('Interrupted: no backup was written.'),
      onProgress: progressLines(warn),
      onNotice: warn,
    })
    say(`${rowsOf(rowCount)} backed up in ${secondsSince(start)}: ${path}`)
    say(`Content hash: ${trailer.contentHash}`)
  } finally {
    await database.close()
  }
}

process.exitCode = await exitCodeOf(() => backUp(process.argv.slice(2)), 'No backup was written.')
