import type { Extent } from '../../database/database.ts'
import type { Advice, Remedy } from '../import-error.ts'
import type { AreaUnit } from '../mapping/read-values.ts'
import { acresPerUnit } from '../mapping/read-values.ts'
import type { Survey, SurveyedPlace } from './survey.ts'

export type DoubtContext = {
  /** What is on the map already; undefined where nothing is. */
  land: Extent | undefined
  areaUnit: AreaUnit
  areCoordinatesSwapped: boolean
  fileName: string
}

/**
 * What looks wrong with a file as a whole, and what would help; nothing where it looks right. Each row by itself
 * may be good.
 */
export function findDoubts(survey: Survey, context: DoubtContext): Advice[] {
  const ofPlaces = doubtMisplaced(survey, context) ?? doubtPlaces(survey, context)
  return [ofPlaces, doubtArea(survey, context)].filter((doubt) => doubt !== undefined)
}

const number = (value: number) => value.toLocaleString('en-US')
const named = ({ lng, lat }: SurveyedPlace) => `${Number(lng.toFixed(5))}, ${Number(lat.toFixed(5))}`

function median(values: readonly number[]): number {
  return share(values, 0.5)
}

/** The value below which this share of the values lies. */
function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

function middleOf(places: readonly SurveyedPlace[]): SurveyedPlace {
  return {
    rowNumber: 0,
    lng: median(places.map(({ lng }) => lng)),
    lat: median(places.map(({ lat }) => lat)),
  }
}

const swap = ({ rowNumber, lng, lat }: SurveyedPlace): SurveyedPlace => ({ rowNumber, lng: lat, lat: lng })

const otherOrder = ({ areCoordinatesSwapped }: DoubtContext): Remedy => ({
  remedy: 'coordinate-order',
  isSwapped: !areCoordinatesSwapped,
})

/** Half of all rows have coordinates that are no degrees. */
function doubtMisplaced(survey: Survey, context: DoubtContext): Advice | undefined {
  const { rows, misplacedCount, misplaced } = survey
  if (misplacedCount * 2 < rows || misplacedCount === 0) return undefined
  const middle = middleOf(misplaced)
  const example = misplaced[0] as SurveyedPlace
  const start = `${number(misplacedCount)} of ${number(rows)} rows have coordinates that are no longitude and latitude, such as ${named(example)}`
  if (Math.abs(middle.lng) <= 90 && Math.abs(middle.lat) <= 180)
    return { message: `${start}: latitude and longitude look swapped.`, remedy: otherOrder(context) }
  const web = fromWebMercator(middle)
  const projection =
    context.land && web && kilometersTo(context.land, web) <= reachOf(context.land)
      ? 'EPSG:3857'
      : 'EPSG:NNNN'
  const which =
    projection === 'EPSG:3857' ? '' : ' (the .prj file beside it, or its source, says which number)'
  return {
    message: `${start}: they look like feet or meters of a projection. Convert the file first, for example: ogr2ogr -s_srs ${projection} -t_srs EPSG:4326 converted.geojson ${context.fileName}${which}.`,
  }
}

/** Degrees of what may be metres of the projection of web maps (EPSG:3857). */
function fromWebMercator({ rowNumber, lng, lat }: SurveyedPlace): SurveyedPlace | undefined {
  const half = 20_037_508.34
  if (Math.abs(lng) > half || Math.abs(lat) > half) return undefined
  const radians = 2 * Math.atan(Math.exp((lat / half) * Math.PI)) - Math.PI / 2
  return { rowNumber, lng: (lng / half) * 180, lat: (radians * 180) / Math.PI }
}

function doubtPlaces(survey: Survey, context: DoubtContext): Advice | undefined {
  const { places } = survey
  if (places.length === 0) return undefined
  const { land } = context
  const middle = middleOf(places)
  if (land) {
    const reach = reachOf(land)
    const away = kilometersTo(land, middle)
    if (away > reach) {
      const start = `The rows lie around ${named(middle)}, ${number(Math.round(away))} km from what is on the map`
      return kilometersTo(land, swap(middle)) <= reach
        ? { message: `${start}: latitude and longitude look swapped.`, remedy: otherOrder(context) }
        : {
            message: `${start}. Is it the right map, and the right file?`,
            remedy: { remedy: 'other-map' },
          }
    }
    return doubtStray(survey, land, reach, 'what is on the map')
  }
  // Nobody owns land there.
  if (middle.lat < -60)
    return {
      message: `The rows lie around ${named(middle)}, in the Antarctic: latitude and longitude look swapped.`,
      remedy: otherOrder(context),
    }
  if (Math.abs(middle.lat) < 1 && Math.abs(middle.lng) < 1)
    return {
      message: `The rows lie around ${named(middle)}, in the sea off Africa: coordinates of a projection, or none at all. Convert the file first, for example: ogr2ogr -s_srs EPSG:NNNN -t_srs EPSG:4326 converted.geojson ${context.fileName}.`,
    }
  const most = {
    west: share(
      places.map(({ lng }) => lng),
      0.05,
    ),
    east: share(
      places.map(({ lng }) => lng),
      0.95,
    ),
    south: share(
      places.map(({ lat }) => lat),
      0.05,
    ),
    north: share(
      places.map(({ lat }) => lat),
      0.95,
    ),
  }
  return doubtStray(survey, most, Math.max(farAtLeastKm.ofOthers, 4 * diagonalOf(most)), 'most others')
}

