import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const realDataFolder =
  process.env.REAL_DATA_DIR ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))

export const hasRealData = existsSync(realDataFolder)

export const realDataFile = (...path: string[]) => join(realDataFolder, ...path)
