import type { BaseMap } from '#domain/map-configuration/map-constants.ts'

export type BaseMapChoice = {
  offered: readonly BaseMap[]
  preferred: BaseMap
  chosen: BaseMap | undefined
}

/** What is not offered cannot be chosen. */
export function chosenBaseMap({ offered, preferred, chosen }: BaseMapChoice): BaseMap {
  return chosen && offered.includes(chosen) ? chosen : preferred
}
