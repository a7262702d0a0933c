import { type FeatureShape, featureShapes } from '#domain/definition/kinds.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'

// A map as collections: one for each kind and shape, as most programs take all features of one for the same shape.

export type Collection = { id: string; title: string; kind: DefinedKind; shape: FeatureShape }

const names: Record<DefinedKind, string> = {
  parcel: 'parcels',
  asset: 'assets',
  incident: 'incidents',
  feature: 'items',
}
const shapeNames: Record<FeatureShape, string> = { point: 'points', line: 'lines', polygon: 'areas' }

/** Every collection that a map can have. What a kind is drawn as, if that is one shape alone, goes without saying. */
const all: readonly Collection[] = (Object.keys(names) as DefinedKind[]).flatMap((kind) => {
  const { label, shapes } = definitions[kind]
  const isUsual = (shape: FeatureShape) => shapes.length === 1 && shape === shapes[0]
  return featureShapes.map((shape) => ({
    id: isUsual(shape) ? names[kind] : `${names[kind]}.${shapeNames[shape]}`,
    title: isUsual(shape) ? label.many : `${label.many} (${shapeNames[shape]})`,
    kind,
    shape,
  }))
})

export const findCollection = (id: string): Collection | undefined => all.find((one) => one.id === id)

export const isIn = ({ kind, shape }: Collection, row: FeatureColumns): boolean =>
  kindOfRow(row) === kind && row.shape === shape

export const filterOf = ({ kind, shape }: Collection): FeatureFilter =>
  kind === 'feature'
    ? { isGeneral: true, shape: [shape] }
    : { kind: [kind], isGeneral: false, shape: [shape] }

/**
 * Those that are listed: what people draw on any map, empty or not, and whatever else is on this one. General features are
 * on few maps.
 */
export function listedCollections(isThere: (collection: Collection) => boolean): Collection[] {
  return all.filter((collection) => {
    const { kind, shape } = collection
    const shapes: readonly FeatureShape[] = definitions[kind].shapes
    return (kind !== 'feature' && shapes.includes(shape)) || isThere(collection)
  })
}

/** The property that says when a feature was. */
export const instantOf = ({ kind }: Collection): string | null =>
  kind === 'incident' || kind === 'feature' ? 'date' : null
