import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Today } from '../calendar.ts'
import { footOnLine } from '../land/curves.ts'
import type { LocalFrame } from '../land/local-frame.ts'
import { distanceToRing, isInsideRing, type Point } from '../land/plane.ts'
import type { Land } from '../land/survey.ts'
import type { SamplePlan } from '../plans/sample-plan.ts'
import type { SeededRandom } from '../seeded-random.ts'

export type NewParcel = Extract<NewFeature, { kind: 'parcel' }>

/** A parcel with its place in the plane; `shortName` is how people speak of it. */
export type SitedParcel = {
  feature: NewParcel
  ring: Point[]
  road: string
  shortName: string
  isCommon: boolean
}

/** All that assets and incidents need to know of the land they are put on. */
export type SampleSite = {
  plan: SamplePlan
  land: Land
  frame: LocalFrame
  parcels: SitedParcel[]
  today: Today
}

/** A place well inside a ring; where the ring is too narrow for `marginMeters`, the roomiest place tried. */
export function placeInside(ring: readonly Point[], marginMeters: number, random: SeededRandom): Point {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  let best: { place: Point; room: number } | undefined
  for (let attempt = 0; attempt < 60; attempt++) {
    const place: Point = [
      random.between(Math.min(...xs), Math.max(...xs)),
      random.between(Math.min(...ys), Math.max(...ys)),
    ]
    const room = isInsideRing(place, ring) ? distanceToRing(place, ring) : -1
    if (room >= marginMeters) return place
    if (room > (best?.room ?? 0)) best = { place, room }
  }
  if (!best) throw new Error('No place was found inside the ring')
  return best.place
}

export function parcelAt(parcels: readonly SitedParcel[], place: Point): SitedParcel | undefined {
  return parcels.find(({ ring }) => isInsideRing(place, ring))
}

export function parcelNearest(parcels: readonly SitedParcel[], place: Point): SitedParcel {
  return parcels.reduce((best, other) =>
    distanceToRing(place, other.ring) < distanceToRing(place, best.ring) ? other : best,
  )
}

export function roadNearest(land: Land, place: Point): string {
  return land.roads.reduce((best, other) =>
    footOnLine(place, other.line).away < footOnLine(place, best.line).away ? other : best,
  ).name
}
