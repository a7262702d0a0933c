import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { type ConvertedFormat, formatFacts } from '#domain/exports/export-format.ts'
import { FairQueue, type QueueClient } from '../../database/fair-queue.ts'
import { BusyError } from '../../domain-error.ts'
import { runInChild } from '../../processes/processes.ts'
import { scratchName } from '../../processes/scratch-file.ts'
import type { Exporter, ExportItem } from '../export-columns.ts'
import { type LayerToConvert, writeLayers } from './write-layers.ts'

type MadeFile = { path: string; bytes: number; remove(): Promise<void> }

type Conversion<Item extends ExportItem> = {
  dataDirectory: string
  format: ConvertedFormat
  exporter: Exporter<Item>
  name: string
  signal: AbortSignal
  timeLimitMs: number
}

/** A conversion may take a gigabyte. Visitors have one of the two places, and so does a map. */
const queue = new FairQueue({
  atOnce: 2,
  maxOfMap: 1,
  staffPlaces: 1,
  first: 'oldest',
  maxWaiting: 16,
  timeLimitMs: 240_000,
})

/** Folder of temporary files. Cleanup removes files of killed processes. */
export const exportsFolder = (dataDirectory: string) => join(dataDirectory, 'exports')

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

export const convertInTurn = <Item extends ExportItem>(
  client: QueueClient,
  conversion: Omit<Conversion<Item>, 'signal'>,
  parts: AsyncIterable<readonly Item[]>,
): Promise<MadeFile> => queue.take(client, (signal) => convertRows({ ...conversion, signal }, parts))

async function writeZip(path: string, files: readonly string[], signal: AbortSignal): Promise<void> {
  const zip = new ZipFile()
  const bytes = zip.outputStream as Readable
  zip.on('error', (error) => bytes.destroy(error as Error))
  for (const file of files) zip.addFile(file, basename(file))
  zip.end()
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal })
}

export type ConvertOrder = {
  format: ConvertedFormat
  layers: readonly LayerToConvert[]
  folder: string
  name: string
}

export type ConvertAnswer = { paths: string[] } | { problem: string }

/** The conversion took too long or too much memory: a smaller one may succeed. */
export class ConversionError extends BusyError {}

export class FormatError extends Error {}

/** Rejects with the signal's reason when aborted. */
export async function runConversion(
  order: ConvertOrder,
  { signal, timeLimitMs }: { signal: AbortSignal; timeLimitMs: number },
): Promise<string[]> {
  const file = new URL('./convert-export.process.ts', import.meta.url)
  const outcome = await runInChild<ConvertOrder, ConvertAnswer>(file, order, {
    signal,
    totalMs: timeLimitMs,
  })
  if (!('answer' in outcome))
    throw new ConversionError(
      outcome.ended === 'exited'
        ? 'The export stopped unexpectedly. Try again, or export as GeoJSON.'
        : 'The export took too long or needed too much memory. Export fewer records, or export as GeoJSON.',
    )
  if ('problem' in outcome.answer)
    throw new FormatError(`Could not write an export: ${outcome.answer.problem}`)
  return outcome.answer.paths
}
