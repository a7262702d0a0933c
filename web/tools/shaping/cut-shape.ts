import { splitShape } from '#domain/geometry/borders/divide-shapes.ts'
import {
  editsInTurn,
  type Shape,
  type ShapeEdit,
  type ShapeGraph,
} from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { newFileId } from '#web/api/files.api.ts'
import { nameOfPiece, namesIn, shapesIn } from './shape-words.ts'

/** The line that divides the rest of a shape. */
export type Cut = (shape: Shape) => readonly Position[]

/** Cuts the rest of a shape by one line after the other. Throws a ShapeRefusal. */
export function cutShape(
  graph: ShapeGraph,
  { id, name }: Shape,
  cuts: readonly Cut[],
): { edit: ShapeEdit; rest: Shape; added: Shape[] } {
  const taken = namesIn(graph)
  const cutBy = (cut: Cut) => (): ShapeEdit => {
    const { edit, pieces } = splitShape(graph, id, cut(graph.shape(id)))
    const named = pieces.map((geometry) => {
      const after = { id: newFileId(), name: nameOfPiece(name, taken), geometry }
      return [after.id, { before: null, after }] as const
    })
    return new Map([...edit, ...named])
  }
  const edit = editsInTurn(graph, cuts.map(cutBy))
  const added = shapesIn(edit).filter((shape) => edit.get(shape.id)?.before === null)
  return { edit, rest: edit.get(id)?.after ?? graph.shape(id), added }
}
