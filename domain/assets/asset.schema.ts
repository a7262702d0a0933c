import { z } from 'zod'
import { schemasOf } from '#domain/definition/schema.ts'
import { featureBase } from '#domain/values/common.schema.ts'
import { assetDefinition } from './asset.definition.ts'

export const asset = featureBase.extend({ kind: z.literal('asset'), ...schemasOf(assetDefinition.fields) })
export type Asset = z.infer<typeof asset>
