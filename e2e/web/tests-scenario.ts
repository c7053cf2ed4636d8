import type { UploadedStep } from '@caseward/contract/uploaded-tests'
import { makeTestCase } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import type { Page } from 'playwright-core'

/** A title of 200 characters. */
export const LONG_TITLE = `the total ${'of all items in the basket '.repeat(8)}`.slice(0, 200)

/** The steps of an attempt that failed in one of them. */
const steps: UploadedStep[] = [
  { title: 'Before each', depth: 0, status: 'passed', elapsed_ms: 1200 },
  { title: 'Open the shop', depth: 1, status: 'passed', elapsed_ms: 900 },
  { title: 'Fill the basket', depth: 0, status: 'passed', elapsed_ms: 300 },
  { title: 'Pay', depth: 0, status: 'failed', elapsed_ms: 2400 },
  { title: 'Choose the card', depth: 1, status: 'passed', elapsed_ms: 400 },
  { title: 'Confirm', depth: 1, status: 'failed', elapsed_ms: 2000 },
  { title: 'Wait for the order number', depth: 2, status: 'failed', message: 'Timed out after 2,000 ms' },
  { title: 'Leave', depth: 0, status: null },
]

/**
 * A run to which CI has uploaded five tests: one that matches WEB-1, a flaky one, one that failed twice, one in two variants,
 * and two errors outside of tests. WEB-2 and WEB-3 have no test.
 */
export async function makeTestsArea(server: TestServer) {
  const scenario = await makeTestsScenario(server)
  const { project, run, uploadTests } = scenario
  const key = 'Cart > adds an item'
  await makeTestCase(server, project, { title: 'The basket adds an item', automation_key: `src/cart.test.ts ${key}` })
  await makeTestCase(server, project, { title: 'A customer pays by card' })
  await makeTestCase(server, project, { title: 'A guest pays by invoice' })
  const deep = 'src/features/checkout/payment/card-payment.spec.ts'
  const upload = async (tests: object[], fields: object = {}) => {
    const { status, body } = await uploadTests(tests, fields)
    if (status >= 300) throw new Error(`POST /v1/results: ${status} ${JSON.stringify(body)}`)
  }
  await upload(
    [
      makeTest(key, ['failed', 'passed'], { test_case_ids: ['WEB-1'] }),
      makeTest('Cart > removes an item', ['failed', 'failed', 'passed']),
      makeTest('Checkout > pays by card', ['failed', 'failed'], {
        suite: deep,
        file: deep,
        attempts: [
          { status: 'failed', elapsed_ms: 80, message: 'The page stays empty' },
          { status: 'failed', elapsed_ms: 100, message: 'Checkout > pays by card is wrong', details: 'at pay', steps },
        ],
      }),
      makeTest(`Checkout > ${LONG_TITLE}`, ['passed'], { suite: deep, file: deep, variant: 'chromium' }),
      makeTest(`Checkout > ${LONG_TITLE}`, ['passed'], { suite: deep, file: deep, variant: 'firefox' }),
    ],
    {
      shard: '1',
      suite_errors: [
        { where: 'src/login.test.ts', message: 'SyntaxError: Unexpected token' },
        { where: 'src/search.test.ts', message: 'The suite was killed' },
      ],
    },
  )
  return { ...scenario, upload, path: `/runs/${run.id}/tests`, projectPath: `/projects/${project.id}/tests` }
}

export type TestsArea = Awaited<ReturnType<typeof makeTestsArea>>

/** The row of a test in a list, by a part of its name. */
export const getTestRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** The open test. */
export const getTestPanel = (page: Page) => page.getByRole('article')

/** Selects a test by keyboard. */
export async function selectTest(page: Page, name: string): Promise<void> {
  await getTestRow(page, name).focus()
  await page.keyboard.press('x')
  await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
}

/** Goes from another tab of a run to its results. */
export async function showResults(page: Page): Promise<void> {
  const tab = page.getByRole('navigation', { name: 'Run' }).getByRole('link', { name: 'Results' })
  await tab.click()
  await page.getByRole('grid', { name: 'Results' }).waitFor()
}
