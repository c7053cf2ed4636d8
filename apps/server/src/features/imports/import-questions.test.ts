import { makeProject } from '@caseward/test-support/factories'
import {
  actOnImport,
  countLosses,
  listImportRecords,
  planFile,
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
  expect(plan.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: null })])
  expect(countLosses(plan)).toEqual({
    'not_imported:test_cases_of_other_projects': 1,
    'not_imported:runs_of_other_projects': 1,
    'not_imported:results_of_other_projects': 1,
  })
  expect(await listImportRecords(server, project, plan.id)).toMatchObject([{ kind: 'case', title: 'Pays' }])

  const path = `/v1/projects/${project.id}/imports/${plan.id}/plan`
  await server.request('POST', path, { token: project.admin.token, body: { project: 'Bank' } })
  const chosen = await waitForImport(server, project, plan.id)
  expect(chosen.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: 'Bank' })])
  const done = await actOnImport(server, project, chosen, 'apply')
  expect(done).toMatchObject({ state: 'done', proof: { cases: { read: 1, stored: 1 }, results: { read: 1 } } })
  expect(countLosses(done)).toEqual({ 'not_imported:test_cases_of_other_projects': 1 })

  const again = await planFile(server, project, FILE, 'testmo.json')
  expect(again.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: 'Bank' })])
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
  expect(plan.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: null })])
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
  expect(chosen.planning?.questions).toEqual([expect.objectContaining({ ...question, answer: 'month_first' })])
  expect(await readTimes()).toEqual([
    '2025-03-04T08:00:00.000Z',
    '2025-05-04T09:00:00.000Z',
    '2025-05-04T09:00:00.000Z',
  ])
})
