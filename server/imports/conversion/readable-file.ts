import { createHash } from 'node:crypto'
import { mkdir, rename, stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import type { FoundInFiles } from '#domain/imports/import-draft.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { usualImportLimits } from '../../settings/import-limits.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { nameOfProjection, noticesOfProjection } from '../projections/find-projection.ts'
import { quoteValue } from '../quote-value.ts'
import { type FoundDataset, findDatasets } from './find-datasets.ts'
import { openDataset } from './gdal.ts'
import type { UnpackLimits } from './unpack-zip.ts'

export type FoundLayer = FoundInFiles['layers'][number]

export type LayerChoice = { layer: string | null; projection: string | null }

export type FoundLayers = { layers: FoundLayer[]; chosen: UnreadLayer | null }

export type UnreadLayer = {
  layer: FoundLayer
  /** False if the user has to enter its projection first. */
  isReady: boolean
  read(): Promise<ImportFile | null>
  /** Whether its coordinates are longitude and latitude now, in whatever projection they were. */
  isConverted: boolean
  /** Returns the path of the first rows. `projection` is that of a layer without one; null keeps the coordinates. */
  readFirst(maxRows: number, projection: string | null): Promise<string>
}

type ChosenLayer = UnreadLayer & { file: ImportFile | null }

const unpacked = 'unpacked'
export const converted = 'converted'

type Layer = {
  layer: FoundLayer
  isConverted: boolean
  read(projection: string | null, maxRows?: number): Promise<string>
}

/** Converts the chosen layer for our own readers: to GeoJSON in WGS 84, or to CSV for a table without geometry. */
export async function makeReadable(
  paths: readonly string[],
  folder: string,
  choice: LayerChoice,
  limits: UnpackLimits = usualImportLimits,
): Promise<{ layers: FoundLayer[]; chosen: ChosenLayer | null }> {
  const { layers, chosen } = await findLayers(paths, folder, choice, limits)
  return { layers, chosen: chosen && { ...chosen, file: await chosen.read() } }
}

export async function findLayers(
  paths: readonly string[],
  folder: string,
  choice: LayerChoice,
  limits: UnpackLimits,
): Promise<FoundLayers> {
  const all: Layer[] = []
  for (const dataset of await findDatasets(paths, join(folder, unpacked), limits))
    all.push(...(await layersOf(dataset, folder)))
  const filled = all.filter(({ layer }) => layer.rows !== 0)
  if (filled.length === 0) throw new ImportError(explainEmptyLayers(all))
  const layers = filled.map(({ layer }) => layer)
  const selected = onlyOne(layers) ?? findLayer(layers, choice.layer)
  const chosen = filled.find(({ layer }) => layer === selected)
  if (!chosen) return { layers, chosen: null }
  const { layer, isConverted } = chosen
  // The projection may have been chosen for another layer.
  const projection = layer.needsProjection ? choice.projection : null
  const isReady = !layer.needsProjection || projection !== null
  async function read(this: void) {
    if (!isReady) return null
    const path = await (chosen as Layer).read(projection)
    return { path, totalBytes: (await stat(path)).size }
  }
  const readFirst: UnreadLayer['readFirst'] = (maxRows, projection) => chosen.read(projection, maxRows)
  return { layers, chosen: { layer, isReady, isConverted, read, readFirst } }
}

/** Finds a layer by its id, or by the end of the id if only one ends like this. */
export const findLayer = (layers: readonly FoundLayer[], name: string | null) =>
  layers.find(({ id }) => id === name) ?? onlyOne(layers.filter(({ id }) => id.endsWith(`/${name}`)))

const onlyOne = <One>(some: readonly One[]) => (some.length === 1 ? some[0] : undefined)

function explainEmptyLayers(layers: readonly Layer[]): string {
  const names = layers.slice(0, 5).map(({ layer }) => quoteValue(layer.label))
  if (names.length === 0) return 'The file has no layers.'
  const [subject, verb] = names.length === 1 ? ['The layer', 'has'] : ['The layers', 'have']
  return `${subject} ${formatList(names)} ${verb} no rows. Export the file again with rows.`
}

async function layersOf(dataset: FoundDataset, folder: string): Promise<Layer[]> {
  const original = dataset.original ?? dataset.path
  const inside = relative(join(folder, unpacked), original)
  const file = inside.startsWith('..') ? basename(original) : inside
  if (dataset.reader === 'own') {
    const { part, path } = dataset
    const named = part
      ? { id: `${file}/${part.name}`, label: part.isOnly ? part.name : `${part.name} (${file})` }
      : { id: file, label: file }
    const layer = { ...named, rows: part?.rows ?? null, geometry: null, projection: null, notices: [] }
    return [{ layer: { ...layer, needsProjection: false }, isConverted: false, read: async () => path }]
  }
  const { what, isProjectedJson = false, isIndexDerived = false } = dataset
  const output = join(folder, converted)
  const { layers, convert } = await openDataset(dataset.path, { what, output, isProjectedJson })
  const stem = basename(file, extname(file))
  return layers.map((layer) => {
    const { name, rows, geometry, projection } = layer
    return {
      layer: {
        id: `${file}/${name}`,
        label: layers.length === 1 || name === stem ? name : `${name} (${file})`,
        rows,
        geometry,
        projection: projection && nameOfProjection(projection),
        needsProjection: geometry !== null && projection === null,
        notices: [
          ...(isIndexDerived ? ['The index (.shx) was missing and was rebuilt from the .shp.'] : []),
          ...(projection ? noticesOfProjection(projection) : []),
        ],
      },
      isConverted: true,
      async read(projection, maxRows) {
        const key = JSON.stringify([file, name, projection, maxRows])
        const hash = createHash('sha256').update(key).digest('hex').slice(0, 12)
        const target = join(output, `${stem}-${hash}.${geometry === null ? 'csv' : 'geojsonl'}`)
        if (await stat(target).catch(() => undefined)) return target
        await mkdir(output, { recursive: true, mode: 0o700 })
        await rename(await convert(layer, { name: 'under-way', projection, maxRows }), target)
        return target
      },
    }
  })
}
