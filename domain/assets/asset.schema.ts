import { z } from 'zod'
import { shapeOf } from '#domain/definition/schema.ts'
import { featureBase } from '#domain/values/common.schema.ts'
import { assetDefinition } from './asset.definition.ts'

export const asset = featureBase.extend({ kind: z.literal('asset'), ...shapeOf(assetDefinition.fields) })
export type Asset = z.infer<typeof asset>
