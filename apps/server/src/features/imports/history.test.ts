import type { Import } from '@caseward/contract/import-schemas'
import type { MilestoneDetail } from '@caseward/contract/milestones'
import type { ResultChange } from '@caseward/contract/result-changes'
import type { TestResult } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import {
  actOnImport,
  countLosses,
  listImportRecords,
  planFile,
  waitForImport,
} from '@caseward/test-support/import-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

/** Runs of the year 2000 are older, those of 2008 are kept. */
const server = useTestServer({ runRetentionDays: 9000 })

type MadeProject = Awaited<ReturnType<typeof makeProject>>
type Row = Record<string, string | number | boolean | null>

interface Testmo {
  users?: Row[]
  milestones?: Row[]
  runs: Row[]
  run_tests: Row[]
  run_results: Row[]
}

const CASES = [
  { id: 1, title: 'Pays by card' },
  { id: 2, title: 'Pays later' },
  { id: 3, title: 'Pays never' },
]
const STATUSES = [
  { id: 1, name: 'Passed' },
  { id: 2, name: 'Failed' },
  { id: 3, name: 'Known issue' },
]
const toJson = (datasets: Testmo): string =>
  JSON.stringify({
    datasets: Object.entries({ repository_cases: CASES, statuses: STATUSES, ...datasets }).map(([name, rows]) => ({
      name,
      rows,
    })),
  })

/** Two runs of which the newer one comes first, with three results of one test case. */
const history = (email: string): Testmo => ({
  users: [
    { id: 1, name: 'Ada', email },
    { id: 2, name: 'Grace', email: 'grace@elsewhere.test' },
  ],
  milestones: [
    { id: 9, name: 'Payments', parent_id: 8 },
    { id: 8, name: 'Release 2', due_at: '2024-05-01T00:00:00Z', is_completed: true },
    { id: 10, name: 'Cards', parent_id: 9 },
  ],
  runs: [
    { id: 70, name: 'Second', milestone_id: 9, created_at: '2024-04-02T08:00:00Z', closed_at: '2024-04-03T08:00:00Z' },
    { id: 60, name: 'First', created_at: '2024-03-01T08:00:00Z', created_by: 1 },
  ],
  run_tests: [
    { id: 501, run_id: 70, case_id: 1 },
    { id: 502, run_id: 70, case_id: 2 },
    { id: 503, run_id: 70, case_id: 3 },
    { id: 504, run_id: 60, case_id: 1 },
    { id: 505, run_id: 60, case_id: 99 },
  ],
  run_results: [
    { id: 1, test_id: 501, status_id: 1, created_at: '2024-04-02T12:00:00Z', created_by: 1, elapsed: 90_000_000 },
    { id: 2, test_id: 501, status_id: 2, created_at: '2024-04-02T10:00:00Z', comment: '<p>Was <b>red</b></p>' },
    { id: 3, test_id: 501, status_id: 3, created_at: '2024-04-02T11:00:00Z', created_by: 2, comment: 'Later' },
    { id: 4, test_id: 502, status_id: 2, created_at: 'yesterday' },
    { id: 5, test_id: 504, status_id: 2, created_at: '2024-03-01T09:00:00Z' },
    { id: 6, test_id: 505, status_id: 1, created_at: '2024-03-01T09:00:00Z' },
  ],
})

async function read<T>(project: MadeProject, path: string): Promise<T> {
  const { body } = await server.request<{ data: T }>('GET', path, { token: project.admin.token })
  return body.data
}
const readRuns = (project: MadeProject) => read<Run[]>(project, `/v1/projects/${project.id}/runs`)
const readResults = (project: MadeProject, run: Pick<Run, 'id'>) =>
  read<TestResult[]>(project, `/v1/runs/${run.id}/results?per_page=100`)

