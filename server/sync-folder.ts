import { open } from 'node:fs/promises'

/** So that the new name of a file in it, too, survives a power cut. */
export async function syncFolder(path: string) {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}
