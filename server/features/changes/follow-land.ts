import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { Pauses } from '../../database/pauses.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { type ChangeContext, type Operation, parcelIdOf } from './change-context.ts'
import type { Step } from './decide-changes.ts'
import { measurePlacedIn, readPlacedIn } from './parcel-at.queries.ts'

// Incidents and assets follow their location: when a parcel is added, removed or reshaped, they may be on another one.

/** With more features on the land, or longer geometries, features keep their parcels, to limit the time of a change. */
const maxFollowers = { count: 2_000, characters: 4_000_000 }

/**
 * Operations for features whose parcel may change after these steps, unless a person chose it. Call it before the steps
 * are written and make the operations afterwards.
 */
export async function findFollowers(context: ChangeContext, steps: readonly Step[]): Promise<Operation[]> {
  const { database, transaction, mapId, parcels } = context
  const own = new Set(steps.map(({ id }) => id))
  const followers = new Set<string>()
  const pauses = new Pauses()
  for (const shape of steps.flatMap(shapesOfLand)) {
    const box = extentOfGeometry(shape)
    const { count, characters } = await measurePlacedIn(database, transaction, mapId, box)
    if (count > maxFollowers.count || characters > maxFollowers.characters) continue
    const rows = await readPlacedIn(database, transaction, mapId, box)
    const candidates = rows.filter(({ id }) => !own.has(id) && !followers.has(id))
    await parcels.prepare(candidates)
    for (const row of candidates) {
      await pauses.pause()
      const feature = toNewFeature(row)
      if (!('parcelId' in feature)) continue
      const parcel = await parcels.find(row)
      const parcelId = parcelIdOf(feature)
      if (parcel !== 'not examined' && (parcelId === null || parcelId === parcel?.id)) followers.add(row.id)
    }
  }
  const change = { parcelId: null }
  return [...followers].map((id) => ({ action: 'change', id, isExpected: () => true, change }))
}

function shapesOfLand({ before, after, changed }: Step): Geometry[] {
  if ((before ?? after)?.kind !== 'parcel' || !('geometry' in changed)) return []
  return [before, after].flatMap((feature) => feature?.geometry ?? [])
}
