import { sql } from 'kysely'
import { FixableError } from '../domain-error.ts'
import type { Database, ReadDatabase, TableDescription, WriteTransaction } from './database.ts'
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
import { sessionsMigration } from './migrations/011-sessions.ts'
import { orderInColumnsMigration } from './migrations/012-order-in-columns.ts'
import { minZoomMigration } from './migrations/013-min-zoom.ts'
import { equalsInListOrderMigration } from './migrations/014-equals-in-list-order.ts'
import { attentionMigration } from './migrations/015-attention.ts'
import { ownersFoundMigration } from './migrations/016-owners-found.ts'
import { featureHistoryMigration } from './migrations/017-feature-history.ts'
import { jobsMigration } from './migrations/018-jobs.ts'
import { filesMigration } from './migrations/019-files.ts'
import { maintenanceMigration } from './migrations/020-maintenance.ts'
import { ownFieldsMigration } from './migrations/021-own-fields.ts'
import { filesOfEntriesMigration } from './migrations/022-files-of-entries.ts'
import { openRecordsMigration } from './migrations/023-open-records.ts'
import { importDraftsMigration } from './migrations/024-import-drafts.ts'
import { closedRecordsMigration } from './migrations/025-closed-records.ts'
import { replacedEditsMigration } from './migrations/026-replaced-edits.ts'
import { generalFeaturesMigration } from './migrations/029-general-features.ts'
import { apiTokensMigration } from './migrations/030-api-tokens.ts'
import { webhooksMigration } from './migrations/035-webhooks.ts'
import { importRecipesMigration } from './migrations/040-import-recipes.ts'
import { backgroundExportsMigration } from './migrations/041-background-exports.ts'
import { visibilityOfOwnFieldsMigration } from './migrations/042-visibility-of-own-fields.ts'
import { importRoomMigration } from './migrations/043-import-room.ts'
import { fileStoreMigration } from './migrations/044-file-store.ts'
import { timeZoneOfClientMigration } from './migrations/045-time-zone-of-client.ts'
import { contactOfClientMigration } from './migrations/046-contact-of-client.ts'
import { namesOfPeopleMigration } from './migrations/047-names-of-people.ts'
import { placesApartMigration } from './migrations/048-places-apart.ts'
import { landChangesMigration } from './migrations/049-land-changes.ts'
import { landChecksMigration } from './migrations/050-land-checks.ts'
import { landFilesMigration } from './migrations/051-land-files.ts'
import { reportsMigration } from './migrations/052-reports.ts'
import { workMigration } from './migrations/053-work.ts'
import { reportSettingsMigration } from './migrations/054-report-settings.ts'
import { mergesMigration } from './migrations/055-merges.ts'
import { landRecordFilesMigration } from './migrations/056-land-record-files.ts'
import { subscriptionsMigration } from './migrations/057-subscriptions.ts'
import { sendersOfReportsMigration } from './migrations/059-senders-of-reports.ts'
import { noticesMigration } from './migrations/060-notices.ts'
import { workInstructionsMigration } from './migrations/061-work-instructions.ts'
import { limitsOfReportersMigration } from './migrations/062-limits-of-reporters.ts'
import type { Migration } from './migrations/migration.ts'

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
  sessionsMigration,
  orderInColumnsMigration,
  minZoomMigration,
  equalsInListOrderMigration,
  attentionMigration,
  ownersFoundMigration,
  featureHistoryMigration,
  jobsMigration,
  filesMigration,
  maintenanceMigration,
  ownFieldsMigration,
  filesOfEntriesMigration,
  openRecordsMigration,
  importDraftsMigration,
  closedRecordsMigration,
  replacedEditsMigration,
  generalFeaturesMigration,
  apiTokensMigration,
  webhooksMigration,
  importRecipesMigration,
  backgroundExportsMigration,
  visibilityOfOwnFieldsMigration,
  importRoomMigration,
  fileStoreMigration,
  timeZoneOfClientMigration,
  contactOfClientMigration,
  namesOfPeopleMigration,
  placesApartMigration,
  landChangesMigration,
  landChecksMigration,
  landFilesMigration,
  reportsMigration,
  workMigration,
  reportSettingsMigration,
  mergesMigration,
  landRecordFilesMigration,
  subscriptionsMigration,
  sendersOfReportsMigration,
  noticesMigration,
  workInstructionsMigration,
  limitsOfReportersMigration,
]

