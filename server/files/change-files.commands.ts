import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activities.ts'
import { type FileChange, type FileOfFeature, maxFilesOfFeature } from '#domain/files/file.schema.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FilesTable, UploadsTable } from '../database/tables.ts'
import { type Expectation, expectVersion, NotFoundError, RefusedError } from '../domain-error.ts'
import { hasEntry } from '../features/maintenance/maintenance-entries.queries.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import {
  claimBlobs,
  hashesOf,
  insertFile,
  noteNames,
  readFile,
  readFilesOf,
  sumBytes,
  toFile,
  updateFile,
} from './files.queries.ts'

/** What a file is of. */
type Belonging = Pick<FilesTable, 'map_id' | 'feature_id' | 'maintenance_id'>

/** What was found out of a file when all of it was there. */
export type FileContent = Pick<
  FilesTable,
  'kind' | 'media_type' | 'original' | 'large' | 'small' | 'width' | 'height' | 'lat' | 'lng' | 'taken_at'
>

/** Throws where a file would find no room. Its blobs are known from now on, so that they can be written. */
export function claimContent(
  database: Database,
  upload: UploadsTable,
  blobs: readonly { sha256: string; size: number }[],
  quotaBytes: number,
): Promise<void> {
  const { map_id: mapId, size } = upload
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    await requireRoom(transaction, upload)
    // The upload itself counts already.
    const made = blobs.reduce((sum, blob) => sum + blob.size, -size)
    await requireQuota(transaction, mapId, made, quotaBytes)
    await claimBlobs(transaction, mapId, blobs, Date.now())
  })
}

/** The upload becomes a file: behind the others, and for staff alone. Its blobs are there already. */
export function addFile(
  database: Database,
  upload: UploadsTable,
  person: Person,
  content: FileContent,
): Promise<FileOfFeature> {
  const { map_id: mapId, id, feature_id, maintenance_id, name, size } = upload
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const known = await readFile(transaction, { mapId, id })
    if (known) return toFile(known, true)
    const others = await requireRoom(transaction, upload)
    const now = Date.now()
    const row: FilesTable = {
      map_id: mapId,
      id,
      feature_id,
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
    }
    await insertFile(transaction, row)
    await noteNames(transaction, mapId, hashesOf(row), now)
    await tell(transaction, row, person, 'file.added', now)
    return toFile(row, true)
  })
}

/**
 * The files of a feature; throws where it or the entry is not there, or it has as many as it may. (More it has where an entry
 * came back with its files: nothing that is taken back is refused.) Call it while the map is held.
 */
export async function requireRoom(
  transaction: WriteTransaction,
  { map_id: mapId, feature_id: featureId, maintenance_id: entryId }: Belonging,
): Promise<FilesTable[]> {
  const feature = (await readRowsOf(transaction, mapId, [featureId])).get(featureId)
  if (!feature) throw new NotFoundError(`Map ${mapId} has no feature ${featureId}.`)
  if (entryId !== null && !(await hasEntry(transaction, { mapId, featureId, entryId })))
    throw new NotFoundError(`Feature ${featureId} of map ${mapId} has no maintenance entry ${entryId}.`)
  const files = (await readFilesOf(transaction, mapId, featureId)).filter((file) => file.removed_at === null)
  if (files.length < maxFilesOfFeature) return files
  throw new RefusedError(
    'featureId',
    `it has ${maxFilesOfFeature} files, and more it cannot have: remove one first`,
  )
}

/** Throws where the files of a map would take more than they may. Call it while the map is held. */
export async function requireQuota(
  transaction: WriteTransaction,
  mapId: string,
  moreBytes: number,
  quotaBytes: number,
) {
  const bytes = (await sumBytes(transaction, mapId)) + moreBytes
  if (bytes <= quotaBytes) return
  const megabytes = (count: number) => `${Math.ceil(count / 1024 / 1024).toLocaleString('en-US')} MB`
  throw new RefusedError(
    'size',
    `the files of this map would take ${megabytes(bytes)}, and ${megabytes(quotaBytes)} are the most ` +
      '(FILE_QUOTA_MB); what is removed counts for 30 days',
  )
}

type Request = { mapId: string; id: string; person: Person; isExpected: Expectation }

/** A change without effect makes no version. */
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
    const isSaid = wanted.caption !== row.caption
    const isShown = wanted.is_public !== row.is_public
    if (!isMoved && !isSaid && !isShown) return toFile(row, true)
    const changed = { ...row, ...wanted, version: row.version + 1 }
    await updateFile(transaction, request, { ...wanted, version: changed.version })
    const now = Date.now()
    if (isMoved || isSaid) await tell(transaction, changed, person, 'file.changed', now)
    if (isShown) {
      const action = wanted.is_public === 1 ? 'file.published' : 'file.hidden'
      await tell(transaction, changed, person, action, now)
    }
    return toFile((await readFile(transaction, { mapId, id: row.id })) ?? changed, true)
  })
}

/** Puts a file to a place among those of its feature; false where it is there already. */
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

/** For 30 days it can be put back. */
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

/** Puts a removed file back to where it was. */
export function putFileBack(database: Database, request: Request): Promise<FileOfFeature> {
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
  await noteNames(transaction, mapId, hashesOf(row), now)
  await tell(transaction, changed, person, action, now)
  return toFile(changed, true)
}

async function lockFile(
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

/** Whose file it is and whether visitors see it; neither its name nor its caption, which may be personal. */
async function tell(
  transaction: WriteTransaction,
  { map_id: mapId, feature_id: subject, kind: file, is_public }: FilesTable,
  person: Person,
  action: ActivityAction,
  now: number,
) {
  const feature = (await readRowsOf(transaction, mapId, [subject])).get(subject)
  const isPublic = is_public === 1
  const details = { file, isPublic, ...(feature ? { kind: kindOfRow(feature), name: feature.name } : {}) }
  await insertActivity(transaction, { mapId, action, actor: person, subject, details }, now)
}
