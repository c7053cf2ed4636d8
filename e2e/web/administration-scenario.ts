import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'

import { openWithSession } from './open-as.ts'

let count = 0

/** Makes an instance administrator, and opens a page of the app as this user. */
export async function openAsInstanceAdmin(page: Page, server: TestServer, path = '/admin/users') {
  const user = await makeNamedUser(server, 'Ada Lovelace')
  await server.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', user.id).execute()
  await openWithSession(page, server, user, path)
  return user
}

/** Makes a user with a name of their own, who can sign in. */
export async function makeNamedUser(server: TestServer, name: string) {
  count += 1
  const email = `${name.toLowerCase().replace(/\W+/g, '.')}.${count}@example.test`
  const user = await makeUserWithPassword(server, { email })
  await server.db.updateTable('users').set({ name }).where('id', '=', user.id).execute()
  return { ...user, name }
}

/** The row of a user in the table. */
export const getRow = (page: Page, email: string) =>
  page.getByRole('grid', { name: 'Users' }).getByRole('row').filter({ hasText: email })

/** Opens the menu of a user's row, and chooses an item. */
export async function choose(page: Page, email: string, item: string): Promise<void> {
  await getRow(page, email)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}
/** Answers the question that an item of the menu has asked. */
export const confirm = (page: Page, button: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: button }).click()
