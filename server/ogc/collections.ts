import { type FeatureShape, featureShapes } from '#domain/definition/kinds.ts'
import { type DefinedKind, definitions, hasField } from '#domain/features/definitions.ts'
import { kindsBottomUp, kindTraits } from '#domain/features/kind-traits.ts'
import type { Extent } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { type Link, mediaTypes, pathOf, relations } from './addresses.ts'
import { crs84, type ReferenceSystem } from './reference-systems.ts'

// A map has one collection per kind and shape, as most programs expect all features of a collection to have
// the same shape.

export type Collection = { id: string; title: string; kind: DefinedKind; shape: FeatureShape }

const nameOf = (kind: DefinedKind) => (kind === 'feature' ? 'items' : kindTraits[kind].collection)
const shapeNames: Record<FeatureShape, string> = { point: 'points', line: 'lines', polygon: 'areas' }

/** A kind's only shape is omitted from the id. */
const all: readonly Collection[] = [...kindsBottomUp, 'feature' as const].flatMap((kind) => {
  const { label, shapes } = definitions[kind]
  const isOnlyShape = (shape: FeatureShape) => shapes.length === 1 && shape === shapes[0]
  return featureShapes.map((shape) => ({
    id: isOnlyShape(shape) ? nameOf(kind) : `${nameOf(kind)}.${shapeNames[shape]}`,
    title: isOnlyShape(shape) ? label.many : `${label.many} (${shapeNames[shape]})`,
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

/** Collections that users can draw in, and all others that are not empty. */
export function listedCollections(hasFeatures: (collection: Collection) => boolean): Collection[] {
  return all.filter((collection) => {
    const { kind, shape } = collection
    const shapes: readonly FeatureShape[] = definitions[kind].shapes
    return (kind !== 'feature' && shapes.includes(shape)) || hasFeatures(collection)
  })
}

export const instantOf = ({ kind }: Collection): string | null => (hasField({ kind }, 'date') ? 'date' : null)

const dayMs = 86_400_000

export type MapFacts = {
  address: string
  extent: Extent | null
  days: { first: number; last: number } | null
  systems: readonly ReferenceSystem[]
}

/** The extent is that of the whole map, which is stored. */
export function describeCollection(collection: Collection, { address, extent, days, systems }: MapFacts) {
  const { id, title, kind } = collection
  const link = (rel: string, path: string, type: Link['type']) => ({ rel, href: address + path, type, title })
  return {
    id,
    title,
    description: `${title} on the map.`,
    itemType: 'feature',
    extent: {
      ...(extent && {
        spatial: { bbox: [[extent.west, extent.south, extent.east, extent.north]], crs: crs84.uri },
      }),
      ...(instantOf(collection) && {
        temporal: {
          interval: [kind !== 'feature' && kindTraits[kind].isDated ? intervalOf(days) : [null, null]],
        },
      }),
    },
    crs: systems.map(({ uri }) => uri),
    storageCrs: crs84.uri,
    links: [
      link('self', pathOf.collection(id), mediaTypes.json),
      link('items', pathOf.items(id), mediaTypes.geoJson),
      link(relations.queryables, pathOf.queryables(id), mediaTypes.schema),
      link(relations.schema, pathOf.schema(id), mediaTypes.schema),
      link('describedby', pathOf.schema(id), mediaTypes.schema),
    ],
  }
}

const intervalOf = (days: MapFacts['days']) =>
  days === null
    ? [null, null]
    : [new Date(days.first * dayMs), new Date((days.last + 1) * dayMs - 1)].map((end) => end.toISOString())
