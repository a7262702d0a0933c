import { featureKinds, featureShapes } from '#domain/definition/kinds.ts'
import { type MapFilters, readMapFilters } from '#domain/features/filters.ts'
import { type BaseMap, baseMaps } from '#domain/map-configuration/map-constants.ts'

import type { GroupKey } from './map-variant.ts'

/**
 * What the address says beside the camera: everything that a person may want to share. What is as it is by
 * default is left out, and what nobody understands is ignored.
 */
export type MapSearch = MapFilters & {
  tab?: GroupKey | 'filters' | undefined
  select?: string | undefined
  /** The id of a record that is being added. */
  add?: string | undefined
  /** Layers switched off, comma-separated. */
  off?: string | undefined
  base?: BaseMap | undefined
  text?: string | undefined
  /** Lists show what is in view alone. */
  within?: 'view' | undefined
}

export function readMapSearch(search: Record<string, unknown>): MapSearch {
  const known = <Value extends string>(value: unknown, values: readonly Value[]) =>
    values.find((candidate) => candidate === value)
  const filled = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const off = layersOff(filled(search.off))
  return {
    tab: known(search.tab, [...groupKeys, 'filters']),
    select: filled(search.select)?.slice(0, 120),
    add: filled(search.add)?.slice(0, 120),
    off: off.length > 0 ? off.join(',') : undefined,
    ...readMapFilters(search),
    base: known(search.base, baseMaps),
    text: filled(search.text)?.slice(0, 200),
    within: known(search.within, ['view']),
  }
}

const groupKeys = [...featureKinds, ...featureShapes] as const

export function layersOff(off: string | undefined): GroupKey[] {
  const named = off?.split(',') ?? []
  return groupKeys.filter((group) => named.includes(group))
}
