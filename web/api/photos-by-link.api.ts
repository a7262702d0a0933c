import { queryOptions } from '@tanstack/react-query'
import type { FileVersion, UploadState } from '#domain/files/file.schema.ts'
import { addressWith } from './addresses.ts'
import { getBlob, type LinkKey, sendBytes, sendJson } from './http.ts'

/** Photos of the report or incident that a private link opens. `queryKey` is that of its details. */
export type PhotosByLink = { path: string; linkKey: LinkKey; queryKey: readonly unknown[] }

const pathOf = ({ path }: PhotosByLink, id: string) => `${path}/photos/${encodeURIComponent(id)}`

export const linkPhotoQuery = (link: PhotosByLink, id: string, version: Exclude<FileVersion, 'original'>) =>
  queryOptions({
    queryKey: [...link.queryKey, 'photo', id, version] as const,
    queryFn: ({ signal }) => getBlob(`${pathOf(link, id)}/${version}`, link.linkKey, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const announceByLink = ({ path, linkKey }: PhotosByLink, photo: { id: string; size: number }) =>
  sendJson<UploadState>('POST', `${path}/photos`, { body: photo, linkKey, isByItself: true })

export const sendPieceByLink = (link: PhotosByLink, id: string, offset: number, piece: Blob) =>
  sendBytes<UploadState>('PUT', addressWith(pathOf(link, id), { offset }), piece, { linkKey: link.linkKey })
