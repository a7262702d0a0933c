import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { ImportError } from '../import-error.ts'

/** What may come out of an archive. */
export type UnpackLimits = Pick<ImportLimits, 'mostEntries' | 'mostUnpackedBytes' | 'mostRatio'>

/** As long as so little comes out, how much it was before does not matter. */
const ratioFreeBytes = 1024 ** 2

/**
 * Unpacks an archive into a folder, and returns the paths of its files. Names that lead out of the folder, archives in archives,
 * and what becomes too much are refused.
 */
export async function unpackZip(path: string, folder: string, limits: UnpackLimits): Promise<string[]> {
  // What is left of an attempt before is in nobody's way.
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

/** Hands on what is in an archive, file by file, as it is unpacked; throws an ImportError for what nobody should unpack. */
export async function readZip(
  path: string,
  limits: UnpackLimits,
  use: (entry: Entry, bytes: Readable) => Promise<void>,
): Promise<void> {
  const zip = await open(path)
  const meter = { bytes: 0 }
  try {
    if (zip.entryCount > limits.mostEntries)
      throw new ImportError(
        `The archive has ${zip.entryCount.toLocaleString('en-US')} entries; ${limits.mostEntries.toLocaleString('en-US')} are the most.`,
      )
    for await (const entry of zip.eachEntry()) {
      if (isNoise(entry)) continue
      if (entry.isEncrypted()) throw new ImportError(`${entry.fileName} in the archive is encrypted.`)
      if (/\.(zip|kmz|tar|gz|tgz|7z|rar)$/i.test(entry.fileName))
        throw new ImportError(`${entry.fileName} is an archive in the archive: unpack it first.`)
      const packed = await zip.openReadStreamPromise(entry)
      const bytes = limitedTo(limits, meter, entry)
      await Promise.all([pipeline(packed, bytes), use(entry, bytes)])
    }
  } catch (error) {
    throw asImportError(error)
  } finally {
    zip.close()
  }
}

async function open(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (error) {
    throw asImportError(error)
  }
}

/** The library says what is wrong with an archive in its own words. */
function asImportError(error: unknown): unknown {
  const { code, syscall, message, path = '' } = error as NodeJS.ErrnoException
  if (code === 'EEXIST')
    return new ImportError(`The archive has two files that are called ${basename(path)}.`)
  // System errors, such as a full disk. Errors of the library and of zlib are faults of the archive.
  if (error instanceof ImportError || syscall !== undefined) return error
  const name = /(?:relative|absolute) path: (.*)/.exec(message)?.[1]
  if (name !== undefined)
    return new ImportError(
      `The archive cannot be read: its file ${name} leads out of it. Zip the files again.`,
    )
  return new ImportError(
    'The archive cannot be read: it is damaged or incomplete. Download it again, or zip the files again.',
  )
}

/** Folders, and what macOS adds. */
const isNoise = ({ fileName }: Entry) =>
  fileName.endsWith('/') || /(^|\/)(__MACOSX\/|\.DS_Store$|\._)/.test(fileName)

/** A name of a file, and never of a folder above; no disk takes more than 255 bytes. Its ending stays. */
export const safeName = (name: string) =>
  name
    .replace(/[/\\\p{C}]+/gu, '_')
    .slice(-60)
    .toWellFormed()
    .replace(/^\.+/, '_')

/** Headers may say anything: what comes is counted. */
function limitedTo({ mostUnpackedBytes, mostRatio }: UnpackLimits, meter: { bytes: number }, entry: Entry) {
  let ofEntry = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      ofEntry += chunk.length
      meter.bytes += chunk.length
      if (meter.bytes > mostUnpackedBytes)
        done(
          new ImportError(`The archive unpacks to more than ${Math.ceil(mostUnpackedBytes / 1024 ** 2)} MB.`),
        )
      else if (ofEntry > ratioFreeBytes && ofEntry > mostRatio * entry.compressedSize)
        done(
          new ImportError(
            `${entry.fileName} in the archive unpacks to more than ${mostRatio} times its size: it looks like a bomb.`,
          ),
        )
      else done(null, chunk)
    },
  })
}
