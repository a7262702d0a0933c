import { createHash } from 'node:crypto'
import { mkdir, rename, stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { ImportError } from '../import-error.ts'
import type { ImportFile } from '../reading/read-in-worker.ts'
import { type FoundDataset, findDatasets } from './find-datasets.ts'
import { type GdalLayer, openDataset } from './gdal.ts'

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
  /** The chosen one, for our own readers; null as long as nobody has chosen. */
  chosen: { layer: FoundLayer; file: ImportFile } | null
}

/** Folders within the one that is worked in. */
const [unpacked, converted] = ['unpacked', 'converted']

type Layer = FoundLayer & { read(projection: string | null): Promise<string> }

/** What is in files, and the chosen part of it as our own readers understand it: GeoJSON in WGS 84, or CSV of a table without places. */
export async function makeReadable(
  paths: readonly string[],
  folder: string,
  choice: LayerChoice,
): Promise<ReadableFiles> {
  await mkdir(join(folder, converted), { recursive: true, mode: 0o700 })
  const datasets = await findDatasets(paths, join(folder, unpacked))
  const layers: Layer[] = []
  for (const dataset of datasets) layers.push(...(await layersOf(dataset, folder)))
  const withRows = layers.filter(({ rows }) => rows !== 0)
  if (withRows.length === 0) throw new ImportError('There is no row in the file.')
  const told = withRows.map(({ read: _, ...layer }) => layer)
  const chosen = withRows.length === 1 ? withRows[0] : withRows.find(({ id }) => id === choice.layer)
  if (!chosen || (chosen.needsProjection && choice.projection === null)) return { layers: told, chosen: null }
  // What was said of another layer means nothing for one that says it itself.
  const path = await chosen.read(chosen.needsProjection ? choice.projection : null)
  const { read: _, ...layer } = chosen
  return { layers: told, chosen: { layer, file: { path, totalBytes: (await stat(path)).size } } }
}

async function layersOf(dataset: FoundDataset, folder: string): Promise<Layer[]> {
  const { path } = dataset
  // Of two that are called the same the folders tell them apart.
  const inside = relative(join(folder, unpacked), path)
  const file = inside.startsWith('..') ? basename(path) : inside
  if (dataset.reader === 'own') {
    const nothingSaid = { rows: null, geometry: null, projection: null, needsProjection: false, notices: [] }
    return [{ id: file, label: file, ...nothingSaid, read: async () => path }]
  }
  const output = join(folder, converted)
  const { layers, convert } = await openDataset(path, { what: dataset.what, output })
  return layers.map((layer) => {
    const name = basename(path, extname(path))
    const isOnly = layers.length === 1 || layer.name === name
    return {
      id: `${file}/${layer.name}`,
      label: isOnly ? layer.name : `${layer.name} (${file})`,
      rows: layer.rows,
      geometry: layer.geometry,
      projection: layer.projection?.name ?? null,
      needsProjection: layer.geometry !== null && layer.projection === null,
      notices: noticesOf(layer),
      async read(projection) {
        const ending = layer.geometry === null ? 'csv' : 'geojsonl'
        const made = join(output, `${nameOf(file, layer, projection)}.${ending}`)
        if (!(await isThere(made)))
          await rename(await convert(layer, { name: 'under-way', projection }), made)
        return made
      },
    }
  })
}

/** What is known of the exactness of a projection, measured without grids. */
function noticesOf({ projection }: GdalLayer): string[] {
  if (!projection) return []
  if (/North American Datum 1927|NAD27/i.test(projection.wkt))
    return [
      `Its projection (${projection.name}) is of NAD27, the datum before 1983: what is imported may lie up to 70 m off.`,
    ]
  if (/HARN|High Accuracy Reference Network/i.test(projection.wkt))
    return [`Its projection (${projection.name}) is of NAD83 HARN: what is imported may lie up to 1 m off.`]
  return []
}

/** Another choice is another file. */
function nameOf(file: string, layer: GdalLayer, projection: string | null): string {
  const said = JSON.stringify([file, layer.name, projection])
  return `${basename(file, extname(file))}-${createHash('sha256').update(said).digest('hex').slice(0, 12)}`
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
