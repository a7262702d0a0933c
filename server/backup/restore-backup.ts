import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { Database, TableDescription, WriteTransaction } from '../database/database.ts'
import {
  migrations as allMigrations,
  applyMigrations,
  describeForeign,
  readMigrations,
  refuseForeignDatabase,
} from '../database/migrate.ts'
import type { Migration } from '../database/migrations/migration.ts'
import { outageOf } from '../database/outage.ts'
import { RowInsert } from '../database/row-insert.ts'
import { deleteAll, hasRows, readMapIds, recordRestore } from './backup.queries.ts'
import { BackupError, BackupHash, type BackupSummary, type Value } from './backup-format.ts'
import type { ShowProgress } from './command-line.ts'
import { type BackupTable, readBackup } from './read-backup.ts'
import { backedUpTables, replacedTables } from './table-rules.ts'
import { readEncodedRows } from './write-backup.ts'

export type RestoreOptions = {
  isReplacing: boolean
  signal?: AbortSignal
  onProgress?: ShowProgress
  /** Called after the rows are inserted, before the commit. If it throws, the transaction is rolled back. */
  onFilled?: (transaction: WriteTransaction) => Promise<void>
  onNotice?: (notice: string) => void
  migrations?: readonly Migration[]
}

export async function checkBackup(
  file: FileHandle,
  { onProgress, signal, migrations = allMigrations }: Partial<RestoreOptions>,
): Promise<BackupSummary> {
  const summary = await readBackup(file, {
    progress(rowCount) {
      signal?.throwIfAborted()
      onProgress?.('Checking', rowCount)
    },
  })
  refuseForeignBackup(summary.header.migrations, migrations)
  return summary
}

function refuseForeignBackup(applied: readonly string[], migrations: readonly Migration[]) {
  const foreign = describeForeign(applied, migrations)
  if (foreign)
    throw new BackupError(
      `it ${foreign.words}; ${foreign.isNewer ? 'update the program first' : 'restore it with the version that made it'}`,
    )
  const skipped = migrations.slice(0, applied.length).find(({ name }) => !applied.includes(name))
  if (skipped)
    throw new BackupError(
      `its database had ${applied.at(-1)}, but not ${skipped.name}, which comes before it`,
    )
}

export async function restoreBackup(
  database: Database,
  file: FileHandle,
  checked: BackupSummary,
  options: RestoreOptions,
): Promise<string> {
  const { engine, maintenance } = database
  const { migrations = allMigrations, signal } = options
  const oldMigrations = migrations.slice(0, checked.header.migrations.length)
  let isCommitting = false
  const replace = async (transaction: WriteTransaction) => {
    await refuseNewerStructure(database, transaction, oldMigrations, migrations)
    await applyMigrations(transaction, engine, oldMigrations)
    const described = await maintenance.describeTables(transaction)
    const tables = backedUpTables(described)
    const replaced = replacedTables(described)
    // Writers lock tables in this order: they record the activity last.
    const names = replaced.map(({ name }) => name).reverse()
    await maintenance.keepWritersOut(transaction, names)
    if (!options.isReplacing) await refuseContent(transaction, tables)

    const mapIds = new Set(await readMapIds(transaction))
    await empty(database, transaction, replaced, options)
    const filling = () => fill(database, transaction, file, checked, { ...options, tables })
    await maintenance.packingPlaces(transaction, filling)
    const contentHash = await readBack(transaction, tables, checked, options)
    for (const mapId of await readMapIds(transaction)) mapIds.add(mapId)
    await applyMigrations(transaction, engine, migrations)
    await options.onFilled?.(transaction)
    // Also on maps that no longer exist, for pages that still show them. Must be last, like the activity of
    // every change.
    const { createdAt } = checked.header
    await recordRestore(transaction, mapIds, { backupCreatedAt: createdAt, contentHash })
    signal?.throwIfAborted()
    isCommitting = true
    return contentHash
  }
  const contentHash = await database.write(replace).catch((error) => {
    throw isCommitting && outageOf(error) === 'away' ? lostDatabase(error) : error
  })
  await optimize(database, checked, options)
  return contentHash
}

/** If the connection is lost during the commit, the outcome is unknown. */
function lostDatabase({ message }: Error): BackupError {
  return new BackupError(
    `The connection to the database was lost: ${message}
` +
      'The backup was restored completely or not at all. Check the maps, or restore again (with --replace if it was restored).',
  )
}

