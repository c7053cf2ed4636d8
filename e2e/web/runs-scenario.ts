import type { Page } from 'playwright-core'

import { makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'

type Project = Awaited<ReturnType<typeof makeProject>>

/** The path of the list of runs. */
export const runsPath = ({ id }: Pick<Project, 'id'>, query = '') => `/projects/${id}/runs${query}`

/** Sets the statuses of results by the ids of their test cases, as somebody else. */
export async function setResults(
  server: TestServer,
  project: Project,
  runId: string,
  statuses: Record<string, string>,
): Promise<void> {
  const results = Object.entries(statuses).map(([test_case_id, status]) => ({ test_case_id, status }))
  const path = `/v1/runs/${runId}/results/bulk`
  const { status } = await server.request('POST', path, { token: project.admin.token, body: { results } })
  if (status !== 200) throw new Error(`POST ${path}: ${status}`)
}

/** A project with a run of four test cases, one of them failed, and an older run of a milestone. */
export async function makeRunsScenario(server: TestServer) {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, 4)
  const milestone = await makeMilestone(server, project, { name: 'Release 2.4' })
  const nightly = await makeRun(server, project, { name: 'Nightly 812', milestone_id: milestone.id })
  const regression = await makeRun(server, project, { name: 'Regression 2.4' })
  const [first = '', second = '', third = ''] = ids
  await setResults(server, project, regression.id, { [first]: 'passed', [second]: 'failed', [third]: 'passed' })
  return { project, ids, milestone, nightly, regression }
}

/** The row of a run in the list. */
export const getRunRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Selects a run by keyboard. */
export async function selectRun(page: Page, name: string): Promise<void> {
  await getRunRow(page, name).focus()
  await page.keyboard.press('x')
  await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
}
