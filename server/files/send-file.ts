import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileVersion } from '#domain/files/file.schema.ts'
import { type BlobStore, blobKey } from '../blob-stores/blob-store.ts'
import type { FilesTable } from '../database/tables.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { notFound } from '../http/problem.ts'

/** A visitor's browser may show a file for a day after it stopped being public; shared caches never have it. */
const visitorSeconds = 24 * 3600

type SentFile = { store: BlobStore; row: FilesTable; version: FileVersion; isForAll?: boolean }

/** Call it after access was checked. `isForAll`: it is public. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, row, version, isForAll = false }: SentFile,
) {
  const { map_id: mapId, id } = row
  const sha256 = row[version] ?? ''
  const etag = `"${sha256}"`
  if (isForAll) reply.header('cache-control', `private, max-age=${visitorSeconds}, immutable`)
  else forOnePerson(reply)
  reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  const found = await store.read(blobKey(mapId, sha256))
  if (!found) throw notFound(`File ${id} is missing in the file store. Restore it from a backup.`)
  reply.header('content-type', mediaTypeOf(row, version)).header('content-length', found.size)
  if (version === 'original')
    reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeName(row)}`)
      .header('content-security-policy', `sandbox; default-src 'none'; frame-ancestors 'none'`)
  return reply.send(found.stream)
}

function mediaTypeOf({ media_type }: FilesTable, version: FileVersion): string {
  if (version === 'original') return media_type
  return version === 'large' ? 'image/jpeg' : 'image/webp'
}

/** RFC 8187. Removes characters that some systems forbid in names. */
function encodeName({ name, kind }: FilesTable): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced.
  const plain = name.replaceAll(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, '_').toWellFormed() || kind
  return encodeURIComponent(plain).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}
