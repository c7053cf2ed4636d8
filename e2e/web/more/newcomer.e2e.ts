import { join } from 'node:path'

import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

import { useBrowser } from '../use-browser.ts'

/* A newcomer gets from the first start to the first executed test case without having read anything. */

const browser = useBrowser()

/** Starts the service without an account and without data. @returns the link that it prints */
async function startFresh(): Promise<string> {
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  const FILES_DIR = join(await createTemporaryDirectory(), 'files')
  const settings = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_TOKEN: '', FILES_DIR }
  const service = await startService({ ...settings, DATABASE_URL: getDatabaseUrl(connection) })
  return /http:\S+\/setup\/\S+/.exec(service.stderr())?.[0] ?? ''
}

/** Somebody who reads what is on the page, uses the mouse, and types only where something must be filled in. */
function createNewcomer(page: Page) {
  let clicks = 0
  return {
    async click(target: Locator) {
      clicks += 1
      await target.click()
    },
    /** Types where the focus is, which needs no click. */
    async type(label: string, text: string) {
      const field = page.getByLabel(label, { exact: true })
      await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.type(text)
    },
    countClicks: () => clicks,
  }
}

/** The limit for a test is a minute: half of what a newcomer may need. */
it('A newcomer executes the first test case after at most 12 clicks', async () => {
  const link = await startFresh()
  const page = await browser.newPage()
  const newcomer = createNewcomer(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()

  await page.goto(link)
  await newcomer.type('Your name', 'Mira Tanaka')
  await page.keyboard.press('Tab')
  await newcomer.type('Email address', 'mira@example.test')
  await page.keyboard.press('Tab')
  await newcomer.type('Password', 'correct horse battery')
  await newcomer.click(button('Create account'))

  await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
  for (const offer of ['New project', 'Import test cases', 'See the demo']) await button(offer).waitFor()
  await newcomer.click(button('New project'))
  await newcomer.type('Name', 'Web shop')
  await newcomer.click(button('Create project'))

  await newcomer.click(button('New case'))
  await newcomer.type('Title', 'A customer pays by card')
  await newcomer.click(page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Runs' }))
  await newcomer.click(page.getByRole('link', { name: /^(?:Start a|New) run/ }).first())
  await newcomer.click(button('Start run'))
  await newcomer.click(page.getByRole('link', { name: /^Execute/ }).first())
  await newcomer.click(button(/^Passed/))
  const runId = /\/runs\/([^/]+)/.exec(page.url())?.[1]
  const readStats = () =>
    page.evaluate(async (id) => {
      const response = await fetch(`/v1/runs/${id}`)
      return ((await response.json()) as { data: { stats: object } }).data.stats
    }, runId)
  await expect.poll(readStats).toMatchObject({ passed: 1, not_tested: 0 })
  expect(newcomer.countClicks()).toBeLessThanOrEqual(12)
})
