import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { Pauses } from '../../database/pauses.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import type { Operation, Scene, Step } from './decide-changes.ts'
import { measurePlacedIn, readPlacedIn } from './parcel-at.queries.ts'

// The parcel of an incident or asset follows its place. So it follows the land, too: where a parcel comes, goes, or is
// drawn again, what lies there may lie on another one from then on.

/** On land with more than this they keep their parcels: a change does not last for minutes. */
const mostFollowers = 2_000
/** Of their geometries in all. */
const mostCharacters = 4_000_000

/**
 * What lets those follow whose parcel may be another one after these steps; not those for which somebody chose one. Asked
 * before anything is written, done afterwards.
 */
export async function findFollowers(scene: Scene, steps: readonly Step[]): Promise<Operation[]> {
  const { database, transaction, mapId, findParcel } = scene
  const own = new Set(steps.map(({ id }) => id))
  const followers = new Set<string>()
  const pauses = new Pauses()
  for (const shape of steps.flatMap(shapesOfLand)) {
    const box = extentOfGeometry(shape)
    const { count, characters } = await measurePlacedIn(database, transaction, mapId, box)
    if (count > mostFollowers || characters > mostCharacters) continue
    for (const row of await readPlacedIn(database, transaction, mapId, box)) {
      await pauses.pause()
      const feature = toNewFeature(row)
      if (own.has(row.id) || followers.has(row.id) || !('parcelId' in feature)) continue
      const { parcelId = null } = feature
      const parcel = await findParcel(row)
      if (parcel === 'not examined') continue
      if (parcelId === null || parcelId === parcel?.id) followers.add(row.id)
    }
  }
  const change = { parcelId: null }
  return [...followers].map((id) => ({ action: 'change', id, isExpected: () => true, change }))
}

/** How the parcel of a step lay, and lies from then on; none where its shape stays. */
function shapesOfLand({ former, next, changed }: Step): Geometry[] {
  if ((former ?? next)?.kind !== 'parcel' || !('geometry' in changed)) return []
  return [former, next].flatMap((row) => (row ? [JSON.parse(row.geometry) as Geometry] : []))
}
