import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** Chosen by the page, sent each time. */
export const pageId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits in small letters')

export const openPage = z.strictObject({ isEditing: z.boolean() })

/** A user who has a record open, on any number of pages. */
export const recordReader = z.object({
  name: z.string(),
  /** The caller, on another page. */
  isSelf: z.boolean(),
  isEditing: z.boolean(),
  since: instant,
})
export type RecordReader = z.infer<typeof recordReader>

/** Editors first, then in order of opening. */
export const recordReaders = z.object({ others: z.array(recordReader) })
export type RecordReaders = z.infer<typeof recordReaders>
