import type { Database, ReadDatabase } from '../database/database.ts'
import { readMigrations, refuseForeignDatabase } from '../database/migrate.ts'
import { BackupError } from './backup-error.ts'
import { type BackupHeader, type BackupSummary, formatVersion, project } from './backup-format.ts'
import { BackupHash } from './backup-hash.ts'
import { readEncodedRows } from './read-rows.ts'
import type { ShowProgress } from './show-progress.ts'
import { keptTables, unknownTables } from './table-rules.ts'
import { type WriteOptions, writeGzipFile } from './write-file.ts'

export type BackupOptions = WriteOptions & {
  onProgress?: ShowProgress
  onNotice?: (text: string) => void
}

/** Writes all that the database holds into a file, as of one instant, while others go on changing it. */
export async function writeBackup(
  database: Database,
  path: string,
  options: BackupOptions,
): Promise<BackupSummary> {
  return database.readSnapshot(async (snapshot) => {
    const backup = await prepareBackup(database, snapshot, options)
    await writeGzipFile(path, backup.texts(), options)
    return backup.summary()
  })
}

async function prepareBackup(
  { engine, maintenance }: Database,
  snapshot: ReadDatabase,
  { onProgress, onNotice }: BackupOptions,
) {
  const described = await maintenance.describeTables(snapshot)
  const applied = await readMigrations(snapshot, described)
  if (applied.length === 0) throw new BackupError('There is nothing to back up: the database has no tables.')
  refuseForeignDatabase(applied)
  for (const name of unknownTables(described))
    onNotice?.(`Table ${name} does not belong to this program and is left out.`)

  const tables = keptTables(described)
  const header: BackupHeader = {
    project,
    format: formatVersion,
    createdAt: new Date().toISOString(),
    engine,
    migrations: applied,
  }
  const hash = new BackupHash()
  const rows = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  let rowCount = 0
  let result: BackupSummary | undefined

  async function* texts() {
    const first = JSON.stringify(header)
    hash.add(first, { isContent: false })
    yield `${first}\n`
    for await (const page of readEncodedRows(snapshot, tables, hash)) {
      rows[page.table] = (rows[page.table] ?? 0) + page.rows
      rowCount += page.rows
      onProgress?.('Backing up', rowCount)
      yield `${page.lines.join('\n')}\n`
    }
    const trailer = { end: true as const, rows, ...hash.finish() }
    result = { header, trailer, rowCount }
    yield `${JSON.stringify(trailer)}\n`
  }
  return { texts, summary: () => result as BackupSummary }
}
