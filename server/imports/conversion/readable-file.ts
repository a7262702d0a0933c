import { createHash } from 'node:crypto'
import { mkdir, rename, stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { usualImportLimits } from '../../settings/import-limits.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { nameOfProjection, noticesOfProjection } from '../projections/projection.ts'
import { quoteValue } from '../quote-value.ts'
import { type FoundDataset, findDatasets } from './find-datasets.ts'
import { type GdalLayer, openDataset } from './gdal.ts'
import type { UnpackLimits } from './unpack-zip.ts'

/** One of the tables that files hold: a layer, a sheet, or a file as a whole. */
export type FoundLayer = {
  /** Names it among the others. */
  id: string
  label: string
  /** Null where only reading them all would tell. */
  rows: number | null
  /** Of the words of GDAL; null for a table whose places are in columns, or where it is not known. */
  geometry: string | null
  /** Null where the file does not say it, or needs none. */
  projection: string | null
  /** Somebody has to say it. */
  needsProjection: boolean
  notices: string[]
}

/** Which of them is read, and in which projection its coordinates are where it does not say so itself. */
export type LayerChoice = { layer: string | null; projection: string | null }

export type ReadableFiles = {
  layers: FoundLayer[]
  /** Null as long as nobody has chosen. */
  chosen: ChosenLayer | null
}

export type FoundLayers = {
  layers: FoundLayer[]
  /** Null as long as nobody has chosen. */
  chosen: UnreadLayer | null
}

export type ChosenLayer = UnreadLayer & {
  /** For our own readers; null where its projection has to be said first. */
  file: ImportFile | null
}

export type UnreadLayer = {
  layer: FoundLayer
  /** False where its projection has to be said first. */
  isReady: boolean
  /** Converts all of it; null where it is not ready. */
  read(): Promise<ImportFile | null>
  /** Whether its places are longitude and latitude, whatever they were. */
  isConverted: boolean
  /** The path of its first rows alone; of a layer that does not say its projection, in one or with the numbers as they are. */
  readFirst(most: number, projection: string | null): Promise<string>
}

/** Folders within the one that is worked in. */
const unpacked = 'unpacked'
export const converted = 'converted'

type Layer = FoundLayer & {
  read(projection: string | null, most?: number): Promise<string>
  isConverted: boolean
}

/** What is in files, and the chosen part of it as our own readers understand it: GeoJSON in WGS 84, or CSV of a table without places. */
export async function makeReadable(
  paths: readonly string[],
  folder: string,
  choice: LayerChoice,
  limits: UnpackLimits = usualImportLimits,
): Promise<ReadableFiles> {
  const { layers, chosen } = await findLayers(paths, folder, choice, limits)
  return { layers, chosen: chosen && { ...chosen, file: await chosen.read() } }
}

/** The same, but converts nothing before it is read. */
export async function findLayers(
  paths: readonly string[],
  folder: string,
  choice: LayerChoice,
  limits: UnpackLimits,
): Promise<FoundLayers> {
  const datasets = await findDatasets(paths, join(folder, unpacked), limits)
  const layers: Layer[] = []
  for (const dataset of datasets) layers.push(...(await layersOf(dataset, folder)))
  const withRows = layers.filter(({ rows }) => rows !== 0)
  if (withRows.length === 0) throw new ImportError(explainEmptyLayers(layers))
  const told = withRows.map(describe)
  const chosen = onlyOne(withRows) ?? namedOne(withRows, choice.layer)
  if (!chosen) return { layers: told, chosen: null }
  const { needsProjection, isConverted } = chosen
  // What was said of another layer means nothing for one that says it itself.
  const said = needsProjection ? choice.projection : null
  const isReady = !needsProjection || said !== null
  async function read() {
    if (!isReady) return null
    const path = await (chosen as Layer).read(said)
    return { path, totalBytes: (await stat(path)).size }
  }
  const readFirst: UnreadLayer['readFirst'] = (most, projection) => chosen.read(projection, most)
  return { layers: told, chosen: { layer: describe(chosen), isReady, isConverted, read, readFirst } }
}

/** By its id; or by the end of it, as people call it by command line, where that of no other is the same. */
export const namedOne = <One extends FoundLayer>(layers: readonly One[], said: string | null) =>
  layers.find(({ id }) => id === said) ?? onlyOne(layers.filter(({ id }) => id.endsWith(`/${said}`)))

function explainEmptyLayers(layers: readonly Layer[]): string {
  const names = layers.slice(0, 5).map(({ label }) => quoteValue(label))
  if (names.length === 0) return 'The file has no layers.'
  const [subject, verb] = names.length === 1 ? ['The layer', 'has'] : ['The layers', 'have']
  return `${subject} ${names.join(', ')} ${verb} no rows. Export the file again with its rows.`
}

const onlyOne = <One>(some: readonly One[]) => (some.length === 1 ? some[0] : undefined)

const describe = ({ read: _, isConverted: __, ...layer }: Layer): FoundLayer => layer

async function layersOf(dataset: FoundDataset, folder: string): Promise<Layer[]> {
  const { path } = dataset
  // Of two that are called the same the folders tell them apart.
  const pathOf = (one: string) => {
    const inside = relative(join(folder, unpacked), one)
    return inside.startsWith('..') ? basename(one) : inside
  }
  const file = pathOf(dataset.original ?? path)
  if (dataset.reader === 'own') {
    const { part } = dataset
    const nothingSaid = { geometry: null, projection: null, needsProjection: false, notices: [] }
    const named = part
      ? { id: `${file}/${part.name}`, label: part.isOnly ? part.name : `${part.name} (${file})` }
      : { id: file, label: file }
    const rows = part?.rows ?? null
    return [{ ...named, rows, ...nothingSaid, isConverted: false, read: async () => path }]
  }
  const output = join(folder, converted)
  const { layers, convert } = await openDataset(path, {
    what: dataset.what,
    output,
    isProjectedJson: dataset.isProjectedJson ?? false,
  })
  return layers.map((layer) => {
    const name = basename(file, extname(file))
    const isOnly = layers.length === 1 || layer.name === name
    return {
      id: `${file}/${layer.name}`,
      label: isOnly ? layer.name : `${layer.name} (${file})`,
      rows: layer.rows,
      geometry: layer.geometry,
      projection: layer.projection && nameOfProjection(layer.projection),
      needsProjection: layer.geometry !== null && layer.projection === null,
      notices: [
        ...(dataset.isIndexDerived ? ['The index (.shx) was missing, and was derived from the .shp.'] : []),
        ...(layer.projection ? noticesOfProjection(layer.projection) : []),
      ],
      isConverted: true,
      async read(projection, most) {
        const ending = layer.geometry === null ? 'csv' : 'geojsonl'
        const made = join(output, `${nameOf(file, layer, { projection, most })}.${ending}`)
        if (await isThere(made)) return made
        await mkdir(output, { recursive: true, mode: 0o700 })
        const part = most === undefined ? {} : { most }
        await rename(await convert(layer, { name: 'under-way', projection, ...part }), made)
        return made
      },
    }
  })
}

/** Another choice is another file. */
function nameOf(file: string, layer: GdalLayer, choice: object): string {
  const said = JSON.stringify([file, layer.name, choice])
  return `${basename(file, extname(file))}-${createHash('sha256').update(said).digest('hex').slice(0, 12)}`
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
