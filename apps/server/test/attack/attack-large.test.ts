import { beforeAll, describe, expect, it } from 'vitest'

import { LARGE_ATTACKS } from './large-attacks.ts'
import { attack, type AttackResult, getStatuses, testEndurance, TIMEOUT_MS } from './run-attacks.ts'

describe('npm run attack with large documents, with few clients', () => {
  let results: AttackResult[]
  beforeAll(async () => {
    results = await attack({ only: LARGE_ATTACKS })
  }, TIMEOUT_MS)

  testEndurance(() => results, LARGE_ATTACKS.length)

  it('stores the report with the most tests that are accepted', () => {
    expect(getStatuses(results, 'XML, 250,000 tests')).toContain('200')
  })
})
