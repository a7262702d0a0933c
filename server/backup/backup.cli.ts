import { resolve } from 'node:path'
import { formatNumber } from '#domain/values/wording.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import { abortOnSignals, runCommand, say, secondsSince, warn, withDatabase } from '../command.ts'
import { hasSqliteDatabase } from '../database/sqlite.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { openFileStore } from '../settings/file-store-settings.ts'
import { readBlobs, type StoredBlob } from './backup.queries.ts'
import { BackupError } from './backup-format.ts'
import { filesOf, progressLines, readArguments, rowsOf } from './command-line.ts'
import { archiveOf, describeMissing, writeFileArchive } from './file-archive.ts'
import { writeBackup } from './write-backup.ts'
import type { WriteOptions } from './write-file.ts'

const backupUsage = `Backs up the database to a file. The server can keep running.

  npm run backup -- FILE [--force] [--with-files]

FILE is written completely or not at all, and only its owner can read it. Example: poa-2026-05-31.backup.gz
You can restore it into SQLite or PostgreSQL. Sessions and unfinished imports are not included.

  --force        replaces FILE if it exists
  --with-files   also writes photos and documents to FILE.files.tar
  --help         this text

DATA_DIR or DATABASE_URL selects the database. See docs/operations.md.`

async function backUp(args: readonly string[]) {
  const command = readArguments(args, ['force', 'with-files'])
  if (!command) {
    say(backupUsage)
    return 0
  }
  const start = performance.now()
  const configuration = readConfiguration(process.env)
  // A misspelled folder must not result in an empty backup.
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
    if (blobs.length > 0) say(`${filesOf(blobs.length)} not included. Copy them from ${store.place}.`)
    return 0
  })
}

/** Runs after the rows are written: files added since then do no harm, and removed ones stay for 30 days. */
async function backUpFiles(
  path: string,
  blobs: readonly StoredBlob[],
  store: BlobStore,
  options: WriteOptions,
): Promise<number> {
  const { files, bytes, missing } = await writeFileArchive(path, blobs, store, options)
  say(`${filesOf(files)} (${formatNumber(Math.ceil(bytes / 1024 ** 2))} MB) backed up: ${path}`)
  const lost = missing.filter(({ isUsed }) => isUsed)
  if (lost.length === 0) return 0
  warn(`The backup was written, but in ${store.place} ${describeMissing(lost)}.`)
  return 1
}

await runCommand(() => backUp(process.argv.slice(2)), 'No backup was written.')
