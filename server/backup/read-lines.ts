import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'
import { damaged } from './backup-format.ts'

const newline = 0x0a

/** Far longer than any row. A file without line ends is no backup, and must not fill the memory. */
const maxLineBytes = 256 * 2 ** 20

/** The lines of a gzipped file, as many at a time as are there. Reads from its start, however often it is called. */
export async function* readLines(file: FileHandle): AsyncGenerator<Uint8Array[]> {
  const chunkBytes = 2 ** 18
  const source = file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes })
  const text = createGunzip({ chunkSize: chunkBytes })
  // Errors of either come out of the loop below.
  pipeline(source, text, () => {})
  let begun: Uint8Array[] = []
  let begunBytes = 0
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      const lines: Uint8Array[] = []
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const piece = chunk.subarray(start, end)
        lines.push(begun.length > 0 ? Buffer.concat([...begun, piece]) : piece)
        begun = []
        begunBytes = 0
        start = end + 1
      }
      if (start < chunk.length) begun.push(chunk.subarray(start))
      begunBytes += chunk.length - start
      if (begunBytes > maxLineBytes) throw damaged('a line has no end')
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    throw explain(error)
  }
  if (begun.length > 0) throw cutOff()
}

export const cutOff = () => new BackupError('it is cut off: its end is missing')

function explain(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return cutOff()
  if (code === 'Z_DATA_ERROR' && message === 'incorrect header check')
    return new BackupError('this is no backup of POA Land Management')
  if (code === 'Z_DATA_ERROR') return damaged(message)
  return error
}
