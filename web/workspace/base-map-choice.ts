import type { BaseMap } from '#domain/map-configuration/map-constants.ts'

export type BaseMapChoice = {
  offered: readonly BaseMap[]
  preferred: BaseMap
  chosen: BaseMap | undefined
}

/** Falls back to the preferred base map if the chosen one is not offered. */
export function chosenBaseMap({ offered, preferred, chosen }: BaseMapChoice): BaseMap {
  return chosen && offered.includes(chosen) ? chosen : preferred
}
