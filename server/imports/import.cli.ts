import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { readConfiguration } from '../configuration.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { ImportError } from './import-error.ts'
import { importFeatures } from './import-features.ts'
import type { ImportOptions, ReportedRow } from './import-options.ts'
import { listImports } from './imports.queries.ts'
import { type Command, readArguments, UsageError } from './read-arguments.ts'
import type { ImportFile } from './read-aside.ts'
import { Report } from './report.ts'
import { showProgress } from './show-progress.ts'
import { shownRows, summarizeImport, summarizeImports, summarizeUndo } from './summarize.ts'
import { undoImport } from './undo-import.ts'
import { usage } from './usage.ts'

// npm run import: exit code 0 imported (refused rows are told of), 1 failed, 2 not understood.

const say = (text: string) => process.stdout.write(`${text}\n`)
const warn = (text: string) => process.stderr.write(`${text}\n`)

// Rows come and go by the hundred. V8 would let them fill ever more room before it looks what can go: 100 MB more, which
// make nothing quicker. Set while it runs, as `--max-semi-space-size` cannot be.
setFlagsFromString('--semi-space-growth-factor=1')

async function run(command: Exclude<Command, { command: 'help' }>): Promise<number> {
  const file = command.command === 'import' ? findFile(command.file) : undefined
  const configuration = readConfiguration(process.env)
  // Where SQLite stages: beside the database there is room for it, elsewhere nothing may be writable.
  process.env.SQLITE_TMPDIR ??= resolve(configuration.dataDirectory)
  const database = await openDatabase(configuration, (error) => warn(error.message))
  try {
    await migrate(database)
    if (command.command === 'import' && file) return await runImport(database, file, command.options)
    if (command.command === 'undo') say(summarizeUndo(command.importId, await undoImport(database, command)))
    if (command.command === 'list')
      say(summarizeImports(command.mapId, await listImports(database.read, command.mapId)))
    return 0
  } finally {
    await database.close()
  }
}

async function runImport(database: Database, file: ImportFile, options: ImportOptions) {
  const start = performance.now()
  const report = new Report(file.path)
  const shown: ReportedRow[] = []
  const progress = showProgress(process.stderr)
  const onRow = (row: ReportedRow) => {
    report.add(row)
    if (shown.length < shownRows) shown.push(row)
  }
  const signal = abortOnSignals()
  try {
    const complete = { ...options, signal, onRow, onNotice: warn }
    const result = await importFeatures(database, file, complete, progress.show)
    progress.stop()
    const seconds = (performance.now() - start) / 1000
    say(summarizeImport(result, { options, shown, seconds, reportPath: report.finish() }))
    return result.rows > 0 && result.refused === result.rows ? 1 : 0
  } catch (error) {
    progress.stop()
    report.discard()
    throw error
  }
}

/** Ends the import at the next batch; a second signal ends the process at once. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new ImportError('Interrupted: nothing was imported.')))
  return controller.signal
}

function findFile(path: string): ImportFile {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) throw new ImportError(`${path} is no file.`)
    return { path, totalBytes: stats.size }
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const command = readArguments(args)
    if (command.command !== 'help') return await run(command)
    say(usage)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      warn(`${error.message}. --help shows how.`)
      return 2
    }
    warn(
      error instanceof ImportError ? error.message : `The import failed: ${(error as Error).stack ?? error}`,
    )
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
