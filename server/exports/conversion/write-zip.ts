import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Puts files into an archive beside each other. */
export async function writeZip(path: string, files: readonly string[], signal: AbortSignal): Promise<void> {
  const zip = new ZipFile()
  const bytes = zip.outputStream as Readable
  // A file that cannot be read.
  zip.on('error', (error) => bytes.destroy(error as Error))
  for (const file of files) zip.addFile(file, basename(file))
  zip.end()
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal })
}
