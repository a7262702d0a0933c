import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { scratchName } from '../../processes/scratch-file.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { openGdal } from '../conversion/gdal.ts'
import { type ChosenLayer, type LayerChoice, makeReadable, namedOne } from '../conversion/readable-file.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { findProjection } from '../projections/find-projection.ts'
import type { ProjectionDefinition } from '../projections/projection.ts'
import { quoteValue } from '../quote-value.ts'

/** The paths of a file, or of those in an unpacked File Geodatabase; throws an ImportError where it is neither. */
export function findFile(path: string): string[] {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return [path]
    const names = stats.isDirectory() ? readdirSync(path) : []
    if (names.some((name) => name.endsWith('.gdbtable'))) return names.map((name) => join(path, name))
  } catch (error) {
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new ImportError(`${path} is no file.`)
}

export type OpenedFile = {
  file: ImportFile
  projection?: ProjectionDefinition
  /** What the one that is meant is called among several layers. */
  label?: string
  /** What should be known of the chosen layer. */
  notices: readonly string[]
}

/** What is meant of the files as our own readers understand it, while it is used: as in the page. */
export async function withReadable<Result>(
  paths: readonly string[],
  choice: LayerChoice,
  limits: ImportLimits,
  use: (opened: OpenedFile) => Promise<Result>,
): Promise<Result> {
  // It is made where something has to be converted.
  const folder = join(tmpdir(), scratchName(randomUUID()))
  try {
    const { layers, chosen } = await makeReadable(paths, folder, choice, limits)
    const names = layers.map(({ id }) => id).join(', ')
    if (choice.layer !== null && !namedOne(layers, choice.layer))
      throw new ImportError(
        `No one layer with rows is called ${quoteValue(choice.layer)}; there are ${names}.`,
      )
    if (!chosen) throw new ImportError(`There are several layers in it: ${names}.`, { remedy: 'layer' })
    const { label, notices } = chosen.layer
    const opened = { ...(await openChosen(chosen, choice)), notices }
    return await use(layers.length > 1 ? { ...opened, label } : opened)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function openChosen({ file, layer, isConverted }: ChosenLayer, { projection }: LayerChoice) {
  if (!file)
    throw new ImportError(`${basename(layer.id)} does not say what its coordinates are in.`, {
      remedy: 'projection',
    })
  if (isConverted || projection === null) return { file }
  return { file, projection: await findProjection(await openGdal(), projection) }
}
