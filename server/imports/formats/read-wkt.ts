/**
 * Well-known text (OGC Simple Features 7.2) as a GeoJSON geometry, unchecked; undefined for anything else. With the number of the
 * reference system before it (EWKT).
 */
export function readWkt(text: string): unknown {
  const found = pattern.exec(text.trim())
  const type = types.get(found?.groups?.type?.toUpperCase() ?? '')
  if (!found?.groups?.body || type === undefined) return undefined
  try {
    const nested: unknown = JSON.parse(
      found.groups.body.replace(position, asArray).replaceAll('(', '[').replaceAll(')', ']'),
    )
    const { srid } = found.groups
    return {
      type,
      coordinates: unwrapped(type, nested as unknown[]),
      ...(srid === undefined ? {} : { srid: Number(srid) }),
    }
  } catch {
    return undefined
  }
}

const names = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']
const types = new Map(names.map((name) => [name.toUpperCase(), name]))

const pattern = /^(?:SRID=(?<srid>\d+);)?\s*(?<type>[a-z]+)\s*(?:ZM|Z|M)?\s*(?<body>\([-+\d.e,()\s]+\))$/i
const position = /[-+\d.e]+(?:\s+[-+\d.e]+)+/gi

const asArray = (numbers: string) => `[${numbers.split(/\s+/).map(Number).join()}]`

/** A point stands in parentheses of its own; points of several may. */
function unwrapped(type: string, nested: unknown[]): unknown {
  if (type === 'Point') return nested[0]
  if (type !== 'MultiPoint') return nested
  return nested.map((point) => (Array.isArray(point) && Array.isArray(point[0]) ? point[0] : point))
}
