const feet = '(?:feet|foot|ft)'
const survey = String.raw`u\.?s\.?\ssurvey`

/**
 * A foot is the international foot unless the deed says "US survey feet", which are longer by 2 parts in a million
 * (1 cm in 5 km). Chains, links and rods are multiples of the international foot.
 */
export const lengthUnits = {
  usft: {
    meters: 1200 / 3937,
    name: 'US survey ft',
    words: String.raw`${survey}\s${feet}|${feet}\s\(${survey}\)`,
  },
  ft: { meters: 0.3048, name: 'ft', words: feet },
  m: { meters: 1, name: 'm', words: 'met(?:er|re)s?|m' },
  chain: { meters: 20.1168, name: 'chains', words: 'chains?|chs?' },
  link: { meters: 0.201168, name: 'links', words: 'links?|lks?' },
  rod: { meters: 5.0292, name: 'rods', words: 'rods?|rds?' },
  pole: { meters: 5.0292, name: 'poles', words: 'poles?|po' },
  perch: { meters: 5.0292, name: 'perches', words: 'perch(?:es)?' },
}
export type LengthUnit = keyof typeof lengthUnits
export type Length = { meters: number; unit: LengthUnit }

/** Clockwise from the north of the deed, and the notation that it is written in. */
export type Direction = { azimuthDegrees: number; form: 'quadrant' | 'azimuth' }

/** The longest length and radius. */
const maxMeters = 1_000_000

type Reading<Value> = { value: Value; end: number }
/** Text in the form of a direction that has no meaning. */
type Failure = { message: string; end: number }

const numberWords = new Map<string, number>([
  ...'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index): [string, number] => [word, index + 1]),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index): [string, number] => [word, (index + 2) * 10]),
])
const numberWord = String.raw`(?:${[...numberWords.keys()].join('|')})\b`
const numberPart = String.raw`${numberWord}(?:\s(?:hundred|thousand)\b(?:\sand\b(?=\s${numberWord}))?){0,2}`
const spelledNumber = new RegExp(String.raw`\b${numberPart}(?:[-\s]${numberPart})*`, 'gi')

function valueOfWords(words: string): number {
  let [thousands, rest] = [0, 0]
  for (const word of words.toLowerCase().split(/[-\s]/))
    if (word === 'hundred') rest *= 100
    else if (word === 'thousand') [thousands, rest] = [thousands + rest * 1_000, 0]
    else rest += numberWords.get(word) ?? 0
  return thousands + rest
}

/**
 * Text with plain quotes, single spaces and numbers in figures, on which every pattern below is bounded, and the
 * index in `text` of each of its characters.
 */
export function normalizeText(text: string): { plain: string; indexes: number[] } {
  let plain = ''
  const indexes: number[] = []
  for (const { 0: found, index } of text.matchAll(/\s+|''|./gs)) {
    plain += /\s/.test(found) ? (found.includes('\n') ? '\n' : ' ') : plainMark(found)
    indexes.push(index)
  }
  indexes.push(text.length)
  // Leading zeros keep the length.
  const withFigures = plain.replace(spelledNumber, (words) =>
    String(valueOfWords(words)).padStart(words.length, '0'),
  )
  return { plain: withFigures, indexes }
}

function plainMark(mark: string): string {
  if ('º˚∘*'.includes(mark)) return '°'
  if ('’‘′´`'.includes(mark)) return "'"
  if (mark === "''" || '”“″‟'.includes(mark)) return '"'
  return '–—−‐‑'.includes(mark) ? '-' : 'Δδ'.includes(mark) ? '∆' : mark
}

const figures = String.raw`\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,9})?|0{0,90}\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}`
const fraction = String.raw`(?:\s?[½¼¾]|[\s-]\d{1,3}\/\d{1,3})?`
/** Also 45 (45), where the first was spelled out. */
const number = String.raw`(?:\d{1,90}\s?(?=\())?\(?((?:${figures})(?!\d)${fraction})\)?`
const gap = String.raw`[\s,.-]{0,3}(?:and\s)?`
const degrees = '(?:°|deg(?:rees?|s)?(?![a-z]))'
/** Not alone: a 60d is a nail. */
const shortDegrees = '(?:[°:-]|d(?:eg(?:rees?|s)?)?(?![a-z]))'
const minutes = `(?:'|min(?:utes?|s)?(?![a-z]))`
const seconds = `(?:"|sec(?:onds?|s)?(?![a-z]))`
const angle = String.raw`${number}\s?${degrees}(?:${gap}${number}\s?${minutes}(?:${gap}${number}\s?${seconds})?)?`
const unmarkedAngle = String.raw`${number}\s?${shortDegrees}?(?:${gap}${number}\s?(?:${minutes}|[-:])?(?:${gap}${number}\s?(?:${seconds})?)?)?`
const azimuthAngle = String.raw`${number}(?:\s?${shortDegrees}(?:${gap}${number}\s?(?:${minutes}|[-:])(?:${gap}${number}(?:\s?${seconds})?)?)?)?`
const quadrant = new RegExp(
  String.raw`(n|s|north|south)(?![a-z])[\s,.]{0,3}${unmarkedAngle}[\s,.]{0,3}(e|w|east|west)(?![a-z])`,
  'iy',
)
const quadrantStart = new RegExp(String.raw`(?:n|s|north|south)(?![a-z])[\s,.]{0,3}${angle}`, 'iy')
const named = new RegExp(String.raw`az(?:m|imuth)?(?![a-z])\.?(?:\sof)?[\s=:]{0,3}${azimuthAngle}`, 'iy')
const marked = new RegExp(angle, 'iy')
const sideOfAngle = /[\s,.]{0,3}(?:e|w|east|west)(?![a-z])/iy
const due = /due\s(north|east|south|west|[nesw](?![a-z]))/iy

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function numberOf(text: string): number {
  const [, whole = '', part = ''] = /^([\d,.]+?)[\s-]?([½¼¾]|\d+\/\d+)?$/.exec(text) ?? []
  const [over = 0, under = 1] = ({ '½': '1/2', '¼': '1/4', '¾': '3/4' }[part] ?? part).split('/').map(Number)
  return Number(whole.replaceAll(',', '')) + over / under
}

