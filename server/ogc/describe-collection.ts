import type { Extent } from '../database/database.ts'
import { type Link, mediaTypes, pathOf, relations } from './addresses.ts'
import { type Collection, instantOf } from './collections.ts'
import { crs84, type ReferenceSystem } from './reference-systems.ts'

const dayMs = 86_400_000

/** What all collections of a map have in common. `address` is that of the map, `days` are those of its incidents. */
export type Land = {
  address: string
  extent: Extent | null
  days: { first: number; last: number } | null
  systems: readonly ReferenceSystem[]
}

/** What a collection is. Its extent is that of the whole map, which is kept, and holds all of it. */
export function describeCollection(collection: Collection, { address, extent, days, systems }: Land) {
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
        temporal: { interval: [kind === 'incident' ? ends(days) : [null, null]] },
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

const ends = (days: Land['days']) =>
  days === null
    ? [null, null]
    : [new Date(days.first * dayMs), new Date((days.last + 1) * dayMs - 1)].map((end) => end.toISOString())
