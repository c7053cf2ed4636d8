import { DEFECT, makeReportedRun } from '@caseward/test-support/share-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { openAs } from './open-as.ts'
import { checkPage } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser()

describe('a shared report', () => {
  it('is shared in the menu of a run, read without an account, printed in light colors, and revoked in the settings', async () => {
    const { project, run } = await makeReportedRun(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`, 'admin')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'All as CSV' }).click()
    expect((await download).suggestedFilename()).toBe('Nightly.csv')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Release 2.4 for Acme')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    const address = dialog.getByRole('textbox', { name: 'Address' })
    await address.waitFor()
    const url = (await address.inputValue()).replace('localhost', '127.0.0.1')
    await dialog.getByRole('button', { name: 'Done' }).click()

    const reader = await browser.newPage()
    const errors: string[] = []
    reader.on('console', (message) => errors.push(message.text()))
    await reader.goto(url)
    await reader.getByRole('heading', { level: 1, name: 'Release 2.4 for Acme' }).waitFor()
    expect(await reader.getByRole('link', { name: 'SHOP-41' }).first().getAttribute('href')).toBe(DEFECT)
    const picture = reader.getByRole('img', { name: 'shot.png' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
    expect(await reader.evaluate(() => document.scripts.length + document.cookie.length)).toBe(0)
    await checkPage(reader, 'shared report')
    // A status stands on the line of the title beside it: the middles of their texts differ by less than a pixel.
    const middles = await reader
      .locator('h3')
      .first()
      .evaluate((heading) =>
        ['.status', '.title'].map((selector) => {
          const range = document.createRange()
          range.selectNode(heading.querySelector(selector)?.lastChild ?? heading)
          const { top, bottom } = range.getBoundingClientRect()
          return (top + bottom) / 2
        }),
      )
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(1)
    await reader.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const readColor = () => reader.evaluate(() => getComputedStyle(document.body).color)
    expect(await readColor()).toBe('rgb(21, 24, 30)')
    expect(await reader.getByRole('link', { name: 'CSV' }).isVisible()).toBe(false)
    await reader.emulateMedia({ media: 'screen', colorScheme: 'light' })
    expect(errors).toEqual([])

    await page.goto(`${server.url}/projects/${project.id}/settings/general`)
    const section = page.getByRole('region', { name: 'Shared reports' })
    await section.getByText('Run “Nightly”').waitFor()
    await section.getByRole('button', { name: 'Revoke report Release 2.4 for Acme' }).click()
    await page.getByRole('button', { name: 'Revoke report', exact: true }).click()
    await section
      .getByText(/revoked/)
      .first()
      .waitFor()
    expect((await reader.goto(url))?.status()).toBe(410)
    await reader.getByRole('heading', { level: 1, name: 'This report is no longer shared' }).waitFor()
  })
})
