import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

/** Not a part of `npm test`, because it builds another version first: `npm run test:upgrade`. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  resolve: { conditions: ['caseward-source'] },
  ssr: { resolve: { conditions: ['caseward-source'] } },
  test: {
    include: ['e2e/upgrade/*.test.ts'],
    globalSetup: ['packages/test-support/src/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
