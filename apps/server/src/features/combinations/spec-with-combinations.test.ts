import { defaultConfigurations } from '@caseward/test-support/factories'
import { afterAll } from 'vitest'

/*
 * Clients that know nothing of combinations work with a run that has them: the tests of the requests that the specification
 * describes run again, on such runs.
 */
defaultConfigurations.groups = { browser: ['chrome', 'firefox'] }
afterAll(() => {
  defaultConfigurations.groups = null
})

await import('../results/get-result.test.ts')
await import('../results/update-result.test.ts')
await import('../results/base-tested-at.test.ts')
await import('../results/bulk-update-results.test.ts')
await import('../results/list-results.test.ts')
await import('../uploads/upload-json.test.ts')
await import('../runs/single-run.test.ts')
