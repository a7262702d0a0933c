import type { AssetType } from '#domain/assets/asset-types.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'

/** An asset before it has a number, a status and a history. */
export type AssetDraft = {
  type: AssetType
  name: string
  description: string
  geometry: Geometry
  parcelId: string | null
}
