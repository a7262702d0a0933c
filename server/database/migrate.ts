import { sql } from 'kysely'
import type { Database, WriteTransaction } from './database.ts'
import { initialMigration } from './migrations/001-initial.ts'
import { staffMigration } from './migrations/002-staff.ts'
import { orderAndSearchMigration } from './migrations/003-order-and-search.ts'
import { ranksAndCountsMigration } from './migrations/004-ranks-and-counts.ts'
import { drawingsMigration } from './migrations/005-drawings.ts'
import { wordsOfMapsMigration } from './migrations/006-words-of-maps.ts'
import { shapesByZoomMigration } from './migrations/007-shapes-by-zoom.ts'
import { incidentsOnTilesMigration } from './migrations/008-incidents-on-tiles.ts'
import { placesOfMapsMigration } from './migrations/009-places-of-maps.ts'
import { publishedMetadataMigration } from './migrations/010-published-metadata.ts'

export type Migration = {
  name: string
  up(transaction: WriteTransaction, engine: Database['engine']): Promise<void>
}

export const migrations: readonly Migration[] = [
  initialMigration,
  staffMigration,
  orderAndSearchMigration,
  ranksAndCountsMigration,
  drawingsMigration,
  wordsOfMapsMigration,
  shapesByZoomMigration,
  incidentsOnTilesMigration,
  placesOfMapsMigration,
  publishedMetadataMigration,
]

/** Any number that no other user of the same PostgreSQL server takes as its advisory lock. */
const advisoryLock = 7_062_025_001

/**
 * Brings the tables up to date in one transaction. Safe to run from several processes at once: the others
 * wait, then find nothing to do. Returns the names of what was applied.
 */
export function migrate(database: Database): Promise<string[]> {
  return database.write((transaction) => applyMigrations(transaction, database.engine, migrations))
}

/** Applies those of `wanted` that are missing. */
export async function applyMigrations(
  transaction: WriteTransaction,
  engine: Database['engine'],
  wanted: readonly Migration[],
): Promise<string[]> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction)
  await transaction.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
  const applied = new Set(
    (await transaction.selectFrom('migrations').select('name').execute()).map((row) => row.name),
  )
  const missing = wanted.filter((migration) => !applied.has(migration.name))
  for (const migration of missing) {
    await migration.up(transaction, engine)
    await transaction
      .insertInto('migrations')
      .values({ name: migration.name, applied_at: Date.now() })
      .execute()
  }
  return missing.map((migration) => migration.name)
}
