import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { formatNumber } from '#domain/values/wording.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { ImportError } from '../import-error.ts'

export type UnpackLimits = Pick<ImportLimits, 'maxEntries' | 'maxUnpackedBytes' | 'maxRatio'>

/** The ratio of sizes is not checked up to here. */
const ratioFreeBytes = 1024 ** 2

/** Empties the folder first. Throws as `readZip` does. */
export async function unpackZip(path: string, folder: string, limits: UnpackLimits): Promise<string[]> {
  await rm(folder, { recursive: true, force: true })
  const paths: string[] = []
  await readZip(path, limits, async ({ fileName }, bytes) => {
    const target = join(folder, ...fileName.split('/').map(safeName))
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await pipeline(bytes, createWriteStream(target, { mode: 0o600, flags: 'wx' }))
    paths.push(target)
  })
  if (paths.length === 0) throw new ImportError('The archive is empty.')
  return paths
}

/**
 * Throws an ImportError for names that lead out of the folder, encrypted files, nested archives, and sizes above the
 * limits.
 */
export async function readZip(
  path: string,
  limits: UnpackLimits,
  use: (entry: Entry, bytes: Readable) => Promise<void>,
): Promise<void> {
  const meter = { bytes: 0 }
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false })
    if (zip.entryCount > limits.maxEntries)
      throw new ImportError(
        `The archive has ${formatNumber(zip.entryCount)} entries; at most ${formatNumber(limits.maxEntries)} are allowed.`,
      )
    for await (const entry of zip.eachEntry()) {
      if (isNoise(entry)) continue
      if (entry.isEncrypted()) throw new ImportError(`${entry.fileName} in the archive is encrypted.`)
      if (/\.(zip|kmz|tar|gz|tgz|7z|rar)$/i.test(entry.fileName))
        throw new ImportError(`${entry.fileName} is an archive inside the archive. Unpack it first.`)
      const packed = await zip.openReadStreamPromise(entry)
      const bytes = limitBytes(limits, meter, entry)
      await Promise.all([pipeline(packed, bytes), use(entry, bytes)])
    }
  } catch (error) {
    throw asImportError(error)
  } finally {
    zip?.close()
  }
}

/** System errors, such as a full disk, stay; errors of the library and of zlib are faults of the archive. */
function asImportError(error: unknown): unknown {
  const { code, syscall, message, path = '' } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return new ImportError(`The archive has two files named ${basename(path)}.`)
  if (error instanceof ImportError || syscall !== undefined) return error
  const name = /(?:relative|absolute) path: (.*)/.exec(message)?.[1]
  return new ImportError(
    name === undefined
      ? 'The archive is damaged or incomplete. Download it again, or zip the files again.'
      : `The archive has an invalid path: ${name}. Zip the files again.`,
  )
}

const isNoise = ({ fileName }: Entry) =>
  fileName.endsWith('/') || /(^|\/)(__MACOSX\/|\.DS_Store$|\._)/.test(fileName)

/** Names no folder above, and fits the 255 bytes of most disks. Keeps the ending. */
export const safeName = (name: string) =>
  name
    .replace(/[/\\\p{C}]+/gu, '_')
    .slice(-60)
    .toWellFormed()
    .replace(/^\.+/, '_')

/** Counts actual bytes, since headers can lie. */
function limitBytes({ maxUnpackedBytes, maxRatio }: UnpackLimits, meter: { bytes: number }, entry: Entry) {
  let entryBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      entryBytes += chunk.length
      meter.bytes += chunk.length
      const isBomb = entryBytes > ratioFreeBytes && entryBytes > maxRatio * entry.compressedSize
      if (meter.bytes > maxUnpackedBytes)
        done(
          new ImportError(`The archive unpacks to more than ${Math.ceil(maxUnpackedBytes / 1024 ** 2)} MB.`),
        )
      else if (isBomb)
        done(
          new ImportError(
            `${entry.fileName} in the archive unpacks to more than ${maxRatio} times its size, so it may be a zip bomb.`,
          ),
        )
      else done(null, chunk)
    },
  })
}
