import { type FileHandle, open } from 'node:fs/promises'
import { abortOnSignals, runCommand, say, secondsSince, UsageError, warn, withDatabase } from '../command.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { openFileStore } from '../settings/file-store-settings.ts'
import { BackupError, type BackupSummary } from './backup-format.ts'
import { filesOf, progressLines, readArguments, rowsOf } from './command-line.ts'
import { archiveOf, checkFiles, describeMissing, findMissing, restoreFiles } from './file-archive.ts'
import { checkBackup, type RestoreOptions, restoreBackup } from './restore-backup.ts'

const restoreUsage = `Restores a backup into the database, completely or not at all. The server can keep running.

  npm run restore -- FILE [--replace] [--with-files]
  npm run restore -- FILE --check [--with-files]

The database must be empty, also without sample data.

  --replace      deletes the current content of the database
  --with-files   also restores photos and documents from FILE.files.tar
  --check        only checks whether the file is complete; needs no database
  --help         this text

DATA_DIR or DATABASE_URL selects the database. See docs/operations.md.`

async function restore(args: readonly string[]) {
  const command = readArguments(args, ['replace', 'check', 'with-files'])
  if (!command) {
    say(restoreUsage)
    return 0
  }
  const { replace, check } = command.flags
  if (replace && check) throw new UsageError('--check and --replace cannot be combined')
  const options = {
    isReplacing: replace,
    signal: abortOnSignals('Interrupted: nothing was changed.'),
    onProgress: progressLines(warn),
    onNotice: warn,
  }
  const archive = command.flags['with-files'] ? archiveOf(command.file) : null
  const file = await openFile(command.file)
  try {
    const checked = await checkFile(file, command.file, options)
    const names = archive === null ? null : await checkFiles(archive)
    if (check) {
      const { engine, createdAt } = checked.header
      say(`${command.file} is complete: ${rowsOf(checked.rowCount)} from ${createdAt} (${engine}).`)
      say(`Content hash: ${checked.trailer.contentHash}`)
      if (names) say(`${archive} is complete: ${filesOf(names.size)}.`)
    } else
      await restoreInto(file, checked, options, archive !== null && names ? { path: archive, names } : null)
    return 0
  } finally {
    await file.close()
  }
}

type Archive = { path: string; names: ReadonlySet<string> }

async function restoreInto(
  file: FileHandle,
  checked: BackupSummary,
  options: RestoreOptions,
  archive: Archive | null,
) {
  const start = performance.now()
  const configuration = readConfiguration(process.env)
  const store = openFileStore(configuration)
  await withDatabase(configuration, async (database) => {
    let files = 0
    const contentHash = await restoreBackup(database, file, checked, {
      ...options,
      async onFilled(transaction) {
        if (archive) files = await restoreFiles({ ...archive, store }, transaction)
      },
    })
    say(
      `${rowsOf(checked.rowCount)} from ${checked.header.createdAt} restored and verified in ${secondsSince(start)}.`,
    )
    say(`Content hash: ${contentHash}`)
    if (archive) say(`${filesOf(files)} written to ${store.place}.`)
    const missing = archive ? [] : await findMissing(database.read, store)
    if (missing.length > 0)
      warn(`In ${store.place} ${describeMissing(missing)}. Copy them from the original file store.`)
  })
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    if ((await file.stat()).isFile()) return file
  } catch (error) {
    throw new BackupError(`${path} cannot be read: ${(error as Error).message}`)
  }
  await file.close()
  throw new BackupError(`${path} is not a file.`)
}

async function checkFile(file: FileHandle, path: string, options: RestoreOptions) {
  try {
    return await checkBackup(file, options)
  } catch (error) {
    if (!(error instanceof BackupError) || options.signal?.aborted) throw error
    throw new BackupError(`${path} cannot be restored: ${error.message}. Nothing was changed.`)
  }
}

await runCommand(() => restore(process.argv.slice(2)), 'Nothing was changed.')
