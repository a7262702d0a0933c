import { sql } from 'kysely'
import { removedUntil } from '#domain/features/history.schema.ts'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { FilesTable } from '../database/tables.ts'
import { updateById } from '../database/update-by-id.ts'
import { sumUploads } from './uploads.queries.ts'

type Key = { mapId: string; id: string }

// A file of a maintenance entry exists as long as the entry, without any write when the entry is removed or
// restored. Cleanup marks files of missing entries as removed (`byCleanup`), so that they are deleted after
// 30 days.
const byCleanup = ''

const isOfNoEntryThatIsGone = sql<boolean>`(
  files.maintenance_id is null or exists (
    select 1 from maintenance_entries as entry
    where entry.map_id = files.map_id and entry.feature_id = files.feature_id and entry.id = files.maintenance_id
  )
)`

const asItIs = (row: FilesTable): FilesTable =>
  row.removed_by === byCleanup ? { ...row, removed_at: null, removed_by: null } : row

export async function readFile(read: ReadDatabase, { mapId, id }: Key): Promise<FilesTable | undefined> {
  const row = await read
    .selectFrom('files')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .where(isOfNoEntryThatIsGone)
    .executeTakeFirst()
  return row && asItIs(row)
}

export async function readFilesOf(
  read: ReadDatabase,
  mapId: string,
  featureId: string,
): Promise<FilesTable[]> {
  const rows = await read
    .selectFrom('files')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('feature_id', '=', featureId)
    .where(isOfNoEntryThatIsGone)
    .orderBy('list_order')
    .orderBy('id')
    .execute()
  return rows.map(asItIs)
}

/** A report has photos before its incident exists. */
export async function readReportTitle(read: ReadDatabase, { mapId, id }: Key): Promise<string | undefined> {
  const row = await read
    .selectFrom('reports')
    .select('title')
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.title
}

export async function insertFile(transaction: WriteTransaction, row: FilesTable) {
  await transaction.insertInto('files').values(row).execute()
}

export const updateFile = (transaction: WriteTransaction, key: Key, columns: Partial<FilesTable>) =>
  updateById(transaction, 'files', key, columns)

/** Omits properties that visitors may not see. */
export function toFile(row: FilesTable, isStaff: boolean): FileOfFeature {
  const { lat, lng } = row
  return {
    id: row.id,
    featureId: row.feature_id,
    maintenanceId: isStaff ? row.maintenance_id : null,
    kind: row.kind,
    name: isStaff || row.kind === 'pdf' ? row.name : null,
    caption: row.caption,
    isPublic: row.is_public === 1,
    size: row.size,
    width: row.width,
    height: row.height,
    place: isStaff && lat !== null && lng !== null ? { lat, lng } : null,
    takenAt: isStaff ? row.taken_at : null,
    addedAt: new Date(row.added_at).toISOString(),
    addedBy: isStaff ? row.added_by : null,
    isRedacted: row.redacts !== null,
    version: row.version,
  }
}

export function toRemovedFile(row: FilesTable) {
  const { removed_at = 0, removed_by } = row
  return {
    ...toFile(row, true),
    removedAt: new Date(removed_at ?? 0).toISOString(),
    removedBy: removed_by ?? '',
    keptUntil: new Date(removedUntil(removed_at ?? 0)).toISOString(),
  }
}

type Blob = { sha256: string; size: number }

export async function sumBytes(read: ReadDatabase, mapId: string): Promise<number> {
  const { bytes } = await read
    .selectFrom('blobs')
    .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
    .where('map_id', '=', mapId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0) + (await sumUploads(read, mapId, { now: Date.now() }))
}

export async function claimBlobs(
  transaction: WriteTransaction,
  mapId: string,
  blobs: readonly Blob[],
  now: number,
) {
  const rows = blobs.map(({ sha256, size }) => ({ map_id: mapId, sha256, size, unnamed_since: now }))
  await transaction
    .insertInto('blobs')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['map_id', 'sha256'])
        .doUpdateSet({ unnamed_since: now })
        .where('blobs.unnamed_since', 'is not', null),
    )
    .execute()
}

export const hashesOf = ({ original, large, small }: Pick<FilesTable, 'original' | 'large' | 'small'>) =>
  [original, large, small].filter((hash) => hash !== null)

/** Records which of these blobs are used by files on the map. */
export async function updateReferences(
  transaction: WriteTransaction,
  mapId: string,
  hashes: readonly string[],
  now: number,
) {
  const named = sql<boolean>`exists (
    select 1 from files where files.map_id = blobs.map_id and files.removed_at is null
      and (files.original = blobs.sha256 or files.large = blobs.sha256 or files.small = blobs.sha256)
  )`
  await transaction
    .updateTable('blobs')
    .set({
      unnamed_since: sql<
        number | null
      >`case when ${named} then null else coalesce(unnamed_since, ${sql.lit(now)}) end`,
    })
    .where('map_id', '=', mapId)
    .where('sha256', 'in', hashes)
    .execute()
}

/** Marks files of missing features and entries as removed, and unmarks them when the entry exists again. */
export async function forgetFiles(transaction: WriteTransaction, before: number, now: number) {
  const isThere = (table: 'features' | 'removed_features' | 'reports') =>
    sql<boolean>`exists (
      select 1 from ${sql.table(table)} as feature
      where feature.map_id = files.map_id and feature.id = files.feature_id
    )`
  const isWhereItBelongs = sql<boolean>`(
    (${isThere('features')} or ${isThere('removed_features')} or ${isThere('reports')}) and ${isOfNoEntryThatIsGone}
  )`
  const named = ['map_id', 'original', 'large', 'small'] as const
  const back = await transaction
    .updateTable('files')
    .set({ removed_at: null, removed_by: null })
    .where('removed_by', '=', byCleanup)
    .where(isWhereItBelongs)
    .returning(named)
    .execute()
  await transaction.deleteFrom('files').where('removed_at', '<', before).execute()
  const orphaned = await transaction
    .updateTable('files')
    .set({ removed_at: now, removed_by: byCleanup })
    .where('removed_at', 'is', null)
    .where(({ not }) => not(isWhereItBelongs))
    .returning(named)
    .execute()
  for (const row of [...back, ...orphaned])
    await updateReferences(transaction, row.map_id, hashesOf(row), now)
}

export function readUnnamedBlobs(read: ReadDatabase, before: number) {
  return read
    .selectFrom('blobs')
    .select(['map_id', 'sha256'])
    .where('unnamed_since', '<', before)
    .orderBy('map_id')
    .orderBy('sha256')
    .execute()
}

export async function deleteUnnamedBlob(
  transaction: WriteTransaction,
  mapId: string,
  sha256: string,
  before: number,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('blobs')
    .where('map_id', '=', mapId)
    .where('sha256', '=', sha256)
    .where('unnamed_since', '<', before)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function hasBlob(read: ReadDatabase, mapId: string, sha256: string): Promise<boolean> {
  const row = await read
    .selectFrom('blobs')
    .select('sha256')
    .where('map_id', '=', mapId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row !== undefined
}

/** Of a row of `features`. */
export const firstPublicPhoto = sql<string | null>`(
  select files.id from files
  where files.map_id = features.map_id and files.feature_id = features.id
    and files.kind = 'photo' and files.is_public = 1 and files.removed_at is null
  order by files.list_order, files.id limit 1
)`.as('photo_id')
