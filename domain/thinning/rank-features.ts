import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import { alwaysHidden, type Candidate, priorityOf, RepresentativeSearch } from './representatives.ts'

export type RankedFeature = {
  id: string
  kind: FeatureKind
  shape: FeatureShape
  type: string | null
  date: number | null
  size: number
  morton: number
}

export type Ranks = { min_zoom: number; type_min_zoom: number | null }

export const groupOf = ({ kind, shape }: RankedFeature) => `${kind} ${shape}`
export const typeGroupOf = (feature: RankedFeature) =>
  feature.type === null ? null : `${groupOf(feature)} ${feature.type}`

type Entry = Candidate & { index: number }

const unranked = 255

/** Features can be added in any order. Needs a hundred bytes per feature: a hundred megabytes for a million. */
export class MapRanking {
  private readonly ids: string[] = []
  private mortons = new Float64Array(1024)
  private priorities = new Float64Array(1024)
  private groups = new Uint16Array(1024)
  private typeGroups = new Uint16Array(1024)
  private previousZooms = new Uint8Array(2048)
  private readonly groupNumbers = new Map<string, number>()
  private minZooms = new Uint8Array()
  private typeMinZooms = new Uint8Array()

  /** `previous` is null for a new feature. Returns the feature's number, from 0. */
  add(feature: RankedFeature, previous: Ranks | null): number {
    const index = this.ids.length
    if (index === this.mortons.length) this.grow()
    this.ids.push(feature.id)
    this.previousZooms[2 * index] = previous?.min_zoom ?? unranked
    this.previousZooms[2 * index + 1] = previous?.type_min_zoom ?? unranked
    this.mortons[index] = feature.morton
    this.priorities[index] = priorityOf(feature)
    this.groups[index] = this.numberOf(groupOf(feature))
    this.typeGroups[index] = this.numberOf(typeGroupOf(feature))
    return index
  }

  get size() {
    return this.ids.length
  }

  rank() {
    const { ids, mortons, priorities } = this
    const order = new Uint32Array(ids.length).map((_, index) => index)
    order.sort((one, other) => (mortons[one] as number) - (mortons[other] as number))
    const ranksIn = (groups: Uint16Array) => {
      const zooms = new Uint8Array(ids.length).fill(alwaysHidden)
      const contests = Array.from({ length: this.groupNumbers.size + 1 }, () => {
        return new RepresentativeSearch<Entry>(({ index }, zoom) => {
          zooms[index] = zoom
        })
      })
      for (const index of order) {
        const group = groups[index] as number
        if (group === 0) continue
        const [id, morton, priority] = [
          ids[index] as string,
          mortons[index] as number,
          priorities[index] as number,
        ]
        contests[group]?.add({ id, morton, priority, index })
      }
      for (const contest of contests) contest.finish()
      return zooms
    }
    this.minZooms = ranksIn(this.groups)
    this.typeMinZooms = ranksIn(this.typeGroups)
  }

  *changes(): Generator<{ id: string } & Ranks> {
    for (const [index, id] of this.ids.entries()) {
      const [zoom, typeZoom] = this.previousZooms.subarray(2 * index, 2 * index + 2)
      const ranks = this.ranksOf(index)
      const isSame = zoom === ranks.min_zoom && typeZoom === (ranks.type_min_zoom ?? unranked)
      if (zoom !== unranked && !isSame) yield { id, ...ranks }
    }
  }

  ranksOf(index: number): Ranks {
    return {
      min_zoom: this.minZooms[index] as number,
      type_min_zoom: this.typeGroups[index] === 0 ? null : (this.typeMinZooms[index] as number),
    }
  }

  private numberOf(group: string | null): number {
    if (group === null) return 0
    const number = this.groupNumbers.get(group)
    if (number !== undefined) return number
    this.groupNumbers.set(group, this.groupNumbers.size + 1)
    return this.groupNumbers.size
  }

  private grow() {
    const length = this.mortons.length * 2
    const longer = <Values extends Float64Array | Uint16Array | Uint8Array>(
      values: Values,
      made: Values,
    ): Values => {
      made.set(values)
      return made
    }
    this.mortons = longer(this.mortons, new Float64Array(length))
    this.priorities = longer(this.priorities, new Float64Array(length))
    this.groups = longer(this.groups, new Uint16Array(length))
    this.typeGroups = longer(this.typeGroups, new Uint16Array(length))
    this.previousZooms = longer(this.previousZooms, new Uint8Array(length * 2))
  }
}

export function rankFeatures(features: readonly RankedFeature[]): Ranks[] {
  const ranking = new MapRanking()
  for (const feature of features) ranking.add(feature, null)
  ranking.rank()
  return features.map((_, index) => ranking.ranksOf(index))
}

export const firstZooms = (features: readonly RankedFeature[]): number[] =>
  rankFeatures(features).map((ranks) => ranks.min_zoom)
