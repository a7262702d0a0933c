import { leadOf, leads, neverALeader, type Place, zoomApart } from '#domain/thinning/leaders.ts'
import type { RankedFeature } from '#domain/thinning/rank-features.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'

// What becomes of the ranks of one group when a feature comes or goes; worked out from the few that it meets.

export type Settled = { id: string; zoom: number }
type Met = Place & { zoom: number }

export const placeOf = (feature: Omit<RankedFeature, 'shape' | 'type'>): Place => ({
  id: feature.id,
  morton: feature.morton,
  lead: leadOf(feature),
})

/**
 * A feature comes in among the leaders of the cells that it lies in. It ranks below whoever stands before it, and
 * who stands behind it leads only cells without it.
 */
export function settleArrival(arrival: Place, leaders: readonly Met[]): { zoom: number; demoted: Settled[] } {
  let zoom = 0
  const demoted: Settled[] = []
  for (const leader of leaders) {
    const apart = zoomApart(leader.morton, arrival.morton)
    if (leads(leader, arrival)) zoom = Math.max(zoom, apart)
    else demoted.push({ id: leader.id, zoom: apart })
  }
  return { zoom, demoted }
}

/**
 * A feature of this rank goes. Cell by cell, from the smallest to the largest that it led, the first of the others
 * takes over.
 */
export function settleDeparture(zoom: number, morton: number, heirs: readonly Met[]): Settled[] {
  const promoted = new Map<string, Settled>()
  let first = heirs.find((heir) => heir.zoom === neverALeader)
  for (let cell = maxTileZoom; cell >= zoom; cell--) {
    for (const heir of heirs) {
      const isOfCell = heir.zoom === cell + 1 && zoomApart(heir.morton, morton) > cell
      if (isOfCell && (!first || leads(heir, first))) first = heir
    }
    if (first) promoted.set(first.id, { id: first.id, zoom: cell })
  }
  return [...promoted.values()]
}
