import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'
import { convertedFormats } from './export-format.ts'

/** A random UUID that the client chooses: a repeated request has no effect. */
export const backgroundExportId = z.uuid()

/** How far a file is: the server reads the features, then GDAL writes them. */
export const backgroundExportStates = ['waiting', 'reading', 'writing', 'done', 'failed'] as const
export type BackgroundExportState = (typeof backgroundExportStates)[number]

export const isBeingWritten = (state: BackgroundExportState) => state !== 'done' && state !== 'failed'

/** A file lies on the server for so long. */
export const exportRetentionMs = 86_400_000

/** The most exports of one user and map. */
export const mostExportsOfPerson = 5

export const backgroundExport = z.object({
  id: backgroundExportId,
  format: z.enum(convertedFormats),
  fileName: z.string(),
  state: z.enum(backgroundExportStates),
  /** Features that have been read, of so many as there were when it was asked for. */
  rows: z.number().int(),
  total: z.number().int(),
  /** Size of the file; null until it is written. */
  bytes: z.number().int().nullable(),
  /** Why there is none. */
  problem: z.string().nullable(),
  startedAt: instant,
  /** Until then the file can be fetched; null while it is being written. */
  keptUntil: instant.nullable(),
})
export type BackgroundExport = z.infer<typeof backgroundExport>

export const backgroundExports = z.object({ items: z.array(backgroundExport) })
export type BackgroundExports = z.infer<typeof backgroundExports>
