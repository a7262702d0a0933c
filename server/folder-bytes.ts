import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of all files in a folder and below; 0 if there is none. A file with several names counts once. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const counted = new Set<number>()
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    // It may be gone by now.
    const stats = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined)
    if (!stats || counted.has(stats.ino)) continue
    counted.add(stats.ino)
    bytes += stats.size
  }
  return bytes
}
