import { z } from 'zod'
import { metadataName } from '../values/common.schema.ts'

/** A name under which features of a map keep what a file said beyond the fields we know. */
export const metadataNameCount = z.object({
  name: metadataName,
  /** How many features have a value of it. */
  features: z.number().int().min(1),
})
export type MetadataName = z.infer<typeof metadataNameCount>

/** By name. While they are counted, they are those that were found so far. */
export const metadataNames = z.object({ items: z.array(metadataNameCount), isComplete: z.boolean() })
export type MetadataNames = z.infer<typeof metadataNames>
