import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { AreaUnit } from '#domain/imports/import-layout.schema.ts'
import { capitalized, counted, formatList, formatNumber, plural } from '#domain/values/wording.ts'
import type { Extent } from '../../database/database.ts'
import {
  diagonalOf,
  findSlip,
  kilometersTo,
  median,
  middleOf,
  type Place,
  reachOf,
  type Slip,
  share,
} from '../../geometry/distances.ts'
import type { Advice, Remedy } from '../import-error.ts'
import type { FilledField } from '../mapping/map-columns.ts'
import { acresPerUnit } from '../mapping/read-values.ts'
import { antarctic } from './orders.ts'
import type { Survey, SurveyedPlace, UnclearDates } from './survey.ts'

export type DoubtContext = {
  land: Extent | undefined
  areaUnit: AreaUnit
  areCoordinatesSwapped: boolean
  suggestProjection(positions: readonly Position[]): Promise<string | undefined>
}

/** Each row by itself may be valid. */
export async function findDoubts(survey: Survey, context: DoubtContext): Promise<Advice[]> {
  const ofPlaces = (await doubtMisplaced(survey, context)) ?? doubtPlaces(survey, context)
  const ofDates = [...survey.unclearDates.map(doubtOrder), ...survey.filled.flatMap(doubtYears)]
  const ofAll = [ofPlaces, doubtArea(survey, context), doubtFormat(survey), ...ofDates]
  return ofAll.filter((doubt) => doubt !== undefined)
}

function doubtFormat({ lostByFormat }: Survey): Advice | undefined {
  if (lostByFormat.length === 0) return undefined
  return {
    message: `This file is an export of this map in a format without all data. These fields do not change: ${formatList(lostByFormat)}.`,
  }
}

const doubtOrder = ({ column, examples }: UnclearDates): Advice => ({
  message: `Dates in ${column}, such as ${formatList(examples)}, could be day first or month first. They are not imported until you choose.`,
  remedy: { remedy: 'date-order', column },
})

function doubtYears({ column, oddDates = 0, oddRows = [] }: FilledField): Advice[] {
  if (oddDates === 0) return []
  const which = oddRows.map(({ row, value }) => `row ${row} (${value})`).join(', ')
  const rows = counted(oddDates, 'date')
  return [
    {
      message: `${rows} in ${column} ${plural(oddDates, 'is', 'are')} before 1800 or after 2200: ${which}.`,
    },
  ]
}

/** Latitude first, as maps and the page write it. */
const named = ({ lng, lat }: Place) => `${Number(lat.toFixed(5))}, ${Number(lng.toFixed(5))}`

const milesPerKm = 0.621371
const milesText = (km: number) => `${formatNumber(km * milesPerKm)} miles`

const swap = ({ lng, lat }: Place): Place => ({ lng: lat, lat: lng })

const otherOrder = ({ areCoordinatesSwapped }: DoubtContext): Remedy => ({
  remedy: 'coordinate-order',
  isSwapped: !areCoordinatesSwapped,
})

async function doubtMisplaced(survey: Survey, context: DoubtContext): Promise<Advice | undefined> {
  const { rows, misplacedCount, misplaced } = survey
  if (misplacedCount * 2 < rows || misplacedCount === 0) return undefined
  const middle = middleOf(misplaced)
  const example = misplaced[0] as SurveyedPlace
  const start = `${formatNumber(misplacedCount)} of ${formatNumber(rows)} rows have coordinates that are not longitude and latitude, such as ${example.lng}, ${example.lat}`
  if (Math.abs(middle.lng) <= 90 && Math.abs(middle.lat) <= 180)
    return { message: `${start}: latitude and longitude look swapped.`, remedy: otherOrder(context) }
  const code = await context.suggestProjection(misplaced.map(({ lng, lat }) => [lng, lat]))
  return {
    message: `${start}: they look like feet or meters in a projection.`,
    remedy: { remedy: 'projection', ...(code ? { code } : {}) },
  }
}

function doubtPlaces(survey: Survey, context: DoubtContext): Advice | undefined {
  const { places } = survey
  if (places.length === 0) return undefined
  const { land } = context
  if (land) return warnIfFar(survey, land, context)
  const middle = middleOf(places)
  if (middle.lat < antarctic)
    return {
      message: `The rows are around ${named(middle)}, in Antarctica: latitude and longitude look swapped.`,
      remedy: otherOrder(context),
    }
  if (Math.abs(middle.lat) < 1 && Math.abs(middle.lng) < 1)
    return {
      message: `The rows are around ${named(middle)}, in the ocean off Africa: the coordinates are missing or in a projection.`,
      remedy: { remedy: 'projection' },
    }
  const [lngs, lats] = [places.map(({ lng }) => lng), places.map(({ lat }) => lat)]
  const most = {
    west: share(lngs, 0.05),
    east: share(lngs, 0.95),
    south: share(lats, 0.05),
    north: share(lats, 0.95),
  }
  return doubtStray(survey, most, Math.max(farFromOthersKm, 4 * diagonalOf(most)), 'most other rows')
}

