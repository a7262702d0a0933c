import { describe } from 'vitest'
import { hasRealData, realDataFolder } from './real-data-files.ts'

/**
 * Tests that need the real data: skipped where it is missing, which on CI is a failure. `body` runs in either
 * case, so files are read in tests or in `beforeAll`.
 */
export function describeWithRealData(name: string, body: () => void): void {
  const message = `${name}: no real data in ${realDataFolder} (REAL_DATA_DIR names another folder)`
  if (!hasRealData && process.env.CI) throw new Error(message)
  describe.skipIf(!hasRealData)(hasRealData ? name : message, body)
}
