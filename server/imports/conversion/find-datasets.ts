import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, rm } from 'node:fs/promises'
import { basename, extname, join, sep } from 'node:path'
import { foreignReferenceSystem } from '../formats/read-json.ts'
import {
  esriJson,
  type ForeignFormat,
  otherFormat,
  recognizeForeign,
  topoJson,
} from '../formats/refused-formats.ts'
import { ImportError } from '../import-error.ts'
import { checkWorkbook, rewriteWorkbook, type WorkbookChanges } from './check-workbook.ts'
import { convertEsriJson } from './convert-esri-json.ts'
import { convertTopoJson } from './convert-topojson.ts'
import { convertWorkbook } from './convert-workbook.ts'
import { withShapeIndex } from './restore-shape-index.ts'
import { type UnpackLimits, unpackZip } from './unpack-zip.ts'

/** Something that rows can be read from: by our own readers, or by GDAL, whose `what` is it in a sentence. */
export type FoundDataset =
  | {
      path: string
      reader: 'own'
      /** The file that it was converted from; and its part there, where that has several. */
      original?: string
      part?: { name: string; rows: number; isOnly: boolean }
    }
  | {
      path: string
      reader: 'gdal'
      what: string
      isProjectedJson?: boolean
      isIndexDerived?: boolean
      /** The file that it was rewritten from. */
      original?: string
    }

/** Files that belong to others, or to nobody. */
const companions = new Set(
  'dbf shx prj cpg sbn sbx qix fbn fbx ain aih xml qmd qml sld cst txt md pdf html htm png jpg jpeg lyr lyrx mxd url'.split(
    ' ',
  ),
)

/** What is in the files that somebody has brought; `folder` is where an archive is unpacked, and what needs another name gets it. */
export async function findDatasets(
  paths: readonly string[],
  folder: string,
  limits: UnpackLimits,
): Promise<FoundDataset[]> {
  const [only, ...others] = paths
  if (only === undefined) throw new ImportError('There is no file.')
  if (others.length === 0) {
    const start = await startOf(only)
    const foreign = recognizeForeign(start)
    if (foreign?.reader === 'zip') {
      const paths = await unpackZip(only, folder, limits)
      return datasetsAmong(paths, { folder, limits })
    }
    return datasetsOf(only, start, { folder, limits })
  }
  return datasetsAmong(paths, { folder, limits })
}

type Means = { folder: string; limits: UnpackLimits }

async function datasetsAmong(paths: readonly string[], means: Means): Promise<FoundDataset[]> {
  const geodatabases = new Set(paths.flatMap((path) => /^(.*\.gdb)\/[^/]*$/i.exec(path)?.[1] ?? []))
  const found: FoundDataset[] = [...geodatabases].map((path) => ({
    path,
    reader: 'gdal',
    what: 'a File Geodatabase',
  }))
  const isOfShapefile = paths.some((path) => /\.shp$/i.test(path))
  for (const path of paths) {
    const ending = extname(path).slice(1).toLowerCase()
    if (/\.gdb\//i.test(path) || companions.has(ending)) continue
    found.push(...(await datasetsOf(path, await startOf(path), means)))
  }
  if (found.length === 0) {
    const names = paths.slice(0, 5).map((path) => basename(path))
    const help = !isOfShapefile && paths.some((path) => /\.dbf$/i.test(path)) ? ' The .shp is missing.' : ''
    throw new ImportError(`Nothing among ${names.join(', ')} can be imported.${help}`)
  }
  return withoutEmptyKml(found)
}

/** In a KMZ the first file may only link to others beside it. */
async function withoutEmptyKml(found: readonly FoundDataset[]): Promise<FoundDataset[]> {
  const filled: FoundDataset[] = []
  for (const dataset of found)
    if (!/\.kml$/i.test(dataset.path) || (await hasPlacemark(dataset.path))) filled.push(dataset)
  return filled.length > 0 ? filled : [...found]
}

async function hasPlacemark(path: string): Promise<boolean> {
  let end = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1' })) {
    // UTF-16 has a zero in each character.
    const text: string = end + String(chunk).replaceAll('\u0000', '')
    if (/<(?:\w+:)?Placemark[\s>/]/.test(text)) return true
    end = text.slice(-100)
  }
  return false
}

