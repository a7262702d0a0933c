import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import { readNumber } from './read-numbers.ts'

// A coordinate of a place: a number, or degrees with minutes and seconds ('42°23'24.5"N', 'W 071° 05.870'', '42 23 30 N').

const number = String.raw`\d+(?:[.,]\d+)?`
const mark = String.raw`[°º˚*dD:\s-]`
const degreesPattern = new RegExp(
  String.raw`^(?<before>[NSEWnsew])?\s*(?<sign>[-+−])?\s*(?<degrees>${number})\s*${mark}*\s*` +
    String.raw`(?:(?<minutes>${number})\s*['′’‘´mM:\s-]?\s*(?:(?<seconds>${number})\s*(?:"|″|”|“|''|′′|’’|[sS](?![A-Za-z]))?\s*)?)?` +
    `(?<after>[NSEWnsew])?$`,
)

/** Undefined for what is no coordinate. */
export function readCoordinate(value: unknown, decimalMark?: DecimalMark): number | undefined {
  if (typeof value !== 'string' || !isInDegrees(value)) return readNumber(value, decimalMark)
  const groups = degreesPattern.exec(value.trim())?.groups
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

/** Whether a text is in degrees with minutes, or says its direction. */
export const isInDegrees = (text: string) =>
  /[°º˚′″]|\d\s*['’"”]|^\s*[NSEW]|[NSEW]\s*$/i.test(text) ||
  /^\s*[-+−]?\d{1,3}[\s:]+\d{1,2}(?:[\s:]+\d|[.,]\d+\s*$|\s*$)/.test(text)
