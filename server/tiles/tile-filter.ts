import { typesByKind } from '#domain/features/filters.ts'
import { type FeatureKind, featureKinds } from '#domain/features/kinds.ts'

/** What a tile may leave out. Values are absolute, so that an address always means the same tile. */
export type TileFilter = { kinds: FeatureKind[]; types: string[]; since: string | undefined }

/** What is asked of the rows of one kind; null is no condition. */
export type KindCondition = { kind: FeatureKind; types: string[] | null; since: string | null }

/** One condition for each kind that is wanted: types and dates constrain only the kind they belong to. */
export function conditionsOfFilter({ kinds, types, since }: TileFilter): KindCondition[] {
  const ofKind = typesByKind(types)
  return featureKinds
    .filter((kind) => kinds.length === 0 || kinds.includes(kind))
    .map((kind) => ({
      kind,
      types: ofKind[kind],
      since: kind === 'incident' && since !== undefined ? since : null,
    }))
}
