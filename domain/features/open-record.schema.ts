import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

export const pageId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lowercase hexadecimal digits')

export const openPage = z.strictObject({ isEditing: z.boolean() })

export const recordReader = z.object({
  name: z.string(),
  isSelf: z.boolean(),
  isEditing: z.boolean(),
  since: instant,
})
export type OtherViewer = z.infer<typeof recordReader>

export const recordReaders = z.object({ others: z.array(recordReader) })
export type OtherViewers = z.infer<typeof recordReaders>
