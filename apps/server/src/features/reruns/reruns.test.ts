import type { Blocker, MilestoneReadiness } from '@caseward/contract/milestone-readiness'
import type { CombinedResult, Lineage } from '@caseward/contract/reruns'
import type { ResultStatus } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults, makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { nameRerun } from './name-rerun.ts'

const server = useSharedServer()

const STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const

/** Creates a project with test cases, and a run of them. */
async function makeRerunScenario(cases: number, fields: Parameters<typeof makeRun>[2] = {}) {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, cases)
  const run = await makeRun(server, project, fields)
  const { token } = project.admin
  const read = async <T>(path: string) => (await server.request<{ data: T }>('GET', path, { token })).body.data
  return {
    project,
    ids,
    run,
    token,
    async set(runId: string, statuses: Readonly<Record<string, ResultStatus>>) {
      const results = Object.entries(statuses).map(([id, status]) => ({
        test_case_id: id,
        status,
        note: `${id} ${status}`,
      }))
      const { status } = await server.request('POST', `/v1/runs/${runId}/results/bulk`, { token, body: { results } })
      expect(status).toBe(200)
    },
    async rerun(runId: string, body: object = {}): Promise<Run> {
      const path = `/v1/runs/${runId}/reruns`
      const response = await server.request<{ data: Run }>('POST', path, { token, body })
      expect(response.status).toBe(201)
      return response.body.data
    },
    refuse: (status: number, runId: string, body: object) =>
      server.expectProblem(status, 'POST', `/v1/runs/${runId}/reruns`, { token, body }),
    listCases: async (runId: string) => [...(await getRunResults(server, runId, token)).keys()],
    readLineage: (runId: string) => read<Lineage>(`/v1/runs/${runId}/lineage`),
    listCombined: (runId: string, query = '') => read<CombinedResult[]>(`/v1/runs/${runId}/combined-results${query}`),
    read,
  }
}

