import type { RankedFeature } from '#domain/thinning/rank-features.ts'
import {
  alwaysHidden,
  type Candidate,
  precedes,
  priorityOf,
  zoomApart,
} from '#domain/thinning/representatives.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'

export type RankChange = { id: string; zoom: number }
type Met = Candidate & { zoom: number }

export const candidateOf = (feature: Omit<RankedFeature, 'shape' | 'type'>): Candidate => ({
  id: feature.id,
  morton: feature.morton,
  priority: priorityOf(feature),
})

/** `representatives` are those of the cells around the new feature, which takes over cells from them. */
export function adjustForArrival(
  arrival: Candidate,
  representatives: readonly Met[],
): { zoom: number; demoted: RankChange[] } {
  let zoom = 0
  const demoted: RankChange[] = []
  for (const representative of representatives) {
    const apart = zoomApart(representative.morton, arrival.morton)
    if (precedes(representative, arrival)) zoom = Math.max(zoom, apart)
    else demoted.push({ id: representative.id, zoom: apart })
  }
  return { zoom, demoted }
}

/** In each cell, from the smallest to the largest, the first of the others becomes the representative. */
export function adjustForDeparture(zoom: number, morton: number, candidates: readonly Met[]): RankChange[] {
  const promoted = new Map<string, RankChange>()
  let first = candidates.find((candidate) => candidate.zoom === alwaysHidden)
  for (let cell = maxTileZoom; cell >= zoom; cell--) {
    for (const candidate of candidates) {
      const isOfCell = candidate.zoom === cell + 1 && zoomApart(candidate.morton, morton) > cell
      if (isOfCell && (!first || precedes(candidate, first))) first = candidate
    }
    if (first) promoted.set(first.id, { id: first.id, zoom: cell })
  }
  return [...promoted.values()]
}