const countActions = ({ planning }: Pick<Import, 'planning'>, kind: string) =>
  Object.fromEntries(
    (planning?.actions ?? []).filter((item) => item.kind === kind).map(({ action, count }) => [action, count]),
  )

/** Everything that an import of history could change. */
async function digestHistory({ id }: MadeProject): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(r order by id) from runs r where project_id = ${id}) as runs,
      (select json_agg(t order by run_id, id) from test_results t where project_id = ${id}) as results,
      (select json_agg(c order by run_id, result_id, place) from result_changes c where project_id = ${id}) as changes,
      (select json_agg(m order by id) from milestones m where project_id = ${id}) as milestones,
      (select json_agg(l order by id) from links l where project_id = ${id}) as links`.execute(server.db)
  return rows[0]
}

describe('import of the history of another tool', () => {
  it('plans, brings milestones, runs and results in their time, changes nothing again, and can be undone', async () => {
    const project = await makeProject(server)
    const ada = await makeMember(server, project.id, 'member')
    const json = toJson(history(ada.email.toUpperCase()))
    const empty = await digestHistory(project)
    const plan = await planFile(server, project, json, 'testmo.json')
    expect(await digestHistory(project)).toEqual(empty)
    expect(countActions(plan, 'milestone')).toEqual({ create: 3 })
    expect(countActions(plan, 'run')).toEqual({ create: 2 })
    expect(countActions(plan, 'result')).toEqual({ create: 6, not_imported: 1 })
    expect(countActions(plan, 'person')).toEqual({ unchanged: 1, create: 1 })
    expect(countLosses(plan)).toEqual({
      result_without_case: 1,
      status_unknown: 1,
      tester_unknown: 1,
      time_missing: 1,
      milestone_depth: 1,
    })
    expect(plan.planning?.questions.map(({ id }) => id)).toContain('status:Known issue')
    const path = `/v1/projects/${project.id}/imports/${plan.id}/plan`
    const body = { statuses: [{ from: 'Known issue', to: 'blocked' }] }
    await server.request('POST', path, { token: project.admin.token, body })
    const done = await actOnImport(server, project, await waitForImport(server, project, plan.id), 'apply')
    expect(done).toMatchObject({
      state: 'done',
      proof: {
        is_equal: true,
        milestones: { read: 3, stored: 3 },
        runs: { read: 2, stored: 2 },
        results: { read: 7, stored: 6 },
      },
    })

    const runs = await readRuns(project)
    const metadata = { 'Imported from': 'Testmo' }
    expect(runs).toMatchObject([
      { name: 'Second', status: 'completed', created_at: '2024-04-02T08:00:00.000Z', metadata },
      { name: 'First', status: 'completed', completed_at: '2024-03-01T09:00:00.000Z', created_by: ada.id, metadata },
    ])
    const [second, first] = runs
    if (second === undefined || first === undefined) throw new Error('A run is missing')
    const results = await readResults(project, second)
    expect(results).toMatchObject([
      { status: 'passed', tested_by: ada.id, tested_at: '2024-04-02T12:00:00.000Z', elapsed: 90, note: null },
      { status: 'failed', tested_at: '2024-04-02T08:00:00.000Z' },
      { status: 'not_tested', tested_at: null },
    ])
    expect(results.map((result) => result.test_case_title)).toEqual(CASES.map(({ title }) => title))
    const people = await read<{ id: string; name: string }[]>(project, `/v1/projects/${project.id}/people`)
    const grace = people.find(({ name }) => name === 'Grace (Testmo)')
    const changes = await read<ResultChange[]>(project, `/v1/runs/${second.id}/results/${results[0]?.id}/changes`)
    expect(changes).toMatchObject([
      { status: 'blocked', note: '[Known issue] Later', tested_at: '2024-04-02T11:00:00.000Z', tested_by: grace?.id },
      { status: 'failed', note: 'Was **red**', tested_at: '2024-04-02T10:00:00.000Z' },
    ])
    expect(await readResults(project, first)).toMatchObject([{ status: 'failed' }])
    const { body: milestone } = await server.request<MilestoneDetail>(
      'GET',
      `/v1/projects/${project.id}/milestones/${second.milestone_id}`,
      { token: project.admin.token },
    )
    expect(milestone).toMatchObject({ name: 'Payments', linked_runs: [{ id: second.id, name: 'Second' }] })
    await expectCorrectCounters(server, project.id)

    // What failed elsewhere is not unstable here, and nobody is told of it.
    const unstable = await read<unknown>(project, `/v1/projects/${project.id}/unstable-test-cases`)
    expect(unstable).toMatchObject({ failing: [], newly_failing: [], flaky: [] })

    const stored = await digestHistory(project)
    const again = await actOnImport(server, project, await planFile(server, project, json, 'testmo.json'), 'apply')
    expect(countActions(again, 'run')).toEqual({ unchanged: 2 })
    expect(countActions(again, 'result')).toEqual({ unchanged: 6, not_imported: 1 })
    expect(again.proof?.is_equal).toBe(true)
    expect(await digestHistory(project)).toEqual(stored)

    await actOnImport(server, project, done, 'undo')
    expect(await digestHistory(project)).toEqual(empty)
    await expectCorrectCounters(server, project.id)
  })

  it('adds what is new in a changed file, and keeps what people did here', async () => {
    const project = await makeProject(server)
    const file = { ...history('ada@elsewhere.test'), milestones: [] }
    const done = await actOnImport(
      server,
      project,
      await planFile(server, project, toJson(file), 'testmo.json'),
      'apply',
    )
    const [second, first] = await readRuns(project)
    if (second === undefined || first === undefined) throw new Error('A run is missing')
    const { token } = project.admin
    // A run that was deleted stays deleted; a result that was set here is newer than any of the source.
    await server.request('DELETE', `/v1/runs/${first.id}`, { token })
    await server.request('PATCH', `/v1/runs/${second.id}`, { token, body: { status: 'in_progress' } })
    const [card, later] = await readResults(project, second)
    const set = { token, body: { status: 'retest', note: 'Seen here' } }
    await server.request('PUT', `/v1/runs/${second.id}/results/${later?.test_case_id}`, set)
    const changed = {
      ...file,
      run_results: [
        ...file.run_results,
        { id: 7, test_id: 501, status_id: 2, created_at: '2024-04-02T13:00:00Z', comment: 'Broken again' },
        { id: 8, test_id: 501, status_id: 1, created_at: '2024-04-02T09:00:00Z' },
        { id: 9, test_id: 502, status_id: 1, created_at: '2024-04-02T14:00:00Z' },
        { id: 10, test_id: 503, status_id: 1, created_at: '2024-04-02T14:00:00Z' },
      ],
    }
    const plan = await planFile(server, project, toJson(changed), 'testmo.json')
    const next = await actOnImport(server, project, plan, 'apply')
    expect(next.proof).toMatchObject({ is_equal: true, differences: [] })
    expect(countActions(next, 'run')).toEqual({ update: 1, deleted_here: 1 })
    expect(countActions(next, 'result')).toEqual({ create: 4, unchanged: 4, deleted_here: 2 })
    const results = await readResults(project, second)
    expect(results).toMatchObject([
      { id: card?.id, status: 'failed', note: 'Broken again' },
      { id: later?.id, status: 'retest', note: 'Seen here' },
      { status: 'passed' },
    ])
    const changesOf = async (id: string | undefined) =>
      (await read<ResultChange[]>(project, `/v1/runs/${second.id}/results/${id}/changes`)).map(({ status }) => status)
    expect((await changesOf(card?.id)).toSorted()).toEqual(['failed', 'not_tested', 'passed', 'passed'])
    expect(await changesOf(later?.id)).toContain('passed')
    await expectCorrectCounters(server, project.id)

    // The runs are of an earlier import: what was added to them stays, and is listed.
    const undone = await actOnImport(server, project, next, 'undo')
    const left = await listImportRecords(server, project, undone.id, '&loss=left_by_undo')
    expect(left.map(({ kind }) => kind)).toEqual(['result', 'result', 'result', 'result'])
    expect(await readResults(project, second)).toMatchObject(results)

    // The run was touched: it stays, and so do the test cases that it has.
    await actOnImport(server, project, done, 'undo')
    expect((await readRuns(project)).map(({ id }) => id)).toEqual([second.id])
    await expectCorrectCounters(server, project.id)
  })

  it('finds the test cases of an earlier file, links defects, and respects retention and quotas in the plan', async () => {
    const project = await makeProject(server)
    const spec = `<?xml version="1.0" encoding="UTF-8"?><testsuite name=""><testsuite name="Basket">
      ${[1, 2].map((number) => `<testcase name="Case ${number}"><externalid>${number}</externalid><steps><step><actions>Open</actions><expectedresults>Shown</expectedresults></step></steps></testcase>`).join('')}
      </testsuite></testsuite>`
    await actOnImport(server, project, await planFile(server, project, spec, 'spec.xml'), 'apply')
    const results = `<?xml version="1.0" encoding="UTF-8"?><results><testplan name="asa"/><build name="1"/>
      <testcase external_id="ZAX-1"><tester>admin</tester><timestamp>2008-09-08 14:00:00</timestamp><result>p</result>
        <execution_duration>10</execution_duration><notes>works great </notes></testcase>
      <testcase external_id="ZAX-2"><result>f</result><notes>KIMI</notes><bug_id>ISSUE-66</bug_id></testcase>
      <testcase external_id="ZAX-3"><result>f</result></testcase></results>`
    const plan = await planFile(server, project, results, 'results.xml')
    expect(countActions(plan, 'result')).toEqual({ create: 2, not_imported: 1 })
    expect(countLosses(plan)).toMatchObject({ result_without_case: 1, tester_unknown: 1, defects_without_address: 1 })
    const [lost] = await listImportRecords(server, project, plan.id, '&loss=result_without_case')
    expect(lost).toMatchObject({ kind: 'result', action: 'not_imported', title: 'f' })
    const path = `/v1/projects/${project.id}/imports/${plan.id}/plan`
    const body = { id_pattern: 'https://tracker.test/browse/{id}' }
    await server.request('POST', path, { token: project.admin.token, body })
    const again = await waitForImport(server, project, plan.id)
    await sql`update instance_settings set max_runs_per_project = 1`.execute(server.db)
    await actOnImport(server, project, again, 'apply')
    const [run] = await readRuns(project)
    if (run === undefined) throw new Error('The run is missing')
    expect(run).toMatchObject({ name: 'Results from TestLink: testplan asa, build 1' })
    const stored = await readResults(project, run)
    expect(stored).toMatchObject([
      { status: 'passed', note: 'works great', elapsed: 600 },
      { status: 'failed', note: 'KIMI' },
    ])
    const links = await read<unknown>(project, `/v1/runs/${run.id}/results/${stored[1]?.id}/links`)
    expect(links).toMatchObject([{ kind: 'defect', url: 'https://tracker.test/browse/ISSUE-66', label: 'ISSUE-66' }])

    const other = await planFile(server, project, results.replace('build name="1"', 'build name="2"'), 'results.xml')
    expect(other).toMatchObject({ state: 'failed', error: { code: 'quota_reached' } })
    await sql`update instance_settings set max_runs_per_project = null`.execute(server.db)
    const old = await planFile(server, project, results.replace('"1"', '"3"').replace('2008', '2000'), 'results.xml')
    expect(countActions(old, 'run')).toEqual({ not_imported: 1 })
    expect(countLosses(old)).toEqual({ older_than_retention: 4 })
  })
})
