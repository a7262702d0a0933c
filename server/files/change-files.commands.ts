import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import {
  type FileChange,
  type FileOfFeature,
  maxFilesOfFeature,
  type NewUpload,
} from '#domain/files/file.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FilesTable, UploadsTable } from '../database/tables.ts'
import {
  ConflictError,
  type Expectation,
  expectVersion,
  NotFoundError,
  RefusedError,
} from '../domain-error.ts'
import { hasEntry } from '../features/maintenance/maintenance-entries.queries.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { placeItem } from '../merges/merges.queries.ts'
import {
  claimBlobs,
  hashesOf,
  insertFile,
  readFile,
  readFilesOf,
  readReportTitle,
  sumBytes,
  toFile,
  updateFile,
  updateReferences,
} from './files.queries.ts'
import { insertUpload, readUpload, sumUploads } from './uploads.queries.ts'

type Belonging = Pick<FilesTable, 'map_id' | 'feature_id' | 'maintenance_id'>

export type FileContent = Pick<
  FilesTable,
  'kind' | 'media_type' | 'original' | 'large' | 'small' | 'width' | 'height' | 'lat' | 'lng' | 'taken_at'
>

type Starting = { mapId: string; person: Person; quotaBytes: number; isVisitor: boolean }

export function startUpload(
  database: Database,
  { mapId, person, quotaBytes, isVisitor }: Starting,
  { id, featureId, maintenanceId, name, size, sha256 }: NewUpload,
): Promise<UploadsTable> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await readUpload(transaction, { mapId, id })
    const row: UploadsTable = {
      map_id: mapId,
      id,
      feature_id: featureId,
      maintenance_id: maintenanceId,
      person_id: person.id,
      name,
      size,
      sha256: sha256 ?? null,
      received: 0,
      pieces: '[]',
      created_at: Date.now(),
      progress_at: null,
    }
    const same = ['person_id', 'feature_id', 'maintenance_id', 'size', 'sha256'] as const
    if (current && same.every((column) => current[column] === row[column])) return current
    if (current) throw new ConflictError('This id belongs to another upload.')
    await requireRoom(transaction, row)
    await requireQuota(transaction, mapId, size, quotaBytes)
    if (isVisitor) await requireShare(transaction, row, quotaBytes)
    await insertUpload(transaction, row)
    return row
  })
}

/** The bytes of an upload count already. */
export function claimContent(
  database: Database,
  { mapId, quotaBytes, upload }: { mapId: string; quotaBytes: number; upload: UploadsTable | null },
  blobs: readonly { sha256: string; size: number }[],
): Promise<void> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    if (upload) await requireRoom(transaction, upload)
    const made = blobs.reduce((sum, blob) => sum + blob.size, -(upload?.size ?? 0))
    await requireQuota(transaction, mapId, made, quotaBytes)
    await claimBlobs(transaction, mapId, blobs, Date.now())
  })
}

export function addFile(
  database: Database,
  upload: Belonging & Pick<UploadsTable, 'id' | 'name' | 'size'>,
  person: Person,
  content: FileContent,
): Promise<FileOfFeature> {
  const { map_id: mapId, id, feature_id, maintenance_id, name, size } = upload
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await readFile(transaction, { mapId, id })
    if (current?.added_by_id === person.id) return toFile(current, true)
    if (current) throw new ConflictError('This id belongs to another file.')
    await requireRoom(transaction, upload)
    const item = { kind: 'file', item_id: id, list_order: 0 } as const
    // The report may have been merged meanwhile.
    const featureId = await placeItem(transaction, { mapId, id: feature_id }, item)
    const others = await readFilesOf(transaction, mapId, featureId)
    const now = Date.now()
    const row: FilesTable = {
      map_id: mapId,
      id,
      feature_id: featureId,
      maintenance_id,
      name,
      size,
      ...content,
      caption: '',
      list_order: Math.max(-1, ...others.map((other) => other.list_order)) + 1,
      is_public: 0,
      added_at: now,
      added_by: person.name,
      added_by_id: person.id,
      version: 1,
      removed_at: null,
      removed_by: null,
      redacts: null,
    }
    await insertFile(transaction, row)
    await updateReferences(transaction, mapId, hashesOf(row), now)
    await recordActivity(transaction, row, person, 'file.added', now)
    return toFile(row, true)
  })
}

/**
 * Returns the files of a feature or report. Throws if it or the entry does not exist, or if the feature has
 * the maximum number of files. (Restoring an entry with its files may exceed it.) Call it while the map is
 * locked.
 */
export async function requireRoom(
  transaction: WriteTransaction,
  { map_id: mapId, feature_id: featureId, maintenance_id: entryId }: Belonging,
): Promise<FilesTable[]> {
  const feature = (await readRowsOf(transaction, mapId, [featureId])).get(featureId)
  if (!feature && (await readReportTitle(transaction, { mapId, id: featureId })) === undefined)
    throw new NotFoundError(`Map ${mapId} has no feature ${featureId}.`)
  if (entryId !== null && !(await hasEntry(transaction, { mapId, featureId, entryId })))
    throw new NotFoundError(`Feature ${featureId} of map ${mapId} has no maintenance entry ${entryId}.`)
  const files = (await readFilesOf(transaction, mapId, featureId)).filter((file) => file.removed_at === null)
  if (files.length < maxFilesOfFeature) return files
  throw new RefusedError(
    'featureId',
    `the feature has ${maxFilesOfFeature} files, which is the limit. Remove one first`,
  )
}

