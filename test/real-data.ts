import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'

// Real public records, kept beside the repository because they are too large for it.

const folder = process.env.REAL_DATA_DIR ?? fileURLToPath(new URL('../../shared/data', import.meta.url))

/** Path of a file of the real data. */
export const realDataFile = (...path: string[]) => join(folder, ...path)

/**
 * Tests that need the real data: skipped where it is missing, which on CI is a failure. `body` runs in either
 * case, so files are read in tests or in `beforeAll`.
 */
export function describeWithRealData(name: string, body: () => void): void {
  const isThere = existsSync(folder)
  const message = `${name}: no real data in ${folder} (REAL_DATA_DIR names another folder)`
  if (!isThere && process.env.CI) throw new Error(message)
  describe.skipIf(!isThere)(isThere ? name : message, body)
}
