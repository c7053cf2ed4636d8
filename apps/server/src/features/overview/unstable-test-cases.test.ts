import type { UnstableTestCases } from '@caseward/contract/overview'
import { describe, expect, it } from 'vitest'

import { makeEvaluationScenario, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'

const server = useSharedServer()

type Letter = 'p' | 'f' | 'b' | '.'
const letters = { p: 'passed', f: 'failed', b: 'blocked' } as const

/** Makes test cases, and a run for each letter of their courses: `ppf` passes twice and then fails. */
async function makeCourses(...courses: string[]) {
  const project = await makeProject(server)
  const { token } = project.admin
  const ids = await makeTestCases(server, project, courses.length)
  const length = Math.max(...courses.map((course) => course.length))
  const runIds: string[] = []
  for (let place = 0; place < length; place += 1) {
    const run = await makeRun(server, project, { name: `Run ${place + 1}` })
    runIds.push(run.id)
    const results = courses.flatMap((course, index) => {
      const letter = (course[place] ?? '.') as Letter
      return letter === '.' ? [] : [{ test_case_id: ids[index], status: letters[letter] }]
    })
    await server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, body: { results } })
  }
  return {
    project,
    token,
    ids,
    runIds,
    async list(query = ''): Promise<UnstableTestCases> {
      const path = `/v1/projects/${project.id}/unstable-test-cases${query}`
      const { status, body } = await server.request<{ data: UnstableTestCases }>('GET', path, { token })
      expect(status).toBe(200)
      return body.data
    },
  }
}
const idsOf = (list: UnstableTestCases['flaky']) => list.map(({ test_case_id: id }) => id)

