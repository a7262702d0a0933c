import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { startsBundledPrograms } from './test/server/bundled-programs.ts'

/** They run only in `npm run test:long`. */
const clusterTests = ['test/cluster/failures.test.ts', 'test/cluster/upgrade.test.ts']

export default defineConfig({
  test: {
    // One more than processors, as tests also wait for processes and timers.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        plugins: [startsBundledPrograms],
        test: {
          name: 'server',
          include: ['{domain,server,test,scripts,bench}/**/*.test.ts'],
          exclude: ['test/e2e/**', ...clusterTests],
          globalSetup: ['test/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: clusterTests,
          // One after the other and after all others, because they measure pauses.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['web/**/*.test.{ts,tsx}'],
          setupFiles: ['test/page/page-environment.ts'],
          // The page has one store each for its connection, session and unsaved work.
          isolate: true,
        },
      },
    ],
    // Loads the app once per process instead of once per file.
    isolate: false,
    // Compile cache for the programs and threads that tests start.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Imports and tiles make much short-lived garbage: a larger young generation is cheaper than copying.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Ends a test that hangs, not one that is slow on a busy processor.
    testTimeout: process.env.TEST_LONG ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
  },
})
