import { makeFolder, makeProject, makeRun } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'

type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** A run whose test cases are in two folders. */
export interface RunScenario {
  project: MadeProject
  runId: string
  /** Ids of the test cases in the order of the run. */
  caseIds: string[]
  /** Sets a result as somebody else. */
  setResult(caseId: string, body: object): Promise<void>
  /** Reads a result from the server. */
  getResult(caseId: string): Promise<{
    status: string
    note: string | null
    elapsed: number | null
    step_state: string | null
    steps: { position: number; status: string | null; actual: string | null }[]
  }>
}

/** Makes a project with a run of up to 100 test cases with steps. @param stepCount steps of each, at least two */
export async function makeRunScenario(server: TestServer, count = 6, stepCount = 2): Promise<RunScenario> {
  const project = await makeProject(server)
  const checkout = await makeFolder(server, project, { name: 'Checkout' })
  const payment = await makeFolder(server, project, { name: 'Payment', parent_id: checkout.id })
  const path = `/v1/projects/${project.id}/test-cases/bulk`
  const test_cases = Array.from({ length: count }, (_, index) => ({
    title: `A customer pays in way ${index + 1}`,
    folder_id: index + 1 <= count / 2 ? checkout.id : payment.id,
    precondition: 'A guest without an account',
    steps: [
      { position: 1, action: 'Open the shop', expected: 'The basket is empty' },
      { position: 2, action: 'Go to payment', expected: 'The form asks for a card' },
      ...Array.from({ length: stepCount - 2 }, (_step, step) => ({
        position: step + 3,
        action: `Add article ${step + 1}`,
        expected: 'The total is right',
      })),
    ],
    tags: index === 0 ? ['smoke'] : [],
  }))
  const { token } = project.admin
  const created = await server.request<{ data: { test_cases: { id: string }[] } }>('POST', path, {
    token,
    body: { test_cases },
  })
  const caseIds = created.body.data.test_cases.map(({ id }) => id)
  const run = await makeRun(server, project, { name: 'Regression 2.4', test_case_ids: caseIds })
  return {
    project,
    runId: run.id,
    caseIds,
    async setResult(caseId, body) {
      const { status } = await server.request('PUT', `/v1/runs/${run.id}/results/${caseId}`, { token, body })
      if (status !== 200) throw new Error(`The result of ${caseId} was not set: ${status}`)
    },
    async getResult(caseId) {
      const url = `/v1/runs/${run.id}/results/${caseId}`
      type Response = { data: Awaited<ReturnType<RunScenario['getResult']>> }
      return (await server.request<Response>('GET', url, { token })).body.data
    },
  }
}

/** Sets one result of each status, with a note that has a table. */
export async function setVariousResults({ setResult }: RunScenario): Promise<void> {
  for (const [index, status] of ['passed', 'failed', 'blocked', 'retest'].entries()) {
    const note = `A note\n\n| a | b |\n|---|---|\n| 1 | ${index} |`
    await setResult(`WEB-${index + 1}`, { status, note, elapsed: 90 })
  }
}

/** Waits until a test case of a run scenario is shown. */
export const waitForCase = (page: Page, number: number) =>
  page.getByRole('heading', { level: 1, name: `A customer pays in way ${number}`, exact: true }).waitFor()

/** Waits until the server has all results. */
export const waitUntilSaved = (page: Page) => page.getByText(/^All saved/).waitFor()
