import {
  type Dataset,
  type DatasetInfo,
  type Gdal,
  type GdalProblem,
  loadGdal,
  writeInto,
} from '../../geometry/gdal.ts'
import { ImportError } from '../import-error.ts'
import { explainGdal } from './explain-gdal.ts'
import { throwIfFull } from './full-disk.ts'

export type GdalLayer = {
  name: string
  /** Null where only reading them all would tell. */
  rows: number | null
  /** Null for a table without places. */
  geometry: string | null
  /** Null where the file does not say it. */
  projection: { wkt: string } | null
}

let loaded: Promise<Gdal> | undefined
let said: string[] = []

/** The one of this process. */
export function openGdal(): Promise<Gdal> {
  loaded ??= loadGdal((message) => said.push(message))
  return loaded
}

/** `projection` is that of a layer that does not say it; where nobody knows it, coordinates stay as they are. */
type Conversion = {
  name: string
  projection: string | null
  /** Only so many rows. */
  most?: number
}

type Opening = {
  /** What it is, in a sentence. */
  what: string
  /** The folder of what is made of it. */
  output: string
  /** GeoJSON that names something else than degrees of WGS 84. */
  isProjectedJson: boolean
}

/** A dataset of GDAL: what it holds, and its layers as GeoJSON or, without places, as CSV. */
export async function openDataset(path: string, { what, output, isProjectedJson }: Opening) {
  const gdal = await openGdal()
  const opening = { what, output }
  const { datasets, errors } = await attempt(opening, () => gdal.open(path))
  const [dataset] = datasets
  if (!dataset?.info?.layers) throw unreadable(what, errors[0])
  const isEmpty = dataset.info.layers.every(({ featureCount }) => featureCount === 0)
  if (isEmpty && said.some((line) => line.startsWith('ERROR'))) throw unreadable(what, undefined)

  async function convert(layer: GdalLayer, { name, projection, most }: Conversion) {
    const options = layer.geometry === null ? ['-f', 'CSV'] : [...asGeoJson, ...toWgs84(layer, projection)]
    if (most !== undefined) options.push('-limit', String(most))
    try {
      return await attempt(opening, () =>
        writeInto(gdal, output, () => gdal.ogr2ogr(dataset as Dataset, [...options, layer.name], name)),
      )
    } catch (error) {
      const isUnknown = said.some((line) => line.includes('crs not found'))
      throw isUnknown ? new ImportError(`The projection ${projection} is not known.`) : error
    }
  }
  const layers = dataset.info.layers.map(toLayer)
  // Of GeoJSON in what it does not know it says that it is in degrees, as GeoJSON of today is.
  const isKnown = ({ projection }: GdalLayer) => !projection || !isWgs84(projection.wkt)
  const told = isProjectedJson
    ? layers.map((layer) => (isKnown(layer) ? layer : { ...layer, projection: null }))
    : layers
  return { layers: told, convert }
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

/** Every digit of the coordinates, and text as it is, however it looks; elevations and curves are nothing that we keep. */
const asGeoJson = [
  ...'-f GeoJSONSeq -lco RS=NO -lco COORDINATE_PRECISION=20 -lco AUTODETECT_JSON_STRINGS=NO'.split(' '),
  ...'-dim XY -nlt CONVERT_TO_LINEAR'.split(' '),
]

/** What is in degrees as we keep them stays to the last digit. */
function toWgs84(layer: GdalLayer, projection: string | null): string[] {
  if (projection !== null) return ['-s_srs', projection, '-t_srs', 'EPSG:4326']
  return layer.projection === null || isWgs84(layer.projection.wkt) ? [] : ['-t_srs', 'EPSG:4326']
}

/** Longitude and latitude as we keep them. */
const isWgs84 = (wkt: string) => /^GEOG(CRS|CS)\["(WGS 84|GCS_WGS_1984|WGS 84 \(CRS84\))"/.test(wkt)

/** GDAL rejects with an error of its own, or with a list of them. */
async function attempt<Result>(
  { what, output }: Pick<Opening, 'what' | 'output'>,
  work: () => Promise<Result>,
): Promise<Result> {
  said = []
  try {
    const result = await work()
    // A short file is not always an error to GDAL.
    if (said.length > 0) await throwIfFull(output)
    return result
  } catch (error) {
    await throwIfFull(output)
    throw unreadable(what, [error].flat()[0] as GdalProblem)
  }
}

function unreadable(what: string, problem: GdalProblem | undefined): ImportError {
  const last = (typeof problem === 'string' ? problem : problem?.message) ?? ''
  return new ImportError(`The file is ${what}, but cannot be read: ${explainGdal([...said, last])}.`)
}
