import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser, makeUserWithPassword } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { joinProject, openAsNewUser, openWithSession, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** Makes projects with a user that is a member of all, and opens a page as this user. */
async function openWithProjects(page: Page, fields: { name?: string; prefix?: string }[], role: Role, path = '/') {
  const owner = await makeUser(server)
  const projects = await Promise.all(fields.map((field) => makeProject(server, { ...field, token: owner.token })))
  const user = await makeUserWithPassword(server)
  await Promise.all(projects.map((project) => joinProject(server, project, user, role)))
  await openWithSession(page, server, user, path)
  return { projects, user }
}

const two = [
  { name: 'Web shop', prefix: 'WEB' },
  { name: 'Back office', prefix: 'BO' },
]

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

describe('projects', () => {
  it('are shown with one request, and each opens', async () => {
    const page = await browser.newPage()
    const { projects } = await openWithProjects(page, two, 'member')
    const [shop] = projects
    if (shop === undefined) throw new Error('no project')
    const ids = await makeTestCases(server, shop, 3)
    for (const name of ['Nightly 1', 'Nightly 2']) {
      const run = await makeRun(server, shop, { name, test_case_ids: ids })
      await server.request('PUT', `/v1/runs/${run.id}/results/${ids[0]}`, {
        token: shop.admin.token,
        body: { status: name === 'Nightly 1' ? 'failed' : 'passed' },
      })
    }
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/v1/')) requests.push(pathname)
    })
    await page.reload()
    await card(page, 'Web shop').getByText('3 cases · 2 runs · 1 member').waitFor()
    await card(page, 'Web shop').getByRole('img', { name: '1 passed, 2 not tested' }).waitFor()
    await card(page, 'Web shop').getByText('Pass rate 100 %').waitFor()
    await card(page, 'Web shop').getByText('33 % tested').waitFor()
    await card(page, 'Web shop').getByText('Pass rate of the last 2 runs: from 0 to 100 percent').waitFor()
    expect(requests.toSorted()).toEqual(['/v1/me', '/v1/me/projects'])
    await checkPage(page, 'projects')
    await page.getByRole('link', { name: 'Back office' }).click()
    await page.waitForURL(`${server.url}/projects/${projects[1]?.id}`)
    await page.goBack()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
  })

  it('offer to start a run if they have none, to those who may', async () => {
    const page = await browser.newPage()
    const { projects } = await openWithProjects(page, two, 'member')
    const link = card(page, 'Web shop').getByRole('link', { name: 'Start a run' })
    await expect.poll(() => link.getAttribute('href')).toBe(`/projects/${projects[0]?.id}/runs/new`)
    const viewer = await browser.newPage()
    await openWithProjects(viewer, two, 'viewer')
    await card(viewer, 'Web shop').getByText('No test cases yet').waitFor()
    expect(await viewer.getByRole('link', { name: 'Start a run' }).count()).toBe(0)
    expect(await viewer.getByRole('link', { name: 'Add test cases' }).count()).toBe(0)
    await checkPage(viewer, 'projects-viewer')
  })

  it('open at once if there is one only; the list can still be opened', async () => {
    const page = await browser.newPage()
    const { projects } = await openWithProjects(page, [{ name: 'Web shop' }], 'member')
    await page.waitForURL(`${server.url}/projects/${projects[0]?.id}`)
    await page.getByRole('button', { name: 'Project: Web shop' }).click()
    await page.getByRole('menuitem', { name: 'All projects' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.reload()
    await card(page, 'Web shop').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('are created by keyboard, with a warning if the prefix is in use', async () => {
    const page = await browser.newPage()
    await openWithProjects(page, two, 'member')
    await card(page, 'Web shop').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New project' })
    await dialog.waitFor()
    expect(await dialog.getByRole('status').count()).toBe(0)
    await page.keyboard.type('Backup options')
    await expect.poll(() => dialog.getByLabel('Prefix').inputValue()).toBe('BO')
    await dialog.getByText('“Back office” has the prefix BO, too.').waitFor()
    await checkPage(page, 'new-project')
    await page.reload()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Backup options')
    await dialog.getByLabel('Prefix').fill('b-u')
    expect(await dialog.getByRole('status').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/projects\/[^/]+\/cases$/)
    await page.getByRole('button', { name: 'Project: Backup options' }).click()
    await page.getByRole('menuitem', { name: 'New project' }).click()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await card(page, 'Backup options').waitFor()
  })

  it('say what is missing in the form, and what the server refuses', async () => {
    const page = await browser.newPage()
    await openWithProjects(page, [], 'member', '/?new=1')
    const dialog = page.getByRole('dialog', { name: 'New project' })
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByText('Enter 2 to 5 letters.').waitFor()
    await server.db.updateTable('instance_settings').set({ project_creation: 'instance_admins' }).execute()
    await dialog.getByLabel('Name').fill('Web shop')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await dialog.getByRole('alert').waitFor()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Web shop')
    await server.db.updateTable('instance_settings').set({ project_creation: 'everyone' }).execute()
  })

  it('keep the layout if there are 100 with long names, and are found by name', async () => {
    const page = await browser.newPage()
    const names = Array.from({ length: 100 }, (_, index) => ({
      name: index % 10 === 0 ? `${index} ${'Long name '.repeat(24)}` : `Project ${index}`,
    }))
    await openWithProjects(page, names, 'member')
    await page.getByRole('listitem').nth(99).waitFor()
    const sizes = await page.getByRole('listitem').evaluateAll((items) => items.map((item) => item.clientWidth))
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    await checkPage(page, 'many-projects')
    await page.keyboard.press('/')
    await page.keyboard.type('project 77')
    await page.waitForFunction(() => document.querySelectorAll('main li').length === 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('project 77')
    await page.reload()
    await card(page, 'Project 77').waitFor()
    await page.getByLabel('Search projects').fill('nothing like this')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('listitem').nth(99).waitFor()
  }, 180_000)

  it('say that there are none yet', async () => {
    const page = await browser.newPage()
    await openAsNewUser(page, server)
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await checkPage(page, 'no-projects')
    await page.getByRole('button', { name: 'See the demo' }).click()
    await expect.poll(() => page.title()).toContain('Web shop (demo)')
    await page.getByText('CI started Nightly #842').first().waitFor()
  })

  it('say why they could not be loaded, and are loaded again on request', async () => {
    const page = await browser.newPage()
    await openWithProjects(page, two, 'member')
    const tryAgain = await failUntilTriedAgain(page, '**/v1/me/projects')
    await page.reload()
    await page.getByText('The projects could not be loaded.').waitFor()
    await checkPage(page, 'projects-failed')
    await tryAgain()
    await card(page, 'Web shop').waitFor()
  })
})