/** The advisory lock must be unique on the PostgreSQL server. */
const advisoryLock = 7_062_025_001

/** Concurrent processes wait. Returns the new migrations. Throws a FixableError for a foreign database. */
export function migrate(database: Database): Promise<string[]> {
  return database.write(async (transaction) => {
    refuseForeignDatabase(await readApplied(transaction, database.engine))
    return applyMigrations(transaction, database.engine, migrations)
  })
}

/** Undefined if the database or backup is older or equal. A newer one has all of our migrations, and more. */
export function describeForeign(
  applied: readonly string[],
  ownMigrations: readonly Migration[] = migrations,
): { isNewer: boolean; words: string } | undefined {
  const names = ownMigrations.map(({ name }) => name)
  const unknown = applied.filter((name) => !names.includes(name))
  if (unknown.length === 0) return undefined
  const missing = names.filter((name) => !applied.includes(name))
  const last = names.at(-1) ?? ''
  const isNewer = missing.length === 0 && unknown.every((name) => /^\d{3}-/.test(name) && name > last)
  const has = `has ${unknown.join(', ')}, which this version does not know`
  if (isNewer) return { isNewer, words: `was made by a newer version of this program: it ${has}` }
  const lacks = missing.length > 0 ? `, and lacks ${missing.join(', ')}` : ''
  return {
    isNewer,
    words: `was made by another version of this program, no older and no newer one: it ${has}${lacks}`,
  }
}

const otherDatabase = 'another database (another DATA_DIR or DATABASE_URL)'

export function refuseForeignDatabase(
  applied: readonly string[],
  ownMigrations: readonly Migration[] = migrations,
) {
  const foreign = describeForeign(applied, ownMigrations)
  if (!foreign) return
  const advice = foreign.isNewer
    ? `Update this program, or use ${otherDatabase}.`
    : `Use the version that made it, or ${otherDatabase}.`
  throw new FixableError(`The database ${foreign.words}. Nothing was changed. ${advice}`)
}

export async function readMigrations(
  database: ReadDatabase,
  tables: readonly TableDescription[],
): Promise<string[]> {
  if (!tables.some(({ name }) => name === 'migrations')) return []
  const rows = await database.selectFrom('migrations').select('name').execute()
  return rows.map((row) => row.name).sort()
}

export async function applyMigrations(
  transaction: WriteTransaction,
  engine: Database['engine'],
  wanted: readonly Migration[],
): Promise<string[]> {
  const applied = await readApplied(transaction, engine)
  const missing = wanted.filter((migration) => !applied.includes(migration.name))
  for (const migration of missing) {
    await migration.up(transaction, engine).catch((error) => {
      throw isDuplicateObject(error) ? collisionError(migration, error) : error
    })
    await transaction
      .insertInto('migrations')
      .values({ name: migration.name, applied_at: Date.now() })
      .execute()
  }
  return missing.map((migration) => migration.name)
}

async function readApplied(transaction: WriteTransaction, engine: Database['engine']): Promise<string[]> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction)
  await transaction.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
  try {
    const rows = await transaction.selectFrom('migrations').select('name').orderBy('name').execute()
    return rows.map((row) => row.name)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (code !== '42703' && !/no such column/.test(message)) throw error
    throw new FixableError(
      `The database has a table "migrations" that is not of this program (${message}). Nothing was changed. Give this program a database of its own: ${otherDatabase}.`,
    )
  }
}

const duplicateCodes = ['42P07', '42701', '42710', '42P06', '42723']

function isDuplicateObject(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string }
  return duplicateCodes.includes(code ?? '') || /already exists|duplicate column name/.test(message)
}

function collisionError({ name }: Migration, { message }: Error): FixableError {
  return new FixableError(
    `The database cannot be migrated: ${name} would create something that exists already (${message}), though the database does not say that it was applied. Nothing was changed.\n` +
      `The tables were changed by hand, or belong to another program. Restore your last backup into ${otherDatabase}, or remove the conflicting tables, and start again.`,
  )
}
