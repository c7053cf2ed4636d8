import { openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const { server, signOn } = useSingleSignOn({ oidcGroupsClaim: 'groups' })
const browser = useBrowser()

async function openGroups(role: 'admin' | 'member' = 'admin') {
  const project = await makeProject(server)
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/members`, role)
  return { project, page }
}

it('an admin gives a group a role, whose users join at their sign-on, and removes it again', async () => {
  const { project, page } = await openGroups()
  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByText('No group has a role').waitFor()
  await checkPage(page, 'member-groups-empty')
  await page.keyboard.press('c')
  await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).click()
  await page.getByText('Enter the name or id of a group.').waitFor()
  await checkPage(page, 'member-groups-add')
  await page.getByLabel('Group', { exact: true }).fill('qa-team')
  await page.getByLabel('Role', { exact: true }).selectOption('Viewer')
  await page.keyboard.press('Enter')
  const item = page.getByRole('listitem').filter({ hasText: 'qa-team' })
  await item.getByText('0 members').waitFor()

  const person = await makeUserWithPassword(server, { password: null })
  await signOn(openBrowser(server), { email: person.email, claims: { groups: ['qa-team'] } })
  // Without a reload.
  await item.getByText('1 member').waitFor()
  await item.getByRole('combobox').selectOption('Member')
  await page.getByText('“qa-team” now gives the role Member').waitFor()
  await checkPage(page, 'member-groups')

  await page.getByRole('link', { name: 'Members', exact: true }).last().click()
  const row = page.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: person.email })
  await row.getByText('by “qa-team”').waitFor()
  expect(await row.getByRole('combobox').isDisabled()).toBe(true)
  expect(await row.getByTitle(/^The role comes from the group “qa-team”/).count()).toBe(1)
  expect(await row.getByRole('button', { name: /Remove/ }).count()).toBe(0)
  await checkPage(page, 'members-by-group')

  await page.getByRole('link', { name: /^Groups/ }).click()
  await item.getByRole('button', { name: 'Remove the group qa-team' }).click()
  await checkPage(page, 'member-groups-remove')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove group' }).click()
  await page.getByText('No group has a role').waitFor()
  const members = server.db.selectFrom('memberships').select('user_id').where('project_id', '=', project.id)
  expect((await members.execute()).some(({ user_id: id }) => id === person.id)).toBe(false)
})

it('members who are not admins neither see the groups nor where they are', async () => {
  const { project, page } = await openGroups('member')
  await page.getByRole('grid', { name: 'Members' }).waitFor()
  expect(await page.getByRole('link', { name: 'Groups' }).count()).toBe(0)
  await page.goto(`${server.url}/projects/${project.id}/members/groups`)
  await page.getByRole('heading', { name: /^Only admins of the project/ }).waitFor()
})
