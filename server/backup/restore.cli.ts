import { type FileHandle, open } from 'node:fs/promises'
import { abortOnSignals, runCommand, say, secondsSince, UsageError, warn, withDatabase } from '../command.ts'
import { readConfiguration } from '../configuration.ts'
import { openFileStore } from '../file-store-settings.ts'
import { BackupError } from './backup-error.ts'
import type { BackupSummary } from './backup-format.ts'
import { archiveOf, sayBlobs } from './file-archive.ts'
import { readArguments } from './read-arguments.ts'
import { checkBackup, type RestoreOptions, restoreBackup } from './restore-backup.ts'
import { checkFiles, findMissing, putFiles } from './restore-files.ts'
import { filesOf, progressLines, rowsOf } from './show-progress.ts'
import { restoreUsage } from './usage.ts'

// npm run restore: exit code 0 restored (with --check: the file is whole), 1 refused or failed, 2 not understood.

async function restore(args: readonly string[]) {
  const command = readArguments(args, ['replace', 'check', 'with-files'])
  if (!command) {
    say(restoreUsage)
    return 0
  }
  const { replace, check } = command.flags
  if (replace && check) throw new UsageError('--check changes nothing, so it does not go with --replace')
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
      say(`${command.file} is whole: ${rowsOf(checked.rowCount)} of ${createdAt}, from ${engine}.`)
      say(`Content hash: ${checked.trailer.contentHash}`)
      if (names) say(`${archive} is whole: ${filesOf(names.size)}.`)
    } else
      await restoreInto(file, checked, options, archive !== null && names ? { path: archive, names } : null)
    return 0
  } finally {
    await file.close()
  }
}

/** The archive of the files, checked already. */
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
        if (archive) files = await putFiles({ ...archive, store }, transaction)
      },
    })
    say(
      `${rowsOf(checked.rowCount)} of ${checked.header.createdAt} restored in ${secondsSince(start)}, and read back.`,
    )
    say(`Content hash: ${contentHash}`)
    if (archive) say(`${filesOf(files)} put into ${store.place}.`)
    const missing = archive ? [] : await findMissing(database.read, store)
    if (missing.length > 0)
      warn(
        `In ${store.place} ${sayBlobs(missing)}. Copy them there, as they stood where the backup was made.`,
      )
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
  throw new BackupError(`${path} is no file.`)
}

/** Before anything is changed. */
async function checkFile(file: FileHandle, path: string, options: RestoreOptions) {
  try {
    return await checkBackup(file, options)
  } catch (error) {
    if (!(error instanceof BackupError) || options.signal?.aborted) throw error
    throw new BackupError(`${path} cannot be restored: ${error.message}. Nothing was changed.`)
  }
}

await runCommand(() => restore(process.argv.slice(2)), 'Nothing was changed.')
