import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setFlagsFromString } from 'node:v8'
import { abortOnSignals, runCommand, say, warn, withDatabase } from '../command.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { outageOf } from '../database/outage.ts'
import { FixableError } from '../domain-error.ts'
import { readOwnFieldsVersion } from '../features/own-fields.queries.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { inFlags } from './cli/in-flags.ts'
import { findFile, type OpenedFile, withReadable } from './cli/open-file.ts'
import { type Command, readArguments } from './cli/read-arguments.ts'
import { Report } from './cli/report.ts'
import { showProgress } from './cli/show-progress.ts'
import { nameImport, shownRows, summarizeImport, summarizeImports, summarizeUndo } from './cli/summarize.ts'
import { usage } from './cli/usage.ts'
import { type Advice, ImportError } from './import-error.ts'
import { importFeatures } from './import-features.ts'
import type { ImportOptions, ImportResult } from './import-options.ts'
import { sourceOfLayer } from './mapping/source-identity.ts'
import { listImports } from './publishing/imports.queries.ts'
import { undoFirst, undoImport } from './publishing/undo-import.ts'
import { explainEmpty } from './reading/explain-empty.ts'
import type { ReportedRow } from './reported-row.ts'

// npm run import: exit code 0 imported (refused rows are told of), 1 failed or no row came in, 2 not understood.

// Rows come and go by the hundred. V8 would let them fill ever more room before it looks what can go: 100 MB more, which
// make nothing quicker. Set while it runs, as `--max-semi-space-size` cannot be.
setFlagsFromString('--semi-space-growth-factor=1')

type ImportCommand = Extract<Command, { command: 'import' }>

async function run(command: Exclude<Command, { command: 'help' }>): Promise<number> {
  const paths = command.command === 'import' ? findFile(command.file) : []
  const configuration = readConfiguration(process.env)
  // Where SQLite stages: beside the database there is room for it, elsewhere nothing may be writable.
  process.env.SQLITE_TMPDIR ??= resolve(configuration.dataDirectory)
  process.env.TMPDIR ??= resolve(configuration.dataDirectory)
  return withDatabase(configuration, async (database) => {
    await migrate(database)
    if (command.command === 'import')
      return await withReadable(paths, command, configuration.importLimits, (opened) =>
        runImport(database, opened, command),
      )
    if (command.command === 'undo') {
      const undone = await undoImport(database, {
        ...command,
        onNotice: tell,
        confirm: (newer) =>
          confirm([{ message: undoFirst(newer) }], {
            isConfirmed: command.isConfirmed,
            verb: 'undo',
            signal: abortOnSignals('Interrupted: nothing was undone.'),
          }),
      })
      say(summarizeUndo(command.importId, undone))
    }
    if (command.command === 'list')
      say(summarizeImports(command.mapId, await listImports(database.read, command.mapId)))
    return 0
  })
}

async function runImport(
  database: Database,
  { file, projection, label, notices }: OpenedFile,
  command: ImportCommand,
) {
  const { isConfirmed } = command
  for (const message of notices) tell({ message })
  const options = {
    ...command.options,
    source: sourceOfLayer(command.options.source, command.isSourceSaid ? undefined : label),
  }
  const start = performance.now()
  const report = new Report(command.file)
  const shown: ReportedRow[] = []
  const signal = abortOnSignals('Interrupted: nothing was imported.')
  const progress = showProgress(process.stderr)
  const watched: ImportOptions = {
    ...options,
    projection,
    signal,
    onNotice: tell,
    onRow: (row) => {
      report.add(row)
      if (shown.length < shownRows) shown.push(row)
    },
    confirm: (doubts) => {
      progress.stop()
      return confirm(doubts, { isConfirmed, verb: 'import', signal })
    },
  }
  let result: ImportResult
  try {
    result = await importFeatures(database, file, watched, progress.show)
  } catch (error) {
    report.discard()
    throw outageOf(error) === 'away' ? lostDatabase(error as Error, options) : error
  } finally {
    progress.stop()
  }
  // From here on it is in: whatever fails now is told, and undoes nothing.
  if (result.importId) say(nameImport(result.importId))
  const seconds = (performance.now() - start) / 1000
  const { path: reportPath, failure } = report.finish()
  if (result.rows === 0) warn(await explainEmpty(file.path))
  const { fields: ownFields } = await readOwnFieldsVersion(database.read, options.mapId)
  say(summarizeImport(result, { options, shown, seconds, reportPath, ownFields }))
  if (failure) warn(`The report of refused and repaired rows could not be written: ${failure}.`)
  return result.refused === result.rows ? 1 : 0
}

const tell = (notice: Advice) => warn(inFlags(notice))

/** Prints what looks wrong. At a terminal the person is asked whether to go on. */
async function confirm(
  doubts: readonly Advice[],
  { isConfirmed, verb, signal }: { isConfirmed: boolean; verb: 'import' | 'undo'; signal: AbortSignal },
) {
  warn(['This looks wrong:', ...doubts.map((doubt) => `  ${inFlags(doubt)}`)].join('\n'))
  if (isConfirmed) return true
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    warn(`To ${verb} it as it is, add --yes.`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Who closes the terminal, or interrupts, has answered as well.
    const closed = once(terminal, 'close').then(() => '')
    const answer = terminal.question(`${verb === 'undo' ? 'Undo' : 'Import'} it as it is? [y/N] `, { signal })
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim())
  } catch (error) {
    signal.throwIfAborted()
    if ((error as Error).name === 'AbortError') return false
    throw error
  } finally {
    terminal.close()
  }
}

/** When the connection is lost during the commit, the outcome is unknown. */
function lostDatabase({ message }: Error, { mapId }: ImportOptions): ImportError {
  return new ImportError(
    `The database cannot be reached any more: ${message}\nWhether anything was imported: npm run import -- --list --map ${mapId}`,
  )
}

async function main(args: readonly string[]): Promise<number> {
  const command = readArguments(args)
  if (command.command === 'help') {
    say(usage)
    return 0
  }
  try {
    return await run(command)
  } catch (error) {
    throw error instanceof ImportError ? new FixableError(inFlags(error)) : error
  }
}

await runCommand(() => main(process.argv.slice(2)), 'The import failed:')
