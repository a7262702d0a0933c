import { queryOptions } from '@tanstack/react-query'
import type {
  FileChange,
  FileOfFeature,
  FilesOfFeature,
  FileVersion,
  NewUpload,
  Redaction,
  UploadState,
} from '#domain/files/file.schema.ts'
import { addressWith } from './addresses.ts'
import { getJson, newKey, sendBytes, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const pathOf = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}`
const filePath = (mapId: string, id: string) => `${pathOf(mapId)}/files/${encodeURIComponent(id)}`

export function filesQuery(mapId: string, featureId: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'files'), featureId],
    queryFn: ({ signal }) =>
      getJson<FilesOfFeature>(`${pathOf(mapId)}/features/${encodeURIComponent(featureId)}/files`, {}, signal),
  })
}

export const fileAddress = (mapId: string, id: string, version: FileVersion) =>
  `${filePath(mapId, id)}/${version}`

type Seen = Pick<FileOfFeature, 'id' | 'version'>

export function changeFile(mapId: string, { id, version }: Seen, change: FileChange): Promise<FileOfFeature> {
  return sendJson('PATCH', filePath(mapId, id), { body: change, ifMatch: version })
}

export function removeFile(mapId: string, { id, version }: Seen): Promise<FileOfFeature> {
  return sendJson('DELETE', filePath(mapId, id), { ifMatch: version })
}

export function restoreFile(mapId: string, id: string): Promise<FileOfFeature> {
  return sendJson('POST', `${filePath(mapId, id)}/put-back`, { body: {} })
}

export const redactPhoto = (
  mapId: string,
  { id, version }: Seen,
  redaction: Redaction,
): Promise<FileOfFeature> =>
  sendJson('POST', `${filePath(mapId, id)}/redact`, { body: redaction, ifMatch: version })

export const undoRedaction = (mapId: string, { id, version }: Seen): Promise<FileOfFeature> =>
  sendJson('POST', `${filePath(mapId, id)}/undo-redaction`, { body: {}, ifMatch: version })

/** Safe to repeat: the answer has the number of bytes that the server has. */
export function announceFile(mapId: string, upload: NewUpload): Promise<UploadState> {
  return sendJson('POST', `${pathOf(mapId)}/uploads`, { body: upload })
}

export function sendPiece(mapId: string, id: string, offset: number, piece: Blob): Promise<UploadState> {
  const address = addressWith(`${pathOf(mapId)}/uploads/${encodeURIComponent(id)}`, { offset })
  return sendBytes('PUT', address, piece)
}

/** A random UUID. `crypto.randomUUID` is missing over plain HTTP. */
export function newFileId(): string {
  const digits = newKey()
  // Version 4, variant 8.
  const random = `${digits.slice(0, 12)}4${digits.slice(13, 16)}8${digits.slice(17)}`
  return random.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
