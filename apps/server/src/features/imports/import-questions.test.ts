import { makeProject } from '@caseward/test-support/factories'
import {
  actOnImport,
  countLosses,
  listImportRecords,
  planFile,
  summarizePlan,
  waitForImport,
} from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

const server = useSharedServer()

/** An export of Testmo with two projects. */
const FILE = JSON.stringify({
  datasets: [
    {
      name: 'projects',
      rows: [
        { id: 1, name: 'Shop' },
        { id: 2, name: 'Bank' },
      ],
    },
    {
      name: 'repository_cases',
      rows: [
        { id: 10, project_id: 1, title: 'Pays' },
        { id: 20, project_id: 2, title: 'Saves' },
      ],
    },
    { name: 'runs', rows: [{ id: 3, project_id: 2, name: 'Nightly', created_at: '2026-01-05 10:00:00' }] },
    { name: 'run_results', rows: [{ id: 4, run_id: 3, case_id: 20, status_id: 2, created_at: '2026-01-05 11:00:00' }] },
    { name: 'statuses', rows: [{ id: 2, name: 'Passed' }] },
  ],
})

it('an import of a file with several projects asks for one, takes the first until it is chosen, and remembers the choice', async () => {
  const project = await makeProject(server)
  const plan = await planFile(server, project, FILE, 'testmo.json')
  const question = { id: 'project', options: ['Shop', 'Bank'], default: 'Shop' }
  expect(plan.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: null }))
  expect(countLosses(plan)).toEqual({
    'not_imported:test_cases_of_other_projects': 1,
    'not_imported:runs_of_other_projects': 1,
    'not_imported:results_of_other_projects': 1,
  })
  expect(await listImportRecords(server, project, plan.id)).toMatchObject([{ kind: 'case', title: 'Pays' }])

  const path = `/v1/projects/${project.id}/imports/${plan.id}/plan`
  await server.request('POST', path, { token: project.admin.token, body: { project: 'Bank' } })
  const chosen = await waitForImport(server, project, plan.id)
  expect(chosen.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: 'Bank' }))
  const done = await actOnImport(server, project, chosen, 'apply')
  expect(done).toMatchObject({ state: 'done', proof: { cases: { read: 1, stored: 1 }, results: { read: 1 } } })
  expect(countLosses(done)).toEqual({ 'not_imported:test_cases_of_other_projects': 1 })

  const again = await planFile(server, project, FILE, 'testmo.json')
  expect(again.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: 'Bank' }))
  expect(await listImportRecords(server, project, again.id)).toMatchObject([
    { title: 'Saves', action: 'unchanged' },
    { title: 'Nightly', action: 'unchanged' },
    { title: 'Passed', action: 'unchanged' },
  ])
})

it('an import asks for the order of day and month if no date tells it, and takes one until it is chosen', async () => {
  const project = await makeProject(server)
  const rows = {
    repository_cases: [{ id: 10, title: 'Pays' }],
    runs: [{ id: 3, name: 'Nightly', created_at: '03/04/2025 08:00' }],
    run_results: [{ id: 4, run_id: 3, case_id: 10, status_id: 2, created_at: '05/04/2025 09:00' }],
    statuses: [{ id: 2, name: 'Passed' }],
  }
  const file = JSON.stringify({ datasets: Object.entries(rows).map(([name, list]) => ({ name, rows: list })) })
  const plan = await planFile(server, project, file, 'testmo.json')
  const question = { id: 'date_order', options: ['day_first', 'month_first'], default: 'day_first' }
  expect(plan.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: null }))
  expect(countLosses(plan)).toEqual({})
  const readTimes = async () =>
    (await listImportRecords(server, project, plan.id)).flatMap(({ kind, after }) =>
      kind === 'run' ? [after?.['created_at'], after?.['completed_at']] : kind === 'result' ? [after?.['at']] : [],
    )
  expect(await readTimes()).toEqual([
    '2025-04-03T08:00:00.000Z',
    '2025-04-05T09:00:00.000Z',
    '2025-04-05T09:00:00.000Z',
  ])

  const path = `/v1/projects/${project.id}/imports/${plan.id}/plan`
  await server.request('POST', path, { token: project.admin.token, body: { date_order: 'month_first' } })
  const chosen = await waitForImport(server, project, plan.id)
  expect(chosen.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: 'month_first' }))
  expect(await readTimes()).toEqual([
    '2025-03-04T08:00:00.000Z',
    '2025-05-04T09:00:00.000Z',
    '2025-05-04T09:00:00.000Z',
  ])
})

