import { resolve } from 'node:path'
import type { BlobStore } from '../blob-store.ts'
import { abortOnSignals, runCommand, say, secondsSince, warn, withDatabase } from '../command.ts'
import { readConfiguration } from '../configuration.ts'
import { hasSqliteDatabase } from '../database/sqlite.ts'
import { openFileStore } from '../file-store-settings.ts'
import { BackupError } from './backup-error.ts'
import { type KnownBlob, readBlobs } from './blobs.queries.ts'
import { archiveOf, sayBlobs, writeFileArchive } from './file-archive.ts'
import { readArguments } from './read-arguments.ts'
import { filesOf, progressLines, rowsOf } from './show-progress.ts'
import { backupUsage } from './usage.ts'
import { writeBackup } from './write-backup.ts'
import type { WriteOptions } from './write-file.ts'

// npm run backup: exit code 0 written, 1 failed, 2 not understood.

async function backUp(args: readonly string[]) {
  const command = readArguments(args, ['force', 'with-files'])
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
    const options = {
      isForced: command.flags.force,
      signal: abortOnSignals('Interrupted: no backup was written.'),
    }
    const { rowCount, trailer } = await writeBackup(database, path, {
      ...options,
      onProgress: progressLines(warn),
      onNotice: warn,
    })
    say(`${rowsOf(rowCount)} backed up in ${secondsSince(start)}: ${path}`)
    say(`Content hash: ${trailer.contentHash}`)
    const store = openFileStore(configuration)
    const blobs = await readBlobs(database.read)
    if (command.flags['with-files']) return backUpFiles(archiveOf(path), blobs, store, options)
    if (blobs.length > 0)
      say(`${filesOf(blobs.length)} are not in it: they stand in ${store.place}, and are copied from there.`)
    return 0
  })
}

/** Behind the rows: what was added meanwhile does no harm, and what was removed is kept for 30 days. */
async function backUpFiles(
  path: string,
  blobs: readonly KnownBlob[],
  store: BlobStore,
  options: WriteOptions,
): Promise<number> {
  const { files, bytes, missing } = await writeFileArchive(path, blobs, store, options)
  say(`${filesOf(files)} (${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB) backed up: ${path}`)
  const lost = missing.filter(({ isNamed }) => isNamed)
  if (lost.length === 0) return 0
  warn(`The backup is written, but in ${store.place} ${sayBlobs(lost)}.`)
  return 1
}

await runCommand(() => backUp(process.argv.slice(2)), 'No backup was written.')