/** Neighbours of the land on the map are plausible. On a new map a row is compared with the file's other rows alone. */
const farAtLeastKm = { ofLand: 100, ofOthers: 500 }

const reachOf = (land: Extent) => Math.max(farAtLeastKm.ofLand, 2 * diagonalOf(land))

/** Few rows that are far from where they should be: a digit too many, say. */
function doubtStray({ outermost }: Survey, home: Extent, reach: number, what: string): Advice | undefined {
  const stray = outermost.filter((place) => kilometersTo(home, place) > reach)
  const rows = [...new Map(stray.map((place) => [place.rowNumber, place])).values()]
  if (rows.length === 0) return undefined
  const which = rows.map((place) => `row ${place.rowNumber} at ${named(place)}`).join(', ')
  return {
    message: `Some rows lie more than ${number(Math.round(reach))} km from ${what}: ${which}. Mend or remove them in the file.`,
  }
}

const kilometersPerDegree = 111.2

/** Roughly: 0 within the box. Over the date line it is short, too. */
function kilometersTo({ west, south, east, north }: Extent, { lng, lat }: SurveyedPlace): number {
  const beside = lng < west ? west - lng : Math.max(0, lng - east)
  const degreesLng =
    beside === 0 ? 0 : Math.min(beside, Math.abs(360 - (Math.max(east, lng) - Math.min(west, lng))))
  const degreesLat = lat < south ? south - lat : Math.max(0, lat - north)
  return kilometersPerDegree * Math.hypot(degreesLng * Math.cos((lat * Math.PI) / 180), degreesLat)
}

function diagonalOf({ west, south, east, north }: Extent): number {
  const across = (east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180)
  return kilometersPerDegree * Math.hypot(across, north - south)
}

/** Larger than any parcel of an association, and of most counties. */
const hugeAcres = 100_000

/** The unit of a column that a person named: its areas are those of the shapes, or nearly. */
function doubtArea(
  { areaColumn, areaRatios, areasWithoutGeometry }: Survey,
  { areaUnit }: DoubtContext,
): Advice | undefined {
  if (areaColumn === null) return undefined
  if (areaRatios.length === 0) {
    const usual = median(areasWithoutGeometry)
    if (!(usual > hugeAcres)) return undefined
    return {
      message: `The areas in ${areaColumn} are around ${number(Math.round(usual))} acres each, as ${unitNames[areaUnit]}.`,
      remedy: { remedy: 'area-unit' },
    }
  }
  const ratio = median(areaRatios)
  const isNear = (value: number) => value <= 2 && value >= 1 / 2
  if (isNear(ratio)) return undefined
  const start = `The areas in ${areaColumn}, as ${unitNames[areaUnit]}, are about ${describeRatio(ratio)} those of the shapes`
  const fitting = units
    .map((unit) => ({ unit, ratio: (ratio / acresPerUnit[areaUnit]) * acresPerUnit[unit] }))
    .filter((one) => isNear(one.ratio))
    .sort((one, other) => Math.abs(Math.log(one.ratio)) - Math.abs(Math.log(other.ratio)))
  const [best] = fitting
  return best
    ? {
        message: `${start}: ${areaColumn} looks like ${unitNames[best.unit]}.`,
        remedy: { remedy: 'area-unit', unit: best.unit },
      }
    : { message: `${start}, and no unit fits.`, remedy: { remedy: 'no-area-column', column: areaColumn } }
}

const units = Object.keys(acresPerUnit) as AreaUnit[]
const unitNames: Record<AreaUnit, string> = {
  acre: 'acres',
  sqft: 'square feet',
  m2: 'square meters',
  ha: 'hectares',
}

function describeRatio(ratio: number): string {
  if (ratio >= 1) return `${number(Number(ratio.toPrecision(2)))} times`
  return `1/${number(Number((1 / ratio).toPrecision(2)))} of`
}
