import type { Database, ReadDatabase, TableDescription } from '../database/database.ts'
import { readMigrations, refuseForeignDatabase } from '../database/migrate.ts'
import { readPage } from './backup.queries.ts'
import {
  BackupError,
  BackupHash,
  type BackupHeader,
  type BackupSummary,
  encodeRow,
  formatVersion,
  isRestoreRow,
  project,
} from './backup-format.ts'
import type { ShowProgress } from './command-line.ts'
import { backedUpTables, unknownTables } from './table-rules.ts'
import { type WriteOptions, writeGzipFile } from './write-file.ts'

export type BackupOptions = WriteOptions & {
  onProgress?: ShowProgress
  onNotice?: (text: string) => void
}

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
    onNotice?.(`Table ${name} does not belong to this program. Skipped.`)

  const tables = backedUpTables(described)
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

const rowsPerPage = 500

type EncodedRows = { table: string; rows: number; lines: string[] }

export async function* readEncodedRows(
  database: ReadDatabase,
  tables: readonly TableDescription[],
  hash: BackupHash,
): AsyncGenerator<EncodedRows> {
  for (const table of tables) {
    const { name, columns } = table
    const line = JSON.stringify({ table: name, columns })
    hash.add(line, { isContent: true })
    yield { table: name, rows: 0, lines: [line] }
    let last: Record<string, unknown> | undefined
    for (;;) {
      const page = await readPage(database, table, last, rowsPerPage)
      const lines = page.map((row) => {
        const encoded = encodeRow(name, columns, row)
        const values = columns.map((column) => row[column])
        hash.add(encoded, { isContent: !isRestoreRow(name, columns, values) })
        return encoded
      })
      if (lines.length > 0) yield { table: name, rows: lines.length, lines }
      last = page.at(-1)
      if (page.length < rowsPerPage) break
    }
  }
}