/** Throws where nobody can read it. */
async function datasetsOf(path: string, start: Uint8Array, means: Means): Promise<FoundDataset[]> {
  const foreign = recognizeForeign(start)
  if (foreign === esriJson) return [await ofEsriJson(path, means)]
  if (foreign === topoJson) return ofTopoJson(path, means)
  if (foreign) return [await ofForeign(path, foreign, means)]
  const projection = projectionOfJson(start) ?? projectionOfJson(await endOf(path))
  if (projection === undefined) return [{ path, reader: 'own' }]
  const named = await withEnding(path, 'geojson', means.folder)
  return [{ path: named, reader: 'gdal', what: `GeoJSON in ${projection}`, isProjectedJson: true }]
}

async function ofEsriJson(path: string, { folder, limits }: Means): Promise<FoundDataset> {
  const target = `${await placeBeside(path, folder)}.geojson`
  const projection = await convertEsriJson(path, target, limits.mostUnpackedBytes)
  return projection === null
    ? { path: target, reader: 'own', original: path }
    : { path: target, reader: 'gdal', what: 'Esri JSON', isProjectedJson: true, original: path }
}

async function ofTopoJson(path: string, { folder, limits }: Means): Promise<FoundDataset[]> {
  const objects = await convertTopoJson(path, await placeBeside(path, folder), limits.mostUnpackedBytes)
  return objects.map(({ path: converted, name, rows }) => ({
    path: converted,
    reader: 'own',
    original: path,
    part: { name, rows, isOnly: objects.length === 1 },
  }))
}

async function ofForeign(
  path: string,
  foreign: ForeignFormat,
  { folder, limits }: Means,
): Promise<FoundDataset> {
  if (foreign.reader === 'workbook') {
    // It is an archive, too.
    if (foreign.ending === 'xlsb') await checkWorkbook(path, limits)
    return ofWorkbook(path, foreign.what, { folder, limits })
  }
  if (foreign.reader !== 'gdal') throw otherFormat(foreign, basename(path))
  if (foreign.ending === 'xlsx' || foreign.ending === 'ods') {
    const changes = await checkWorkbook(path, limits)
    if (changes !== null) return ofRewritten(path, { changes, what: foreign.what, folder, limits })
  }
  const named = await withEnding(path, foreign.ending ?? '', folder)
  if (foreign.ending !== 'shp') return { path: named, reader: 'gdal', what: foreign.what }
  const { path: indexed, isDerived } = await withShapeIndex(named, folder)
  return { path: indexed, reader: 'gdal', what: foreign.what, isIndexDerived: isDerived }
}

/** What the coordinates of GeoJSON of 2008 are in; undefined for degrees, and where that stands in the middle. */
function projectionOfJson(start: Uint8Array): string | undefined {
  const text = Buffer.from(start).toString('latin1')
  const [, said] = /"crs"\s*:\s*(\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\})/.exec(text) ?? []
  if (said === undefined) return undefined
  try {
    return foreignReferenceSystem(JSON.parse(said))
  } catch {
    // Our own reader says where it breaks.
    return undefined
  }
}

async function ofWorkbook(path: string, what: string, { folder, limits }: Means): Promise<FoundDataset> {
  const target = `${await placeBeside(path, folder)}.xlsx`
  await convertWorkbook(path, target)
  const changes = await checkWorkbook(target, limits)
  if (changes === null) return { path: target, reader: 'gdal', what, original: path }
  return { ...(await ofRewritten(target, { changes, what, folder, limits })), original: path }
}

async function ofRewritten(
  path: string,
  { changes, what, folder, limits }: Means & { changes: WorkbookChanges; what: string },
): Promise<FoundDataset> {
  const target = `${await placeBeside(path, folder)}.rewritten.xlsx`
  await rewriteWorkbook(path, { target, changes, limits })
  return { path: target, reader: 'gdal', what, original: path }
}

/** GDAL goes by names, too: a file that is called like another format gets a second name; where it is not ours, in this folder. */
async function withEnding(path: string, ending: string, folder: string): Promise<string> {
  if (path.toLowerCase().endsWith(`.${ending}`)) return path
  const name = `${await placeBeside(path, folder)}.${ending}`
  await rm(name, { force: true })
  // Another disk has names of its own.
  await link(path, name).catch(() => copyFile(path, name))
  return name
}

/** A path like that of a file, where it may be written: beside a file of ours, else in this folder. */
async function placeBeside(path: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return path.startsWith(folder + sep) ? path : join(folder, basename(path))
}

/** Enough to tell what it is. */
const startOf = (path: string) => partOf(path, () => 0)

/** Some programs write `crs` behind the features. */
const endOf = (path: string) => partOf(path, (size) => Math.max(0, size - partBytes))

const partBytes = 65_536

async function partOf(path: string, from: (size: number) => number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(partBytes), 0, partBytes, from(size))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
