import { z } from 'zod'
import { metadataName } from '../values/common.schema.ts'

export const metadataNameCount = z.object({
  name: metadataName,
  features: z.number().int().min(1),
})
export type MetadataName = z.infer<typeof metadataNameCount>

/** Sorted by name. While counting, the names found so far. */
export const metadataNames = z.object({ items: z.array(metadataNameCount), isComplete: z.boolean() })
export type MetadataNames = z.infer<typeof metadataNames>
