import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, sep } from 'node:path'
import { formatList } from '#domain/values/wording.ts'
import {
  esriJson,
  type ForeignFormat,
  otherFormat,
  recognizeForeign,
  topoJson,
} from '../formats/detect-format.ts'
import { foreignReferenceSystem } from '../formats/read-json.ts'
import { ImportError } from '../import-error.ts'
import { convertEsriJson } from './convert-esri-json.ts'
import { convertTopoJson } from './convert-topojson.ts'
import { checkWorkbook, convertWorkbook, rewriteWorkbook } from './convert-workbook.ts'
import { type UnpackLimits, unpackZip } from './unpack-zip.ts'

export type FoundDataset = {
  path: string
  original?: string
} & (
  | {
      reader: 'own'
      part?: { name: string; rows: number; isOnly: boolean }
    }
  | { reader: 'gdal'; what: string; isProjectedJson?: boolean; isIndexDerived?: boolean }
)

const companions = new Set(
  'dbf shx prj cpg sbn sbx qix fbn fbx ain aih xml qmd qml sld cst txt md pdf html htm png jpg jpeg lyr lyrx mxd url'.split(
    ' ',
  ),
)

/** Archives are unpacked into `folder`, which also gets converted and renamed files. */
export async function findDatasets(
  paths: readonly string[],
  folder: string,
  limits: UnpackLimits,
): Promise<FoundDataset[]> {
  const [only, ...others] = paths
  if (only === undefined) throw new ImportError('There is no file.')
  const context = { folder, limits }
  if (others.length > 0) return datasetsAmong(paths, context)
  const start = await readPart(only)
  if (recognizeForeign(start)?.reader === 'zip')
    return datasetsAmong(await unpackZip(only, folder, limits), context)
  return datasetsOf(only, start, context)
}

type Context = { folder: string; limits: UnpackLimits }

async function datasetsAmong(paths: readonly string[], context: Context): Promise<FoundDataset[]> {
  const geodatabases = new Set(paths.flatMap((path) => /^(.*\.gdb)\/[^/]*$/i.exec(path)?.[1] ?? []))
  const found = [...geodatabases].map(
    (path): FoundDataset => ({ path, reader: 'gdal', what: 'a File Geodatabase' }),
  )
  for (const path of paths) {
    if (/\.gdb\//i.test(path) || companions.has(extname(path).slice(1).toLowerCase())) continue
    found.push(...(await datasetsOf(path, await readPart(path), context)))
  }
  if (found.length === 0) {
    const names = paths.slice(0, 5).map((path) => basename(path))
    const has = (ending: RegExp) => paths.some((path) => ending.test(path))
    const help = !has(/\.shp$/i) && has(/\.dbf$/i) ? ' The .shp is missing.' : ''
    throw new ImportError(`Cannot import ${formatList(names)}.${help}`)
  }
  return withoutEmptyKml(found)
}

/** The first file of a KMZ may only link to others in it. */
async function withoutEmptyKml(found: FoundDataset[]): Promise<FoundDataset[]> {
  const filled: FoundDataset[] = []
  for (const dataset of found)
    if (!/\.kml$/i.test(dataset.path) || (await hasPlacemark(dataset.path))) filled.push(dataset)
  return filled.length > 0 ? filled : found
}

async function hasPlacemark(path: string): Promise<boolean> {
  let end = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1' })) {
    // In UTF-16 every second byte is zero.
    const text: string = end + String(chunk).replaceAll('\u0000', '')
    if (/<(?:\w+:)?Placemark[\s>/]/.test(text)) return true
    end = text.slice(-100)
  }
  return false
}

async function datasetsOf(path: string, start: Uint8Array, context: Context): Promise<FoundDataset[]> {
  const foreign = recognizeForeign(start)
  if (foreign === topoJson) return topologyObjects(path, context)
  if (foreign === esriJson) return [await esriDataset(path, context)]
  if (foreign) return [await foreignDataset(path, foreign, context)]
  const projection = findProjection(start) ?? findProjection(await readPart(path, true))
  if (projection === undefined) return [{ path, reader: 'own' }]
  const named = await withEnding(path, 'geojson', context.folder)
  return [{ path: named, reader: 'gdal', what: `GeoJSON in ${projection}`, isProjectedJson: true }]
}

async function esriDataset(path: string, { folder, limits }: Context): Promise<FoundDataset> {
  const target = `${await targetFor(path, folder)}.geojson`
  const projection = await convertEsriJson(path, target, limits.maxUnpackedBytes)
  return projection === null
    ? { path: target, reader: 'own', original: path }
    : { path: target, reader: 'gdal', what: 'Esri JSON', isProjectedJson: true, original: path }
}

async function topologyObjects(path: string, { folder, limits }: Context): Promise<FoundDataset[]> {
  const objects = await convertTopoJson(path, await targetFor(path, folder), limits.maxUnpackedBytes)
  return objects.map(({ path: target, name, rows }) => ({
    path: target,
    reader: 'own',
    original: path,
    part: { name, rows, isOnly: objects.length === 1 },
  }))
}

