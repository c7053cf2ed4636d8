import { getRunResults } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario() {
  const scenario = await makeTestsScenario(server, 2)
  const { run, token, listRunTests } = scenario
  return {
    ...scenario,
    status: async (runId = run.id) => (await getRunResults(server, runId, token)).get('WEB-1')?.status,
    names: async () => (await listRunTests()).data.map(({ name }) => name),
  }
}

describe('a test that has a new title and names the same id', () => {
  it('is the known test, with its history and links', async () => {
    const { uploadTests, makeRunByKey, listTests, names, status } = await makeScenario()
    await uploadTests([makeTest('WEB-1 adds', ['failed'])])
    const [before] = (await listTests()).data
    await uploadTests([makeTest('WEB-1 adds an item')])
    expect([await status(), await names()]).toEqual(['passed', ['WEB-1 adds an item']])
    const next = await makeRunByKey('next build')
    await uploadTests([makeTest('WEB-1 adds two items')], { run_id: next.id })
    expect((await listTests()).data.map(({ id, name, test_case_ids: ids }) => ({ id, name, ids }))).toEqual([
      { id: before?.id, name: 'WEB-1 adds two items', ids: ['WEB-1'] },
    ])
  })

  it('keeps its newer title and result when an older report comes later', async () => {
    const { uploadTests, listTests, status } = await makeScenario()
    await uploadTests([makeTest('WEB-1 adds an item')], { finished_at: '2026-11-21T10:01:00Z' })
    await uploadTests([makeTest('WEB-1 adds', ['failed'])], { finished_at: '2026-11-21T10:00:00Z' })
    expect(await status()).toBe('passed')
    expect((await listTests()).data.map(({ name }) => name)).toEqual(['WEB-1 adds an item'])
  })

  it.each([
    ['the upload still has the known test', [makeTest('WEB-1 adds', ['failed'])], {}],
    ['two new tests name the id', [makeTest('WEB-1 adds b')], {}],
    ['it is in another file', [], { file: 'src/shop.test.ts', suite: 'src/shop.test.ts' }],
    ['it has another variant', [], { variant: 'firefox' }],
    ['it names another id too', [], { test_case_ids: ['WEB-1', 'WEB-2'] }],
  ])('is another test when %s', async (_what, others, fields) => {
    const { uploadTests, status } = await makeScenario()
    await uploadTests([makeTest('WEB-1 adds', ['failed'])])
    await uploadTests([makeTest('WEB-1 adds an item', ['passed'], fields), ...others])
    expect(await status()).toBe('failed')
  })

  it('is another test when another job reported the known one', async () => {
    const { uploadTests, status } = await makeScenario()
    await uploadTests([makeTest('WEB-1 adds', ['failed'])], { job: 'unit' })
    await uploadTests([makeTest('WEB-1 adds an item')], { job: 'e2e' })
    expect(await status()).toBe('failed')
  })
})
