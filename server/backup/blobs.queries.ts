import type { ReadDatabase } from '../database/database.ts'

export type KnownBlob = { mapId: string; sha256: string; size: number; isNamed: boolean }

/** All that files name, and what they named in the last 30 days. */
export async function readBlobs(read: ReadDatabase): Promise<KnownBlob[]> {
  const rows = await read.selectFrom('blobs').selectAll().orderBy('map_id').orderBy('sha256').execute()
  return rows.map(({ map_id: mapId, sha256, size, unnamed_since }) => ({
    mapId,
    sha256,
    size,
    isNamed: unnamed_since === null,
  }))
}
