import { formatNumber } from '#domain/values/wording.ts'
import { formatQuantity } from './formatters.ts'

export function formatBytes(bytes: number): string {
  const megabytes = bytes / 1_024 ** 2
  const [value, unit] = megabytes >= 1 ? [megabytes, 'megabyte'] : [bytes / 1_024, 'kilobyte']
  return formatQuantity(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 })
}

export function formatDollars(amount: number): string {
  return formatQuantity(amount, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
}

export function formatCents(cents: number): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return formatQuantity(cents / 100, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

export function formatPlace({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`
}

// Areas and distances are shown in the user's units, and in the others in parentheses or a tooltip.

export type Units = 'imperial' | 'metric'

/** Liberia, Myanmar and the United States measure in feet, miles and acres. */
const imperialRegions = ['LR', 'MM', 'US']

/** For a language alone, the region with most of its speakers counts. */
export function unitsOf(locale: string): Units {
  const { region = '' } = new Intl.Locale(locale).maximize()
  return imperialRegions.includes(region) ? 'imperial' : 'metric'
}

export const readersUnits = (): Units => unitsOf(new Intl.NumberFormat().resolvedOptions().locale)
export const otherUnits = (units: Units): Units => (units === 'metric' ? 'imperial' : 'metric')

type Format = (value: number, units: Units) => string

/** '3.04 acres (1.23 ha)' */
export function inBothUnits(format: Format, value: number, first: Units = readersUnits()): string {
  return `${format(value, first)} (${format(value, otherUnits(first))})`
}

const squareMetersPerAcre = 4_046.8564224
const acresPerSquareMile = 640
const metersPerFoot = 0.3048
const feetPerMile = 5_280

const fixed = (value: number, digits: number) =>
  formatQuantity(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })
const whole = (value: number) => fixed(value, value < 100 ? 1 : 0)

const small = (value: number, unit: string) => `${value < 0.1 ? 'less than 0.1' : fixed(value, 1)} ${unit}`

/** Metric as in section 9 of the specification, 'Units'. */
export function formatArea(squareMeters: number, units: Units): string {
  if (units === 'metric') {
    if (squareMeters >= 1_000_000) return `${fixed(squareMeters / 1_000_000, 2)} km²`
    if (squareMeters >= 10_000) return `${fixed(squareMeters / 10_000, 2)} ha`
    return `${whole(squareMeters)} m²`
  }
  const acres = squareMeters / squareMetersPerAcre
  if (acres >= acresPerSquareMile) return `${fixed(acres / acresPerSquareMile, 2)} sq mi`
  if (acres >= 1) return `${fixed(acres, 2)} acres`
  return `${whole(squareMeters / metersPerFoot ** 2)} sq ft`
}

export function formatDistance(meters: number, units: Units): string {
  if (units === 'metric') {
    if (meters > 0 && meters < 0.05) return small(meters * 1_000, 'mm')
    return meters > 1_000 ? `${fixed(meters / 1_000, 2)} km` : `${whole(meters)} m`
  }
  const feet = meters / metersPerFoot
  if (feet > 0 && feet < 0.05) return small(feet * 12, 'in')
  return feet > feetPerMile ? `${fixed(feet / feetPerMile, 2)} mi` : `${whole(feet)} ft`
}

/** A long distance, in whole miles or kilometers. */
export function formatKilometers(km: number): string {
  if (readersUnits() === 'metric') return `${formatNumber(km)} km`
  return `${formatNumber((km * 1_000) / metersPerFoot / feetPerMile)} mi`
}

/** Land is measured in acres, whatever its size. */
export function formatLand(acres: number, units: Units): string {
  if (units === 'metric') return formatArea(acres * squareMetersPerAcre, units)
  return `${formatNumber(acres, acres < 10 ? 2 : 1)} acres`
}

/** The longest distance of 1, 2 or 5 and zeros that is not longer; whole units. */
export function roundDistanceWithin(meters: number, units: Units): { meters: number; text: string } {
  const [small, large] =
    units === 'metric'
      ? ([
          { name: 'm', meters: 1 },
          { name: 'km', meters: 1_000 },
        ] as const)
      : ([
          { name: 'ft', meters: metersPerFoot },
          { name: 'mi', meters: metersPerFoot * feetPerMile },
        ] as const)
  const unit = meters >= large.meters ? large : small
  const value = Math.max(1, meters / unit.meters)
  const power = 10 ** Math.floor(Math.log10(value))
  const round = [5, 2, 1].map((step) => step * power).find((step) => step <= value) ?? 1
  return { meters: round * unit.meters, text: `${formatNumber(round)} ${unit.name}` }
}

/** 'about 1,000 ft (300 m)' or '300 m (about 1,000 ft)': for meters that are exact by definition. */
export function formatMetersAndFeet(meters: number, first: Units = readersUnits()): string {
  const feet = meters / metersPerFoot
  const [rough = feet, close = feet] = [1, 2].map((digits) => Number(feet.toPrecision(digits)))
  const isNear = Math.abs(rough - feet) < 0.03 * feet
  const [metric, imperial] = [`${formatNumber(meters)} m`, `about ${formatNumber(isNear ? rough : close)} ft`]
  return first === 'metric' ? `${metric} (${imperial})` : `${imperial} (${metric})`
}
