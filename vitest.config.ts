import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    // Two cores: more workers only make the servers under test wait for each other.
    maxWorkers: 2,
    // Each of the tests that run side by side starts processes of its own: two of them keep both cores busy.
    maxConcurrency: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
