import { z } from 'zod'
import { day, featureBase, featureId, text } from '#domain/features/common.schema.ts'
import { operationalStatuses } from '#domain/features/kinds.ts'
import { assetTypes } from './asset-types.ts'

/** Section 3 of the specification. */
export const assetFields = z.object({
  name: text(300),
  description: text(20_000),
  type: z.enum(assetTypes).nullable(),
  status: z.enum(operationalStatuses),
  parcelId: featureId.nullable(),
  installDate: day.nullable(),
  lastMaintenance: day.nullable(),
  /** Newest first. */
  maintenanceHistory: z.array(z.object({ date: day, description: text(2_000) })),
})
export type AssetFields = z.infer<typeof assetFields>

export const asset = featureBase.extend({ kind: z.literal('asset'), ...assetFields.shape })
export type Asset = z.infer<typeof asset>
