import { defineConfig } from 'vitest/config'

import { specificationTags } from './apps/server/test/spec/specification.ts'

/** Tests read the packages' sources, so that a stale build can never make one pass. */
const fromSource = {
  resolve: { conditions: ['caseward-source'] },
  ssr: { resolve: { conditions: ['caseward-source'] } },
}

export default defineConfig({
  test: {
    tags: specificationTags,
    // Tests wait for PostgreSQL and for other processes as much as they compute, so three to two cores; the database's
    // connections allow no more.
    maxWorkers: 3,
    projects: [
      {
        ...fromSource,
        test: {
          name: 'packages',
          isolate: false,
          include: ['packages/*/src/**/*.test.ts'],
          exclude: ['packages/embedded-postgres/**'],
          // Property tests compute for seconds where the machine is busy.
          testTimeout: 30_000,
        },
      },
      {
        ...fromSource,
        test: {
          name: 'server',
          // Files share a worker's modules, of which none has state: loading them anew took as long as the tests.
          isolate: false,
          include: [
            'apps/server/src/**/*.test.ts',
            'apps/server/test/**/*.test.ts',
            'packages/embedded-postgres/src/**/*.test.ts',
          ],
          globalSetup: ['packages/test-support/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...fromSource,
        test: {
          name: 'e2e',
          isolate: false,
          include: ['e2e/cli/*.test.ts', 'e2e/reporters/*.test.ts'],
          globalSetup: ['packages/test-support/src/global-setup.ts', 'e2e/reporters/pack-packages.ts'],
          // A framework is installed from the registry, and started as a program of its own.
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
