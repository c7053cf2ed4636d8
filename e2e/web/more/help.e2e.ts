import { useTestServer } from '@caseward/test-support/test-server'
import { makeProject } from '@caseward/test-support/factories'
import { expect, it } from 'vitest'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

it('Every page with settings, and every empty page, leads to its page of the guide, once', async () => {
  const project = await makeProject(server)
  const page = await browser.newPage()
  const { id } = await openAs(page, server, project, '/account', 'admin')
  await server.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', id).execute()
  const base = `/projects/${project.id}`
  // Neighbors differ, so that none passes with the link of the page before.
  const pages = {
    '/account/profile': 'account',
    '/work': 'running-tests',
    '/account/password': 'second-factors',
    '/account/tokens': 'roles',
    '/account/sessions': 'account',
    '/search?q=nothing': 'keys',
    '/admin/users': 'administration',
    '/?all=true&q=nothing': 'first-project',
    '/admin/audit': 'administration',
    '/account/keys': 'keys',
    '/admin/settings': 'administration',
    [base]: 'first-project',
    [`${base}/cases`]: 'writing-test-cases',
    [`${base}/members`]: 'roles',
    [`${base}/cases/import`]: 'import',
    [`${base}/settings/general`]: 'roles',
    [`${base}/runs`]: 'running-tests',
    [`${base}/settings/tokens`]: 'ci',
    [`${base}/milestones`]: 'milestones',
    [`${base}/settings/audit`]: 'roles',
    [`${base}/tests`]: 'ci',
    [`${base}/settings/danger`]: 'roles',
    [`${base}/milestones/none`]: 'milestones',
  }
  const links = page.getByRole('main').locator('a[href^="/help/"]')
  await page.reload()
  for (const [path, help] of Object.entries(pages)) {
    await follow(page, path)
    await expect
      .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))), { message: path })
      .toEqual([`/help/${help}`])
  }
})

it('Help opens where it is needed, with the pictures and pages of the guide', async () => {
  const project = await makeProject(server)
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/runs`)
  await page.getByRole('link', { name: 'Running tests' }).click()
  await page.getByRole('heading', { name: 'Running tests', level: 1 }).waitFor()
  expect(await page.title()).toBe('Running tests · Help · Caseward')
  const picture = page.getByRole('img').first()
  await picture.scrollIntoViewIfNeeded()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(500)
  await checkPage(page, 'help')
  const contents = page.getByRole('navigation', { name: 'User guide' })
  const titles = await contents.getByRole('link').allTextContents()
  expect(titles).toContain('Your first project')
  for (const title of titles) {
    await contents.getByRole('link', { name: title }).click()
    await contents.getByRole('link', { name: title }).and(page.locator('[aria-current=page]')).waitFor()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  }
  // A link of a page opens within the app; one to the repository in a tab of its own.
  await contents.getByRole('link', { name: 'Your first project' }).click()
  await page.getByRole('main').getByRole('link', { name: 'writing test cases', exact: true }).click()
  await page.getByRole('heading', { name: 'Writing test cases', level: 1 }).waitFor()
  await follow(page, '/help/nowhere')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
