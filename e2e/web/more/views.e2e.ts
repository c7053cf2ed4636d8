import type { View } from '@caseward/contract/views'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { type CaseScenario, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs, openWithSession } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()
let scenario: CaseScenario
beforeAll(async () => {
  scenario = await makeCaseScenario(server)
})

const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choose = async (page: Page, button: string, item: string) => {
  await getButton(page, button).click()
  await page.getByRole(/^(?:Save|Reset|Rename)/.test(item) ? 'menuitem' : 'menuitemradio', { name: item }).click()
}
const getQuery = (page: Page) => new URL(page.url()).searchParams
const listViews = async () =>
  (
    await server.request<{ data: View[] }>('GET', `/v1/projects/${scenario.project.id}/views`, {
      token: scenario.project.admin.token,
    })
  ).body.data

describe('views', () => {
  it('keep the filters of the test cases: saved, changed, reset, shared, opened by their address, deleted', async () => {
    const page = await browser.newPage()
    const user = await openAs(
      page,
      server,
      scenario.project,
      `${scenario.path}?sort=title&folder=${scenario.folders.account}`,
    )
    await getRow(page, 'WEB-5').focus()
    await getButton(page, 'Views').hover()
    await page.keyboard.press('Shift+V')
    await page.getByRole('menuitem', { name: 'No views yet' }).waitFor()
    await checkPage(page, 'views none')
    await page.keyboard.press('Escape')
    await getButton(page, 'Views').click()
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    const dialog = page.getByRole('dialog', { name: 'New view' })
    await getButton(page, 'Create view').click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('Account by title')
    await dialog.getByLabel('All members of the project see it').check()
    await checkPage(page, 'views new')
    await page.keyboard.press('Enter')
    await getButton(page, 'Account by title').waitFor()
    const [view] = await listViews()
    expect(view).toMatchObject({ name: 'Account by title', is_shared: true, owner_id: user.id })
    expect(getQuery(page).get('view')).toBe(view?.id)

    await page.getByRole('searchbox', { name: 'Search test cases' }).fill('password')
    await getButton(page, 'Account by title · changed').click()
    await checkPage(page, 'views changed')
    await page.keyboard.press('Escape')
    await getButton(page, 'Account by title · changed').click()
    await page.getByRole('menuitem', { name: 'Reset to “Account by title”' }).click()
    await expect.poll(() => getQuery(page).get('q')).toBeNull()
    await getButton(page, 'Account by title').waitFor()
    await page.getByRole('searchbox', { name: 'Search test cases' }).fill('password')
    await choose(page, 'Account by title · changed', 'Save “Account by title”')
    await getButton(page, 'Account by title').waitFor()
    expect((await listViews())[0]?.query).toBe(`folder=${scenario.folders.account}&q=password&sort=title`)

    // Someone else opens it by its address alone, changes it for themselves, and may not save it.
    const other = await browser.newWindow()
    await openWithSession(other, server, scenario.project.admin, `${scenario.path}?view=${view?.id}`)
    await expect.poll(() => getQuery(other).get('q')).toBe('password')
    await other.close()
    const viewer = await browser.newWindow()
    await openAs(viewer, server, scenario.project, `${scenario.path}?view=${view?.id}`, 'viewer')
    await expect.poll(() => getQuery(viewer).get('sort')).toBe('title')
    await viewer.getByRole('searchbox', { name: 'Search test cases' }).fill('')
    await getButton(viewer, 'Account by title · changed').click()
    await viewer.getByRole('menuitem', { name: 'Reset to “Account by title”' }).waitFor()
    expect(await viewer.getByRole('menuitem', { name: /^(?:Save “|Rename)/ }).count()).toBe(0)

    await choose(page, 'Account by title', 'Rename, share or delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await getButton(page, 'Views').waitFor()
    expect(getQuery(page).get('view')).toBeNull()
    expect(await listViews()).toEqual([])
  })

  it('open a page that is opened without filters, until that is taken back', async () => {
    const { project, path } = scenario
    const page = await browser.newPage()
    const user = await openAs(page, server, project, `${path}?tag=gone&sort=title`)
    await getButton(page, 'Tag: gone (removed)').waitFor()
    await getButton(page, 'Views').click()
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Mine')
    await page.keyboard.press('Enter')
    await getButton(page, 'Mine').click()
    await page.getByRole('menuitem', { name: 'Use as default', exact: true }).click()
    await page.getByText('The page opens with “Mine”').waitFor()

    await openWithSession(page, server, user, path)
    await expect.poll(() => getQuery(page).getAll('tag')).toEqual(['gone'])
    await getButton(page, 'Mine').waitFor()
    // What a user asks for goes first, and filters that are removed stay so.
    await page.getByRole('button', { name: 'Clear', exact: true }).first().click()
    await getButton(page, 'Mine · changed').click()
    await checkPage(page, 'views default')
    await page.keyboard.press('Escape')
    expect(getQuery(page).get('tag')).toBeNull()
    await openWithSession(page, server, user, `${path}?q=password`)
    await getRow(page, 'WEB-5').waitFor()
    expect(getQuery(page).get('view')).toBeNull()

    await openWithSession(page, server, user, path)
    await getButton(page, 'Mine').click()
    await page.getByRole('menuitem', { name: 'Do not use as default' }).click()
    await page.getByText('The page opens without a view').waitFor()
    await openWithSession(page, server, user, path)
    await getRow(page, 'WEB-5').waitFor()
    await getButton(page, 'Views').waitFor()
    expect(getQuery(page).get('view')).toBeNull()
  })

  it('keep the filters of runs, of a run and of automated tests', async () => {
    const { project } = scenario
    const { token } = project.admin
    const { body } = await server.request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body: { name: 'Nightly', test_case_ids: ['WEB-1', 'WEB-2'] },
    })
    const page = await browser.newPage()
    const user = await openAs(page, server, project, `/projects/${project.id}/runs?status=completed&q=night`)
    const pages = [
      ['runs', `/projects/${project.id}/runs?status=completed&q=night`, 'status=completed&q=night'],
      ['run', `/runs/${body.data.id}?status=not_tested&sort=title`, 'status=not_tested&sort=title'],
      ['tests', `/projects/${project.id}/tests?match=unmatched`, 'match=unmatched'],
    ] as const
    for (const [name, path, query] of pages) {
      await openWithSession(page, server, user, path)
      await getButton(page, 'Views').click()
      await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(`My ${name}`)
      await page.keyboard.press('Enter')
      await getButton(page, `My ${name}`).waitFor()
      const id = getQuery(page).get('view') ?? ''
      await openWithSession(page, server, user, path.replace(/\?.*/, ''))
      await choose(page, 'Views', `My ${name}`)
      await expect.poll(() => page.url().split('?')[1]).toBe(`${query}&view=${id}`)
    }
  })
})
