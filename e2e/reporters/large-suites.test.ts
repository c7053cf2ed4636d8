import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { createScenario } from './scenario.ts'
import { attemptAt, report } from './suite.ts'

const server = useSharedServer()

describe('a reporter of a large suite', () => {
  it('stores the results of two tests among 10,000 whose ids are not in the run', async () => {
    const scenario = await createScenario(server, 2)
    const unknown = Array.from({ length: 10_000 }, (_, index) => attemptAt(`WEB-${index + 100}`))
    const { lines } = await report({
      env: scenario.env,
      attempts: [attemptAt('WEB-1'), ...unknown, attemptAt('WEB-2')],
    })
    expect(lines).toEqual([
      expect.stringContaining('stored 2 results (2 passed)'),
      expect.stringContaining('10000 tests match no test case'),
      expect.stringContaining('10000 test cases are not in the run'),
    ])
  })

  it('stores notes of 30 MB in several uploads', async () => {
    const scenario = await createScenario(server, 500)
    const note = 'x'.repeat(60_000)
    const attempts = Array.from({ length: 500 }, (_, index) =>
      attemptAt(`WEB-${index + 1}`, { status: 'failed', errors: [{ message: note }] }),
    )
    const { lines } = await report({ env: scenario.env, attempts })
    expect(lines).toEqual([expect.stringContaining('stored 500 results (500 failed)')])
  })
})