async function foreignDataset(
  path: string,
  foreign: ForeignFormat,
  { folder, limits }: Context,
): Promise<FoundDataset> {
  const { reader, ending = '', what } = foreign
  if (reader !== 'gdal' && reader !== 'workbook') throw otherFormat(foreign, basename(path))
  if (reader === 'workbook' || ending === 'xlsx' || ending === 'ods') {
    if (ending === 'xlsb') await checkWorkbook(path, limits)
    const converted = reader === 'workbook' ? `${await targetFor(path, folder)}.xlsx` : path
    if (converted !== path) await convertWorkbook(path, converted)
    const changes = await checkWorkbook(converted, limits)
    if (changes !== null) {
      const target = `${await targetFor(converted, folder)}.rewritten.xlsx`
      await rewriteWorkbook(converted, { target, changes, limits })
      return { path: target, reader: 'gdal', what, original: path }
    }
    if (converted !== path) return { path: converted, reader: 'gdal', what, original: path }
  }
  const named = await withEnding(path, ending, folder)
  if (ending !== 'shp') return { path: named, reader: 'gdal', what }
  const { path: indexed, isDerived } = await withShapeIndex(named, folder)
  return { path: indexed, reader: 'gdal', what, isIndexDerived: isDerived }
}

/** The reference system named by a part of GeoJSON (of 2008); undefined for WGS 84, and if the part names none. */
function findProjection(part: Uint8Array): string | undefined {
  const text = Buffer.from(part).toString('latin1')
  const [, crs] = /"crs"\s*:\s*(\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\})/.exec(text) ?? []
  if (crs === undefined) return undefined
  try {
    return foreignReferenceSystem(JSON.parse(crs))
  } catch {
    return undefined
  }
}

/** GDAL also checks the ending: links a file with another ending under a second name. */
async function withEnding(path: string, ending: string, folder: string): Promise<string> {
  if (path.toLowerCase().endsWith(`.${ending}`)) return path
  const name = `${await targetFor(path, folder)}.${ending}`
  await rm(name, { force: true })
  await linkOrCopy(path, name)
  return name
}

async function targetFor(path: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return path.startsWith(folder + sep) ? path : join(folder, basename(path))
}

const partBytes = 65_536

/** Reads the start or the end of a file: some programs write `crs` after the features. */
async function readPart(path: string, isEnd = false): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const from = isEnd ? Math.max(0, size - partBytes) : 0
    const { buffer, bytesRead } = await file.read(Buffer.alloc(partBytes), 0, partBytes, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

// A Shapefile's .shx lists where each record of its .shp begins (ESRI Shapefile Technical Description, 1998), so it can
// be derived.

const headerBytes = 100
const windowBytes = 2 ** 18

async function withShapeIndex(path: string, folder: string): Promise<{ path: string; isDerived: boolean }> {
  const stem = basename(path, extname(path)).toLowerCase()
  const names = await readdir(dirname(path))
  const parts = names.filter((name) => basename(name, extname(name)).toLowerCase() === stem)
  if (parts.some((name) => extname(name).toLowerCase() === '.shx')) return { path, isDerived: false }
  const isOurs = path.startsWith(folder + sep)
  const target = isOurs ? path : join(folder, 'indexed', basename(path))
  if (!isOurs) {
    await rm(dirname(target), { recursive: true, force: true })
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    for (const name of parts) await linkOrCopy(join(dirname(path), name), join(dirname(target), name))
  }
  const index = await deriveIndex(path)
  const ending = extname(path) === extname(path).toUpperCase() ? '.SHX' : '.shx'
  if (index) await writeFile(target.slice(0, -extname(target).length) + ending, index, { mode: 0o600 })
  return { path: target, isDerived: true }
}

/** Links fail between disks. */
const linkOrCopy = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to))

/** Undefined if the header is incomplete. Lengths and offsets are in words of 16 bits, big-endian. */
async function deriveIndex(path: string): Promise<Buffer | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const window = Buffer.alloc(windowBytes)
    let from = 0
    let { bytesRead: filled } = await file.read(window, 0, windowBytes, 0)
    if (filled < headerBytes) return undefined
    const header = Buffer.from(window.subarray(0, headerBytes))
    const records: Buffer[] = []
    for (let offset = headerBytes; offset + 8 <= size; ) {
      if (offset + 8 > from + filled) {
        from = offset
        filled = (await file.read(window, 0, windowBytes, from)).bytesRead
        if (filled < 8) break
      }
      const words = window.readUInt32BE(offset - from + 4)
      if (words < 2 || offset + 8 + 2 * words > size) break
      const record = Buffer.alloc(8)
      record.writeUInt32BE(offset / 2, 0)
      record.writeUInt32BE(words, 4)
      records.push(record)
      offset += 8 + 2 * words
    }
    header.writeUInt32BE((headerBytes + 8 * records.length) / 2, 24)
    return Buffer.concat([header, ...records])
  } finally {
    await file.close()
  }
}
