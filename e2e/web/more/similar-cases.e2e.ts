import { makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { getTestRow, LONG_TITLE, makeTestsArea } from '../tests-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

it('tests of CI without a test case > show similar test cases before theirs are created, and are linked to those chosen', async () => {
  const area = await makeTestsArea(server)
  await makeTestCase(server, area.project, { title: LONG_TITLE })
  await area.upload([makeTest('Basket > customer pays by card', ['failed'])])
  const page = await browser.newPage()
  await openAs(page, server, area.project, area.path)
  await page.getByRole('button', { name: /^Make test cases of these/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Create test cases for all 5 tests' })
  const similar = dialog.getByRole('region', { name: 'Similar test cases' })
  await similar.getByText('2 of the test cases may exist already. Nothing is linked unless you choose it.').waitFor()
  await checkPage(page, 'similar test cases of tests')

  // By keyboard: chosen, chosen no more, and chosen again.
  const card = similar.getByRole('button', { name: 'Use this one: WEB-2 for customer pays by card' })
  await card.focus()
  for (const state of ['true', 'false', 'true']) {
    await page.keyboard.press('Space')
    await expect.poll(() => card.getAttribute('aria-pressed')).toBe(state)
  }
  // Two tests that differ in their variant have one line.
  await similar.getByText('and 1 other test').waitFor()
  await similar.getByRole('button', { name: `Use this one: WEB-4 for ${LONG_TITLE}` }).click()
  await checkPage(page, 'chosen test cases of tests')
  await dialog.getByRole('button', { name: 'Create and link' }).click()
  await page.getByText('2 test cases created').waitFor()
  await page.getByRole('button', { name: /^Make test cases of these/ }).waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Test case' }).selectOption('All tests')
  await getTestRow(page, 'customer pays by card').getByText('WEB-2').waitFor()
  const { data } = await area.listTests('linked=true')
  expect(data.flatMap(({ test_case_ids: ids }) => ids).toSorted()).toEqual([
    'WEB-1',
    'WEB-2',
    'WEB-4',
    'WEB-4',
    'WEB-5',
    'WEB-6',
  ])
  // Test cases that are used have their results in the run, as those that are created.
  expect(await area.getRun()).toMatchObject({ result_count: 5, test_stats: { unmatched: 0 } })
})
