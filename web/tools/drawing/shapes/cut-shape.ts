import type { Position } from 'geojson'
import { clipPolyline } from 'lineclip'
import { type Geom, intersection } from 'polyclip-ts'
import { boxOfWorld, withinWorld, worldsOf } from '#web/map/date-line.ts'
import { cornersOf, type DrawnGeometry, type DrawnShape, newShapeId } from './drawn-shape.ts'

/** GeoJSON requires one shape on each side. */
export function cutAtDateLine(shape: DrawnShape): DrawnShape[] {
  const pieces = piecesOf(shape.geometry)
  const [first, ...others] = pieces
  if (!first) return []
  const kind = shape.properties.kind === 'circle' && others.length > 0 ? 'polygon' : shape.properties.kind
  return pieces.map((geometry, index) => ({
    ...shape,
    id: index === 0 ? shape.id : newShapeId(),
    properties: { ...shape.properties, kind },
    geometry,
  }))
}

function piecesOf(geometry: DrawnGeometry): DrawnGeometry[] {
  const worlds = worldsOf(cornersOf(geometry))
  if (worlds.length === 1 && worlds[0] === 0) return [geometry]
  return worlds.flatMap((world) => pieceOf(geometry, world))
}

function pieceOf(geometry: DrawnGeometry, world: number): DrawnGeometry[] {
  if (geometry.type === 'Point') {
    const [coordinates = []] = withinWorld([geometry.coordinates], world)
    return [{ type: 'Point', coordinates }]
  }
  const [west, south, east, north] = boxOfWorld(world)
  if (geometry.type === 'LineString')
    return clipPolyline(geometry.coordinates as [number, number][], [west, south, east, north]).map(
      (path) => ({
        type: 'LineString',
        coordinates: rounded(withinWorld(path, world)),
      }),
    )
  const box: [number, number][] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return intersection(geometry.coordinates as Geom, [box]).flatMap(([ring = []]) => ({
    type: 'Polygon',
    coordinates: [rounded(withinWorld(ring, world))],
  }))
}

/** The drawing engine accepts nine decimals. */
function rounded(path: readonly Position[]): Position[] {
  const round = (degrees: number) => Math.round(degrees * 1e9) / 1e9
  return path.map(([lng = 0, lat = 0]) => [round(lng), round(lat)])
}
