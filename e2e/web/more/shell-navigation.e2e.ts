import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, describe, expect, it } from 'vitest'

import { endSessions, openAs, submitSignIn } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

let project: Awaited<ReturnType<typeof makeProject>>
let runId: string
beforeAll(async () => {
  project = await makeProject(server)
  const ids = await makeTestCases(server, project, 3)
  runId = (await makeRun(server, project, { test_case_ids: ids })).id
})
const casesPath = () => `/projects/${project.id}/cases`

describe('the navigation', () => {
  it('shows the sections of the project, also on pages of its runs', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, casesPath())
    const rail = page.getByRole('navigation', { name: 'Project' })
    await rail.getByRole('link', { name: 'Cases', exact: true }).and(page.locator('[aria-current=page]')).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await checkPage(page, 'shell-cases')
    await page.goto(`${server.url}/runs/${runId}`)
    await rail.getByRole('link', { name: 'Runs', exact: true }).and(page.locator('[aria-current=page]')).waitFor()
    await page.getByRole('button', { name: 'Project: Web shop' }).click()
    await page.getByRole('menuitem', { name: 'All projects' }).waitFor()
    await checkPage(page, 'shell-switcher')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL(server.url + casesPath())
  })

  it('shows a page whose code could not be loaded while the server restarted, as soon as the server answers', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, casesPath())
    const rail = page.getByRole('navigation', { name: 'Project' })
    await rail.getByRole('link', { name: 'Milestones' }).waitFor()
    await page.route('**/*', (route) => route.abort())
    await rail.getByRole('link', { name: 'Milestones' }).click()
    await page.getByText('The page could not be loaded.').waitFor()
    const answer = page.waitForResponse((response) => response.request().method() === 'HEAD')
    await page.unrouteAll()
    await page.route('**/*', (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'starting' }))
    await answer
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor()
    await page.waitForURL(`${server.url}/projects/${project.id}/milestones`)
  })

  it('becomes narrow on request, and stays so after a reload', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, casesPath())
    const rail = page.getByRole('navigation', { name: 'Project' })
    const getWidth = () => rail.evaluate((element) => element.clientWidth + 1)
    await rail.getByRole('link', { name: 'Cases', exact: true }).waitFor()
    await expect.poll(() => getWidth()).toBe(200)
    await rail.getByRole('button', { name: 'Show icons only' }).click()
    await expect.poll(() => getWidth()).toBe(56)
    await page.reload()
    await rail.getByRole('button', { name: 'Show the names' }).waitFor()
    await expect.poll(() => getWidth()).toBe(56)
    await checkPage(page, 'shell-narrow-rail')
  })

  it('moves the focus to the page that was opened, and past the header on request', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, casesPath())
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: 'Skip to the content' })
    await expect.poll(() => skip.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const getFocused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(() => getFocused()).toBe('Cases')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.waitForURL(`${server.url}/account/profile`)
    await page.waitForFunction(() => document.activeElement?.textContent === 'Account')
  })

  it('explains the keys of the page, and switches those without a modifier off', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, casesPath())
    await page.getByRole('main').getByText('Case 1', { exact: true }).waitFor()
    await page.keyboard.press('?')
    const guide = page.getByRole('dialog', { name: 'Keys of this page' })
    await guide.getByRole('region', { name: 'Folder tree' }).waitFor()
    expect(
      await guide.getByRole('region').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ).toEqual(['Everywhere', 'Lists', 'Cases', 'Folder tree', 'Steps'])
    await checkPage(page, 'shell-key-guide')
    await guide.getByLabel('Keys without Ctrl, Alt or ⌘').uncheck()
    await page.keyboard.press('Escape')
    await guide.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    expect(await guide.count()).toBe(0)
    await page.getByRole('button', { name: 'Keys of this page' }).click()
    await guide.getByLabel('Keys without Ctrl, Alt or ⌘').check()
  })
})

describe('the connection', () => {
  it('is shown while the browser is offline, and again when it is not', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, casesPath())
    await page.context().setOffline(true)
    await page.getByText('Offline', { exact: true }).waitFor()
    await page.context().setOffline(false)
    await page.getByText('Offline', { exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByRole('banner').textContent()).not.toContain('Offline')
  })

  it('is kept when the session ends: the page goes on after a sign-in in another tab', async () => {
    const page = await browser.newPage()
    const user = await openAs(page, server, project, '/?all=1')
    await page.getByRole('link', { name: 'Web shop' }).waitFor()
    await endSessions(server, user)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('Kept')
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session ended', exact: true })
    await dialog.waitFor()
    await checkPage(page, 'shell-session-ended')
    await dialog.getByRole('button', { name: 'Later' }).click()
    await page.getByText('Session ended. Sign in', { exact: true }).waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${server.url}/sign-in`)
    await submitSignIn(tab, user.email)
    await tab.getByRole('main').waitFor()
    await page.getByText('Session ended. Sign in', { exact: true }).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Kept')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('button', { name: 'Project: Kept' }).waitFor()
  })
})

describe('an unknown address', () => {
  it('suggests the projects of the user', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, '/projects/unknown/nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    const link = page.getByRole('main').getByRole('link', { name: 'Web shop' })
    await checkPage(page, 'not-found')
    await link.click()
    await page.waitForURL(`${server.url}/projects/${project.id}`)
  })
})
