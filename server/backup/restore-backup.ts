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
import { BackupError } from './backup-error.ts'
import type { BackupSummary } from './backup-format.ts'
import { BackupHash } from './backup-hash.ts'
import { type BackupTable, readBackup } from './read-backup.ts'
import { readEncodedRows } from './read-rows.ts'
import { deleteAll, hasRows, insertRows, readMapIds, recordRestore } from './restore.queries.ts'
import type { ShowProgress } from './show-progress.ts'
import { keptTables, replacedTables } from './table-rules.ts'

export type RestoreOptions = {
  /** Whether the present content of the database may be deleted. */
  isReplacing: boolean
  signal?: AbortSignal
  onProgress?: ShowProgress
  /** Called when the rows are there, before anybody sees them: what it throws takes all back. */
  onFilled?: (transaction: WriteTransaction) => Promise<void>
  /** Called with notices that do not keep the restore from succeeding. */
  onNotice?: (notice: string) => void
  /** All migrations that this program knows, in order. */
  migrations?: readonly Migration[]
}

/** Reads and checks the whole file; throws a BackupError if this program could not restore it. */
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
  const left = migrations.slice(0, applied.length).find(({ name }) => !applied.includes(name))
  if (left)
    throw new BackupError(`its database had ${applied.at(-1)}, but not ${left.name}, which comes before it`)
}

/**
 * Puts a checked backup into the database in one transaction: all of it, or nothing. Returns the hash of what
 * the database then holds, read back from it.
 */
export async function restoreBackup(
  database: Database,
  file: FileHandle,
  checked: BackupSummary,
  options: RestoreOptions,
): Promise<string> {
  const { engine, maintenance } = database
  const { migrations = allMigrations, signal } = options
  const ofBackup = migrations.slice(0, checked.header.migrations.length)
  let isCommitting = false
  const replace = async (transaction: WriteTransaction) => {
    await refuseNewerStructure(database, transaction, ofBackup, migrations)
    await applyMigrations(transaction, engine, ofBackup)
    const described = await maintenance.describeTables(transaction)
    const tables = keptTables(described)
    const replaced = replacedTables(described)
    // From the last table to the first, as writers do: they note what happened when they are done.
    const names = replaced.map(({ name }) => name).reverse()
    await maintenance.keepWritersOut(transaction, names)
    if (!options.isReplacing) await refuseContent(transaction, tables)

    const mapIds = new Set(await readMapIds(transaction))
    await empty(database, transaction, replaced, options)
    await fill(transaction, file, checked, tables, options)
    const contentHash = await readBack(transaction, tables, checked, options)
    for (const mapId of await readMapIds(transaction)) mapIds.add(mapId)
    await applyMigrations(transaction, engine, migrations)
    await options.onFilled?.(transaction)
    // Also on maps that are gone now, for the pages that still show them. Last, as every note of a change.
    const { createdAt } = checked.header
    await recordRestore(transaction, mapIds, { backupCreatedAt: createdAt, contentHash })
    signal?.throwIfAborted()
    isCommitting = true
    return contentHash
  }
  const contentHash = await database.write(replace).catch((error) => {
    throw isCommitting && outageOf(error) === 'away' ? lostDatabase(error) : error
  })
  await tidyUp(database, checked, options)
  return contentHash
}

/** When the connection is lost during the commit, the outcome is unknown. */
function lostDatabase({ message }: Error): BackupError {
  return new BackupError(
    `The database cannot be reached any more: ${message}
` +
      'Either all of the backup was restored or nothing was changed: look at the maps, or restore it again (with --replace where it was restored).',
  )
}

/** The restore has been committed: a failure here is only a notice. */
async function tidyUp(
  { maintenance, read }: Database,
  { rowCount }: BackupSummary,
  { onProgress, onNotice }: RestoreOptions,
) {
  onProgress?.('Tidying up', rowCount)
  try {
    const tables = keptTables(await maintenance.describeTables(read))
    await maintenance.tidyUp(tables.map(({ name }) => name))
  } catch (error) {
    onNotice?.(
      `The database could not be tidied up (npm run compact does it, too): ${(error as Error).message}`,
    )
  }
}

/** Rows of an older structure go into that structure, which is then brought up to date; there is no way back. */
async function refuseNewerStructure(
  { maintenance }: Database,
  transaction: WriteTransaction,
  ofBackup: readonly Migration[],
  known: readonly Migration[],
) {
  const applied = await readMigrations(transaction, await maintenance.describeTables(transaction))
  refuseForeignDatabase(applied, known)
  const newer = applied.filter((name) => !ofBackup.some((migration) => migration.name === name))
  if (newer.length > 0)
    throw new BackupError(
      `The backup is older than the structure of this database, which has ${newer.join(', ')}.\n` +
        'Restore it into a new database (another DATA_DIR or DATABASE_URL): there it is brought up to date.',
    )
}

async function refuseContent(transaction: WriteTransaction, tables: readonly TableDescription[]) {
  for (const { name } of tables)
    if (await hasRows(transaction, name))
      throw new BackupError(
        'The database is not empty. --replace gives up all that it holds for what the backup holds.',
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
    // Nobody may rewrite what happened; but here history itself is replaced, by another that was kept whole.
    if (table.name === 'activity') await maintenance.withoutTriggers(transaction, table.name, work)
    else await work()
  }
}

async function fill(
  transaction: WriteTransaction,
  file: FileHandle,
  checked: BackupSummary,
  tables: readonly TableDescription[],
  { onProgress, signal }: RestoreOptions,
) {
  let stored = 0
  const found = new Set<string>()
  const read = await readBackup(file, {
    async table(table: BackupTable) {
      const here = tables.find(({ name }) => name === table.name)
      if (!here || here.columns.join() !== table.columns.join())
        throw new BackupError(`The backup's table ${table.name} is not like the one of this program.`)
      found.add(table.name)
    },
    async rows(table, rows) {
      signal?.throwIfAborted()
      await insertRows(transaction, table.name, table.columns, rows)
      stored += rows.length
      onProgress?.('Restoring', stored)
      // SQLite answers at once: without a pause no signal would be heard.
      await setImmediate()
    },
  })
  const missing = tables.find(({ name }) => !found.has(name))
  if (missing) throw new BackupError(`The backup has no table ${missing.name}.`)
  if (read.trailer.fileHash !== checked.trailer.fileHash)
    throw new BackupError('The file was changed while it was being restored; nothing was changed.')
}

/** Proof that the database gives back what the backup holds. */
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
    throw new Error('The database does not give back what the backup holds; nothing was changed.')
  return contentHash
}
