import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useTestServer()

/** A run over WEB-1 without a key and a case for each of the keys, from WEB-2 on. */
async function scene(...keys: string[]) {
  const made = await makeUploadScenario(server, 1)
  for (const automation_key of keys) await makeTestCase(server, made.project, { automation_key })
  const all = { test_case_ids: Array.from({ length: keys.length + 1 }, (_, index) => `WEB-${index + 1}`) }
  await server.request('POST', `/v1/runs/${made.run.id}/test-cases`, { token: made.token, body: all })
  return made
}

const item = (test_case_id: string, status = 'passed') => ({ test_case_id, status })
const noTestCase = (test_case_id: string) => ({
  test_case_id,
  error:
    'Neither a test case id, such as WEB-12, nor the automation key of a test case. Send the id, or give the test case this key.',
  code: 'no_test_case_id',
})

describe('a result of JSON that names its test case by automation key', () => {
  it.each([
    ['a full name', 'shop.Cart adds an item'],
    ['a file and a title', 'src/cart.test.ts > Cart > adds "2" items, 50 %'],
    ['other letters', 'Größe 本 🐞 {a,b} \\ NULL'],
    ['the longest there is', 'x'.repeat(500)],
    ['what looks like an id of another project', 'APP-1'],
    ['what looks like an id, but not quite', 'web-1'],
    ['a property that every object has', '__proto__'],
  ])(
    'is stored for the case that has this very key',
    { tags: ['spec:upload/results-test_case_id-matched-inside-the-run'] },
    async (_what, key) => {
      const { project, upload, results } = await scene('another', key)
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

  it('is an error when no case has this very key, and the others are stored', async () => {
    const { upload, results } = await scene('adds an item')
    const names = ['Adds an item', ' adds an item', 'adds', 'adds%', '', 'x'.repeat(100_000), 'WEB-', 'WEB-1.5', '12']
    const { status, body } = await upload({ results: [...names.map((name) => item(name)), item('WEB-1')] })
    expect([status, body.uploaded_count, body.failed_count]).toEqual([207, 1, names.length])
    expect(body.errors).toEqual(names.map(noTestCase))
    expect((await results()).get('WEB-2')?.status).toBe('not_tested')
  })

  it.each([
    ['of another project', 'APP-1'],
    ['of this project that nothing has', 'WEB-77'],
    ['that nothing can have', 'WEB-0'],
    ['that is too large', 'WEB-99999999999'],
  ])('is told apart from an id %s, which is not in the run', async (_what, id) => {
    const { upload } = await scene('key')
    expect((await upload({ results: [item(id)] })).body.errors).toEqual([
      { test_case_id: id, error: `${id} is not in this run.`, code: 'not_in_run' },
    ])
  })

  it('never takes the place of an id of the project', async () => {
    const { upload, results } = await scene('WEB-1')
    await upload({ results: [item('WEB-1')] })
    expect((await results()).get('WEB-1')?.status).toBe('passed')
    expect((await results()).get('WEB-2')?.status).toBe('not_tested')
  })

  it(
    'is named by its key where the case is not in the run, or has a newer result',
    { tags: ['spec:upload/results-test_case_id-matched-inside-the-run'] },
    async () => {
      const { project, upload, results } = await scene('newer')
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
            error: `newer has a newer result, of ${tested}; it was kept.`,
            code: 'newer_result',
          },
        ],
      ])
    },
  )

  it.each([
    ['WEB-2', 'key'],
    ['key', 'WEB-2'],
  ])('counts as one for that case, and the last one stays: %s, then %s', async (first, last) => {
    const { project, upload, results } = await scene('key')
    const { status, body } = await upload({ results: [item(first, 'failed'), item('WEB-1'), item(last, 'blocked')] })
    expect([status, body.uploaded_count, body.stats]).toEqual([200, 2, makeStats({ passed: 1, blocked: 1 })])
    expect((await results()).get('WEB-2')?.status).toBe('blocked')
    await expectCorrectCounters(server, project.id)
  })

  it('is not found by the key of a case of another project', async () => {
    const { upload } = await scene()
    const other = await makeProject(server)
    await makeTestCase(server, other, { automation_key: 'key' })
    expect((await upload({ results: [item('key')] })).body.errors).toEqual([noTestCase('key')])
    const run = await makeRun(server, other)
    const body = { run_id: run.id, results: [item('key')] }
    const answer = await server.request('POST', '/v1/results', { token: await makeCiToken(server, other), body })
    expect(answer.status).toBe(200)
  })

  it('is answered in a dry run as in the real call, and nothing is stored', async () => {
    const { upload, results } = await scene('key')
    const before = await results()
    const body = { results: [item('key'), item('no key'), item('WEB-1')] }
    const dry = await upload({ ...body, dry_run: true })
    expect(await results()).toEqual(before)
    const real = await upload(body)
    expect([real.status, real.body.uploaded_count]).toEqual([207, 2])
    expect([dry.status, dry.body]).toEqual([207, { ...real.body, dry_run: true }])
  })

  it('is found among tens of thousands that are not', async () => {
    const { upload, results } = await scene('key')
    const names = Array.from({ length: 25_000 }, (_, index) => item(`test ${index}`))
    const { body } = await upload({ results: [...names, item('key', 'failed')] })
    expect([body.uploaded_count, body.failed_count]).toEqual([1, 25_000])
    expect((await results()).get('WEB-2')?.status).toBe('failed')
  })

  it('is known to uploads only: the bulk endpoint takes ids', async () => {
    const { run, token, results } = await scene('key')
    const path = `/v1/runs/${run.id}/results/bulk`
    const answer = await server.request('POST', path, { token, body: { results: [item('key')] } })
    const errors = [{ test_case_id: 'key', error: 'key is not in this run.', code: 'not_in_run' }]
    expect(answer).toMatchObject({ status: 207, body: { data: { updated: 0, errors } } })
    expect((await results()).get('WEB-2')?.status).toBe('not_tested')
  })
})
