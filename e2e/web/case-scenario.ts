import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeFolder, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'

/** A project with folders and test cases, as its admin sees it. */
export interface CaseScenario {
  project: Awaited<ReturnType<typeof makeProject>>
  /** The path of the cases page. */
  path: string
  folders: { checkout: string; payment: string; account: string }
  /** Reads a test case from the server. */
  read(id: string): Promise<TestCase>
  /** Reads the ids of all test cases in the order of the folders. */
  readOrder(): Promise<string[]>
  /** Changes a test case as another user. */
  changeAsOther(id: string, changes: Partial<TestCase>): Promise<void>
}

const titles = [
  'A customer pays by card',
  'A guest pays by invoice',
  'A voucher lowers the price',
  'The basket survives a sign-in',
  'A wrong password is refused',
  'An address can be changed',
]

/** Makes six test cases: two in Payment, which is in Checkout, two in Checkout, one in Account, and one without a folder. */
export async function makeCaseScenario(server: TestServer): Promise<CaseScenario> {
  const project = await makeProject(server)
  const checkout = (await makeFolder(server, project, { name: 'Checkout' })).id
  const payment = (await makeFolder(server, project, { name: 'Payment', parent_id: checkout })).id
  const account = (await makeFolder(server, project, { name: 'Account' })).id
  const folders = [payment, payment, checkout, checkout, account, null]
  for (const [index, title] of titles.entries()) {
    await makeTestCase(server, project, {
      title,
      folder_id: folders[index] ?? null,
      priority: (['critical', 'high', 'medium', 'low'] as const)[index % 4] ?? 'medium',
      tags: index < 2 ? ['smoke'] : [],
      steps: [{ position: 1, action: 'Open the shop', expected: 'The basket is empty' }],
    })
  }
  const path = `/v1/projects/${project.id}/test-cases`
  const { token } = project.admin
  return {
    project,
    path: `/projects/${project.id}/cases`,
    folders: { checkout, payment, account },
    async read(id) {
      return (await server.request<{ data: TestCase }>('GET', `${path}/${id}`, { token })).body.data
    },
    async readOrder() {
      const { body } = await server.request<{ data: { id: string }[] }>('GET', `${path}?sort=tree&per_page=100`, {
        token,
      })
      return body.data.map(({ id }) => id)
    },
    async changeAsOther(id, changes) {
      const { status } = await server.request('PATCH', `${path}/${id}`, { token, body: changes })
      if (status !== 200) throw new Error(`PATCH ${id}: ${status}`)
    },
  }
}

/** Makes a run of all test cases, with a result of the first one. */
export async function makeRunWithResult(server: TestServer, { project }: CaseScenario, status: string): Promise<void> {
  const run = await makeRun(server, project)
  await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, { token: project.admin.token, body: { status } })
}

/** The row of a test case in the table. */
export const getRow = (page: Page, id: string) => page.getByRole('row', { name: new RegExp(`^Select ${id} `) })

/** The panel beside the table. */
export const getPanel = (page: Page) => page.getByRole('region', { name: 'Test case', exact: true })

/** The field with the title, in the panel. */
export const getTitle = (page: Page) => getPanel(page).getByRole('textbox', { name: 'Title' })

/** What the panel says about what was typed, such as `Saved`. */
export const getState = (page: Page, text: string) => getPanel(page).getByText(text, { exact: true })
