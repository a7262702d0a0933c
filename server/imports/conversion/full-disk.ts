import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Less than this is full: a file system keeps some blocks for itself. */
const leastFreeBytes = 64 * 1024

/**
 * Throws ENOSPC, as the system does, if the disk of a folder is full. GDAL and its virtual file system turn a full disk into
 * an error of the file, or into none at all.
 */
export async function throwIfFull(folder: string): Promise<void> {
  const stats = await statfs(folder).catch(() => statfs(dirname(folder)).catch(() => undefined))
  if (!stats || stats.bavail * stats.bsize >= leastFreeBytes) return
  throw Object.assign(new Error('No space is left on the disk for files'), { code: 'ENOSPC' })
}