/** Call it while the map is locked. */
export async function requireQuota(
  transaction: WriteTransaction,
  mapId: string,
  moreBytes: number,
  quotaBytes: number,
) {
  const bytes = (await sumBytes(transaction, mapId)) + moreBytes
  if (bytes <= quotaBytes) return
  const megabytes = (count: number) => `${formatNumber(Math.ceil(count / 1024 / 1024))} MB`
  throw new RefusedError(
    'size',
    `the files of this map would take ${megabytes(bytes)}, but the limit is ${megabytes(quotaBytes)} ` +
      '(FILE_QUOTA_MB). Removed files count for 30 days',
  )
}

/** Photos that visitors announce, and may never send, leave room for staff. */
const shareOfVisitors = 0.25

async function requireShare(
  transaction: WriteTransaction,
  { map_id: mapId, size }: UploadsTable,
  quotaBytes: number,
) {
  const bytes = await sumUploads(transaction, mapId, { now: Date.now(), areOfVisitors: true })
  if (bytes + size > quotaBytes * shareOfVisitors)
    throw new ConflictError('This association is receiving many photos. Try again in 15 minutes.')
}

type Request = { mapId: string; id: string; person: Person; isExpected: Expectation }

export function changeFile(
  database: Database,
  request: Request,
  { caption, isPublic, index }: FileChange,
): Promise<FileOfFeature> {
  const { mapId, person } = request
  return database.write(async (transaction) => {
    const row = await lockFile(database, transaction, request, { isRemoved: false })
    const wanted = {
      caption: caption ?? row.caption,
      is_public: isPublic === undefined ? row.is_public : Number(isPublic),
    }
    const isMoved = index !== undefined && (await move(transaction, row, index))
    const isCaptionChanged = wanted.caption !== row.caption
    const isVisibilityChanged = wanted.is_public !== row.is_public
    if (!isMoved && !isCaptionChanged && !isVisibilityChanged) return toFile(row, true)
    const changed = { ...row, ...wanted, version: row.version + 1 }
    await updateFile(transaction, request, { ...wanted, version: changed.version })
    const now = Date.now()
    if (isMoved || isCaptionChanged) await recordActivity(transaction, changed, person, 'file.changed', now)
    if (isVisibilityChanged) {
      const action = wanted.is_public === 1 ? 'file.published' : 'file.hidden'
      await recordActivity(transaction, changed, person, action, now)
    }
    return toFile((await readFile(transaction, { mapId, id: row.id })) ?? changed, true)
  })
}

async function move(transaction: WriteTransaction, row: FilesTable, index: number): Promise<boolean> {
  const files = await readFilesOf(transaction, row.map_id, row.feature_id)
  const before = files.filter(({ removed_at }) => removed_at === null)
  const others = before.filter(({ id }) => id !== row.id)
  const after = others.toSpliced(index, 0, row)
  if (after.every(({ id }, place) => id === before[place]?.id)) return false
  for (const [place, { map_id: mapId, id }] of after.entries())
    await updateFile(transaction, { mapId, id }, { list_order: place })
  return true
}

export function removeFile(database: Database, request: Request): Promise<FileOfFeature> {
  return database.write(async (transaction) => {
    const row = await lockFile(database, transaction, request, { isRemoved: false })
    const now = Date.now()
    return write(transaction, row, request, 'file.removed', {
      removed_at: now,
      removed_by: request.person.name,
    })
  })
}

export function restoreFile(database: Database, request: Request): Promise<FileOfFeature> {
  return database.write(async (transaction) => {
    const row = await lockFile(database, transaction, request, { isRemoved: true })
    if (row.removed_at === null) return toFile(row, true)
    await requireRoom(transaction, row)
    return write(transaction, row, request, 'file.put-back', { removed_at: null, removed_by: null })
  })
}

async function write(
  transaction: WriteTransaction,
  row: FilesTable,
  { person }: Request,
  action: ActivityAction,
  columns: Pick<FilesTable, 'removed_at' | 'removed_by'>,
) {
  const { map_id: mapId, id } = row
  const now = Date.now()
  const changed = { ...row, ...columns, version: row.version + 1 }
  await updateFile(transaction, { mapId, id }, { ...columns, version: changed.version })
  await updateReferences(transaction, mapId, hashesOf(row), now)
  await recordActivity(transaction, changed, person, action, now)
  return toFile(changed, true)
}

export async function lockFile(
  database: Database,
  transaction: WriteTransaction,
  { mapId, id, isExpected }: Request,
  { isRemoved }: { isRemoved: boolean },
): Promise<FilesTable> {
  await lockOpenMap(database, transaction, mapId)
  const row = await readFile(transaction, { mapId, id })
  if (!row || (row.removed_at !== null && !isRemoved))
    throw new NotFoundError(`Map ${mapId} has no file ${id}.`)
  expectVersion(isExpected, row.version, `File ${id}`, toFile(row, true))
  return row
}

/** Records neither the name nor the caption of the file, which may be personal. */
export async function recordActivity(
  transaction: WriteTransaction,
  { map_id: mapId, feature_id: subject, kind: file, is_public }: FilesTable,
  person: Person,
  action: ActivityAction,
  now: number,
) {
  const feature = (await readRowsOf(transaction, mapId, [subject])).get(subject)
  const isPublic = is_public === 1
  const about = feature
    ? { kind: kindOfRow(feature), name: feature.name }
    : { name: await readReportTitle(transaction, { mapId, id: subject }) }
  const details = { file, isPublic, ...about }
  await insertActivity(transaction, { mapId, action, actor: person, subject, details }, now)
}
