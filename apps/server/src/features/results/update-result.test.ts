import type { TestResult } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import {
  getRunResults,
  makeCiToken,
  makeProject,
  makeRun,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested']

async function makeScenario(cases = 2) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/results`
  return {
    project,
    run,
    token,
    path,
    async put(id: string, body: object, userToken = token): Promise<TestResult> {
      const response = await server.request<{ data: TestResult }>('PUT', `${path}/${id}`, { token: userToken, body })
      expect(response.status).toBe(200)
      return response.body.data
    },
    result: async (id: string | null) => (await getRunResults(server, run.id, token)).get(id),
  }
}

describe('PUT /v1/runs/:run_id/results/:result_id', () => {
  it(
    'sets a result by the id of its test case, and returns it as listed',
    {
      tags: [
        'spec:conventions/a-single-result-is-wrapped-in-data',
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:results/put-note-is-optional',
        'spec:results/put-elapsed-is-optional-whole-seconds',
        'spec:results/put-answers-the-result',
        'spec:results/put-the-authenticated-user-becomes-tested_by',
      ],
    },
    async () => {
      const { project, put, result } = await makeScenario()
      const before = Date.now()
      const updated = await put('WEB-2', { status: 'failed', note: 'The total is wrong', elapsed: 40 })
      expect(updated).toEqual({
        id: expect.any(String),
        test_case_id: 'WEB-2',
        test_case_title: 'Case 2',
        status: 'failed',
        note: 'The total is wrong',
        elapsed: 40,
        tested_by: project.admin.id,
        tested_at: expect.any(String),
      })
      expect(Math.abs(Date.parse(updated.tested_at ?? '') - before)).toBeLessThan(10_000)
      expect(await result('WEB-2')).toEqual(updated)
      expect(await result('WEB-1')).toMatchObject({ status: 'not_tested', tested_by: null, tested_at: null })
    },
  )

  it(
    'allows any change between the five statuses',
    {
      tags: [
        'spec:results/status-one-of-five',
        'spec:results/any-of-the-five-is-taken-by-an-update',
        'spec:results/which-status-may-follow-which-decided-any',
      ],
    },
    async () => {
      const { put } = await makeScenario(1)
      for (const from of STATUSES) {
        for (const status of STATUSES) {
          await put('WEB-1', { status: from })
          expect((await put('WEB-1', { status })).status).toBe(status)
        }
      }
    },
  )

  it('sets a result by its own id', { tags: ['spec:results/put-answers-the-result'] }, async () => {
    const { put, result } = await makeScenario()
    const id = (await result('WEB-1'))?.id ?? ''
    expect(await put(id, { status: 'blocked' })).toMatchObject({ id, test_case_id: 'WEB-1', status: 'blocked' })
  })

  it(
    'does not change note and elapsed when they are not sent',
    {
      tags: [
        'spec:conventions/updates-change-only-the-fields-sent',
        'spec:results/put-note-is-optional',
        'spec:results/put-elapsed-is-optional-whole-seconds',
      ],
    },
    async () => {
      const { put } = await makeScenario()
      await put('WEB-1', { status: 'failed', note: 'n', elapsed: 3 })
      expect(await put('WEB-1', { status: 'passed' })).toMatchObject({ status: 'passed', note: 'n', elapsed: 3 })
      expect(await put('WEB-1', { status: 'passed', elapsed: 0 })).toMatchObject({ note: 'n', elapsed: 0 })
      expect(await put('WEB-1', { status: 'passed', note: '' })).toMatchObject({ note: '', elapsed: 0 })
    },
  )

  it(
    'clears note and elapsed when they are null',
    { tags: ['spec:results/note-string-nullable', 'spec:results/elapsed-whole-seconds-nullable'] },
    async () => {
      const { put } = await makeScenario()
      await put('WEB-1', { status: 'failed', note: 'n', elapsed: 3 })
      expect(await put('WEB-1', { status: 'failed', note: null })).toMatchObject({ note: null, elapsed: 3 })
      expect(await put('WEB-1', { status: 'failed', elapsed: null })).toMatchObject({ note: null, elapsed: null })
    },
  )

  it(
    'sets tested_by and tested_at on every write',
    {
      tags: [
        'spec:results/tested_by-the-authenticated-user-on-update',
        'spec:results/put-the-authenticated-user-becomes-tested_by',
      ],
    },
    async () => {
      const { project, put } = await makeScenario()
      const first = await put('WEB-1', { status: 'passed' })
      const member = await makeMember(server, project.id, 'member')
      const second = await put('WEB-1', { status: 'passed' }, member.token)
      expect(second.tested_by).toBe(member.id)
      expect((second.tested_at ?? '') > (first.tested_at ?? '')).toBe(true)
    },
  )

  it('adjusts the counters and updated_at of the run', async () => {
    const { project, run, token, put } = await makeScenario()
    await put('WEB-1', { status: 'failed' })
    await put('WEB-1', { status: 'passed' })
    await put('WEB-2', { status: 'not_tested' })
    const { body } = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })
    expect(body.data).toMatchObject({ stats: { passed: 1, failed: 0, not_tested: 1 }, pass_rate: 100 })
    expect(body.data.updated_at > run.updated_at).toBe(true)
    await expectCorrectCounters(server, project.id)
  })

  it.each([
    [{}, ['/status']],
    [{ note: 'n' }, ['/status']],
    [{ status: 'PASSED' }, ['/status']],
    [{ status: 'skipped' }, ['/status']],
    [{ status: null }, ['/status']],
    [{ status: 'passed', elapsed: -1 }, ['/elapsed']],
    [{ status: 'passed', elapsed: 1.5 }, ['/elapsed']],
    [{ status: 'passed', elapsed: '5' }, ['/elapsed']],
    [{ status: 'passed', elapsed: 2_147_483_648 }, ['/elapsed']],
    [{ status: 'passed', note: 5 }, ['/note']],
    [{ status: 'passed', note: 'a\0b' }, ['/note']],
    [{ status: 'passed', note: '\ud83d' }, ['/note']],
    [{ status: 'x', note: 5, elapsed: 'x' }, ['/elapsed', '/note', '/status']],
  ])(
    'returns 400 with every invalid field for the body %j',
    {
      tags: [
        'spec:results/status-one-of-five',
        'spec:results/elapsed-whole-seconds-nullable',
        'spec:results/put-status-is-required-one-of-five',
        'spec:results/put-note-is-optional',
        'spec:results/put-elapsed-is-optional-whole-seconds',
      ],
    },
    async (body, paths) => {
      const { token, path } = await makeScenario(1)
      const problem = await server.expectProblem(400, 'PUT', `${path}/WEB-1`, { token, body })
      expect(problem.errors?.map((error) => error.path).toSorted()).toEqual(paths)
    },
  )

  it('accepts the largest elapsed time and zero', async () => {
    const { put } = await makeScenario(1)
    expect((await put('WEB-1', { status: 'passed', elapsed: 2_147_483_647 })).elapsed).toBe(2_147_483_647)
    expect((await put('WEB-1', { status: 'passed', elapsed: 0 })).elapsed).toBe(0)
  })

  it.each([['x'], ['🐞']])(
    'truncates a note of more than 65,536 × %s, and accepts one of that length',
    { tags: ['spec:limits/lengths-of-text-decided'] },
    async (filler) => {
      const { put } = await makeScenario(1)
      const longest = filler.repeat(65_536)
      expect((await put('WEB-1', { status: 'passed', note: longest })).note === longest).toBe(true)
      expect((await put('WEB-1', { status: 'passed', note: `${longest}y` })).note === `${longest}… [cut]`).toBe(true)
    },
  )

  it.each([[uuidv7()], ['WEB-99'], ['APP-1'], ['web-1'], ['WEB-01'], ['WEB-99999999999'], ['nonsense'], ['%00']])(
    'returns 404 for the id %s',
    async (id) => {
      const { token, path } = await makeScenario(1)
      await server.expectProblem(404, 'PUT', `${path}/${id}`, { token, body: { status: 'passed' } })
    },
  )

  it('returns 404 for a result of another run', async () => {
    const { project, token, path } = await makeScenario(1)
    const other = await makeRun(server, project)
    const id = (await getRunResults(server, other.id, token)).get('WEB-1')?.id ?? ''
    await server.expectProblem(404, 'PUT', `${path}/${id}`, { token, body: { status: 'passed' } })
  })

  it('returns 409 for a completed run', { tags: ['spec:runs/a-completed-run-is-a-record-decided-409'] }, async () => {
    const { run, token, path, result } = await makeScenario(1)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    const problem = await server.expectProblem(409, 'PUT', `${path}/WEB-1`, { token, body: { status: 'passed' } })
    expect(problem.code).toBe('run_completed')
    expect((await result('WEB-1'))?.status).toBe('not_tested')
  })

  it(
    'returns 403 to viewers, users who are not members, CI tokens and read-only tokens before validating the body',
    { tags: ['spec:authentication/permission-execute-test-runs'] },
    async () => {
      const { project, path } = await makeScenario(1)
      const viewer = (await makeMember(server, project.id, 'viewer')).token
      const reader = (await makeUser(server, { access: 'read' })).token
      for (const token of [viewer, (await makeUser(server)).token, reader, await makeCiToken(server, project)]) {
        await server.expectProblem(403, 'PUT', `${path}/WEB-1`, { token, body: { status: 'nonsense' } })
      }
    },
  )
})

describe('PUT /v1/runs/:run_id/results/:result_id after the test case was deleted', () => {
  it(
    'accepts the id of the result, and returns 404 for the id of the test case',
    { tags: ['spec:results/put-answers-the-result'] },
    async () => {
      const { project, token, path, put, result } = await makeScenario()
      await put('WEB-1', { status: 'failed', note: 'n', elapsed: 3 })
      const id = (await result('WEB-1'))?.id ?? ''
      await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
      await server.expectProblem(404, 'PUT', `${path}/WEB-1`, { token, body: { status: 'passed' } })
      expect(await put(id, { status: 'passed' })).toEqual({
        id,
        test_case_id: null,
        test_case_title: 'Case 1',
        status: 'passed',
        note: 'n',
        elapsed: 3,
        tested_by: project.admin.id,
        tested_at: expect.any(String),
      })
      expect(await put(id, { status: 'passed', note: null, elapsed: 9 })).toMatchObject({ note: null, elapsed: 9 })
      await expectCorrectCounters(server, project.id)
    },
  )

  it('returns 200 only if the result was stored when the test case is deleted at the same time', async () => {
    const { project, run, token, path } = await makeScenario(0)
    for (let round = 0; round < 15; round += 1) {
      const { id } = await makeTestCase(server, project, { title: `Round ${round}` })
      await server.request('POST', `/v1/runs/${run.id}/test-cases`, { token, body: { test_case_ids: [id] } })
      const [put] = await Promise.all([
        server.request<{ data: TestResult }>('PUT', `${path}/${id}`, { token, body: { status: 'passed' } }),
        server.request('DELETE', `/v1/projects/${project.id}/test-cases/${id}`, { token }),
      ])
      const stored = await server.db
        .selectFrom('test_results')
        .select('status')
        .where('run_id', '=', run.id)
        .where('title', '=', `Round ${round}`)
        .executeTakeFirst()
      expect([put.status, stored?.status]).toEqual(put.status === 200 ? [200, 'passed'] : [404, 'not_tested'])
    }
    await expectCorrectCounters(server, project.id)
  })
})
