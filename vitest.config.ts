import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { temporaryFolder } from './test/support/temporary-folder.ts'

// For this process too: the run's PostgreSQL keeps its data there.
process.env['TMPDIR'] = temporaryFolder()

// Settings of the person who runs the tests must not reach the commands in them.
for (const name of Object.keys(process.env)) if (name.startsWith('COUNTROOM_')) delete process.env[name]

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/databases/postgres.ts', 'test/support/databases/schema-scripts.ts'],
    setupFiles: ['test/support/each-file.ts'],
    // A worker runs one file after another with what it has loaded: to load it again for each would be a third of the CPU time.
    isolate: false,
    // Node runs the sources itself, as the program does in development: modules of Vite's runner reach every import through a getter,
    // which costs 4 to 9% of a worker's CPU time. Nothing here needs the loader, which is for mocked modules.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Twice the cores of the smallest machine: tests often wait for servers, browsers and timers. Each worker compiles what it
    // runs, and has a browser and a warm process, so six take a tenth more CPU time than four.
    maxWorkers: 4,
    // By default, short-lived objects are copied twice before they are freed. A larger young generation saves a tenth of a worker's CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // Each of the tests that run side by side starts processes of its own: two of them keep both cores busy.
    maxConcurrency: 2,
    // As every home of a test's has it: the program's compiled code is kept for all of its runs.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/countroom-compiled') },
    // What is waited for is a state and no speed: the wait ends with its test, and with less only where a test says so.
    expect: { poll: { timeout: 120_000 } },
    // Against what hangs, and far beyond what anything takes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
