import type { BulkResultError } from '@caseward/contract/bulk-results'
import type { NewerResultProblem, TestResult } from '@caseward/contract/results'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

/** A run of three test cases, an admin and another user who sets results. */
async function makeScenario() {
  const project = await makeProject(server)
  await makeTestCases(server, project, 3)
  const run = await makeRun(server, project)
  const ada = await makeMember(server, project.id, 'member')
  const path = `/v1/runs/${run.id}/results`
  const { token } = project.admin
  return {
    project,
    ada,
    path,
    token,
    set: (id: string, body: object, sender = token) =>
      server.request<NewerResultProblem & { data: TestResult }>('PUT', `${path}/${id}`, { token: sender, body }),
    setMany: (results: object[], sender = token) =>
      server.request<{ data: { updated: number; results: object[]; errors?: BulkResultError[] } }>(
        'POST',
        `${path}/bulk`,
        {
          token: sender,
          body: { results },
        },
      ),
    async read(id: string): Promise<TestResult | undefined> {
      const { body } = await server.request<{ data: TestResult[] }>('GET', path, { token })
      return body.data.find((result) => result.test_case_id === id)
    },
  }
}

const LONG_AGO = '2020-01-01T00:00:00.000Z'
/** Later than any result that a test sets before. */
const wait = () => new Promise((resolve) => setTimeout(resolve, 3))

