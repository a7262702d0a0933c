import { featureKinds, featureShapes } from '#domain/definition/kinds.ts'
import { type Filters, readFilters } from '#domain/features/filters.ts'
import { type BaseMap, baseMaps } from '#domain/map-configuration/map-constants.ts'
import { filledText, oneOf } from '../read-search.ts'
import type { GroupKey } from './map-variant.ts'

/** Defaults are omitted and unknown values ignored. */
export type MapSearch = Filters & {
  tab?: GroupKey | 'filters' | undefined
  select?: string | undefined
  add?: string | undefined
  off?: string | undefined
  base?: BaseMap | undefined
  text?: string | undefined
  within?: 'view' | undefined
  /** 'here' stays at the place on the map instead of going to the device's location. */
  report?: 'new' | 'here' | undefined
  asset?: string | undefined
}

export function readMapSearch(search: Record<string, unknown>): MapSearch {
  const off = layersOff(filledText(search.off, 200))
  return {
    tab: oneOf(search.tab, [...groupKeys, 'filters']),
    select: filledText(search.select, 120),
    add: filledText(search.add, 120),
    off: off.length > 0 ? off.join(',') : undefined,
    ...readFilters(search, true),
    base: oneOf(search.base, baseMaps),
    text: filledText(search.text, 200),
    within: oneOf(search.within, ['view']),
    report: oneOf(search.report, ['new', 'here']),
    asset: filledText(search.asset, 120),
  }
}

const groupKeys = [...featureKinds, ...featureShapes] as const

export function layersOff(off: string | undefined): GroupKey[] {
  const named = off?.split(',') ?? []
  return groupKeys.filter((group) => named.includes(group))
}
