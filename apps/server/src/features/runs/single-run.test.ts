import type { Run } from '@caseward/contract/run-schemas'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

async function makeScenario(cases = 0) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const run = await makeRun(server, project)
  return { project, run, token: project.admin.token, path: `/v1/runs/${run.id}` }
}

async function read(path: string, token: string): Promise<Run> {
  const { status, body } = await server.request<{ data: Run }>('GET', path, { token })
  expect(status).toBe(200)
  return body.data
}

async function change(path: string, token: string, body: object): Promise<Run> {
  const response = await server.request<{ data: Run }>('PATCH', path, { token, body })
  expect(response.status).toBe(200)
  return response.body.data
}

describe('GET /v1/runs/:run_id', () => {
  it.each([[uuidv7()], ['WEB-1'], ['%00'], ['x'.repeat(300)]])('returns 404 for the id %s', async (id) => {
    const { token } = await makeUser(server)
    await server.expectProblem(404, 'GET', `/v1/runs/${id}`, { token })
  })

  it('returns 401 before 404, and 404 before 403', async () => {
    const { path } = await makeScenario()
    const { token } = await makeUser(server)
    await server.expectProblem(401, 'GET', `/v1/runs/${uuidv7()}`)
    await server.expectProblem(404, 'GET', `/v1/runs/${uuidv7()}`, { token })
    await server.expectProblem(403, 'GET', path, { token })
  })

  it.each([
    // [passed, failed, blocked, retest, not_tested], pass rate
    [[0, 0, 0, 0, 3], 0],
    [[0, 1, 0, 0, 0], 0],
    [[3, 0, 0, 0, 9], 100],
    [[1, 1, 1, 0, 5], 33.3],
    [[2, 0, 0, 1, 0], 66.7],
    [[1, 1, 3, 3, 1], 12.5],
    [[1, 5, 1, 1, 0], 12.5],
    [[1, 15, 0, 0, 0], 6.3],
  ])(
    'derives from the counts %j the pass rate %d',
    {
      tags: [
        'spec:milestones/the-pass-rate-is-a-percentage',
        'spec:results/blocked-and-retest-have-been-looked-at-and',
        'spec:results/not_tested-not-executed-yet',
        'spec:runs/further-fields-decided',
      ],
    },
    async (counts, rate) => {
      const { token, path } = await makeScenario(counts.reduce((sum, count) => sum + count, 0))
      const statuses = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
      const results = statuses
        .flatMap((status, index) => Array.from({ length: counts[index] ?? 0 }, () => status))
        .map((status, index) => ({ test_case_id: `WEB-${index + 1}`, status }))
      await server.request('POST', `${path}/results/bulk`, { token, body: { results } })
      const run = await read(path, token)
      expect(Object.values(run.stats)).toEqual(counts)
      expect([run.pass_rate, run.result_count]).toEqual([rate, results.length])
    },
  )
})