describe('POST /v1/runs/:run_id/reruns', () => {
  it('creates a run of what failed, is blocked or is to be retested, which are not tested in it', async () => {
    const { run, set, rerun, listCases, token, project, readLineage } = await makeRerunScenario(6)
    await set(run.id, {
      'WEB-1': 'passed',
      'WEB-2': 'failed',
      'WEB-3': 'blocked',
      'WEB-4': 'retest',
      'WEB-6': 'failed',
    })
    // A run without reruns is a chain of one.
    expect(await readLineage(run.id)).toMatchObject({
      root_run_id: run.id,
      runs: [{ id: run.id, rerun_of: null, rerun_number: null }],
      combined: {
        stats: { passed: 1, failed: 2, blocked: 1, retest: 1, not_tested: 1 },
        result_count: 6,
        pass_rate: 20,
      },
    })
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    const again = await server.request<{ data: Run }>('POST', `/v1/runs/${run.id}/reruns`, { token })
    expect(again.body.data).toMatchObject({
      name: 'Nightly, rerun 1',
      status: 'in_progress',
      stats: { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 4 },
      adds_test_cases: false,
      run_key: null,
    })
    expect(await listCases(again.body.data.id)).toEqual(['WEB-2', 'WEB-3', 'WEB-4', 'WEB-6'])
    const results = await getRunResults(server, again.body.data.id, token)
    expect([...results.values()].map(({ note, tested_by: testedBy }) => [note, testedBy])).toEqual(
      Array.from({ length: 4 }, () => [null, null]),
    )
    const { stats, status } = (await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })).body.data
    expect([status, stats.failed]).toEqual(['completed', 2])
    expect((await rerun(run.id)).name).toBe('Nightly, rerun 2')
    await expectCorrectCounters(server, project.id)
  })

  it.each(STATUSES)('takes only test cases with the status %s if that is chosen', async (status) => {
    const { run, ids, set, rerun, listCases } = await makeRerunScenario(5)
    await set(run.id, Object.fromEntries(ids.slice(0, 4).map((id, index) => [id, STATUSES[index] ?? 'passed'])))
    expect(await listCases((await rerun(run.id, { statuses: [status] })).id)).toEqual([ids[STATUSES.indexOf(status)]])
  })

  it('takes the chosen test cases whatever their status, and with statuses only those that have one', async () => {
    const { run, set, rerun, listCases, refuse } = await makeRerunScenario(3)
    await set(run.id, { 'WEB-1': 'passed', 'WEB-2': 'failed' })
    const chosen = ['WEB-1', 'WEB-2']
    expect(await listCases((await rerun(run.id, { test_case_ids: chosen })).id)).toEqual(chosen)
    const failed = await rerun(run.id, { test_case_ids: chosen, statuses: ['failed'] })
    expect(await listCases(failed.id)).toEqual(['WEB-2'])
    // WEB-1 is not in that one.
    const { errors } = await refuse(400, failed.id, { test_case_ids: ['WEB-2', 'WEB-1', 'WEB-99'] })
    expect(errors?.map(({ path }) => path)).toEqual(['/test_case_ids/2'])
    expect((await refuse(400, failed.id, { test_case_ids: ['WEB-2', 'WEB-1'] })).errors).toEqual([
      { path: '/test_case_ids/1', message: 'is not a test case of this run' },
    ])
  })

  it('keeps assignees who may still test, milestone and description, or only what is chosen', async () => {
    const { run, set, rerun, token, project, read } = await makeRerunScenario(2)
    const milestone = await makeMilestone(server, project)
    const [ada, bob] = [await makeMember(server, project.id, 'member'), await makeMember(server, project.id, 'member')]
    const body = { description: 'On staging', milestone_id: milestone.id }
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body })
    const assignment = { result_ids: ['WEB-1', 'WEB-2'], user_ids: [ada.id, bob.id] }
    await server.request('POST', `/v1/runs/${run.id}/results/assign`, { token, body: assignment })
    await set(run.id, { 'WEB-1': 'failed', 'WEB-2': 'failed' })
    await server.request('DELETE', `/v1/projects/${project.id}/members/${bob.id}`, { token })
    const listAssignees = async (id: string) =>
      (await read<{ assigned_to: string | null }[]>(`/v1/runs/${id}/results?fields=row`)).map((row) => row.assigned_to)
    const all = await rerun(run.id)
    expect(all).toMatchObject(body)
    expect(await listAssignees(all.id)).toEqual([ada.id, null])
    const none = await rerun(run.id, { keep: [], name: 'Second try' })
    expect(none).toMatchObject({ name: 'Second try', description: '', milestone_id: null })
    expect(await listAssignees(none.id)).toEqual([null, null])
  })

  it('is refused without a test case that would be in it, and stores nothing', async () => {
    const { run, set, refuse, project, token } = await makeRerunScenario(2)
    await set(run.id, { 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect((await refuse(422, run.id, { statuses: ['blocked'] })).code).toBe('nothing_to_rerun')
    expect((await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-2`, { token })).status).toBe(200)
    expect((await refuse(422, run.id, {})).detail).toContain('failed, blocked, retest')
    const { body } = await server.request<{ meta: { total: number } }>('GET', `/v1/projects/${project.id}/runs`, {
      token,
    })
    expect(body.meta.total).toBe(1)
    await expectCorrectCounters(server, project.id)
  })

  it('numbers reruns that are created at the same time', async () => {
    const { run, set, rerun } = await makeRerunScenario(1)
    await set(run.id, { 'WEB-1': 'failed' })
    const runs = await Promise.all(Array.from({ length: 5 }, () => rerun(run.id)))
    expect(runs.map(({ name }) => name).toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `Nightly, rerun ${n}`))
  })
})

describe('a chain of reruns', () => {
  it('stays together and keeps its names when the first run and one in the middle are deleted', async () => {
    const { run, set, rerun, readLineage, token } = await makeRerunScenario(2)
    const runs = [run]
    for (let number = 0; number < 4; number += 1) {
      const last = runs.at(-1) ?? run
      await set(last.id, { 'WEB-1': 'failed' })
      runs.push(await rerun(last.id))
    }
    const names = ['Nightly', ...[1, 2, 3, 4].map((n) => `Nightly, rerun ${n}`)]
    const lineage = await readLineage(runs[2]?.id ?? '')
    expect(lineage.runs.map(({ name }) => name)).toEqual(names)
    expect(lineage.runs.map(({ rerun_of: of }) => of)).toEqual([null, ...runs.slice(0, 4).map(({ id }) => id)])
    expect(lineage.root_run_id).toBe(run.id)
    for (const index of [2, 0]) await server.request('DELETE', `/v1/runs/${runs[index]?.id}`, { token })
    const rest = await readLineage(runs[4]?.id ?? '')
    expect(rest.runs.map(({ name }) => name)).toEqual([names[1], names[3], names[4]])
    expect(rest.runs.map(({ rerun_of: of }) => of)).toEqual([null, null, runs[3]?.id])
    await set(runs[4]?.id ?? '', { 'WEB-1': 'failed' })
    expect((await rerun(runs[4]?.id ?? '')).name).toBe('Nightly, rerun 5')
  })

  it('counts and lists each test case with its status in the newest run in which it was tested', async () => {
    const status = fc.constantFrom(...STATUSES)
    const property = fc.asyncProperty(
      fc.array(fc.array(status, { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 4 }),
      async (rounds) => {
        const { run, ids, set, rerun, readLineage, listCombined } = await makeRerunScenario(4)
        const expected = new Map<string, { status: ResultStatus; runId: string }>(
          ids.map((id) => [id, { status: 'not_tested', runId: run.id }]),
        )
        let current: Run = run
        let inRun = ids
        for (const [round, statuses] of rounds.entries()) {
          if (round > 0) current = await rerun(current.id, { test_case_ids: inRun })
          const set4 = Object.fromEntries(inRun.map((id) => [id, statuses[ids.indexOf(id)] ?? 'passed']))
          await set(current.id, set4)
          for (const [id, value] of Object.entries(set4)) {
            const isNewer = value !== 'not_tested' || expected.get(id)?.status === 'not_tested'
            if (isNewer) expected.set(id, { status: value, runId: current.id })
          }
          inRun = inRun.filter((_, index) => index !== round)
        }
        const combined = await listCombined(current.id)
        expect(combined.map((row) => [row.test_case_id, row.status, row.run_id])).toEqual(
          ids.map((id) => [id, expected.get(id)?.status, expected.get(id)?.runId]),
        )
        const { stats, result_count: count } = (await readLineage(run.id)).combined
        const countOf = (value: ResultStatus) => combined.filter((row) => row.status === value).length
        expect(stats).toEqual(Object.fromEntries(STATUSES.map((value) => [value, countOf(value)])))
        expect(count).toBe(4)
        // Read again in pages, and by status.
        const pages = [
          await listCombined(run.id, '?per_page=3'),
          await listCombined(run.id, '?status=failed&status=blocked'),
        ]
        expect(pages[0]?.map(({ id }) => id)).toEqual(combined.slice(0, 3).map(({ id }) => id))
        expect(pages[1]).toEqual(combined.filter((row) => row.status === 'failed' || row.status === 'blocked'))
      },
    )
    await fc.assert(property, { numRuns: 6 })
  })

  it('says the status in each run, reads pages by cursor, and tells deleted test cases apart by their title', async () => {
    const { run, set, rerun, project, token, listCombined } = await makeRerunScenario(3)
    await set(run.id, { 'WEB-1': 'failed', 'WEB-2': 'failed', 'WEB-3': 'passed' })
    const again = await rerun(run.id)
    await set(again.id, { 'WEB-1': 'passed' })
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    const path = `/v1/runs/${again.id}/combined-results?per_page=2`
    type Page = { data: CombinedResult[]; meta: { next_after: string | null } }
    const first = (await server.request<Page>('GET', path, { token })).body
    const second = (await server.request<Page>('GET', `${path}&after=${first.meta.next_after}`, { token })).body
    expect(second.meta.next_after).toBeNull()
    const rows = [...first.data, ...second.data]
    expect(rows.map((row) => [row.test_case_id, row.status, row.statuses.map(({ status }) => status)])).toEqual([
      [null, 'passed', ['failed', 'passed']],
      ['WEB-2', 'failed', ['failed', 'not_tested']],
      ['WEB-3', 'passed', ['passed']],
    ])
    expect(await listCombined(run.id)).toEqual(rows)
  })

  it('counts a test case once in the readiness and the blockers of its milestone', async () => {
    const { project, token, run, set, rerun, read } = await makeRerunScenario(4)
    const { id } = await makeMilestone(server, project)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { milestone_id: id } })
    for (const number of [1, 2, 3]) {
      const path = `/v1/projects/${project.id}/test-cases/WEB-${number}`
      await server.request('PATCH', path, { token, body: { priority: 'critical' } })
    }
    // A run of its own counts as before.
    const other = await makeRun(server, project, { milestone_id: id, test_case_ids: ['WEB-4'] })
    await set(other.id, { 'WEB-4': 'passed' })
    await set(run.id, { 'WEB-1': 'failed', 'WEB-2': 'failed', 'WEB-3': 'blocked' })
    const path = `/v1/projects/${project.id}/milestones/${id}`
    const readiness = () => read<MilestoneReadiness>(`${path}/readiness`)
    const blockers = async () =>
      (await read<Blocker[]>(`${path}/blockers`)).map((row) => [row.test_case_id, row.run_name])
    const before = { tested: 4, total: 5, failed: 2, failed_critical: 2, blocked: 1 }
    expect(await readiness()).toMatchObject(before)
    const again = await rerun(run.id)
    // Nothing was tested in it yet.
    expect(await readiness()).toMatchObject(before)
    expect(await blockers()).toHaveLength(3)
    await set(again.id, { 'WEB-1': 'passed', 'WEB-3': 'failed' })
    expect(await readiness()).toMatchObject({ ...before, failed: 2, failed_critical: 2, blocked: 0, pace_per_day: 4 })
    expect(await blockers()).toEqual([
      ['WEB-3', 'Nightly, rerun 1'],
      ['WEB-2', 'Nightly'],
    ])
    // A rerun of another milestone does not settle anything here.
    await server.request('PATCH', `/v1/runs/${again.id}`, { token, body: { milestone_id: null } })
    expect(await readiness()).toMatchObject(before)
    expect(await blockers()).toHaveLength(3)
  })
})

describe('nameRerun', () => {
  it.each([
    ['Nightly', 1, 'Nightly, rerun 1'],
    ['Nightly, rerun 3', 4, 'Nightly, rerun 4'],
    ['x'.repeat(255), 12, `${'x'.repeat(244)}…, rerun 12`],
  ])('gives a rerun a name of at most 255 characters: %.40s', (name, number, expected) => {
    expect(nameRerun(name, number)).toBe(expected)
    expect(Array.from(nameRerun(name, number)).length).toBeLessThanOrEqual(255)
  })
})
