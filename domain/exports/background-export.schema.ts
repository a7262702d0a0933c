import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'
import { exportFormats } from './export-format.ts'

/** A random UUID that the client chooses: a repeated request has no effect. */
export const backgroundExportId = z.uuid()

/** The server reads the features, then GDAL writes the file. */
export const backgroundExportStates = ['waiting', 'reading', 'writing', 'done', 'failed'] as const
export type BackgroundExportState = (typeof backgroundExportStates)[number]

export const isBeingWritten = (state: BackgroundExportState) => state !== 'done' && state !== 'failed'

export const exportRetentionMs = 86_400_000

export const maxExportsOfPerson = 5

export const backgroundExport = z.object({
  id: backgroundExportId,
  /** Earlier versions wrote other formats in the background. */
  format: z.enum(exportFormats),
  fileName: z.string(),
  state: z.enum(backgroundExportStates),
  rows: z.number().int(),
  total: z.number().int(),
  bytes: z.number().int().nullable(),
  problem: z.string().nullable(),
  startedAt: instant,
  /** Download deadline; null while the file is being written. */
  keptUntil: instant.nullable(),
})
export type BackgroundExport = z.infer<typeof backgroundExport>

export const backgroundExports = z.object({ items: z.array(backgroundExport) })
export type BackgroundExports = z.infer<typeof backgroundExports>