describe('PATCH /v1/runs/:run_id', () => {
  it('changes only the fields sent, and updated_at', { tags: ['spec:runs/endpoints-decided'] }, async () => {
    const { run, token, path } = await makeScenario(1)
    const described = await change(path, token, { description: 'Every night' })
    expect(described).toEqual({ ...run, description: 'Every night', updated_at: expect.any(String) })
    expect(described.updated_at > run.updated_at).toBe(true)
    expect((await change(path, token, { name: ' New ' })).description).toBe('Every night')
    expect((await read(path, token)).name).toBe('New')
  })

  it('changes nothing when no field is sent', async () => {
    const { run, token, path } = await makeScenario()
    expect(await change(path, token, {})).toEqual(run)
  })

  it(
    'completes a run, and sets completed_at',
    { tags: ['spec:runs/values-of-status-decided', 'spec:runs/transitions-decided-in_progress-and-completed'] },
    async () => {
      const { run, token, path } = await makeScenario()
      const completed = await change(path, token, { status: 'completed' })
      expect(completed.status).toBe('completed')
      expect(Date.parse(completed.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(run.created_at))
    },
  )

  it('does not change completed_at when a completed run is completed again', async () => {
    const { token, path } = await makeScenario()
    const first = await change(path, token, { status: 'completed' })
    expect((await change(path, token, { status: 'completed', name: 'x' })).completed_at).toBe(first.completed_at)
  })

  it(
    'reopens a run, which clears completed_at and accepts results again',
    { tags: ['spec:runs/transitions-decided-in_progress-and-completed'] },
    async () => {
      const { token, path } = await makeScenario(1)
      await change(path, token, { status: 'completed' })
      await server.expectProblem(409, 'PUT', `${path}/results/WEB-1`, { token, body: { status: 'passed' } })
      expect(await change(path, token, { status: 'in_progress' })).toMatchObject({
        status: 'in_progress',
        completed_at: null,
      })
      const put = await server.request('PUT', `${path}/results/WEB-1`, { token, body: { status: 'passed' } })
      expect(put.status).toBe(200)
    },
  )

  it('renames a completed run', async () => {
    const { token, path } = await makeScenario()
    await change(path, token, { status: 'completed' })
    expect((await change(path, token, { name: 'Renamed' })).name).toBe('Renamed')
  })

  it('links and unlinks a milestone', async () => {
    const { project, token, path } = await makeScenario()
    const { id: milestone_id } = await makeMilestone(server, project)
    expect((await change(path, token, { milestone_id })).milestone_id).toBe(milestone_id)
    expect((await change(path, token, { milestone_id: null })).milestone_id).toBeNull()
  })

  it('returns 400 for a milestone that is unknown or in another project', async () => {
    const { token, path } = await makeScenario()
    const { id: foreign } = await makeMilestone(server, await makeProject(server))
    for (const milestone_id of [foreign, uuidv7(), 'nonsense']) {
      const problem = await server.expectProblem(400, 'PATCH', path, { token, body: { milestone_id } })
      expect(problem.errors?.map((error) => error.path)).toEqual(['/milestone_id'])
    }
  })

  it.each([[{ name: '' }], [{ name: null }], [{ description: 1 }], [{ status: 'done' }], [{ status: null }]])(
    'refuses %j',
    { tags: ['spec:runs/values-of-status-decided'] },
    async (body) => {
      const { token, path } = await makeScenario()
      const problem = await server.expectProblem(400, 'PATCH', path, { token, body })
      expect(problem.errors?.map((error) => error.path)).toEqual([`/${Object.keys(body)[0]}`])
    },
  )

  it('accepts CI tokens with write access, and returns 403 to viewers and read-only CI tokens', async () => {
    const { project, path } = await makeScenario()
    const body = { status: 'completed' }
    await change(path, await makeCiToken(server, project), body)
    const viewer = await makeMember(server, project.id, 'viewer')
    await server.expectProblem(403, 'PATCH', path, { token: viewer.token, body })
    await server.expectProblem(403, 'PATCH', path, { token: await makeCiToken(server, project, 'read'), body })
  })
})

describe('DELETE /v1/runs/:run_id', () => {
  it(
    'deletes the run with its results, returns a message, and lowers the run count',
    { tags: ['spec:runs/endpoints-decided'] },
    async () => {
      const { project, run, token, path } = await makeScenario(3)
      await makeRun(server, project, { name: 'Other' })
      const { status, body } = await server.request('DELETE', path, { token })
      expect([status, body]).toEqual([200, { message: expect.stringContaining('Nightly') }])
      await server.expectProblem(404, 'GET', path, { token })
      await server.expectProblem(404, 'GET', `${path}/results`, { token })
      await server.expectProblem(404, 'DELETE', path, { token })
      await expectCorrectCounters(server, project.id)
      const left = await server.db.selectFrom('test_results').select('id').where('run_id', '=', run.id).execute()
      expect(left).toEqual([])
    },
  )

  it('returns 403 to viewers and CI tokens', async () => {
    const { project, path } = await makeScenario()
    const viewer = await makeMember(server, project.id, 'viewer')
    await server.expectProblem(403, 'DELETE', path, { token: viewer.token })
    await server.expectProblem(403, 'DELETE', path, { token: await makeCiToken(server, project) })
  })

  it('deletes once when several requests arrive at the same time', async () => {
    const { project, token, path } = await makeScenario(5)
    const responses = await Promise.all(Array.from({ length: 4 }, () => server.request('DELETE', path, { token })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
    await expectCorrectCounters(server, project.id)
  })
})

describe('a run of a deleted project', () => {
  it('is not found', async () => {
    const { project, token, path } = await makeScenario()
    await read(path, token)
    await server.request('DELETE', `/v1/projects/${project.id}`, { token })
    await server.expectProblem(404, 'GET', path, { token })
  })
})
