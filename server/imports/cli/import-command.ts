import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { SingleBar } from 'cli-progress'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { abortOnSignals, say, warn, withDatabase } from '../../command.ts'
import type { Database } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { outageOf } from '../../database/outage.ts'
import { FixableError } from '../../domain-error.ts'
import { readCustomFields } from '../../features/custom-fields/custom-fields.queries.ts'
import { scratchName } from '../../processes/scratch-file.ts'
import { readConfiguration } from '../../settings/configuration.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { openGdal } from '../conversion/gdal.ts'
import { findLayer, makeReadable } from '../conversion/readable-file.ts'
import { withFlag } from '../explain-remedy.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { type Advice, ImportError } from '../import-error.ts'
import { type ImportOptions, importFeatures } from '../import-features.ts'
import { toImportOptions } from '../import-settings.ts'
import type { ImportProgress, ReportedRow } from '../import-watch.ts'
import { sourceOfLayer } from '../mapping/source-identity.ts'
import { findProjection } from '../projections/find-projection.ts'
import { listImports } from '../publishing/imports.queries.ts'
import { undoFirst, undoImport } from '../publishing/undo-import.ts'
import { quoteValue } from '../quote-value.ts'
import { explainEmpty } from '../reading/explain-empty.ts'
import { type Command, type ImportCommand, readArguments, usage } from './read-arguments.ts'
import { nameImport, Report, shownRows, summarizeImport, summarizeImports, summarizeUndo } from './report.ts'

async function run(
  command: Exclude<Command, { command: 'help' }>,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const paths = command.command === 'import' ? findFiles(command.file) : []
  const configuration = readConfiguration(environment)
  // SQLite stages rows here: the data directory has room and can be written to.
  environment.SQLITE_TMPDIR ??= resolve(configuration.dataDirectory)
  environment.TMPDIR ??= resolve(configuration.dataDirectory)
  return withDatabase(configuration, async (database) => {
    await migrate(database)
    if (command.command === 'import')
      return await importFile(database, paths, command, configuration.importLimits)
    if (command.command === 'list')
      say(summarizeImports(command.mapId, await listImports(database.read, command.mapId)))
    else {
      const { isConfirmed, importId } = command
      const undone = await undoImport(database, {
        ...command,
        onNotice: notify,
        confirm: (newer) =>
          confirm([{ message: undoFirst(newer) }], {
            isConfirmed,
            verb: 'undo',
            signal: abortOnSignals('Interrupted: nothing was undone.'),
          }),
      })
      say(summarizeUndo(importId, undone))
    }
    return 0
  })
}

function findFiles(path: string): string[] {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return [path]
    const names = stats.isDirectory() ? readdirSync(path) : []
    if (names.some((name) => name.endsWith('.gdbtable'))) return names.map((name) => join(path, name))
  } catch (error) {
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new ImportError(`${path} is not a file.`)
}

