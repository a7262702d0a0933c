import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConvertedFormat, formatFacts } from '#domain/exports/export-format.ts'
import { FairQueue, type QueueClient } from '../../database/fair-queue.ts'
import { scratchName } from '../../scratch-file.ts'
import type { Exporter, ExportItem } from '../export-columns.ts'
import { runConversion } from './run-conversion.ts'
import { writeLayers } from './write-layers.ts'
import { writeZip } from './write-zip.ts'

export type MadeFile = { path: string; bytes: number; remove(): Promise<void> }

type Conversion<Item extends ExportItem> = {
  dataDirectory: string
  format: ConvertedFormat
  exporter: Exporter<Item>
  /** The file's name without its ending. */
  name: string
  signal: AbortSignal
  /** Of GDAL alone. */
  timeLimitMs: number
}

/** Each may take a gigabyte. Visitors have one of the two places at most, and a map has one. */
const turns = new FairQueue({
  atOnce: 2,
  mostOfMap: 1,
  staffPlaces: 1,
  first: 'oldest',
  mostWaiting: 16,
  timeLimitMs: 240_000,
})

/** Where files are made. What a process that was killed has left there goes as everything of the kind does. */
export const exportsFolder = (dataDirectory: string) => join(dataDirectory, 'exports')

/** Makes a file in a format that GDAL writes. Whoever gets it removes it. */
export async function convertRows<Item extends ExportItem>(
  { dataDirectory, format, exporter, name, signal, timeLimitMs }: Conversion<Item>,
  parts: AsyncIterable<readonly Item[]>,
): Promise<MadeFile> {
  const folder = join(exportsFolder(dataDirectory), scratchName(randomUUID()))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const [input, output] = [join(folder, 'input'), join(folder, 'output')]
    for (const path of [input, output]) await mkdir(path, { recursive: true, mode: 0o700 })
    const layers = await writeLayers({ format, exporter, folder: input }, parts)
    const paths = await runConversion({ format, layers, folder: output, name }, { signal, timeLimitMs })
    await rm(input, { recursive: true, force: true })
    const path = join(folder, `${name}.${formatFacts[format].ending}`)
    if (format === 'shp') await writeZip(path, paths, signal)
    else await rename(paths[0] as string, path)
    return { path, bytes: (await stat(path)).size, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The same, for somebody who waits for it: in turn. */
export const convertInTurn = <Item extends ExportItem>(
  asker: QueueClient,
  conversion: Omit<Conversion<Item>, 'signal'>,
  parts: AsyncIterable<readonly Item[]>,
): Promise<MadeFile> => turns.take(asker, (signal) => convertRows({ ...conversion, signal }, parts))
