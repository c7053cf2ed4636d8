import type { Page } from 'playwright-core'

import { getRunResults, makeFolder, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'

export type Project = Awaited<ReturnType<typeof makeProject>>

/** The path of the page for a new run. */
export const newRunPath = ({ id }: Pick<Project, 'id'>, query = '') => `/projects/${id}/runs/new${query}`

/** Test cases whose order in the tree differs from the order of their numbers, and a run in which two of them failed. */
export async function makeNewRunScenario(server: TestServer) {
  const project = await makeProject(server)
  const make = (title: string, folder_id: string | null, fields: object = {}) =>
    makeTestCase(server, project, { title, folder_id, ...fields })
  const account = await makeFolder(server, project, { name: 'Account' })
  const shop = await makeFolder(server, project, { name: 'Shop' })
  const payment = await makeFolder(server, project, { name: 'Payment', parent_id: shop.id })
  await make('Imprint', null)
  await make('Card', payment.id, { tags: ['smoke'], priority: 'critical' })
  await make('Basket', shop.id, { tags: ['smoke'] })
  await make('Sign in', account.id)
  const before = await makeRun(server, project, { name: 'Nightly 812' })
  const results = [
    { test_case_id: 'WEB-2', status: 'failed' },
    { test_case_id: 'WEB-3', status: 'blocked' },
    { test_case_id: 'WEB-4', status: 'passed' },
  ]
  const { token } = project.admin
  await server.request('POST', `/v1/runs/${before.id}/results/bulk`, { token, body: { results } })
  return { project, before, shop, payment }
}

/** Waits until the page shows how many test cases are chosen. */
export const expectCount = (page: Page, text: string) =>
  page.getByRole('heading', { name: text, exact: true }).waitFor()

/** Chooses one of the five ways to choose test cases. */
export const chooseSource = (page: Page, source: string) => page.getByRole('radio', { name: source }).check()

/** The titles of the first test cases that are chosen. */
export const listTitles = (page: Page) =>
  page.getByRole('list', { name: 'First test cases' }).getByRole('listitem').allInnerTexts()

/** Starts the run. @returns its id */
export async function startRun(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Start run' }).click()
  await page.waitForURL((url) => /^\/runs\/[^/]+$/.test(url.pathname))
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** The ids of the test cases of a run, in its order. */
export const listCases = async (server: TestServer, project: Project, runId: string) => [
  ...(await getRunResults(server, runId, project.admin.token)).keys(),
]
