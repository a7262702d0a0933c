import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One more than processors: many a test waits for a process or a time limit.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{domain,server,test,scripts,bench}/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          globalSetup: ['test/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'page', include: ['web/**/*.test.{ts,tsx}'], setupFiles: ['test/page-environment.ts'] },
      },
    ],
    // The app is loaded once in each process instead of once in each file.
    isolate: false,
    // So are the programs and threads that tests start: Node keeps there what it has compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Imports and tiles leave much behind that lives for a moment: room for it is cheaper than copying it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // A test that hangs ends; one that shares its processor with others does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
