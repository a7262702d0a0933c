import { type FileHandle, open } from 'node:fs/promises'
import { readConfiguration } from '../configuration.ts'
import { openDatabase } from '../database/database.ts'
import { BackupError } from './backup-error.ts'
import type { BackupSummary } from './backup-format.ts'
import { abortOnSignals, exitCodeOf, rowsOf, say, secondsSince, warn } from './command.ts'
import { readArguments, UsageError } from './read-arguments.ts'
import { checkBackup, type RestoreOptions, restoreBackup } from './restore-backup.ts'
import { progressLines } from './show-progress.ts'
import { restoreUsage } from './usage.ts'

// npm run restore: exit code 0 restored (with --check: the file is whole), 1 refused or failed, 2 not understood.

async function restore(args: readonly string[]) {
  const command = readArguments(args, ['replace', 'check'])
  if (!command) return say(restoreUsage)
  const { replace, check } = command.flags
  if (replace && check) throw new UsageError('--check changes nothing, so it does not go with --replace')
  const options = {
    isReplacing: replace,
    signal: abortOnSignals('Interrupted: nothing was changed.'),
    onProgress: progressLines(warn),
  }
  const file = await openFile(command.file)
  try {
    const checked = await checkFile(file, command.file, options)
    if (check) {
      const { engine, createdAt } = checked.header
      say(`${command.file} is whole: ${rowsOf(checked.rowCount)} of ${createdAt}, from ${engine}.`)
      say(`Content hash: ${checked.trailer.contentHash}`)
    } else await restoreInto(file, checked, options)
  } finally {
    await file.close()
  }
}

async function restoreInto(file: FileHandle, checked: BackupSummary, options: RestoreOptions) {
  const start = performance.now()
  const database = await openDatabase(readConfiguration(process.env), (error) => warn(error.message))
  try {
    const contentHash = await restoreBackup(database, file, checked, options)
    say(
      `${rowsOf(checked.rowCount)} of ${checked.header.createdAt} restored in ${secondsSince(start)}, and read back.`,
    )
    say(`Content hash: ${contentHash}`)
  } finally {
    await database.close()
  }
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

process.exitCode = await exitCodeOf(() => restore(process.argv.slice(2)), 'Nothing was changed.')
