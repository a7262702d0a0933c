import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** Made up by the page, which says it each time. */
export const pageId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits in small letters')

export const openPage = z.strictObject({ isEditing: z.boolean() })

/** Somebody who has a record open, on however many pages. */
export const recordReader = z.object({
  name: z.string(),
  /** Whoever asks, on another page. */
  isSelf: z.boolean(),
  isEditing: z.boolean(),
  since: instant,
})
export type RecordReader = z.infer<typeof recordReader>

/** Whoever edits first, then who came first. */
export const recordReaders = z.object({ others: z.array(recordReader) })
export type RecordReaders = z.infer<typeof recordReaders>