it('an import asks for the zone of times that do not tell theirs, and takes UTC until it is chosen', async () => {
  const project = await makeProject(server)
  const rows = {
    repository_cases: [{ id: 10, title: 'Pays' }],
    runs: [{ id: 3, name: 'Nightly', created_at: '2025-07-03 08:00' }],
    run_results: [{ id: 4, run_id: 3, case_id: 10, status_id: 2, created_at: '2025-12-03T09:00:00+00:00' }],
    statuses: [{ id: 2, name: 'Passed' }],
  }
  const file = JSON.stringify({ datasets: Object.entries(rows).map(([name, list]) => ({ name, rows: list })) })
  const plan = await planFile(server, project, file, 'testmo.json')
  const question = { id: 'time_zone', default: 'UTC', sentence: expect.stringContaining('2025-07-03 08:00') }
  expect(plan.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: null })])
  const readTimes = async () =>
    (await listImportRecords(server, project, plan.id)).flatMap(({ kind, after }) =>
      kind === 'run' ? [after?.['created_at']] : kind === 'result' ? [after?.['at']] : [],
    )
  expect(await readTimes()).toEqual(['2025-07-03T08:00:00.000Z', '2025-12-03T09:00:00.000Z'])

  const path = `/v1/projects/${project.id}/imports/${plan.id}/plan`
  const { token } = project.admin
  const refused = await server.request('POST', path, { token, body: { time_zone: 'Mars/Olympus' } })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/time_zone' }] } })
  await server.request('POST', path, { token, body: { time_zone: 'Europe/Berlin' } })
  const chosen = await waitForImport(server, project, plan.id)
  expect(chosen.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: 'Europe/Berlin' })])
  expect(await readTimes()).toEqual(['2025-07-03T06:00:00.000Z', '2025-12-03T09:00:00.000Z'])
})

it('an import creates again what was deleted here if that is chosen, for this import only', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}`
  const csv =
    'ID,Title,Section,Template,Steps\nC101,Pays,Shop,Test Case (Text),Open\nC102,Refunds,Bank,Test Case (Text),Open\n'
  await actOnImport(server, project, await planFile(server, project, csv, 'cases.csv'), 'apply')
  await server.request('DELETE', `${path}/test-cases/WEB-2`, { token })
  const { body } = await server.request<{ data: { id: string; name: string }[] }>('GET', `${path}/folders`, { token })
  const bank = body.data.find(({ name }) => name === 'Bank')
  await server.request('DELETE', `${path}/folders/${bank?.id}`, { token })

  const plan = await planFile(server, project, csv, 'cases.csv')
  const summary = ['case deleted_here 1', 'case unchanged 1', 'folder deleted_here 1', 'folder unchanged 1']
  expect(summarizePlan(plan)).toEqual(summary)
  await server.request('POST', `${path}/imports/${plan.id}/plan`, { token, body: { restores_deleted: true } })
  const chosen = await waitForImport(server, project, plan.id)
  expect(summarizePlan(chosen)).toEqual(['case create 1', 'case unchanged 1', 'folder create 1', 'folder unchanged 1'])
  expect(await actOnImport(server, project, chosen, 'apply')).toMatchObject({
    state: 'done',
    proof: { is_equal: true },
  })
  const found = await server.request<{ data: object[] }>('GET', `${path}/case-aliases?key=C102`, { token })
  expect(found.body.data).toMatchObject([{ test_case_id: 'WEB-3' }])

  await server.request('DELETE', `${path}/test-cases/WEB-3`, { token })
  expect(summarizePlan(await planFile(server, project, csv, 'cases.csv'))).toContain('case deleted_here 1')
})

it.each(['archive', 'tag'] as const)(
  'an import can %s test cases that the source does not have any more, unless they were changed here',
  async (absent) => {
    const project = await makeProject(server)
    const { token } = project.admin
    const path = `/v1/projects/${project.id}`
    const toCsv = (...ids: number[]) =>
      `ID,Title,Section,Template,Steps\n${ids.map((id) => `C${id},Pays ${id},Shop,Test Case (Text),Open`).join('\n')}\n`
    const list = async () => {
      const { body } = await server.request<{ data: { id: string; tags?: string[]; archived_at?: string | null }[] }>(
        'GET',
        `${path}/test-cases?archived=any&fields=all`,
        { token },
      )
      return body.data.map(({ id, tags = [], archived_at: at }) => [id, tags.join(), at === undefined || at === null])
    }
    await actOnImport(server, project, await planFile(server, project, toCsv(101, 102, 103), 'cases.csv'), 'apply')
    await server.request('PATCH', `${path}/test-cases/WEB-3`, { token, body: { title: 'Changed here' } })
    const before = await list()

    const plan = await planFile(server, project, toCsv(101), 'cases.csv')
    expect(plan.planning?.absent).toBe(2)
    const question = { id: 'absent', options: ['keep', 'archive', 'tag'], default: 'keep' }
    expect(plan.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: null }))
    await server.request('POST', `${path}/imports/${plan.id}/plan`, { token, body: { absent } })
    const chosen = await waitForImport(server, project, plan.id)
    expect(summarizePlan(chosen)).toContain('case absent_in_source 2')
    expect(chosen.planning?.questions).toContainEqual(expect.objectContaining({ ...question, answer: absent }))
    expect(countLosses(chosen)).toEqual({ absent_kept: 1 })
    expect(await list()).toEqual(before)
    const done = await actOnImport(server, project, chosen, 'apply')
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true, cases: { read: 1, stored: 1 } } })
    expect(await list()).toEqual([
      ['WEB-1', '', true],
      absent === 'archive' ? ['WEB-2', '', false] : ['WEB-2', 'absent-in-source', true],
      ['WEB-3', '', true],
    ])
    // It is asked for each import anew, and nothing is done twice.
    const again = await planFile(server, project, toCsv(101), 'cases.csv')
    expect(summarizePlan(again).filter((line) => line.startsWith('case'))).toEqual(['case unchanged 1'])

    expect(await actOnImport(server, project, done, 'undo')).toMatchObject({ state: 'undone' })
    expect(await list()).toEqual(before)
  },
)
