import type { Position } from './geometry.schema.ts'

const number = String.raw`[+-]?\d{1,3}(?:\.\d+)?`
const part = String.raw`\d{1,2}(?:\.\d+)?`
const angle = String.raw`(${number})\s*(?:°\s*(?:(${part})\s*['′’]\s*(?:(${part})\s*(?:["″”]|'')\s*)?)?)?`
const side = '([NSEW])'
const coordinate = String.raw`(?:${side}\s*${angle}|${angle}\s*${side}?)`
const between = String.raw`(?:\s*[,;]\s*|\s+|(?<=[NSEW°'′’"″”])\s*)`
const place = new RegExp(`^${coordinate}${between}${coordinate}$`, 'i')

/** Latitude first. */
const pair = String.raw`(-?\d{1,3}(?:\.\d+)?)(?:,|%2C)(?:\+|%20)?(-?\d{1,3}(?:\.\d+)?)`
/** Most exact first: Google Maps has both the place (`!3d`, `!4d`) and the camera (`@`). */
const linkPatterns = [
  /!3d(-?\d{1,3}(?:\.\d+)?)!4d(-?\d{1,3}(?:\.\d+)?)/,
  /[?&]mlat=(-?\d{1,3}(?:\.\d+)?)&mlon=(-?\d{1,3}(?:\.\d+)?)/,
  new RegExp(`[?&](?:q|query|ll|sll|center|destination|daddr|coordinate)=(?:loc:)?${pair}`),
  new RegExp(`@${pair}`),
  new RegExp(`^geo:${pair}`, 'i'),
  /#(?:map=)?\d{1,2}(?:\.\d+)?\/(-?\d{1,3}(?:\.\d+)?)\/(-?\d{1,3}(?:\.\d+)?)/,
]

/**
 * Reads a typed or pasted place: '42.3736, -71.1097', with N, S, E and W, in degrees, minutes and seconds, with
 * decimal commas ('42,3736; -71,1097'), with a zoom, or a link of a web map. Latitude first unless letters say
 * otherwise. Returns null for ambiguous text such as '34,05'.
 */
export function readPlace(text: string): Position | null {
  const bare = withoutParentheses(text)
  return isFromWebMap(bare) ? readFromWebMap(bare) : readPair(withPoints(bare))
}

const withoutParentheses = (text: string) => text.trim().replace(/^\((.*)\)$/, '$1')

const zoom = /,\s*\d{1,2}(\.\d+)?z$/i

const isFromWebMap = (text: string) => /^(https?:|geo:|@)/i.test(text) || zoom.test(text)

const maxLinkCharacters = 4_000

export function readFromWebMap(text: string): Position | null {
  if (text.length > maxLinkCharacters) return null
  const bare = withoutParentheses(text)
  if (!isFromWebMap(bare)) return null
  return /^[hg@]/i.test(bare) ? readLink(bare) : readPair(withPoints(bare.replace(zoom, '')))
}

/** Only the server of the web map can resolve short links. */
export const isShortMapLink = (text: string) =>
  /^https?:\/\/(maps\.app\.goo\.gl|(www\.)?goo\.gl\/maps|maps\.apple\/p|osm\.org\/go)\b/i.test(text.trim())

function readLink(link: string): Position | null {
  for (const pattern of linkPatterns) {
    const [, lat, lng] = pattern.exec(link) ?? []
    if (lat !== undefined && lng !== undefined) return onEarth(Number(lng), Number(lat))
  }
  return null
}

function withPoints(text: string): string {
  const [, ...groups] = /^([+-]?\d{1,3}),(\d+)(?:\s*;\s*|,?\s+)([+-]?\d{1,3}),(\d+)$/.exec(text) ?? []
  const [lat, latDecimals, lng, lngDecimals] = groups
  return lat === undefined ? text : `${lat}.${latDecimals} ${lng}.${lngDecimals}`
}

function readPair(text: string): Position | null {
  if (/^[+-]?\d+,\d+$/.test(text)) return null
  const groups = place.exec(text)?.slice(1)
  if (!groups) return null
  const [one, other] = [groups.slice(0, 8), groups.slice(8)].map(coordinateOf)
  if (!one || !other) return null
  const isTurned = isEastWest(one.side) || (one.side === '' && isNorthSouth(other.side))
  const [lat, lng] = isTurned ? [other, one] : [one, other]
  if (isEastWest(lat.side) || isNorthSouth(lng.side)) return null
  return onEarth(lng.degrees, lat.degrees)
}

function onEarth(lng: number, lat: number): Position | null {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? [lng, lat] : null
}

type Coordinate = { degrees: number; side: string }

function coordinateOf(groups: (string | undefined)[]): Coordinate | null {
  const [before, ...rest] = groups
  const [whole, minutes = '0', seconds = '0', side] =
    before === undefined ? rest.slice(3) : [...rest.slice(0, 3), before]
  if (whole === undefined || Number(minutes) >= 60 || Number(seconds) >= 60) return null
  const letter = side?.toUpperCase() ?? ''
  const isNegative = whole.startsWith('-')
  // A letter with a sign is ambiguous.
  if (letter !== '' && /^[+-]/.test(whole)) return null
  const size = Math.abs(Number(whole)) + Number(minutes) / 60 + Number(seconds) / 3600
  return { degrees: isNegative || 'SW'.includes(letter || '-') ? -size : size, side: letter }
}

const isEastWest = (side: string) => side === 'E' || side === 'W'
const isNorthSouth = (side: string) => side === 'N' || side === 'S'

export const placeText = ([lng, lat]: Position) => `${degreesText(lat)}, ${degreesText(lng)}`

const degreesText = (degrees: number) => degrees.toFixed(7).replace(/\.?0+$/, '')
