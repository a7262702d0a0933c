import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Real public records, kept beside the repository because they are too large for it.

export const realDataFolder =
  process.env.REAL_DATA_DIR ?? fileURLToPath(new URL('../../shared/data', import.meta.url))

export const hasRealData = existsSync(realDataFolder)

/** Path of a file of the real data. */
export const realDataFile = (...path: string[]) => join(realDataFolder, ...path)
