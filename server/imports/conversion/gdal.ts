import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type Dataset,
  type DatasetInfo,
  type Gdal,
  type GdalProblem,
  loadGdal,
  writeInto,
} from '../../geometry/gdal.ts'
import { ImportError } from '../import-error.ts'

export type GdalLayer = {
  name: string
  /** Null if only reading all of them would tell. */
  rows: number | null
  geometry: string | null
  projection: { wkt: string } | null
}

let loaded: Promise<Gdal> | undefined
let messages: string[] = []

export function openGdal(): Promise<Gdal> {
  loaded ??= loadGdal((message) => messages.push(message))
  return loaded
}

/** `projection` is that of a layer that does not contain it; if it is null, coordinates stay unchanged. */
type Conversion = { name: string; projection: string | null; maxRows?: number | undefined }

type Opening = {
  what: string
  output: string
  isProjectedJson: boolean
}

export async function openDataset(path: string, { what, output, isProjectedJson }: Opening) {
  const gdal = await openGdal()
  const { datasets, errors } = await attempt(what, output, () => gdal.open(path))
  const [dataset] = datasets
  if (!dataset?.info?.layers) throw unreadable(what, errors[0])
  const isEmpty = dataset.info.layers.every(({ featureCount }) => featureCount === 0)
  if (isEmpty && messages.some((line) => line.startsWith('ERROR'))) throw unreadable(what, undefined)

  async function convert(layer: GdalLayer, { name, projection, maxRows }: Conversion) {
    const options = layer.geometry === null ? ['-f', 'CSV'] : [...asGeoJson, ...toWgs84(layer, projection)]
    if (maxRows !== undefined) options.push('-limit', String(maxRows))
    try {
      return await attempt(what, output, () =>
        writeInto(gdal, output, () => gdal.ogr2ogr(dataset as Dataset, [...options, layer.name], name)),
      )
    } catch (error) {
      const isUnknown = messages.some((line) => line.includes('crs not found'))
      throw isUnknown ? new ImportError(`Unknown projection ${projection}.`) : error
    }
  }
  const layers = dataset.info.layers.map(toLayer)
  // GDAL reports an unknown projection of GeoJSON as WGS 84, the default of GeoJSON.
  if (isProjectedJson)
    for (const layer of layers) if (layer.projection && isWgs84(layer.projection.wkt)) layer.projection = null
  return { layers, convert }
}

function toLayer({
  name,
  featureCount,
  geometryFields,
}: NonNullable<DatasetInfo['layers']>[number]): GdalLayer {
  const [geometry] = geometryFields ?? []
  const wkt = geometry?.coordinateSystem?.wkt
  return {
    name,
    rows: featureCount === undefined || featureCount < 0 ? null : featureCount,
    geometry: geometry?.type ?? null,
    projection: wkt ? { wkt } : null,
  }
}

/** All digits of coordinates, text unchanged even if it looks like JSON; without elevations and curves. */
const asGeoJson =
  '-f GeoJSONSeq -lco RS=NO -lco COORDINATE_PRECISION=20 -lco AUTODETECT_JSON_STRINGS=NO -dim XY -nlt CONVERT_TO_LINEAR'.split(
    ' ',
  )

/** Coordinates that are in WGS 84 keep their last digit. */
function toWgs84(layer: GdalLayer, projection: string | null): string[] {
  if (projection !== null) return ['-s_srs', projection, '-t_srs', 'EPSG:4326']
  return layer.projection === null || isWgs84(layer.projection.wkt) ? [] : ['-t_srs', 'EPSG:4326']
}

const isWgs84 = (wkt: string) => /^GEOG(CRS|CS)\["(WGS 84|GCS_WGS_1984|WGS 84 \(CRS84\))"/.test(wkt)

async function attempt<Result>(what: string, output: string, work: () => Promise<Result>): Promise<Result> {
  messages = []
  try {
    const result = await work()
    if (messages.length > 0) await throwIfFull(output)
    return result
  } catch (error) {
    await throwIfFull(output)
    // GDAL rejects with an error, or with a list of errors.
    throw unreadable(what, [error].flat()[0] as GdalProblem)
  }
}

/** File systems reserve some blocks, so that a disk with less counts as full. */
const minFreeBytes = 64 * 1024

/** Throws ENOSPC if the disk is full. GDAL reports a full disk as an error of the file, or not at all. */
async function throwIfFull(folder: string): Promise<void> {
  const stats = await statfs(folder).catch(() => statfs(dirname(folder)).catch(() => undefined))
  if (!stats || stats.bavail * stats.bsize >= minFreeBytes) return
  throw Object.assign(new Error('No space is left on the disk for files'), { code: 'ENOSPC' })
}

function unreadable(what: string, problem: GdalProblem | undefined): ImportError {
  const last = (typeof problem === 'string' ? problem : problem?.message) ?? ''
  return new ImportError(`Could not read the file (${what}): ${explainGdal([...messages, last])}.`)
}

/** Patterns of GDAL's messages, most specific first. `$1` is a group of the pattern. */
const explanations: readonly (readonly [RegExp, string])[] = [
  [/million laugh/, 'its XML has too many nested entities'],
  [/Maximum number of fields/, 'it has more than 2,000 columns. Remove empty columns on the right'],
  [/SHAPE_RESTORE_SHX|\.shx\b/i, 'its .shx is missing or damaged. Add it from the same download'],
  [/\.dbf\b/i, 'its .dbf is missing or damaged. Add it from the same download'],
  [/at line (\d+), column (\d+)/, 'it is invalid at line $1, column $2'],
  [/\bat line (\d+)/, 'it is invalid at line $1'],
  [
    /not authorized|prohibited|no such (table|column|function|module)|SQL logic/i,
    'this table is a view that cannot be computed',
  ],
  [/encrypted|password/i, 'it is password-protected'],
  [/reproject|transform/i, 'it has coordinates outside the area of its projection'],
  [/memory|too (large|big|many|deep)|recursion/i, 'it has parts that are too large'],
]

/**
 * Explains an error of GDAL as half a sentence. Users never see GDAL's own messages, which name drivers, options and
 * server paths. The first message is the cause.
 */
export function explainGdal(messages: readonly string[]): string {
  for (const message of messages)
    for (const [pattern, explanation] of explanations) {
      const match = pattern.exec(message)
      if (match) return explanation.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? '')
    }
  return 'it is damaged, incomplete, or of an unsupported version. Download it again, or save it in another format'
}
