import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import { type Geometry, geometry as geometrySchema, type Position } from '#domain/geometry/geometry.schema.ts'
import { Cql2Error, type TokenReader } from './cql2-tokens.ts'
import { geometryName } from './properties.ts'
import { areasOfBox, type ReferenceSystem, toPosition } from './reference-systems.ts'

/** `depth` counts the nested lists around a position. */
const wktTypes: Readonly<Record<string, { type: Geometry['type']; depth: number }>> = {
  __proto__: null as never,
  point: { type: 'Point', depth: 0 },
  multipoint: { type: 'MultiPoint', depth: 1 },
  linestring: { type: 'LineString', depth: 1 },
  multilinestring: { type: 'MultiLineString', depth: 2 },
  polygon: { type: 'Polygon', depth: 2 },
  multipolygon: { type: 'MultiPolygon', depth: 3 },
}

export function readShapes(tokens: TokenReader, system: ReferenceSystem): readonly Geometry[] {
  const { is, text, at } = tokens.next
  const word = is === 'word' ? text.toLowerCase() : ''
  if (tokens.takeWord('bbox')) {
    const corners = tokens.demandList(() => tokens.demandNumber())
    const areas = [4, 6].includes(corners.length) ? areasOfBox(system, corners) : undefined
    if (!areas) throw new Cql2Error('has an invalid BBOX: must be four numbers, the lower ones first', at)
    return areas
  }
  const wkt = wktTypes[word]
  if (!wkt) throw tokens.unexpected(`${geometryName}, BBOX(…) or a shape, such as POINT(1 2)`)
  tokens.take()
  if (['z', 'm', 'zm'].includes(tokens.next.text.toLowerCase())) tokens.take()
  const coordinates = readCoordinates(wkt.depth, word === 'multipoint')
  const { data, error } = geometrySchema.safeParse({ type: wkt.type, coordinates })
  if (error) throw new Cql2Error(`has an invalid ${text}: ${error.issues[0]?.message ?? ''}`, at)
  const fault = findGeometryFault(data)
  if (fault) throw new Cql2Error(`has a shape that ${fault.what}`, at)
  return [data]

  function readCoordinates(depth: number, hasPoints = false): unknown {
    if (depth === 0) {
      tokens.demandSign('(')
      const position = readPosition()
      tokens.demandSign(')')
      return position
    }
    return tokens.demandList(() => {
      if (hasPoints && tokens.next.text === '(') return readCoordinates(0)
      return depth === 1 ? readPosition() : readCoordinates(depth - 1)
    })
  }

  function readPosition(): Position {
    const { at } = tokens.next
    const position = toPosition(system, tokens.demandNumber(), tokens.demandNumber())
    for (let more = 0; more < 2 && tokens.next.is === 'number'; more++) tokens.take()
    if (!position) throw new Cql2Error('has a position outside of the earth', at)
    return position
  }
}