async function importFile(
  database: Database,
  paths: readonly string[],
  command: ImportCommand,
  limits: ImportLimits,
): Promise<number> {
  const folder = join(tmpdir(), scratchName(randomUUID()))
  try {
    const { settings } = command
    const { layers, chosen } = await makeReadable(paths, folder, settings, limits)
    const names = layers.map(({ id }) => id).join(', ')
    if (settings.layer !== null && !findLayer(layers, settings.layer))
      throw new ImportError(`There is no layer ${quoteValue(settings.layer)} with rows. Layers: ${names}.`)
    if (!chosen) throw new ImportError(`The file has several layers: ${names}.`, { remedy: 'layer' })
    const { file, layer, isConverted } = chosen
    if (!file)
      throw new ImportError(`The projection of ${basename(layer.id)} is unknown.`, {
        remedy: 'projection',
      })
    for (const message of layer.notices) notify({ message })
    const { projection: code, source } = settings
    const projection = isConverted || code === null ? undefined : await findProjection(await openGdal(), code)
    const label = layers.length > 1 && !command.hasSource ? layer.label : undefined
    const options = {
      ...toImportOptions(settings),
      ...command.options,
      projection,
      source: sourceOfLayer(source, label),
    }
    return await runImport(database, file, options, command)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runImport(
  database: Database,
  file: ImportFile,
  options: ImportOptions,
  { isConfirmed, file: reportedFile }: ImportCommand,
): Promise<number> {
  const start = performance.now()
  const report = new Report(reportedFile)
  const shown: ReportedRow[] = []
  const signal = abortOnSignals('Interrupted: nothing was imported.')
  const progress = showProgress(process.stderr)
  let result: Awaited<ReturnType<typeof importFeatures>>
  try {
    result = await importFeatures(database, file, options, {
      signal,
      onProgress: progress.show,
      onNotice: notify,
      onRow: (row) => {
        report.add(row)
        if (shown.length < shownRows) shown.push(row)
      },
      confirm: (doubts) => {
        progress.stop()
        return confirm(doubts, { isConfirmed, verb: 'import', signal })
      },
    })
  } catch (error) {
    report.discard()
    throw outageOf(error) === 'away' ? lostDatabase(error as Error, options) : error
  } finally {
    progress.stop()
  }
  // The import is committed: later failures are only reported.
  if (result.importId) say(nameImport(result.importId))
  const seconds = (performance.now() - start) / 1000
  const { path: reportPath, failure } = report.finish()
  if (result.rows === 0) warn(await explainEmpty(file.path))
  const customFields = await readCustomFields(database.read, options.mapId)
  say(summarizeImport(result, { options, shown, seconds, reportPath, customFields }))
  if (failure) warn(`Could not write the report of skipped and repaired rows: ${failure}.`)
  return result.refused === result.rows ? 1 : 0
}

const notify = (notice: Advice) => warn(withFlag(notice))

async function confirm(
  doubts: readonly Advice[],
  { isConfirmed, verb, signal }: { isConfirmed: boolean; verb: 'import' | 'undo'; signal: AbortSignal },
) {
  warn(['This looks wrong:', ...doubts.map((doubt) => `  ${withFlag(doubt)}`)].join('\n'))
  if (isConfirmed) return true
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    warn(`To ${verb} it anyway, add --yes.`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Closing or interrupting the terminal is a no.
    const closed = once(terminal, 'close').then(() => '')
    const answer = terminal.question(`${verb === 'undo' ? 'Undo' : 'Import'} it anyway? [y/N] `, { signal })
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim())
  } catch (error) {
    signal.throwIfAborted()
    if ((error as Error).name === 'AbortError') return false
    throw error
  } finally {
    terminal.close()
  }
}

/** If the connection is lost during the commit, the outcome is unknown. */
function lostDatabase({ message }: Error, { mapId }: ImportOptions): ImportError {
  return new ImportError(
    `The connection to the database was lost: ${message}\nCheck whether anything was imported: npm run import -- --list --map ${mapId}`,
  )
}

/** Returns the exit code: 0 imported, 1 failed or no row was imported. */
export async function importCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const command = readArguments(args)
  if (command.command === 'help') {
    say(usage)
    return 0
  }
  try {
    return await run(command, environment)
  } catch (error) {
    throw error instanceof ImportError ? new FixableError(withFlag(error)) : error
  }
}

const lineEveryMs = 2_000

type ProgressDisplay = { show(progress: ImportProgress): void; stop(): void }

function showProgress(output: NodeJS.WriteStream): ProgressDisplay {
  return output.isTTY ? progressBar(output) : progressLines(output)
}

function progressBar(output: NodeJS.WriteStream): ProgressDisplay {
  const bar = new SingleBar({
    stream: output,
    format: '{phase} [{bar}] {percentage}% | {rows} rows | {duration_formatted}',
    hideCursor: true,
  })
  let isStarted = false
  return {
    show({ phase, rows, bytesRead, totalBytes }) {
      if (!isStarted) bar.start(totalBytes ?? bytesRead, 0, { phase, rows })
      isStarted = true
      bar.setTotal(Math.max(totalBytes ?? 0, bytesRead))
      bar.update(bytesRead, { phase: phaseLabel[phase], rows: formatNumber(rows) })
    },
    stop() {
      if (isStarted) bar.stop()
      isStarted = false
    },
  }
}

const phaseLabel = { reading: 'Reading', comparing: 'Comparing', publishing: 'Storing' } as const

function progressLines(output: NodeJS.WriteStream): ProgressDisplay {
  let lastLine = 0
  return {
    show({ phase, rows, bytesRead, totalBytes }) {
      if (Date.now() - lastLine < lineEveryMs) return
      lastLine = Date.now()
      const share =
        totalBytes && phase === 'reading' ? ` (${Math.floor((bytesRead / totalBytes) * 100)} %)` : ''
      output.write(`${phaseLabel[phase]}: ${counted(rows, 'row')}${share}\n`)
    },
    stop() {},
  }
}
