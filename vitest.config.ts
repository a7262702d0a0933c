import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{domain,server,web,test,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    globalSetup: ['test/global-setup.ts'],
    maxWorkers: 2,
  },
})
