import { z } from 'zod'

// Limits of imports in the page: uploaded files must not fill the disk or occupy the server for hours.

export type ImportLimits = {
  maxBytes: number
  maxUnpackedBytes: number
  maxRatio: number
  maxEntries: number
  maxFeatures: number
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
  maxBytes: settings.IMPORT_MAX_MB * megabyte,
  maxUnpackedBytes: settings.IMPORT_MAX_UNPACKED_MB * megabyte,
  maxRatio: settings.IMPORT_MAX_RATIO,
  maxEntries: settings.IMPORT_MAX_ENTRIES,
  maxFeatures: settings.IMPORT_MAX_FEATURES,
  quotaBytes: (settings.IMPORT_QUOTA_MB ?? Math.max(4_096, 4 * settings.IMPORT_MAX_MB)) * megabyte,
})

export const usualImportLimits = importLimitsOf(z.object(importLimitSettings).parse({}))