describe('PUT /v1/runs/:run_id/results/:result_id with base_tested_at', () => {
  it('sets a result that was not set, with null', async () => {
    const { set } = await makeScenario()
    expect(await set('WEB-1', { status: 'passed', base_tested_at: null })).toMatchObject({ status: 200 })
  })

  it('sets a result that has not changed since the caller has seen it', async () => {
    const { set } = await makeScenario()
    const first = await set('WEB-1', { status: 'passed' })
    await wait()
    const body = { status: 'failed', base_tested_at: first.body.data.tested_at }
    expect(await set('WEB-1', body)).toMatchObject({ status: 200, body: { data: { status: 'failed' } } })
  })

  it.each([
    ['null', null],
    ['an earlier time', LONG_AGO],
  ])('returns 409 with the newer result for %s, and keeps it', async (_what, base_tested_at) => {
    const { ada, path, set, read, project } = await makeScenario()
    await set('WEB-1', { status: 'failed', note: 'Found by Ada', elapsed: 4 }, ada.token)
    const current = await read('WEB-1')
    for (const id of ['WEB-1', current?.id ?? '']) {
      const body = { status: 'passed', note: 'Mine', base_tested_at }
      const problem = await server.expectProblem(409, 'PUT', `${path}/${id}`, { token: project.admin.token, body })
      expect(problem.code).toBe('newer_result')
      expect(problem).toMatchObject({ current: { tested_by: ada.id, note: 'Found by Ada' } })
      expect((problem as NewerResultProblem).current).toEqual(current)
    }
    expect(await read('WEB-1')).toEqual(current)
  })

  it('is stored again when the same user repeats the same values, since the response may have been lost', async () => {
    const { ada, set } = await makeScenario()
    const body = { status: 'failed', note: 'n', base_tested_at: null }
    await set('WEB-1', body)
    await wait()
    expect((await set('WEB-1', body)).status).toBe(200)
    expect((await set('WEB-1', { status: 'failed', base_tested_at: null })).status).toBe(200)
    expect((await set('WEB-1', { ...body, note: 'other' })).status).toBe(409)
    expect((await set('WEB-1', { ...body, elapsed: 1 })).status).toBe(409)
    expect((await set('WEB-1', body, ada.token)).status).toBe(409)
  })

  it('overwrites any result without the field', async () => {
    const { ada, set } = await makeScenario()
    await set('WEB-1', { status: 'failed' }, ada.token)
    expect((await set('WEB-1', { status: 'passed' })).status).toBe(200)
  })

  it('lets exactly one of several users succeed who have seen the same result', async () => {
    const { project, ada, set, token } = await makeScenario()
    const senders = [token, ada.token, (await makeMember(server, project.id, 'member')).token]
    const responses = await Promise.all(
      senders.map((sender) => set('WEB-1', { status: 'passed', base_tested_at: null }, sender)),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    await expectCorrectCounters(server, project.id)
  })

  it.each(['yesterday', 5, ''])('returns 400 for %j', async (base_tested_at) => {
    const { path, token } = await makeScenario()
    const options = { token, body: { status: 'passed', base_tested_at } }
    const problem = await server.expectProblem(400, 'PUT', `${path}/WEB-1`, options)
    expect(problem.errors).toMatchObject([{ path: '/base_tested_at' }])
  })

  it('returns 409 for a completed run before it compares times, without a result', async () => {
    const { project, path, set, token } = await makeScenario()
    await set('WEB-1', { status: 'failed' })
    const runPath = path.replace('/results', '')
    await server.request('PATCH', runPath, { token: project.admin.token, body: { status: 'completed' } })
    const body = { status: 'passed', base_tested_at: null }
    const problem = await server.expectProblem(409, 'PUT', `${path}/WEB-1`, { token, body })
    expect(problem.code).toBe('run_completed')
    expect(problem).not.toHaveProperty('current')
  })
})

describe('an upload', () => {
  it.each([5, null, 'nonsense', LONG_AGO])(
    'overwrites any result, and ignores base_tested_at: %j',
    async (base_tested_at) => {
      const { project, set, path, read } = await makeScenario()
      await set('WEB-1', { status: 'failed' })
      const results = [{ test_case_id: 'WEB-1', status: 'passed', base_tested_at }]
      const body = { run_id: path.split('/')[3], results }
      const token = await makeCiToken(server, project)
      expect((await server.request('POST', '/v1/results', { token, body })).status).toBe(200)
      expect(await read('WEB-1')).toMatchObject({ status: 'passed' })
    },
  )
})

describe('POST /v1/runs/:run_id/results/bulk with base_tested_at', () => {
  it('stores the items that are based on the current results, and returns the newer ones as errors', async () => {
    const { project, ada, set, setMany, read } = await makeScenario()
    await set('WEB-1', { status: 'failed', note: 'By Ada' }, ada.token)
    const seen = await set('WEB-2', { status: 'blocked' }, ada.token)
    const newer = await read('WEB-1')
    const { status, body } = await setMany([
      { test_case_id: 'WEB-1', status: 'passed', base_tested_at: LONG_AGO },
      { test_case_id: 'WEB-2', status: 'passed', base_tested_at: seen.body.data.tested_at },
      { test_case_id: 'WEB-3', status: 'passed', base_tested_at: null },
      { test_case_id: 'WEB-9', status: 'passed', base_tested_at: null },
    ])
    expect(status).toBe(207)
    expect(body.data).toMatchObject({
      updated: 2,
      results: [
        { test_case_id: 'WEB-2', status: 'passed' },
        { test_case_id: 'WEB-3', status: 'passed' },
      ],
      errors: [
        { test_case_id: 'WEB-9', code: 'not_in_run' },
        { test_case_id: 'WEB-1', code: 'newer_result' },
      ],
    })
    expect(body.data.errors?.map(({ current }) => current)).toEqual([undefined, newer])
    expect(await read('WEB-1')).toEqual(newer)
    await expectCorrectCounters(server, project.id)
  })

  it('mixes items with and without the field', async () => {
    const { ada, set, setMany } = await makeScenario()
    for (const id of ['WEB-1', 'WEB-2']) await set(id, { status: 'failed' }, ada.token)
    const { body } = await setMany([
      { test_case_id: 'WEB-1', status: 'passed' },
      { test_case_id: 'WEB-2', status: 'passed', base_tested_at: null },
    ])
    expect(body.data).toMatchObject({ updated: 1, errors: [{ test_case_id: 'WEB-2' }] })
  })

  it('stores a repeated request again, with all items', async () => {
    const { setMany } = await makeScenario()
    const items = ['WEB-1', 'WEB-2', 'WEB-3'].map((id) => ({
      test_case_id: id,
      status: 'failed',
      note: `"${id}" {\\`,
      base_tested_at: null,
    }))
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await setMany(items)).toMatchObject({ status: 200, body: { data: { updated: 3 } } })
      await wait()
    }
  })

  it('returns the first 1,000 characters of the note of a newer result', async () => {
    const { ada, set, setMany } = await makeScenario()
    await set('WEB-1', { status: 'failed', note: 'n'.repeat(5000) }, ada.token)
    const { body } = await setMany([{ test_case_id: 'WEB-1', status: 'passed', base_tested_at: null }])
    expect(body.data.errors?.[0]?.current?.note).toBe('n'.repeat(1000))
  })
})
