import { geometryTypes } from './read-json.ts'

// Well-known text (OGC Simple Features 7.2), with the number of its reference system before it (EWKT).

/** Unchecked. `coordinates` are missing where nothing reads the type, such as that of a curve. */
export type NotedShape = {
  type: string
  coordinates?: unknown
  geometries?: NotedShape[]
  /** Number of its reference system. */
  srid?: number
}

/** Types that well-known text and binary have and GeoJSON does not. */
export const unreadTypes = [
  'CircularString',
  'CompoundCurve',
  'CurvePolygon',
  'MultiCurve',
  'MultiSurface',
  'PolyhedralSurface',
  'TIN',
  'Triangle',
]
/** Levels of collections in collections. */
export const mostLevels = 50

const types = new Map([...geometryTypes, ...unreadTypes].map((type) => [type.toUpperCase(), type]))
const names = [...types.keys()].join('|')
const start = new RegExp(
  String.raw`^(?:SRID\s*=\s*(?<srid>\d{1,9})\s*;)?\s*(?<type>${names})\s*(?:(?:ZM|Z|M)\s*)?(?=\(|EMPTY\s*$)`,
  'i',
)

/** Whether a text without space around it begins like well-known text. */
export const isWkt = (text: string): boolean => start.test(text)

/** A GeoJSON geometry, unchecked; undefined for anything else. An empty one has an empty list of coordinates. */
export function readWkt(text: string): NotedShape | undefined {
  return readLevel(text.trim(), mostLevels)
}

function readLevel(text: string, levels: number): NotedShape | undefined {
  const found = start.exec(text)
  const type = types.get(found?.groups?.type?.toUpperCase() ?? '')
  if (!found || type === undefined || levels === 0) return undefined
  const body = text.slice(found[0].length).trim()
  const shape = readBody(type, body, levels)
  const { srid } = found.groups ?? {}
  return shape && (srid === undefined ? shape : { ...shape, srid: Number(srid) })
}

function readBody(type: string, body: string, levels: number): NotedShape | undefined {
  const isEmpty = /^EMPTY$/i.test(body)
  if (type !== 'GeometryCollection') {
    if (isEmpty) return { type, coordinates: [] }
    if (unreadTypes.includes(type)) return { type }
    const coordinates = readCoordinates(type, body)
    return coordinates && { type, coordinates }
  }
  const parts = isEmpty ? [] : partsOf(body)?.map((part) => readLevel(part, levels - 1))
  if (!parts?.every((part) => part !== undefined)) return undefined
  return { type, geometries: parts }
}

const written = /^\([-+\d.e,()\s]+\)$/i
const position = /[-+\d.e][-+\d.e\s]*/gi

function readCoordinates(type: string, body: string): unknown[] | undefined {
  // Parts of a shape may be empty, too.
  const filled = body.replace(/\bEMPTY\b/gi, '()')
  if (!written.test(filled)) return undefined
  try {
    const nested: unknown[] = JSON.parse(
      filled.replace(position, asArray).replaceAll('(', '[').replaceAll(')', ']'),
    )
    return unwrapped(type, nested)
  } catch {
    return undefined
  }
}

const asArray = (numbers: string) => `[${numbers.trim().split(/\s+/).map(Number).join()}]`

/** A point stands in parentheses of its own; points of several may. */
function unwrapped(type: string, nested: unknown[]): unknown[] | undefined {
  if (type === 'Point') return nested.length === 1 && Array.isArray(nested[0]) ? nested[0] : undefined
  if (type !== 'MultiPoint') return nested
  return nested.map((point) => (Array.isArray(point) && Array.isArray(point[0]) ? point[0] : point))
}

/** What stands between the commas of the outermost parentheses. */
function partsOf(body: string): string[] | undefined {
  if (!body.startsWith('(') || !body.endsWith(')')) return undefined
  const parts: string[] = []
  let depth = 0
  let from = 1
  for (let index = 0; index < body.length; index++) {
    const character = body[index]
    if (character === '(') depth++
    else if (character === ')') depth--
    const isEnd = depth === 0
    if (isEnd && index < body.length - 1) return undefined
    if (!isEnd && !(character === ',' && depth === 1)) continue
    parts.push(body.slice(from, index).trim())
    from = index + 1
  }
  return depth === 0 ? parts : undefined
}