describe('GET /v1/projects/:project_id/unstable-test-cases', () => {
  it('tells new failures from those that last, and calls no result that somebody set flaky', async () => {
    const { list } = await makeCourses('pppf', 'pfff', 'pppp', 'pfpf', '..f.', 'fffp')
    const { newly_failing: fresh, failing, flaky, totals, runs } = await list()
    expect(idsOf(fresh)).toEqual(['WEB-5', 'WEB-1', 'WEB-4'])
    expect(failing).toEqual([
      {
        test_case_id: 'WEB-2',
        title: 'Case 2',
        statuses: ['passed', 'failed', 'failed', 'failed'],
        failing_runs: 3,
        changes: 1,
        flaky_runs: 0,
      },
    ])
    expect(flaky).toEqual([])
    expect(totals).toEqual({ newly_failing: 3, failing: 1, flaky: 0 })
    expect(runs).toBe(4)
  })

  it('leaves out results that neither passed nor failed, and runs in which nothing did', async () => {
    const { list } = await makeCourses('pfbf', 'pb.b')
    const { failing, runs } = await list()
    expect(failing).toMatchObject([
      { test_case_id: 'WEB-1', statuses: ['passed', 'failed', 'failed'], failing_runs: 2 },
    ])
    // In the third run, one was blocked.
    expect(runs).toBe(3)
  })

  it('looks at as many runs as requested, and returns the last ten results and the longest failures first', async () => {
    const { list } = await makeCourses(`p${'f'.repeat(11)}`, 'ppppppppppff')
    const { failing } = await list()
    expect(failing.map(({ test_case_id: id, failing_runs: count }) => [id, count])).toEqual([
      ['WEB-1', 11],
      ['WEB-2', 2],
    ])
    expect(failing[0]?.statuses).toEqual(Array.from({ length: 10 }, () => 'failed'))
    expect(await list('?runs=1&per_page=1')).toMatchObject({
      newly_failing: [{ test_case_id: 'WEB-1' }],
      failing: [],
      totals: { newly_failing: 2 },
      runs: 1,
    })
  })

  it('lists test cases with a flaky test, and counts the runs in which it failed and then passed', async () => {
    const { project, ids, list } = await makeCourses('p')
    const token = await makeCiToken(server, project)
    for (const name of ['Nightly 1', 'Nightly 2']) {
      const run = await makeRun(server, project, { name })
      const attempt = (status: string) => ({ status, elapsed_ms: 5 })
      const test = {
        suite: 'checkout.spec.ts',
        name: `${ids[0]} pays`,
        attempts: [attempt('failed'), attempt('passed')],
      }
      const body = { run_id: run.id, format: 'tests', tests: [test] }
      expect((await server.request('POST', '/v1/results', { token, body })).status).toBe(200)
      const evaluated = await server.request('GET', `/v1/runs/${run.id}/evaluation`, { token })
      expect(evaluated.status).toBe(200)
      // One commit is no proof yet.
      expect((await list()).flaky.length).toBe(name === 'Nightly 1' ? 0 : 1)
    }
    const { flaky, newly_failing: fresh } = await list()
    expect(flaky).toMatchObject([{ test_case_id: ids[0], flaky_runs: 2, changes: 0, failing_runs: 0 }])
    expect(fresh).toEqual([])
  })

  it('is empty without runs, and does not name deleted test cases', async () => {
    const { project, token, list } = await makeCourses('pf')
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    const totals = { newly_failing: 0, failing: 0, flaky: 0 }
    expect(await list()).toMatchObject({ totals })
    const empty = await makeProject(server)
    const path = `/v1/projects/${empty.id}/unstable-test-cases`
    expect((await server.request('GET', path, { token: empty.admin.token })).body).toEqual({
      data: { newly_failing: [], failing: [], flaky: [], totals, runs: 0 },
    })
  })

  it('takes what is new from the verdicts of the newest base run, where the tests of the case ran', async () => {
    const { project, token, build, evaluate, createTestCases } = await makeEvaluationScenario(server)
    const add = async (outcomes: Outcomes, branch = 'main') => {
      const run = await build(outcomes, { metadata: { branch, commit: String(runs.length).padStart(8, 'a') } })
      await evaluate(run.id)
      runs.push(run.id)
      return run.id
    }
    const runs: string[] = []
    const first = await add({ lasts: 'passed', fresh: 'passed', fine: 'passed', only: 'skipped' })
    expect((await createTestCases({ all_unmatched_of_run: first })).status).toBe(200)
    await add({ lasts: 'failed', fresh: 'passed', fine: 'passed' })
    await add({ lasts: 'failed', fresh: 'failed', fine: 'passed' })
    // What a branch says does not change what main says, but for a test that main did not run.
    await add({ lasts: 'passed', fresh: 'passed', fine: 'failed', only: 'failed' }, 'feature/cart')
    const { body } = await server.request<{ data: UnstableTestCases }>(
      'GET',
      `/v1/projects/${project.id}/unstable-test-cases`,
      { token },
    )
    const { newly_failing: fresh, failing, totals } = body.data
    expect(fresh.map(({ title }) => title).toSorted()).toEqual(['fresh', 'only'])
    expect(failing.map(({ title, failing_runs: count }) => [title, count])).toEqual([['lasts', 2]])
    expect(totals).toEqual({ newly_failing: 2, failing: 1, flaky: 0 })
  })

  it('knows since when a test has failed that got its test case later', async () => {
    const { project, token, makeRunByKey, uploadTests, createTestCases } = await makeTestsScenario(server)
    const build = async (number: number) => {
      const { id } = await makeRunByKey(`build ${number}`)
      await uploadTests([makeTest('pays', ['failed']), makeTest('ships', [number === 2 ? 'passed' : 'failed'])], {
        run_id: id,
      })
      await server.request('PATCH', `/v1/runs/${id}`, { token, body: { status: 'completed' } })
      return id
    }
    await build(2)
    await build(3)
    const last = await build(4)
    expect((await createTestCases({ all_unmatched_of_run: last })).status).toBe(200)
    const latest = await build(5)
    const path = `/v1/projects/${project.id}`
    const { body } = await server.request<{ data: UnstableTestCases }>('GET', `${path}/unstable-test-cases`, { token })
    expect(body.data.newly_failing).toEqual([])
    expect(body.data.failing.map(({ title, failing_runs: runs }) => [title, runs])).toEqual([
      ['pays', 4],
      ['ships', 3],
    ])
    const recent = await server.request<{ data: { results: { run_name: string; status: string }[] }[] }>(
      'GET',
      `${path}/recent-results?test_case_ids=${body.data.failing[1]?.test_case_id}&before_run=${latest}`,
      { token },
    )
    expect(recent.body.data[0]?.results.map(({ run_name: name, status }) => [name, status])).toEqual([
      ['build 4', 'failed'],
      ['build 3', 'failed'],
      ['build 2', 'passed'],
    ])
  })
})
