import type { AssetType } from '#domain/assets/asset-types.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { AssetNature } from '../texts/upkeep-texts.ts'

/** An asset before it has a number, a status and a history. */
export type AssetDraft = {
  type: AssetType
  /** Where it is not what assets of its type mostly are. */
  nature?: AssetNature
  name: string
  description: string
  geometry: Geometry
  parcelId: string | null
}

export const usualNature: Record<AssetType, AssetNature> = {
  water: 'pipe',
  electrical: 'wire',
  road: 'roadway',
  residence: 'home',
  facility: 'building',
  recreation: 'ground',
  communication: 'wire',
}
