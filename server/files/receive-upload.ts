import { createHash } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import type { FileOfFeature, NewUpload, UploadState } from '#domain/files/file.schema.ts'
import { type BlobStore, blobKey, pieceKey, readBytes } from '../blob-store.ts'
import type { Database } from '../database/database.ts'
import { FairQueue } from '../database/fair-queue.ts'
import type { FilesTable, UploadsTable } from '../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../domain-error.ts'
import { goOnAt, nextPiece } from '../pieces.ts'
import { addFile, claimContent, type FileContent } from './change-files.commands.ts'
import { readFile, toFile } from './files.queries.ts'
import type { PhotoMaker } from './photo-maker.ts'
import { recognizeFile } from './recognize-file.ts'
import { beginUpload, forgetUpload, noteReceived } from './uploads.commands.ts'
import { readUpload } from './uploads.queries.ts'

// A file comes in pieces, each of which may come again. Whatever is written to the store has a row before: a piece its upload,
// a blob its claim. So a server that is killed in between leaves nothing that nobody knows of, and the sender goes on.

export type Reception = { database: Database; store: BlobStore; photos: PhotoMaker; quotaBytes: number }

/** Files are in memory while they are examined, and a photo takes up to 15 s: one of a map at once, and none fills the queue. */
const examiningLimits = {
  atOnce: 2,
  mostOfMap: 1,
  first: 'oldest',
  mostWaiting: 200,
  timeLimitMs: 600_000,
} as const

type Upload = { mapId: string; id: string; person: Person }

export function createReception({ database, store, photos, quotaBytes }: Reception) {
  const turns = new FairQueue(examiningLimits)
  /** By map and id: a piece that comes again waits for what is under way. */
  const ending = new Map<string, Promise<FileOfFeature>>()

  async function begin(mapId: string, person: Person, asked: NewUpload): Promise<UploadState> {
    const file = await readFile(database.read, { mapId, id: asked.id })
    if (file) return done(file)
    return stateOf(await beginUpload(database, { mapId, person, quotaBytes }, asked))
  }

  async function find({ mapId, id, person }: Upload): Promise<UploadsTable | UploadState> {
    const file = await readFile(database.read, { mapId, id })
    if (file?.added_by_id === person.id) return done(file)
    const upload = await readUpload(database.read, { mapId, id })
    if (!upload) throw new NotFoundError(`No file is on its way to map ${mapId} under ${id}: begin anew.`)
    if (upload.person_id === person.id) return upload
    throw new ConflictError('Somebody else’s file is on its way under this id.')
  }

  /** It is there. A server that was killed may have left the upload. */
  async function done(file: FilesTable): Promise<UploadState> {
    const { map_id: mapId, id, size } = file
    const left = await readUpload(database.read, { mapId, id })
    if (left) await giveUp({ store, database }, left)
    return { id, size, received: size, file: toFile(file, true) }
  }

  async function look(asked: Upload): Promise<UploadState> {
    const found = await find(asked)
    return 'map_id' in found ? stateOf(found) : found
  }

  async function receive(asked: Upload, offset: number, bytes: Uint8Array): Promise<UploadState> {
    const found = await find(asked)
    if (!('map_id' in found)) return found
    const upload = await append(found, offset, bytes)
    if (upload.received < upload.size) return stateOf(upload)
    return { ...stateOf(upload), file: await end(upload, asked.person) }
  }

  async function append(upload: UploadsTable, offset: number, bytes: Uint8Array): Promise<UploadsTable> {
    const { map_id: mapId, id, received } = upload
    const next = nextPiece(upload, offset, bytes.length)
    if (!next) return upload
    const { piece, now } = next
    const key = pieceKey(mapId, id, piece)
    await store.put(key, bytes)
    if (await noteReceived(database, { mapId, id }, received, now)) return { ...upload, ...now }
    const present = await readUpload(database.read, { mapId, id })
    if (present) throw goOnAt(present.received)
    // It was given up meanwhile.
    await store.remove(key)
    throw new NotFoundError(`No file is on its way to map ${mapId} under ${id}: begin anew.`)
  }

  function end(upload: UploadsTable, person: Person): Promise<FileOfFeature> {
    const name = `${upload.map_id} ${upload.id}`
    const known = ending.get(name)
    if (known) return known
    const work = keep(upload, person).finally(() => ending.delete(name))
    ending.set(name, work)
    return work
  }

  /** Makes a file of all the pieces; of one that is refused nothing stays. */
  async function keep(upload: UploadsTable, person: Person): Promise<FileOfFeature> {
    try {
      const { map_id: mapId } = upload
      // The client may disconnect after the last piece: processing continues, and a repeated request gets its result.
      const asker = { mapId, isStaff: true, signal: new AbortController().signal }
      const { content, blobs } = await turns.take(asker, () => examine(upload))
      const sizes = [...blobs].map(([sha256, { length: size }]) => ({ sha256, size }))
      await claimContent(database, upload, sizes, quotaBytes)
      for (const [sha256, bytes] of blobs) await store.put(blobKey(mapId, sha256), bytes)
      const file = await addFile(database, upload, person, content)
      await giveUp({ store, database }, upload)
      return file
    } catch (error) {
      if (error instanceof RefusedError || error instanceof NotFoundError)
        await giveUp({ store, database }, upload)
      throw error
    }
  }

  async function examine(upload: UploadsTable) {
    const bytes = await readPieces(upload)
    const original = sha256Of(bytes)
    if (upload.sha256 !== null && upload.sha256 !== original)
      throw new RefusedError('sha256', 'it is not that of the bytes that came: send the file again')
    const { kind, mediaType } = recognizeFile(bytes)
    const blobs = new Map<string, Uint8Array>([[original, bytes]])
    const keep = (made: Uint8Array) => {
      const sha256 = sha256Of(made)
      blobs.set(sha256, made)
      return sha256
    }
    const photo = kind === 'photo' ? await photos.make(bytes) : null
    const content: FileContent = {
      kind,
      media_type: mediaType,
      original,
      large: photo && keep(photo.large),
      small: photo && keep(photo.small),
      width: photo?.width ?? null,
      height: photo?.height ?? null,
      lat: photo?.place?.lat ?? null,
      lng: photo?.place?.lng ?? null,
      taken_at: photo?.takenAt ?? null,
    }
    return { content, blobs }
  }

  async function readPieces({ map_id: mapId, id, size, pieces }: UploadsTable): Promise<Buffer> {
    const read = JSON.parse(pieces).map((_: number, index: number) =>
      readBytes(store, pieceKey(mapId, id, index)),
    )
    const bytes = Buffer.concat(
      (await Promise.all<Buffer | undefined>(read)).filter((piece) => piece !== undefined),
    )
    if (bytes.length === size) return bytes
    // The disk was changed by others.
    await noteReceived(database, { mapId, id }, size, { received: 0, pieces: '[]' })
    throw new ConflictError('Go on at byte 0: pieces of it are gone.')
  }

  return { begin, look, receive }
}

export type ReceptionDesk = ReturnType<typeof createReception>

/** The pieces go first: as long as one is there, its row is. */
export async function giveUp(
  { store, database }: Pick<Reception, 'store' | 'database'>,
  { map_id: mapId, id, pieces }: UploadsTable,
) {
  // One more may be there that was not noted.
  const count = JSON.parse(pieces).length + 1
  for (let index = 0; index < count; index++) await store.remove(pieceKey(mapId, id, index))
  await forgetUpload(database, { mapId, id })
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const stateOf = ({ id, size, received }: UploadsTable): UploadState => ({ id, size, received, file: null })