async function optimize(
  { maintenance, read }: Database,
  { rowCount }: BackupSummary,
  { onProgress, onNotice }: RestoreOptions,
) {
  onProgress?.('Optimizing', rowCount)
  try {
    const tables = backedUpTables(await maintenance.describeTables(read))
    await maintenance.tidyUp(tables.map(({ name }) => name))
  } catch (error) {
    onNotice?.(
      `Could not optimize the database. Run npm run compact to try again: ${(error as Error).message}`,
    )
  }
}

/** Older rows are inserted into their own structure and then migrated. Newer ones cannot be downgraded. */
async function refuseNewerStructure(
  { maintenance }: Database,
  transaction: WriteTransaction,
  oldMigrations: readonly Migration[],
  migrations: readonly Migration[],
) {
  const applied = await readMigrations(transaction, await maintenance.describeTables(transaction))
  refuseForeignDatabase(applied, migrations)
  const newer = applied.filter((name) => !oldMigrations.some((migration) => migration.name === name))
  if (newer.length > 0)
    throw new BackupError(
      `The backup is older than the structure of this database, which has ${newer.join(', ')}.\n` +
        'Restore it into a new database (another DATA_DIR or DATABASE_URL), where it will be migrated.',
    )
}

async function refuseContent(transaction: WriteTransaction, tables: readonly TableDescription[]) {
  for (const { name } of tables)
    if (await hasRows(transaction, name))
      throw new BackupError(
        'The database is not empty. --replace deletes its content and restores the backup.',
      )
}

async function empty(
  { maintenance }: Database,
  transaction: WriteTransaction,
  tables: readonly TableDescription[],
  { onProgress, signal }: RestoreOptions,
) {
  let removed = 0
  for (const table of tables.toReversed()) {
    const work = () =>
      deleteAll(transaction, table, async (rows) => {
        signal?.throwIfAborted()
        removed += rows
        onProgress?.('Removing', removed)
        await setImmediate()
      })
    // A trigger forbids changing activities. A restore replaces them as a whole.
    if (table.name === 'activity') await maintenance.withoutTriggers(transaction, table.name, work)
    else await work()
  }
}

/** A part of the file with fewer rows has large ones. */
const fewRows = 20

async function fill(
  { engine }: Database,
  transaction: WriteTransaction,
  file: FileHandle,
  checked: BackupSummary,
  { tables, onProgress, signal }: RestoreOptions & { tables: readonly TableDescription[] },
) {
  let stored = 0
  let insert: RowInsert | undefined
  let waiting: Value[][] = []
  const store = async (least: number) => {
    while (insert && waiting.length >= least && waiting.length > 0) {
      await insert.execute(transaction, waiting.slice(0, insert.maxRows).flat())
      waiting = waiting.slice(insert.maxRows)
    }
  }
  const found = new Set<string>()
  const read = await readBackup(file, {
    async table(table: BackupTable) {
      const own = tables.find(({ name }) => name === table.name)
      if (!own || own.columns.join() !== table.columns.join())
        throw new BackupError(`Table ${table.name} of the backup has other columns than this program.`)
      found.add(table.name)
      await store(1)
      insert = new RowInsert(own.name, own.columns, engine === 'postgres' ? own.types : null)
    },
    async rows(_table, rows) {
      signal?.throwIfAborted()
      waiting = waiting.concat(rows)
      // Statements of the same length are prepared once. Many large rows would need much memory.
      await store(rows.length < fewRows ? 1 : (insert?.maxRows ?? 1))
      stored += rows.length
      onProgress?.('Restoring', stored)
      // SQLite answers synchronously: without a pause, signals would not be handled.
      await setImmediate()
    },
  })
  await store(1)
  const missing = tables.find(({ name }) => !found.has(name))
  if (missing) throw new BackupError(`The backup has no table ${missing.name}.`)
  if (read.trailer.fileHash !== checked.trailer.fileHash)
    throw new BackupError('The file was changed while it was being restored; nothing was changed.')
}

async function readBack(
  transaction: WriteTransaction,
  tables: readonly TableDescription[],
  { trailer }: BackupSummary,
  { onProgress, signal }: RestoreOptions,
): Promise<string> {
  const hash = new BackupHash()
  let rows = 0
  for await (const page of readEncodedRows(transaction, tables, hash)) {
    signal?.throwIfAborted()
    rows += page.rows
    onProgress?.('Reading back', rows)
    await setImmediate()
  }
  const { contentHash } = hash.finish()
  if (contentHash !== trailer.contentHash)
    throw new Error('The restored content differs from the backup. Nothing was changed.')
  return contentHash
}
