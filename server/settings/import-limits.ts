import { z } from 'zod'

// Limits of imports in the page: uploaded files must not fill the disk or occupy the server for hours.

export type ImportLimits = {
  mostBytes: number
  mostUnpackedBytes: number
  mostRatio: number
  mostEntries: number
  mostFeatures: number
  quotaBytes: number
}

const megabyte = 1024 * 1024
const atLeastOne = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

export const importLimitSettings = {
  // Larger files would have more pieces than the database can record.
  IMPORT_MAX_MB: atLeastOne(200).pipe(z.number().max(10_240)),
  IMPORT_MAX_UNPACKED_MB: atLeastOne(2_048),
  IMPORT_MAX_RATIO: atLeastOne(200),
  IMPORT_MAX_ENTRIES: atLeastOne(1_000),
  IMPORT_MAX_FEATURES: atLeastOne(5_000_000),
  IMPORT_QUOTA_MB: z.coerce.number().int().min(1).optional(),
}
type ImportLimitSettings = z.infer<z.ZodObject<typeof importLimitSettings>>

export const importLimitsOf = (settings: ImportLimitSettings): ImportLimits => ({
  mostBytes: settings.IMPORT_MAX_MB * megabyte,
  mostUnpackedBytes: settings.IMPORT_MAX_UNPACKED_MB * megabyte,
  mostRatio: settings.IMPORT_MAX_RATIO,
  mostEntries: settings.IMPORT_MAX_ENTRIES,
  mostFeatures: settings.IMPORT_MAX_FEATURES,
  quotaBytes: (settings.IMPORT_QUOTA_MB ?? Math.max(4_096, 4 * settings.IMPORT_MAX_MB)) * megabyte,
})

export const usualImportLimits = importLimitsOf(z.object(importLimitSettings).parse({}))
