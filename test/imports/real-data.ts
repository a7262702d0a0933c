import { describe } from 'vitest'
import { hasRealData, realDataFolder } from './real-data-files.ts'

/**
 * Skips without real data, except on CI, where it fails. `body` runs in both cases: read files in tests or
 * `beforeAll`.
 */
export function describeWithRealData(name: string, body: () => void): void {
  const message = `${name}: no real data in ${realDataFolder} (REAL_DATA_DIR names another folder)`
  if (!hasRealData && process.env.CI) throw new Error(message)
  describe.skipIf(!hasRealData)(hasRealData ? name : message, body)
}
