import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('POST /v1/results with create_test_cases', () => {
  it('creates 10,000 test cases', async () => {
    const { project, uploadTests, getRun } = await makeTestsScenario(server)
    const tests = Array.from({ length: 10_000 }, (_, index) =>
      makeTest(`Cart ${index % 100} > test ${index}`, ['passed'], {
        suite: `f${index % 50}.ts`,
        file: `f${index % 50}.ts`,
      }),
    )
    const { body } = await uploadTests(tests, { create_test_cases: true })
    expect([body.uploaded_count, body.tests?.created]).toEqual([10_000, 10_000])
    expect((await getRun()).stats.passed).toBe(10_000)
    await expectCorrectCounters(server, project.id)
  })
})
