import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import { readNumber } from './read-numbers.ts'

const number = String.raw`\d+(?:[.,]\d+)?`
const mark = String.raw`[°º˚*dD:\s-]`
const degreesPattern = new RegExp(
  String.raw`^(?<before>[NSEWnsew])?\s*(?<sign>[-+−])?\s*(?<degrees>${number})\s*${mark}*\s*` +
    String.raw`(?:(?<minutes>${number})\s*['′’‘´mM:\s-]?\s*(?:(?<seconds>${number})\s*(?:"|″|”|“|''|′′|’’)?\s*)?)?` +
    `(?<after>[NSEWnsew])?$`,
)

/**
 * Reads a number, or degrees with minutes and seconds ('42°23'24.5"N', 'W 071° 05.870'', '42 23 30 N'). Undefined for
 * any other value.
 */
export function readCoordinate(value: unknown, decimalMark?: DecimalMark): number | undefined {
  if (typeof value !== 'string' || !isInDegrees(value)) return readNumber(value, decimalMark)
  const groups = degreesPattern.exec(withoutSecondsLetter(value.trim()))?.groups
  if (!groups) return undefined
  const { before, after, sign } = groups
  if (before && after) return undefined
  const parts = [groups.degrees, groups.minutes, groups.seconds]
  const [degrees = 0, minutes = 0, seconds = 0] = parts.map((part = '0') => Number(part.replace(',', '.')))
  if (minutes >= 60 || seconds >= 60) return undefined
  // Only the last part may have a fraction.
  if (parts.some((part, index) => parts[index + 1] !== undefined && /[.,]/.test(part ?? ''))) return undefined
  const isNegative = /[SWsw]/.test(before ?? after ?? '') || sign === '-' || sign === '−'
  const size = degrees + minutes / 60 + seconds / 3600
  return isNegative ? -size : size
}

const maxCharacters = 60
const withLetters = /^(.*\d\s*d.*\d\s*m.*\d)(s)?\s*([nsew]?)$/i

/**
 * After 'd' and 'm' an 's' marks seconds ('34d12m30sN'); anywhere else it is south. '34D12M30S' may be either, and is
 * not read.
 */
function withoutSecondsLetter(text: string): string {
  const [, before, seconds, after = ''] = (text.length <= maxCharacters && withLetters.exec(text)) || []
  if (before === undefined || seconds === undefined) return text
  const hasDirection = after !== '' || /^[nsew]/i.test(text)
  if (seconds === 'S' && !hasDirection) return /[DM]/.test(before) ? '' : text
  return `${before}"${after}`
}

export const isInDegrees = (text: string) =>
  /[°º˚′″]|\d\s*['’"”]|^\s*[NSEW]|[NSEW]\s*$/i.test(text) ||
  /^\s*[-+−]?\d{1,3}-\d{1,2}-\d{1,2}(?:[.,]\d+)?\s*$/.test(text) ||
  /^\s*[-+−]?\d{1,3}[\s:]+\d{1,2}(?:[\s:]+\d|[.,]\d+\s*$|\s*$)/.test(text)
