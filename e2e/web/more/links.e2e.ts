import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const DEFECT = 'https://acme.atlassian.net/browse/SHOP-41'

describe('links', () => {
  it('are added to a result while testing, shown in the list of the run, found by the search and removed again', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 3)
    const run = await makeRun(server, project)
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}/execute`)
    const links = page.getByRole('region', { name: 'Links', exact: true })
    await links.getByRole('button', { name: 'Add link' }).click()
    const address = page.getByRole('textbox', { name: 'Address' })
    await expect.poll(() => address.evaluate((field) => field === document.activeElement)).toBe(true)
    // A key of the page, which a field must not act on.
    await page.keyboard.type('SHOP-41 fails')
    await page.keyboard.press('Enter')
    await links.getByText('The address must begin with http:// or https://.').waitFor()
    await address.fill('https://ada:secret@acme.test/')
    await page.keyboard.press('Enter')
    await links.getByText('user name or password').waitFor()
    // What was typed is still there in a narrow window, and after a reload.
    await checkPage(page, 'links form')
    await page.reload()
    expect(await address.inputValue()).toBe('https://ada:secret@acme.test/')
    await address.fill(DEFECT)
    await page.keyboard.press('Enter')
    const link = links.getByRole('link', { name: 'Defect SHOP-41' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(DEFECT)
    expect(await link.getAttribute('rel')).toContain('noopener')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add link')

    await page.goto(`${server.url}/runs/${run.id}?status=all`)
    const grid = page.getByRole('grid', { name: 'Results' })
    await grid.getByRole('columnheader', { name: 'Defect' }).waitFor()
    await grid.getByRole('row', { name: /SHOP-41/ }).click()
    const panel = page.getByRole('region', { name: 'Links', exact: true })
    await panel.getByRole('link', { name: 'Defect SHOP-41' }).waitFor()
    await checkPage(page, 'links run')
    await page.getByRole('searchbox').fill('shop-41')
    await expect.poll(() => grid.getByRole('row', { name: /WEB-/ }).count()).toBe(1)
    await panel.getByRole('button', { name: 'Remove link SHOP-41' }).click()
    await panel.getByRole('link').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await panel.getByRole('link', { name: 'Defect SHOP-41' }).waitFor()
  })

  it('of a test case say which requirements it covers, and viewers can only follow them', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    const path = `/projects/${project.id}/cases?case=WEB-1`
    const page = await browser.newPage()
    await openAs(page, server, project, path)
    const links = page.getByRole('region', { name: 'Links', exact: true })
    await links.getByRole('button', { name: 'Add link' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('https://acme.test/wiki/pay')
    await page.getByRole('textbox', { name: 'Label' }).fill(`How customers pay ${'by card '.repeat(20)}`.trim())
    await page.getByRole('button', { name: 'Add link' }).click()
    await links.getByRole('link', { name: /^Requirement How customers pay/ }).waitFor()
    await checkPage(page, 'links case')
    const other = await browser.newPage()
    await openAs(other, server, project, path, 'viewer')
    const seen = other.getByRole('region', { name: 'Links', exact: true })
    await seen.getByRole('link', { name: /^Requirement How customers pay/ }).waitFor()
    expect(await seen.getByRole('button').count()).toBe(0)
  })
})
