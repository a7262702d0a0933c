import type { Geometry, Position } from '../geometry.schema.ts'
import { extentOfGeometry } from '../measure-geometry.ts'
import { scaleAt } from '../scale.ts'
import { type CornerKey, cornerKey, mapPaths, pathsOf, roundPosition } from './corners.ts'
import { Draft, moveCorner } from './edit-corners.ts'
import { type Shape, type ShapeEdit, type ShapeGraph, ShapeRefusal } from './shape-graph.ts'

// Operations on whole shapes, their parts and holes. Neighbors stay as they are.

type Type = Geometry['type']
const isMulti = (type: Type) => type.startsWith('Multi')

/** Each point, line or area of a shape, with its holes. */
function partsOf({ type, coordinates }: Geometry): Geometry[] {
  if (!isMulti(type)) return [{ type, coordinates } as Geometry]
  const single = type.slice('Multi'.length)
  return (coordinates as Position[]).map(
    (part) => ({ type: single, coordinates: part }) as unknown as Geometry,
  )
}

function joined(parts: readonly Geometry[]): Geometry {
  const [first] = parts
  if (!first || parts.length === 1) return first as Geometry
  return { type: `Multi${first.type}`, coordinates: parts.map((part) => part.coordinates) } as Geometry
}

const hasCorner = (geometry: Geometry, corner: CornerKey) =>
  pathsOf(geometry).some(({ corners }) => corners.some((one) => cornerKey(one) === corner))

/** Whether the corner of a shape belongs to a hole, or to one of several parts. */
export function placeOf(geometry: Geometry, corner: CornerKey): 'hole' | 'part' | null {
  const parts = partsOf(geometry)
  const part = parts.find((one) => hasCorner(one, corner))
  if (!part) return null
  const isOnHole = pathsOf(part)
    .slice(1)
    .some(({ corners }) => corners.some((one) => cornerKey(one) === corner))
  return part.type === 'Polygon' && isOnHole ? 'hole' : parts.length > 1 ? 'part' : null
}

/** Removes the hole that has the corner. */
export function removeHole(graph: ShapeGraph, id: string, corner: CornerKey): ShapeEdit {
  const shape = graph.shape(id)
  if (placeOf(shape.geometry, corner) !== 'hole') throw new ShapeRefusal('There is no hole at this corner.')
  const isHole = (ring: readonly Position[], index: number) =>
    index > 0 && ring.some((one) => cornerKey(one) === corner)
  const parts = partsOf(shape.geometry).map((part) =>
    part.type === 'Polygon'
      ? { ...part, coordinates: part.coordinates.filter((ring, index) => !isHole(ring, index)) }
      : part,
  )
  return replaced(graph, { ...shape, geometry: joined(parts) })
}

/** Removes the part that has the corner from a shape of several parts, and returns it. */
export function removePart(
  graph: ShapeGraph,
  id: string,
  corner: CornerKey,
): { edit: ShapeEdit; part: Geometry } {
  const shape = graph.shape(id)
  const parts = partsOf(shape.geometry)
  const part = parts.find((one) => hasCorner(one, corner))
  if (!part || parts.length < 2) throw new ShapeRefusal(`${shape.name} has no other part.`)
  const geometry = joined(parts.filter((one) => one !== part))
  return { edit: replaced(graph, { ...shape, geometry }), part }
}

/** Adds an area. The ring need not be closed. */
export function addPart(graph: ShapeGraph, id: string, ring: readonly Position[]): ShapeEdit {
  const shape = graph.shape(id)
  if (ring.length < 3) throw new ShapeRefusal('A part needs at least 3 corners.')
  const corners = ring.map(roundPosition)
  const part: Geometry = { type: 'Polygon', coordinates: [[...corners, corners[0] as Position]] }
  return replaced(graph, { ...shape, geometry: joined([...partsOf(shape.geometry), part]) })
}

/** Meters, and degrees clockwise around the middle of the shape. */
export type Transform = { east: number; north: number; clockwise: number }

/** Moves and rotates one shape, without its neighbors. */
export function transformShape(
  graph: ShapeGraph,
  id: string,
  { east, north, clockwise }: Transform,
): ShapeEdit {
  const shape = graph.shape(id)
  const [middleLng, middleLat] = middleOf(shape)
  const [perLng, perLat] = scaleAt(middleLat)
  const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((clockwise * Math.PI) / 180)) as [number, number]
  const geometry = mapPaths(shape.geometry, ({ corners }) =>
    corners.map(([lng, lat, ...rest]) => {
      const [x, y] = [(lng - middleLng) * perLng, (lat - middleLat) * perLat]
      return roundPosition([
        middleLng + (x * cosine + y * sine + east) / perLng,
        middleLat + (y * cosine - x * sine + north) / perLat,
        ...rest,
      ])
    }),
  )
  return replaced(graph, { ...shape, geometry: geometry as Geometry })
}

export function middleOf({ geometry }: Pick<Shape, 'geometry'>): [lng: number, lat: number] {
  const { west, south, east, north } = extentOfGeometry(geometry)
  return [(west + east) / 2, (south + north) / 2]
}

/** Sharper turns are corners of a lot, and straightening them would take much land. */
const maxBend = 0.25

/** Moves a corner onto the line between the corners beside it, in each shape that has it. */
export function straightenAt(graph: ShapeGraph, id: string, corner: CornerKey): ShapeEdit {
  for (const { corners, isRing } of pathsOf(graph.shape(id).geometry)) {
    const index = corners.findIndex((one) => cornerKey(one) === corner)
    if (index < 0) continue
    const [before, at, after] = [
      corners[isRing ? (index - 1 + corners.length) % corners.length : index - 1],
      corners[index] as Position,
      corners[isRing ? (index + 1) % corners.length : index + 1],
    ]
    if (!before || !after) break
    const [perLng, perLat] = scaleAt(at[1])
    const squeeze = perLng / perLat
    const [dx, dy] = [(after[0] - before[0]) * squeeze, after[1] - before[1]]
    const [x, y] = [(at[0] - before[0]) * squeeze, at[1] - before[1]]
    const share = (x * dx + y * dy) / (dx * dx + dy * dy)
    if (!(share > 0 && share < 1)) break
    const offset = Math.hypot(x - dx * share, y - dy * share)
    if (offset > maxBend * Math.hypot(dx, dy))
      throw new ShapeRefusal('The border turns too much here to be straightened. Delete the corner instead.')
    return moveCorner(graph, corner, [before[0] + (dx * share) / squeeze, before[1] + dy * share])
  }
  throw new ShapeRefusal('This corner does not lie between two others.')
}

function replaced(graph: ShapeGraph, shape: Shape): ShapeEdit {
  const draft = new Draft(graph)
  draft.set(shape)
  return draft.finish()
}
