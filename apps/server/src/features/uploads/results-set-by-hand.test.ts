import { getRunResults } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('a result that a user sets after its tests failed', () => {
  it.each([
    ['PUT', (runId: string) => `/v1/runs/${runId}/results/WEB-1`, { status: 'passed' }],
    [
      'POST',
      (runId: string) => `/v1/runs/${runId}/results/bulk`,
      { results: [{ test_case_id: 'WEB-1', status: 'passed' }] },
    ],
  ] as const)('is decided only by tests that are uploaded later, with %s', async (method, path, body) => {
    const { run, token, uploadTests, link, listRunTests } = await makeTestsScenario(server, 1)
    const status = async () => (await getRunResults(server, run.id, token)).get('WEB-1')?.status
    await uploadTests([makeTest('WEB-1 test that is removed later', ['failed'])])
    expect(await status()).toBe('failed')
    await server.request(method, path(run.id), { token, body })
    await uploadTests([makeTest('WEB-1 another test')])
    expect(await status()).toBe('passed')
    await uploadTests([makeTest('WEB-1 another test', ['blocked'])])
    expect(await status()).toBe('blocked')
    await uploadTests([makeTest('WEB-1 another test')])
    expect(await status()).toBe('passed')
    // Deriving results again after a link has changed does not bring it back either.
    await uploadTests([makeTest('third test')])
    const third = (await listRunTests()).data.find(({ name }) => name === 'third test')
    await link(third?.id ?? '', 'WEB-1')
    expect(await status()).toBe('passed')
  })
})
