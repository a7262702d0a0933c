import { createHash, randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import {
  type FileOfFeature,
  maxFileBytes,
  type NewUpload,
  type Redaction,
  type UploadState,
} from '#domain/files/file.schema.ts'
import { type BlobStore, blobKey, readBytes } from '../blob-stores/blob-store.ts'
import type { Database } from '../database/database.ts'
import { FairQueue } from '../database/fair-queue.ts'
import type { FilesTable, UploadsTable } from '../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../domain-error.ts'
import { followMerges } from '../merges/merges.queries.ts'
import { continueAt, lengthsOf, pieceKeys, receivePiece, removePieces } from '../uploads/receive-piece.ts'
import { addFile, claimContent, type FileContent, startUpload } from './change-files.commands.ts'
import { readFile, toFile } from './files.queries.ts'
import type { PhotoMaker } from './photo-maker.ts'
import { recognizeFile } from './recognize-file.ts'
import { replaceByRedacted, requirePhoto } from './redact-photo.commands.ts'
import { deleteUpload, readUpload, updateUpload } from './uploads.queries.ts'

// Rows are written before blobs: the upload before its pieces, a claim before a blob. So a killed server
// leaves no unknown bytes, and the client can resume.

type Places = { database: Database; store: BlobStore }

/** Files are in memory while they are examined, up to 15 s. One map must not fill the queue. */
const examiningLimits = {
  atOnce: 2,
  maxOfMap: 1,
  first: 'oldest',
  maxWaiting: 200,
  timeLimitMs: 600_000,
} as const

/** `isPhoto` rejects other files. */
type Upload = { mapId: string; id: string; person: Person; isPhoto?: boolean }

/** A photo of a form: `field` and `name` are named in errors. */
export type SentPhoto = { field: string; name: string; bytes: Buffer }

/** By SHA-256. */
type Blobs = ReadonlyMap<string, Uint8Array>

type FileRequest = Parameters<typeof replaceByRedacted>[1]

export type UploadReceiver = ReturnType<typeof createUploadReceiver>

export function createUploadReceiver({
  database,
  store,
  photos,
  quotaBytes,
}: Places & { photos: PhotoMaker; quotaBytes: number }) {
  const queue = new FairQueue(examiningLimits)
  /** By map and id: a repeated piece waits for the result of the work under way. */
  const finishing = new Map<string, Promise<FileOfFeature>>()

  async function start(
    mapId: string,
    person: Person,
    upload: NewUpload,
    { isVisitor = false } = {},
  ): Promise<UploadState> {
    const file = await readFile(database.read, { mapId, id: upload.id })
    if (file) {
      const { remaining } = await followMerges(database.read, { mapId, id: upload.featureId })
      const isSame = file.added_by_id === person.id && [upload.featureId, remaining].includes(file.feature_id)
      if (!isSame) throw new ConflictError('This id belongs to another file.')
      return finished(file)
    }
    return stateOf(await startUpload(database, { mapId, person, quotaBytes, isVisitor }, upload))
  }

  async function find({ mapId, id, person }: Upload): Promise<UploadsTable | FilesTable> {
    const file = await readFile(database.read, { mapId, id })
    if (file?.added_by_id === person.id) return file
    const upload = await readUpload(database.read, { mapId, id })
    if (!upload) throw new NotFoundError(`Map ${mapId} has no upload ${id}. Start again.`)
    if (upload.person_id === person.id) return upload
    throw new ConflictError('This id belongs to an upload of another user.')
  }

  /** Also removes the upload, which a killed server may have left. */
  async function finished(file: FilesTable): Promise<UploadState> {
    const { map_id: mapId, id, size } = file
    const upload = await readUpload(database.read, { mapId, id })
    if (upload) await removeUpload({ store, database }, upload)
    return { id, size, received: size, file: toFile(file, true) }
  }

  async function readState(upload: Upload): Promise<UploadState> {
    const row = await find(upload)
    return 'received' in row ? stateOf(row) : finished(row)
  }

  async function receive(
    { mapId, id, person, isPhoto = false }: Upload,
    offset: number,
    bytes: Uint8Array,
  ): Promise<UploadState> {
    const found = await find({ mapId, id, person })
    if (!('received' in found)) return finished(found)
    const upload = {
      keyPrefix: keyPrefixOf(found),
      read: () => readUpload(database.read, { mapId, id }),
      record: (row: UploadsTable, progress: Pick<UploadsTable, 'received' | 'pieces'>) =>
        database.write((transaction) => updateUpload(transaction, row, progress)),
    }
    const row = await receivePiece(store, upload, { offset, bytes })
    if (row.received < row.size) return stateOf(row)
    return { ...stateOf(row), file: await finish(row, person, isPhoto) }
  }

  function finish(upload: UploadsTable, person: Person, isPhoto: boolean): Promise<FileOfFeature> {
    const name = `${upload.map_id} ${upload.id}`
    const work =
      finishing.get(name) ?? makeFile(upload, person, isPhoto).finally(() => void finishing.delete(name))
    finishing.set(name, work)
    return work
  }

  /** Removes the upload if it is rejected. */
  async function makeFile(upload: UploadsTable, person: Person, isPhoto: boolean): Promise<FileOfFeature> {
    try {
      const { map_id: mapId } = upload
      // The client may disconnect after the last piece: processing continues, and a repeated request gets its
      // result.
      const client = { mapId, isStaff: true, signal: new AbortController().signal }
      const { content, blobs } = await queue.take(client, () => examine(upload, isPhoto))
      await storeBlobs(mapId, blobs, upload)
      const file = await addFile(database, upload, person, content)
      await removeUpload({ store, database }, upload)
      return file
    } catch (error) {
      if (error instanceof RefusedError || error instanceof NotFoundError)
        await removeUpload({ store, database }, upload)
      throw error
    }
  }

  async function storeBlobs(mapId: string, blobs: Blobs, upload: UploadsTable | null = null) {
    const sizes = [...blobs].map(([sha256, { length: size }]) => ({ sha256, size }))
    await claimContent(database, { mapId, quotaBytes, upload }, sizes)
    for (const [sha256, bytes] of blobs) await store.put(blobKey(mapId, sha256), bytes)
  }

  async function examine(upload: UploadsTable, isPhoto: boolean) {
    const bytes = await readPieces(upload)
    if (upload.sha256 !== null && upload.sha256 !== sha256Of(bytes))
      throw new RefusedError('sha256', 'does not match the uploaded file. Upload the file again')
    return makeContent(bytes, isPhoto)
  }

  async function makeContent(bytes: Buffer, isPhoto: boolean) {
    const original = sha256Of(bytes)
    const { kind, mediaType } = recognizeFile(bytes, { isPhoto })
    const blobs = new Map<string, Uint8Array>([[original, bytes]])
    const addBlob = (made: Uint8Array) => {
      const sha256 = sha256Of(made)
      blobs.set(sha256, made)
      return sha256
    }
    const photo = kind === 'photo' ? await photos.make(bytes) : null
    const content: FileContent = {
      kind,
      media_type: mediaType,
      original,
      large: photo && addBlob(photo.large),
      small: photo && addBlob(photo.small),
      width: photo?.width ?? null,
      height: photo?.height ?? null,
      lat: photo?.place?.lat ?? null,
      lng: photo?.place?.lng ?? null,
      taken_at: photo?.takenAt ?? null,
    }
    return { content, blobs }
  }

  async function readPieces(upload: UploadsTable): Promise<Buffer> {
    const keys = pieceKeys(keyPrefixOf(upload), lengthsOf(upload))
    const pieces = await Promise.all(keys.map((key) => readBytes(store, key)))
    const bytes = Buffer.concat(pieces.filter((piece) => piece !== undefined))
    if (bytes.length === upload.size) return bytes
    // The store was changed from outside, or an earlier version named the pieces otherwise.
    await database.write((transaction) => updateUpload(transaction, upload, { received: 0, pieces: '[]' }))
    throw continueAt(0)
  }

  /** Blacks out areas of a photo. */
  async function redact(request: FileRequest, { id, areas }: Redaction): Promise<FileOfFeature> {
    const { mapId } = request
    const repeated = await readFile(database.read, { mapId, id })
    if (repeated?.redacts === request.id) return toFile(repeated, true)
    const large = requirePhoto(await readFile(database.read, { mapId, id: request.id }), request.id)
    const client = { mapId, isStaff: true, signal: new AbortController().signal }
    const blobs = await queue.take(client, async () => {
      const bytes = await readBytes(store, blobKey(mapId, large))
      if (!bytes) throw new NotFoundError(`File ${request.id} is missing in the file store.`)
      return photos.make(bytes, areas)
    })
    const [original, small] = [sha256Of(blobs.large), sha256Of(blobs.small)]
    await storeBlobs(
      mapId,
      new Map([
        [original, blobs.large],
        [small, blobs.small],
      ]),
    )
    const { width, height } = blobs
    const content = { id, original, large: original, small, width, height, size: blobs.large.length }
    return replaceByRedacted(database, request, content)
  }

  /**
   * Examines all photos, then stores them, before the report that they belong to exists: returns a function that adds
   * them to it.
   */
  async function takePhotos(mapId: string, photosOfForm: readonly SentPhoto[], signal: AbortSignal) {
    const made: Awaited<ReturnType<typeof makeContent>>[] = []
    for (const photo of photosOfForm)
      made.push(await queue.take({ mapId, isStaff: true, signal }, () => makePhoto(photo)))
    if (made.length > 0) await storeBlobs(mapId, new Map(made.flatMap(({ blobs }) => [...blobs])))
    return async (featureId: string, person: Person) => {
      for (const { content, blobs } of made) {
        const size = blobs.get(content.original)?.length ?? 0
        const belonging = { map_id: mapId, feature_id: featureId, maintenance_id: null }
        await addFile(database, { ...belonging, id: randomUUID(), name: 'Photo', size }, person, content)
      }
    }
  }

  async function makePhoto({ field, name, bytes }: SentPhoto) {
    const refuse = (reason = '') => new RefusedError(field, `‘${name}’ ${reason}`)
    if (bytes.length > maxFileBytes) throw refuse(`is larger than ${maxFileBytes / 1024 / 1024} MB`)
    return makeContent(bytes, true).catch((error: unknown) => {
      throw error instanceof RefusedError ? refuse(error.fields[0]?.reason) : error
    })
  }

  return { start, readState, receive, redact, takePhotos }
}

/** Removes the pieces first: as long as one exists, its row does. */
export async function removeUpload({ store, database }: Places, upload: UploadsTable) {
  await removePieces(store, keyPrefixOf(upload), upload)
  await database.write((transaction) => deleteUpload(transaction, upload))
}

const keyPrefixOf = ({ map_id: mapId, id }: Pick<UploadsTable, 'map_id' | 'id'>) => `${mapId}/uploads/${id}`

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const stateOf = ({ id, size, received }: UploadsTable): UploadState => ({ id, size, received, file: null })
