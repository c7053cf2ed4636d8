import type { Tab } from '@caseward/test-support/tab'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

/** A page in one state. */
export interface PageState {
  name: string
  /** The HTTP status of the page. */
  status: number
  /** Opens the page in this state. */
  open(tab: Tab, server: TestServer): Promise<void>
  /** The ids of the fields with errors, in order. */
  invalidFields?: string[]
}

/** A name that is longer than most, to test the layout. */
export const LONG_NAME = 'A name that goes on for longer than most, as names of projects will'

/** Opens a path. */
export const visit =
  (path: string) =>
  async (tab: Tab, { url }: TestServer) =>
    await tab.goto(url + path)

/** Submits a form without the checks of the browser, so that the server has to check the fields. */
export async function submitUnchecked(tab: Tab, button: string): Promise<void> {
  await tab.evaluate('document.querySelectorAll("form").forEach((form) => { form.noValidate = true })')
  await tab.follow('button', button)
}

/** Signs in on the sign-in page. */
export async function signIn(tab: Tab, server: TestServer, email: string): Promise<void> {
  await tab.goto(`${server.url}/sign-in`)
  await tab.fill('Email address', email)
  await tab.fill('Password', PASSWORD)
  await tab.follow('button', 'Sign in')
}

/** Signs a new user in and opens the account page. */
export async function openAccount(tab: Tab, server: TestServer) {
  const user = await makeUserWithPassword(server)
  await signIn(tab, server, user.email)
  await tab.goto(`${server.url}/plain/account`)
  return user
}
