import type { Page } from 'playwright-core'

import { openBrowser } from '@caseward/test-support/browser'
import { measureStep } from '@caseward/test-support/measured-steps'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeSession, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

import { follow } from './follow.ts'
import { LEFT_OPEN } from './window-pool.ts'

export type Role = 'admin' | 'member' | 'viewer'

/** A user that is signed in to a page. The password is {@link PASSWORD}. */
export interface PageUser {
  id: string
  email: string
}

/** The users of pages that were opened with {@link openAs}, with the projects that they have joined. */
const usersOfPages = new WeakMap<Page, { user: PageUser; server: string; roles: Map<string, Role> }>()

/**
 * Makes a user with a role in a project, and opens a page of the app as this user. If the test before has left the app open, it
 * is the same user, and the app is not loaded again.
 */
export async function openAs(
  page: Page,
  server: TestServer,
  project: { id: string },
  path: string,
  role: Role = 'member',
): Promise<PageUser> {
  const known = usersOfPages.get(page)
  if (known?.server === server.url && page.url() === server.url + LEFT_OPEN) {
    const joined = known.roles.get(project.id)
    if (joined === undefined) {
      await joinProject(server, project, known.user, role)
      await refreshProjects(page)
    }
    if (joined === undefined || joined === role) {
      known.roles.set(project.id, role)
      await measureStep('page', () => follow(page, path))
      return known.user
    }
  }
  const user = await makeUserWithPassword(server)
  await joinProject(server, project, user, role)
  await openWithSession(page, server, user, path)
  usersOfPages.set(page, { user, server: server.url, roles: new Map([[project.id, role]]) })
  return user
}

/** Lets the app read the projects of the user and the rights in them, as it does when the user comes back after a minute. */
async function refreshProjects(page: Page): Promise<void> {
  const refreshed = page.waitForResponse((response) => response.url().endsWith('/v1/me/projects'))
  await page.evaluate(async () => {
    const { now } = Date
    Date.now = () => now() + 60_000
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve))
    Date.now = now
  })
  await refreshed
}

/** Makes a user without projects, and opens a page of the app as this user. */
export async function openAsNewUser(page: Page, server: TestServer, path = '/'): Promise<PageUser> {
  const user = await makeUserWithPassword(server)
  await openWithSession(page, server, user, path)
  return user
}

export async function joinProject(server: TestServer, { id }: { id: string }, user: { id: string }, role: Role) {
  await server.db.insertInto('memberships').values({ project_id: id, user_id: user.id, role }).execute()
}

/** Opens a page of the app with a session of the user. It needs half of the time of a sign-in with the form. */
export async function openWithSession(
  page: Page,
  server: TestServer,
  user: { id: string },
  path: string,
): Promise<void> {
  const userAgent = await page.evaluate(() => navigator.userAgent)
  usersOfPages.delete(page)
  await page.context().addCookies([{ ...(await makeSession(server, user.id, userAgent)), url: server.url }])
  await measureStep('page', async () => {
    await page.goto(server.url + path)
    // Not by its role: an open dialog hides it from screen readers.
    await page.locator('main').waitFor()
  })
}

/** Fills in the sign-in page. */
export async function submitSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in again in the tab that the dialog about the end of the session opens. The other tab is in the background then. */
export async function signInAgain(page: Page, user: { email: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session ended', exact: true })
  await dialog.waitFor()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Sign in' }).click(),
  ])
  await submitSignIn(tab, user.email)
  await tab.getByRole('main').waitFor()
}

/** Ends all sessions of the user, as the user does in another browser. */
export async function endSessions(server: TestServer, user: { id: string }): Promise<void> {
  const { name, value } = await makeSession(server, user.id)
  const browser = openBrowser(server)
  browser.cookies.set(name, value)
  const { status } = await browser.api('DELETE', '/v1/sessions')
  if (status !== 204) throw new Error(`DELETE /v1/sessions: ${status}`)
}
