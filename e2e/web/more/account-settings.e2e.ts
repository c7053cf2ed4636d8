import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs, openAsNewUser } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, waitForCase } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const LIGHT = 'rgb(246, 247, 249)'
const DARK = 'rgb(13, 15, 19)'
const getBackground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe('the settings of the browser', () => {
  it('apply at once, also to a page that is open in another tab', async () => {
    const scenario = await makeRunScenario(server, 4)
    const execution = await browser.newPage({ colorScheme: 'light' })
    await openAs(execution, server, scenario.project, `/runs/${scenario.runId}/execute`)
    await waitForCase(execution, 1)
    await execution.getByRole('timer').waitFor()
    const settings = await execution.context().newPage()
    await settings.goto(`${server.url}/account/keys`)

    await expect.poll(() => getBackground(settings)).toBe(LIGHT)
    await settings.getByRole('radio', { name: 'Dark' }).check()
    await expect.poll(() => getBackground(settings)).toBe(DARK)
    await expect.poll(() => getBackground(execution)).toBe(DARK)

    await settings.getByLabel('Measure the time in execution').uncheck()
    await execution.getByRole('timer').waitFor({ state: 'detached' })
    await settings.getByLabel('Measure the time in execution').check()
    await execution.getByRole('timer').waitFor()

    await settings.getByLabel('Go to the note after “Failed”').check()
    await execution.keyboard.press('f')
    await expect.poll(() => execution.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await waitForCase(execution, 1)
    await execution.keyboard.press('Escape')
    await execution.keyboard.press('j')
    await waitForCase(execution, 2)

    await settings.getByLabel('Keys without Ctrl, Alt or ⌘').uncheck()
    await execution
      .getByRole('group', { name: 'Result', exact: true })
      .locator('[aria-keyshortcuts]')
      .waitFor({ state: 'detached' })
    await execution.keyboard.press('p')
    await execution.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Blocked' }).click()
    await waitForCase(execution, 3)
    await execution.getByText(/^All saved/).waitFor()
    expect((await scenario.getResult('WEB-2')).status).toBe('blocked')
  })

  it('switch single-letter keys off and on at once in the page itself', async () => {
    const page = await browser.newPage()
    await openAsNewUser(page, server, '/account/keys')
    const setting = page.getByLabel('Keys without Ctrl, Alt or ⌘')
    await setting.uncheck()
    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByRole('heading', { name: 'No tokens' }).waitFor()
    await page.keyboard.press('c')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goBack()
    await setting.check()
    await page.goForward()
    await page.getByRole('heading', { name: 'No tokens' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New token' }).waitFor()
  })

  it('include a theme that is set before the first paint', async () => {
    const page = await browser.newPage({ colorScheme: 'light' })
    await openAsNewUser(page, server, '/account/keys')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.documentElement.dataset['theme'] !== 'dark') return
        observer.disconnect()
        Object.assign(globalThis, { themeSetAt: performance.now() })
      }).observe(document, { attributes: true, childList: true, subtree: true })
    })
    await page.reload()
    await page.getByRole('radio', { name: 'Dark' }).waitFor()
    const { themeSetAt, paintedAt } = await page.evaluate(async () => {
      const getFirstPaint = () => performance.getEntriesByName('first-paint')[0]
      while (getFirstPaint() === undefined) await new Promise(requestAnimationFrame)
      const { themeSetAt: setAt } = globalThis as unknown as { themeSetAt: number }
      return { themeSetAt: setAt, paintedAt: getFirstPaint()?.startTime }
    })
    expect(themeSetAt).toBeLessThan(paintedAt ?? 0)
    await expect.poll(() => getBackground(page)).toBe(DARK)
    await page.getByRole('radio', { name: 'As the system' }).check()
    await expect.poll(() => getBackground(page)).toBe(LIGHT)
    await checkPage(page, 'account-keys')
  })
})
