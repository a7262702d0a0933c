import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import { readNumber } from './read-numbers.ts'

// A coordinate of a place: a number, or degrees with minutes and seconds ('42°23'24.5"N', 'W 071° 05.870'', '42 23 30 N').

const number = String.raw`\d+(?:[.,]\d+)?`
const mark = String.raw`[°º˚*dD:\s-]`
const degreesPattern = new RegExp(
  String.raw`^(?<before>[NSEWnsew])?\s*(?<sign>[-+−])?\s*(?<degrees>${number})\s*${mark}*\s*` +
    String.raw`(?:(?<minutes>${number})\s*['′’‘´mM:\s-]?\s*(?:(?<seconds>${number})\s*(?:"|″|”|“|''|′′|’’)?\s*)?)?` +
    `(?<after>[NSEWnsew])?$`,
)

/** Undefined for what is no coordinate. */
export function readCoordinate(value: unknown, decimalMark?: DecimalMark): number | undefined {
  if (typeof value !== 'string' || !isInDegrees(value)) return readNumber(value, decimalMark)
  const groups = degreesPattern.exec(withoutSecondsLetter(value.trim()))?.groups
  if (!groups) return undefined
  const { before, after, sign } = groups
  if (before && after) return undefined
  const [degrees, minutes, seconds] = [groups.degrees, groups.minutes, groups.seconds].map((part) =>
    part === undefined ? 0 : Number(part.replace(',', '.')),
  ) as [number, number, number]
  const isWhole = (part: string | undefined) => part === undefined || !/[.,]/.test(part)
  if (minutes >= 60 || seconds >= 60) return undefined
  if (groups.minutes !== undefined && !isWhole(groups.degrees)) return undefined
  if (groups.seconds !== undefined && !isWhole(groups.minutes)) return undefined
  const isNegative = /[SWsw]/.test(before ?? after ?? '') || sign === '-' || sign === '−'
  const size = degrees + minutes / 60 + seconds / 3600
  return isNegative ? -size : size
}

/** Longer texts are no coordinate. */
const mostCharacters = 60
const inLetters = /^(.*\d\s*d.*\d\s*m.*\d)(s)?\s*([nsew]?)$/i

/**
 * Behind 'd' and 'm' an 's' marks seconds ('34d12m30sN'); anywhere else it is the south. Of '34D12M30S' nobody can tell, and it
 * is not understood.
 */
function withoutSecondsLetter(text: string): string {
  const [, before, seconds, after = ''] = (text.length <= mostCharacters && inLetters.exec(text)) || []
  if (before === undefined || seconds === undefined) return text
  const hasDirection = after !== '' || /^[nsew]/i.test(text)
  if (seconds === 'S' && !hasDirection) return /[DM]/.test(before) ? '' : text
  return `${before}"${after}`
}

/** Whether a text is in degrees with minutes, or says its direction. */
export const isInDegrees = (text: string) =>
  /[°º˚′″]|\d\s*['’"”]|^\s*[NSEW]|[NSEW]\s*$/i.test(text) ||
  /^\s*[-+−]?\d{1,3}-\d{1,2}-\d{1,2}(?:[.,]\d+)?\s*$/.test(text) ||
  /^\s*[-+−]?\d{1,3}[\s:]+\d{1,2}(?:[\s:]+\d|[.,]\d+\s*$|\s*$)/.test(text)