/** NaN if a part is too large, or if a fraction is followed by another part. */
function angleOf(parts: (string | undefined)[]): number {
  const [first = 0, ...rest] = parts.filter((part) => part !== undefined).map(numberOf)
  const isValid = rest.every(
    (part, index) => part < 60 && Number.isInteger(index === 0 ? first : rest[index - 1]),
  )
  return isValid ? first + (rest[0] ?? 0) / 60 + (rest[1] ?? 0) / 3600 : Number.NaN
}

/** A central angle, with marks. */
export function readDelta(text: string, at: number): Reading<number> | null {
  const match = matchAt(marked, text, at)
  const degreesOfArc = angleOf(match?.slice(1) ?? [])
  return match && degreesOfArc > 0 && degreesOfArc < 360
    ? { value: degreesOfArc, end: marked.lastIndex }
    : null
}

export const dueDirection = (side: string): Direction => ({
  azimuthDegrees: 'nesw'.indexOf(side.charAt(0).toLowerCase()) * 90,
  form: 'quadrant',
})

const invalidParts = 'Minutes and seconds must be less than 60.'

/** N 45°30'15" E, N45-30-15E, North 45 degrees East; azimuth 135.25, 135°15'; due north. */
export function readDirection(text: string, at: number): Reading<Direction> | Failure | null {
  const side = matchAt(due, text, at)?.[1]
  if (side) return { value: dueDirection(side), end: due.lastIndex }
  const bearing = matchAt(quadrant, text, at)
  if (bearing) {
    const [, northOrSouth = '', ...parts] = bearing
    const isEast = /^e/i.test(parts.pop() ?? '')
    const end = quadrant.lastIndex
    const value = angleOf(parts)
    if (Number.isNaN(value)) return { message: invalidParts, end }
    if (value > 90) return { message: 'A quadrant bearing is at most 90 degrees.', end }
    const fromNorth = /^n/i.test(northOrSouth) ? value : 180 - value
    return { value: { azimuthDegrees: (isEast ? fromNorth : 360 - fromNorth) % 360, form: 'quadrant' }, end }
  }
  if (matchAt(quadrantStart, text, at))
    return { message: 'East or west is missing.', end: quadrantStart.lastIndex }
  const pattern = matchAt(named, text, at) ? named : marked
  const azimuth = matchAt(pattern, text, at)
  if (!azimuth) return null
  const end = pattern.lastIndex
  if (matchAt(sideOfAngle, text, end))
    return { message: 'North or south is missing.', end: sideOfAngle.lastIndex }
  const value = angleOf(azimuth.slice(1))
  if (Number.isNaN(value)) return { message: invalidParts, end }
  if (value > 360) return { message: 'An azimuth is at most 360 degrees.', end }
  return { value: { azimuthDegrees: value % 360, form: 'azimuth' }, end }
}

const unitNames = Object.keys(lengthUnits) as LengthUnit[]
const unitWords = unitNames.map((unit) => lengthUnits[unit].words).join('|')
/** A prime is for feet. */
const unitOf = (word: string): LengthUnit =>
  unitNames.find((unit) => new RegExp(`^(?:${lengthUnits[unit].words})$`, 'i').test(word)) ?? 'ft'
const length = new RegExp(String.raw`${number}[\s.-]{0,2}((?:${unitWords})(?![a-z])|')`, 'iy')
const smallerLength = new RegExp(
  String.raw`[\s,.]{0,2}(?:(?:and|\+|&)\s)?${number}[\s-]?(${lengthUnits.link.words}|${feet}|inch(?:es)?|in|")(?![a-z])`,
  'iy',
)
const unitless = new RegExp(number, 'iy')

/** With two units too: 4 chains 25 links, 100 feet and 6 inches. Without a unit only if `unit` is given. */
export function readLength(text: string, at: number, unit?: LengthUnit): Reading<Length> | null {
  const match = matchAt(length, text, at) ?? (unit && matchAt(unitless, text, at))
  if (!match) return null
  const unitRead = match[2] === undefined ? (unit as LengthUnit) : unitOf(match[2])
  let end = at + match[0].length
  let meters = numberOf(match[1] as string) * lengthUnits[unitRead].meters
  const [, more = '', word = ''] = (match[2] !== undefined && matchAt(smallerLength, text, end)) || []
  const isInches = /^(?:in|")/i.test(word)
  const smallerMeters = isInches ? lengthUnits.ft.meters / 12 : word && lengthUnits[unitOf(word)].meters
  if (smallerMeters && smallerMeters < lengthUnits[unitRead].meters && (!isInches || unitRead === 'ft')) {
    meters += numberOf(more) * smallerMeters
    end = smallerLength.lastIndex
  }
  return meters > 0 && meters <= maxMeters ? { value: { meters, unit: unitRead }, end } : null
}
