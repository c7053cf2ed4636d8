import { join } from 'node:path'

import { startCaseward } from '@caseward/test-support/caseward-process'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { expect, it, onTestFinished } from 'vitest'

import { useBrowser } from '../use-browser.ts'

const browser = useBrowser()

it('npm start on an empty data directory prints a link with which the first account is created', async () => {
  const directory = await createTemporaryDirectory()
  const settings = { DATA_DIR: join(directory, 'data'), ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_TOKEN: '' }
  const caseward = await startCaseward(settings, { command: ['npm', 'start'] })
  onTestFinished(async () => {
    caseward.signal('SIGTERM')
    await caseward.ended
  })
  const [link] = /http:\S+\/setup\/\S+/.exec(caseward.stderr()) ?? []
  expect(link).toBeDefined()

  const page = await browser.newPage()
  await page.goto(link ?? '')
  await page.getByLabel('Your name', { exact: true }).fill('Mira Tanaka')
  await page.getByLabel('Email address', { exact: true }).fill('mira@example.test')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
})