function warnIfFar(survey: Survey, land: Extent, context: DoubtContext): Advice | undefined {
  const { places, placedCount } = survey
  const reach = reachOf(land)
  const far = places.filter((place) => kilometersTo(land, place) > reach)
  // The outermost rows need not be in the sample.
  if (far.length === 0) return doubtStray(survey, land, reach, 'the features on the map')
  const middle = middleOf(far)
  const slip = findSlip(land, middle)
  if (far.length === places.length) {
    const away = milesText(kilometersTo(land, middle))
    const start = `The rows are around ${named(middle)}, ${away} from the features on the map`
    if (!slip)
      return {
        message: `${start}. Check that you chose the right map and the right file.`,
        remedy: { remedy: 'other-map' },
      }
    const signs = signWords(slip, middle)
    if (!slip.isSwapped)
      return { message: `${start}. ${signs} they would be on the land of this map. Fix the file.` }
    const also =
      signs === ''
        ? ''
        : `. You also need to fix the file: ${signs.toLowerCase()} the rows would be on the land of this map`
    return {
      message: `${start}: latitude and longitude look swapped${also}.`,
      remedy: otherOrder(context),
    }
  }
  const count = Math.round((far.length / places.length) * placedCount)
  const rows = `${placedCount > places.length ? 'About ' : ''}${formatNumber(count)} of ${formatNumber(placedCount)} rows`
  const example = far[0] as SurveyedPlace
  const such = `${count === 1 ? ': ' : ', such as '}row ${example.rowNumber} at ${named(example)}`
  const start = `${rows} ${plural(count, 'is', 'are')} more than ${milesText(reach)} from the features on the map${such}`
  if (!slip)
    return far.length * 2 > places.length
      ? {
          message: `${start}. Check that you chose the right map and the right file.`,
          remedy: { remedy: 'other-map' },
        }
      : { message: `${start}. Fix or remove them in the file.` }
  const changes = [slip.isSwapped ? 'With latitude and longitude swapped' : '', signWords(slip, middle)]
  const [first, second] = changes.filter((one) => one !== '')
  const words = second ? `${first} and ${second.toLowerCase()}` : first
  return { message: `${start}. ${words} they would be on the land of this map. Fix the file.` }
}

/** The signs that a slip changes; empty if it only swaps. */
function signWords({ place, isSwapped }: Slip, from: Place): string {
  const before = isSwapped ? swap(from) : from
  const changed = (['lng', 'lat'] as const).filter((part) => place[part] !== before[part])
  if (changed.length === 0) return ''
  const names = { lng: 'longitudes', lat: 'latitudes' }
  const [first, second] = changed.map(
    (part) => `${before[part] > 0 ? 'with a' : 'without the'} minus sign before the ${names[part]}`,
  ) as [string, string?]
  const words = second ? `${first} and ${second}` : first
  return capitalized(words)
}

/** On a new map a row is only compared with other rows of the file. */
const farFromOthersKm = 500

function doubtStray({ outermost }: Survey, home: Extent, reach: number, what: string): Advice | undefined {
  const stray = outermost.filter((place) => kilometersTo(home, place) > reach)
  const rows = [...new Map(stray.map((place) => [place.rowNumber, place])).values()]
  if (rows.length === 0) return undefined
  const which = rows.map((place) => `row ${place.rowNumber} at ${named(place)}`).join(', ')
  return {
    message: `Some rows are more than ${milesText(reach)} from ${what}: ${which}. Fix or remove them in the file.`,
  }
}

/** Larger than any parcel of an association, and of most counties. */
const hugeAcres = 100_000

function doubtArea(
  { areaColumn, areaRatios, areasWithoutGeometry }: Survey,
  { areaUnit }: DoubtContext,
): Advice | undefined {
  if (areaColumn === null) return undefined
  if (areaRatios.length === 0) {
    const usual = median(areasWithoutGeometry)
    if (!(usual > hugeAcres)) return undefined
    return {
      message: `The areas in ${areaColumn}, read as ${unitNames[areaUnit]}, are around ${formatNumber(usual)} acres each.`,
      remedy: { remedy: 'area-unit' },
    }
  }
  const ratio = median(areaRatios)
  const isNear = (value: number) => value <= 2 && value >= 1 / 2
  if (isNear(ratio)) return undefined
  const start = `The areas in ${areaColumn}, read as ${unitNames[areaUnit]}, are about ${describeRatio(ratio)} those of the shapes`
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
  if (ratio >= 1) return `${formatNumber(Number(ratio.toPrecision(2)), 3)} times`
  return `1/${formatNumber(Number((1 / ratio).toPrecision(2)), 3)} of`
}
