import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'
import { makeHistory } from '../insight-scenario.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const getToast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

describe('quarantine', () => {
  it('of tests of a run: several at once with Q, changed and ended in the panel of the test', async () => {
    const { project, feature, get } = await makeHistory(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${feature.id}/failures`)
    await page.getByRole('heading', { name: '2 failures block' }).waitFor()
    for (const name of ['logs', 'refunds']) await page.getByRole('checkbox', { name: new RegExp(name) }).check()
    await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
    await checkPage(page, 'selected failures')
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Quarantine 2 tests' })
    await dialog.getByLabel('Reason').waitFor()
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await dialog.getByText('Say why failures must not block for now.').waitFor()
    await dialog.getByLabel('Reason').fill('The log server is being moved')
    await dialog.getByLabel('Branches').fill('feature/*, main')
    await checkPage(page, 'quarantine dialog')
    await dialog.getByLabel('Link to an issue').fill('nowhere')
    await dialog.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await dialog.getByLabel('Link to an issue').and(page.locator('[aria-invalid]')).waitFor()
    await dialog.getByLabel('Link to an issue').fill('https://tracker.test/SHOP-41')
    await page.keyboard.press('Enter')
    await getToast(page, '2 tests quarantined').waitFor()
    const entries = await get<{ data: { id: string; reason: string; branches: string[]; expires_at: string }[] }>(
      `/v1/projects/${project.id}/quarantines`,
    )
    expect(entries.data).toMatchObject([{ branches: ['feature/*', 'main'] }, { link: 'https://tracker.test/SHOP-41' }])
    const days = (Date.parse(entries.data[0]?.expires_at ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)

    // The panel of a test says what it is and why, changes its entry, and ends it.
    await page.getByRole('link', { name: /logs/ }).first().click()
    const panel = page.getByRole('article', { name: 'logs' })
    await panel.getByText('New: it did not fail in build of 6. It blocks.').waitFor()
    await panel.getByText(/Quarantined until/).waitFor()
    await checkPage(page, 'panel of a quarantined test')
    await panel.getByRole('button', { name: 'Change the quarantine' }).click()
    await page.getByRole('dialog').getByLabel('Ends on').fill('2020-01-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Choose a day from/).waitFor()
    await page
      .getByRole('dialog')
      .getByLabel('Ends on')
      .fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10))
    await page.getByRole('button', { name: 'Save' }).click()
    await getToast(page, 'Quarantine changed').waitFor()
    await panel.getByRole('button', { name: 'End it' }).click()
    const end = page.getByRole('dialog', { name: 'End the quarantine' })
    await end.getByLabel('Reason').fill('The server is back')
    await end.getByRole('button', { name: 'End the quarantine' }).click()
    await panel
      .getByRole('button', { name: 'Quarantine', exact: true })
      .or(panel.getByRole('button', { name: 'Quarantine Q', exact: true }))
      .waitFor()
    const ended = await get<typeof entries>(`/v1/projects/${project.id}/quarantines?active=false`)
    expect(ended.data).toMatchObject([{ end_reason: 'The server is back' }])
  })

  it('is not offered to a viewer', async () => {
    const { project, feature } = await makeHistory(server)
    const page = await browser.newWindow()
    await openAs(page, server, project, `/runs/${feature.id}/failures`, 'viewer')
    await page.getByRole('link', { name: /logs/ }).first().waitFor()
    expect(await page.getByRole('button', { name: /^Quarantine/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.keyboard.press('q')
    await page.getByRole('link', { name: /logs/ }).first().click()
    const panel = page.getByRole('article', { name: 'logs' })
    await panel.getByText(/It blocks\.$/).waitFor()
    expect(await panel.getByRole('button', { name: /quarantine/i }).count()).toBe(0)
    await follow(page, `/projects/${project.id}/insight/quarantine`)
    await page.getByRole('heading', { name: 'No test is quarantined' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Change it in the settings' }).count()).toBe(0)
  })
})
