import type { Position } from '#domain/geometry/geometry.schema.ts'

const number = String.raw`[+-]?\d{1,3}(?:\.\d+)?`
const part = String.raw`\d{1,2}(?:\.\d+)?`
const angle = String.raw`(${number})\s*(?:°\s*(?:(${part})\s*['′’]\s*(?:(${part})\s*(?:["″”]|'')\s*)?)?)?`
const side = '([NSEW])'
const coordinate = String.raw`(?:${side}\s*${angle}|${angle}\s*${side}?)`
const between = String.raw`(?:\s*[,;]\s*|\s+|(?<=[NSEW°'′’"″”])\s*)`
const place = new RegExp(`^${coordinate}${between}${coordinate}$`, 'i')

/**
 * A place as people write it: '42.3736, -71.1097', or with N, S, E and W, or in degrees, minutes and seconds. Latitude
 * first, unless the letters say otherwise. Null where it is none.
 */
export function readPlace(text: string): Position | null {
  const groups = place.exec(text.trim())?.slice(1)
  if (!groups) return null
  const [one, other] = [groups.slice(0, 8), groups.slice(8)].map(coordinateOf)
  if (!one || !other) return null
  const isTurned = isEastWest(one.side) || (one.side === '' && isNorthSouth(other.side))
  const [lat, lng] = isTurned ? [other, one] : [one, other]
  if (isEastWest(lat.side) || isNorthSouth(lng.side)) return null
  return Math.abs(lat.degrees) <= 90 && Math.abs(lng.degrees) <= 180 ? [lng.degrees, lat.degrees] : null
}

type Coordinate = { degrees: number; side: string }

function coordinateOf(groups: (string | undefined)[]): Coordinate | null {
  const [before, ...rest] = groups
  const [whole, minutes = '0', seconds = '0', side] =
    before === undefined ? rest.slice(3) : [...rest.slice(0, 3), before]
  if (whole === undefined || Number(minutes) >= 60 || Number(seconds) >= 60) return null
  const letter = side?.toUpperCase() ?? ''
  const isNegative = whole.startsWith('-')
  // A letter and a sign say it twice.
  if (letter !== '' && /^[+-]/.test(whole)) return null
  const size = Math.abs(Number(whole)) + Number(minutes) / 60 + Number(seconds) / 3600
  return { degrees: isNegative || 'SW'.includes(letter || '-') ? -size : size, side: letter }
}

const isEastWest = (side: string) => side === 'E' || side === 'W'
const isNorthSouth = (side: string) => side === 'N' || side === 'S'

/** As it is shown in a form, to a centimeter. */
export const placeText = ([lng, lat]: Position) => `${degreesText(lat)}, ${degreesText(lng)}`

const degreesText = (degrees: number) => degrees.toFixed(7).replace(/\.?0+$/, '')
