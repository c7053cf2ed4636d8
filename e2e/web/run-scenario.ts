import type { Page } from 'playwright-core'

import { makeFolder, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

export type Role = 'admin' | 'member' | 'viewer'
type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** A run whose test cases are in two folders, and an earlier one of the same test cases. */
export interface RunScenario {
  project: MadeProject
  runId: string
  /** Ids of the test cases in the order of the run. */
  caseIds: string[]
  /** Sets a result as somebody else. */
  setResult(caseId: string, body: object): Promise<void>
  /** Reads a result from the server. */
  getResult(caseId: string): Promise<{ status: string; note: string | null; elapsed: number | null }>
}

/** Makes a project with a run of `count` test cases with steps. */
export async function makeRunScenario(server: TestServer, count = 6): Promise<RunScenario> {
  const project = await makeProject(server)
  const checkout = await makeFolder(server, project, { name: 'Checkout' })
  const payment = await makeFolder(server, project, { name: 'Payment', parent_id: checkout.id })
  const caseIds: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const testCase = await makeTestCase(server, project, {
      title: `A customer pays in way ${number}`,
      folder_id: number <= count / 2 ? checkout.id : payment.id,
      precondition: 'A guest without an account',
      steps: [
        { position: 1, action: 'Open the shop', expected: 'The basket is empty' },
        { position: 2, action: 'Go to payment', expected: 'The form asks for a card' },
      ],
      tags: number === 1 ? ['smoke'] : [],
    })
    caseIds.push(testCase.id)
  }
  const run = await makeRun(server, project, { name: 'Regression 2.4', test_case_ids: caseIds })
  const { token } = project.admin
  return {
    project,
    runId: run.id,
    caseIds,
    async setResult(caseId, body) {
      const path = `/v1/runs/${run.id}/results/${caseId}`
      const { status } = await server.request('PUT', path, { token, body })
      if (status !== 200) throw new Error(`PUT ${path}: ${status}`)
    },
    async getResult(caseId) {
      const path = `/v1/runs/${run.id}/results/${caseId}`
      const { body } = await server.request<{ data: Awaited<ReturnType<RunScenario['getResult']>> }>('GET', path, {
        token,
      })
      return body.data
    },
  }
}

/** Makes a user with a role in a project, and opens a page of the app as this user. */
export async function openAs(
  page: Page,
  server: TestServer,
  project: { id: string },
  path: string,
  role: Role = 'member',
): Promise<{ id: string; email: string }> {
  const user = await makeUserWithPassword(server)
  await server.db.insertInto('memberships').values({ project_id: project.id, user_id: user.id, role }).execute()
  await page.goto(server.url + path)
  await submitSignIn(page, user.email)
  await page.getByRole('main').waitFor()
  return user
}

/** Fills in the sign-in page. */
export async function submitSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
