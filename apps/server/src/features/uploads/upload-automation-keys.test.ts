import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

/** A run with WEB-1, which has no key, and a test case for each of the keys, from WEB-2 on. */
async function makeScenario(...keys: string[]) {
  const scenario = await makeUploadScenario(server, 1)
  for (const automation_key of keys) await makeTestCase(server, scenario.project, { automation_key })
  const all = { test_case_ids: Array.from({ length: keys.length + 1 }, (_, index) => `WEB-${index + 1}`) }
  await server.request('POST', `/v1/runs/${scenario.run.id}/test-cases`, { token: scenario.token, body: all })
  return scenario
}

const item = (test_case_id: string, status = 'passed') => ({ test_case_id, status })
const unknownKeyError = (test_case_id: string) => ({
  test_case_id,
  error:
    'This is neither a test case id, such as WEB-12, nor the automation key of a test case. Send the id, or set this automation key on the test case.',
  code: 'no_test_case_id',
})

describe('POST /v1/results with automation keys in JSON', () => {
  it.each([
    ['a full name', 'shop.Cart adds an item'],
    ['a file and a title', 'src/cart.test.ts > Cart > adds "2" items, 50 %'],
    ['non-ASCII letters', 'Größe 本 🐞 {a,b} \\ NULL'],
    ['the maximum length', '🐞'.repeat(2000)],
    ['the form of an id of another project', 'APP-1'],
    ['almost the form of an id', 'web-1'],
    ['the name of a property that every object has', '__proto__'],
  ])(
    'stores a result for the test case with an equal automation key: %s',
    { tags: ['spec:upload/results-test_case_id-matched-inside-the-run'] },
    async (_what, key) => {
      const { project, upload, results } = await makeScenario('another', key)
      const { status, body } = await upload({ results: [item(key, 'failed'), item('WEB-1')] })
      const receipt = { success: true, uploaded_count: 2, failed_count: 0, stats: makeStats({ passed: 1, failed: 1 }) }
      expect([status, body]).toEqual([200, receipt])
      const stored = [...(await results()).values()].map((result) => [result.test_case_id, result.status])
      expect(stored).toEqual([
        ['WEB-1', 'passed'],
        ['WEB-2', 'not_tested'],
        ['WEB-3', 'failed'],
      ])
      await expectCorrectCounters(server, project.id)
    },
  )

  it('returns the error no_test_case_id for keys that no test case has, and stores the others', async () => {
    const { upload, results } = await makeScenario('adds an item')
    const names = ['Adds an item', 'adds anitem', 'adds', 'adds%', '', 'x'.repeat(100_000), 'WEB-', 'WEB-1.5', '12']
    const { status, body } = await upload({ results: [...names.map((name) => item(name)), item('WEB-1')] })
    expect([status, body.uploaded_count, body.failed_count]).toEqual([207, 1, names.length])
    expect(body.errors).toEqual(names.map(unknownKeyError))
    expect((await results()).get('WEB-2')?.status).toBe('not_tested')
  })

  it.each([
    ['an id of another project', 'APP-1'],
    ['an id of this project without a test case', 'WEB-77'],
    ['an id with the number 0', 'WEB-0'],
    ['an id with a number that is too large', 'WEB-99999999999'],
  ])('returns the error not_in_run for %s, not no_test_case_id', async (_what, id) => {
    const { upload } = await makeScenario('key')
    expect((await upload({ results: [item(id)] })).body.errors).toEqual([
      { test_case_id: id, error: `${id} is not in this run.`, code: 'not_in_run' },
    ])
  })

  it('prefers the id of a test case to an equal automation key of another', async () => {
    const { upload, results } = await makeScenario('WEB-1')
    await upload({ results: [item('WEB-1')] })
    expect((await results()).get('WEB-1')?.status).toBe('passed')
    expect((await results()).get('WEB-2')?.status).toBe('not_tested')
  })

  it(
    'names the automation key in the errors not_in_run and newer_result',
    { tags: ['spec:upload/results-test_case_id-matched-inside-the-run'] },
    async () => {
      const { project, upload, results } = await makeScenario('newer')
      await makeTestCase(server, project, { automation_key: 'outside' })
      await upload({ results: [item('newer')] })
      const tested = (await results()).get('WEB-2')?.tested_at
      const { body } = await upload({ results: [item('newer'), item('outside')], finished_at: '2026-01-05' })
      expect([body.uploaded_count, body.errors]).toEqual([
        0,
        [
          { test_case_id: 'outside', error: 'outside is not in this run.', code: 'not_in_run' },
          {
            test_case_id: 'newer',
            error: `newer has a newer result (${tested}), which was kept.`,
            code: 'newer_result',
          },
        ],
      ])
    },
  )

  it.each([
    ['WEB-2', 'key'],
    ['key', 'WEB-2'],
  ])('stores the last of two results for one test case that are named %s, then %s', async (first, last) => {
    const { project, upload, results } = await makeScenario('key')
    const { status, body } = await upload({ results: [item(first, 'failed'), item('WEB-1'), item(last, 'blocked')] })
    expect([status, body.uploaded_count, body.stats]).toEqual([200, 2, makeStats({ passed: 1, blocked: 1 })])
    expect((await results()).get('WEB-2')?.status).toBe('blocked')
    await expectCorrectCounters(server, project.id)
  })

  it('does not match the automation key of a test case in another project', async () => {
    const { upload } = await makeScenario()
    const otherProject = await makeProject(server)
    await makeTestCase(server, otherProject, { automation_key: 'key' })
    expect((await upload({ results: [item('key')] })).body.errors).toEqual([unknownKeyError('key')])
    const run = await makeRun(server, otherProject)
    const body = { run_id: run.id, results: [item('key')] }
    const response = await server.request('POST', '/v1/results', {
      token: await makeCiToken(server, otherProject),
      body,
    })
    expect(response.status).toBe(200)
  })

  it('returns the response of a real upload for a dry run, and stores nothing', async () => {
    const { upload, results } = await makeScenario('key')
    const before = await results()
    const body = { results: [item('key'), item('no key'), item('WEB-1')] }
    const dry = await upload({ ...body, dry_run: true })
    expect(await results()).toEqual(before)
    const real = await upload(body)
    expect([real.status, real.body.uploaded_count]).toEqual([207, 2])
    expect([dry.status, dry.body]).toEqual([207, { ...real.body, dry_run: true }])
  })

  it('matches one automation key among 25,000 unknown ones', async () => {
    const { upload, results } = await makeScenario('key')
    const names = Array.from({ length: 25_000 }, (_, index) => item(`test ${index}`))
    const { body } = await upload({ results: [...names, item('key', 'failed')] })
    expect([body.uploaded_count, body.failed_count]).toEqual([1, 25_000])
    expect((await results()).get('WEB-2')?.status).toBe('failed')
  })
})

describe('POST /v1/runs/:run_id/results/bulk', () => {
  it('returns the error not_in_run for an automation key', async () => {
    const { run, token, results } = await makeScenario('key')
    const path = `/v1/runs/${run.id}/results/bulk`
    const response = await server.request('POST', path, { token, body: { results: [item('key')] } })
    const errors = [{ test_case_id: 'key', error: 'key is not in this run.', code: 'not_in_run' }]
    expect(response).toMatchObject({ status: 207, body: { data: { updated: 0, errors } } })
    expect((await results()).get('WEB-2')?.status).toBe('not_tested')
  })
})
