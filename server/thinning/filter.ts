import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { type ColumnWords, columnWordsOf, typesByKind } from '#domain/features/filters.ts'
import { datedKinds } from '#domain/features/kind-traits.ts'

/** Values are absolute, so that an address always means the same tile. */
export type TileFilter = {
  kinds: FeatureKind[]
  types: string[]
  since: string | undefined
  /** Filters without stored ranks: features are thinned when the tile is read. */
  columns?: ColumnWords
}

export type KindCondition = {
  kind: FeatureKind
  types: string[] | null
  since: string | null
  columns: ColumnWords
}

export type IncidentDays = { first: number; last: number } | null

const dayMs = 86_400_000

/**
 * The normal form of a filter: filters with the same result share one tile. A day before all incidents
 * excludes nothing, and all days after them exclude the same.
 */
export function canonicalFilter(
  { kinds, types, since, columns = {} }: TileFilter,
  days: IncidentDays,
): TileFilter {
  const isWanted = (kind: FeatureKind) => kinds.length === 0 || kinds.includes(kind)
  const isOfAll = featureKinds.every(isWanted)
  const typesOfKind = typesByKind(types)
  return {
    kinds: isOfAll ? [] : featureKinds.filter(isWanted),
    types: featureKinds.flatMap((kind) => (isWanted(kind) && typesOfKind[kind]) || []).toSorted(),
    since: days && since !== undefined && datedKinds.some(isWanted) ? canonicalSince(since, days) : undefined,
    columns: columnWordsOf(columns),
  }
}

function canonicalSince(since: string, { first, last }: NonNullable<IncidentDays>): string | undefined {
  const start = Date.parse(since)
  if (start <= first * dayMs) return undefined
  return new Date(Math.min(start, (last + 1) * dayMs)).toISOString()
}

/** One condition per kind: types and dates restrict only their own kind. */
export function conditionsOfFilter({ kinds, types, since, columns = {} }: TileFilter): KindCondition[] {
  const typesOfKind = typesByKind(types)
  return featureKinds
    .filter((kind) => kinds.length === 0 || kinds.includes(kind))
    .map((kind) => ({
      kind,
      types: typesOfKind[kind],
      since: since !== undefined && datedKinds.includes(kind) ? since : null,
      columns: columnWordsOf(columns),
    }))
}
