import { randomUUID } from 'node:crypto'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const getRow = (page: Page, text: string) =>
  page.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: text })

async function openMembers(role: 'admin' | 'member' | 'viewer' = 'admin') {
  const team = await makeTeam(server)
  const page = await browser.newPage()
  const user = await openAs(page, server, team.project, `/projects/${team.project.id}/members`, role)
  await getRow(page, team.viewer.email).waitFor()
  return { ...team, page, user }
}

describe('the members of a project', () => {
  it('get another role in place, which can be undone and reaches open tabs', async () => {
    const { page, list, viewer, project } = await openMembers()
    const other = await browser.newPage()
    await openAs(other, server, project, `/projects/${project.id}/members`, 'viewer')
    await other.getByText('Live', { exact: true }).waitFor()
    await getRow(page, viewer.email).getByRole('combobox').selectOption('Member')
    await page.getByText(/ is now a member$/).waitFor()
    await getRow(other, viewer.email).getByText('Member', { exact: true }).waitFor()
    const getRole = async () => (await list('?per_page=100')).body.data.find(({ id }) => id === viewer.id)?.role
    expect(await getRole()).toBe('member')
    await checkPage(page, 'members')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(getRole).toBe('viewer')
  })

  it('keep an admin: the own role and that of the last admin cannot be changed, with the reason', async () => {
    const { page, user, admin, token, path, list } = await openMembers()
    const own = getRow(page, user.email).getByRole('combobox')
    expect(await own.isDisabled()).toBe(true)
    await page.getByTitle('Another admin can change your own role.').waitFor()
    const other = (await list('?per_page=100')).body.data.find(({ id }) => id === admin.id)
    expect(
      await getRow(page, other?.email ?? '')
        .getByRole('combobox')
        .isDisabled(),
    ).toBe(false)
    await server.request('PATCH', `${path}/${user.id}`, { token, body: { role: 'member' } })
    // No longer an admin: the controls disappear without a reload.
    await expect.poll(() => page.getByRole('combobox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  })

  it('are removed after a question', async () => {
    const { page, member, list } = await openMembers()
    await getRow(page, member.email).getByRole('button', { name: 'Remove' }).click()
    await checkPage(page, 'members-remove')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await getRow(page, member.email).waitFor({ state: 'detached' })
    expect((await list('?per_page=100')).body.data.some(({ id }) => id === member.id)).toBe(false)
  })

  it('cannot be changed by those who may not', async () => {
    const { page } = await openMembers('viewer')
    expect(await page.getByRole('combobox').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Invite|Remove/ }).count()).toBe(0)
    await page.keyboard.press('c')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await checkPage(page, 'members-viewer')
  })

  it('are readable if they are many with long names, and if they cannot be loaded', async () => {
    const { project } = await makeTeam(server)
    for (let count = 0; count < 120; count += 1) {
      const { id } = await makeMember(server, project.id, 'viewer')
      const name = count === 0 ? `Ada ${'Augusta '.repeat(24)}` : `Tester ${count}`
      await server.db.updateTable('users').set({ name }).where('id', '=', id).execute()
    }
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/members`, 'admin')
    await page.getByText('123 members').waitFor()
    await checkPage(page, 'members-many')
    const other = await browser.newWindow()
    const tryAgain = await failUntilTriedAgain(other, '**/members?*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    )
    await openAs(other, server, project, `/projects/${project.id}/members`)
    await other.getByText('The members could not be loaded.').waitFor()
    await tryAgain()
    await getRow(other, 'Tester 1').first().waitFor()
  })
})

describe('leaving a project', () => {
  it('is open to a viewer, after a question, and leads to the projects', async () => {
    const { page, user, list, project } = await openMembers('viewer')
    await page.getByRole('button', { name: 'Leave project' }).click()
    const question = page.getByRole('alertdialog', { name: `Leave “${project.name}”?` })
    await question.waitFor()
    await checkPage(page, 'members-leave')
    await question.getByRole('button', { name: 'Leave project' }).click()
    await page.getByText(`You left “${project.name}”`).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect((await list('?per_page=100')).body.data.some(({ id }) => id === user.id)).toBe(false)
  })
})

describe('invitations', () => {
  it('are sent by keyboard, with the link if there is no mail server, and are revoked', async () => {
    const { page } = await openMembers()
    await page.keyboard.press('c')
    await page.getByLabel('Email address').fill('mira@example.test')
    await page.getByLabel('Role', { exact: true }).selectOption('Viewer')
    await checkPage(page, 'members-invite')
    await page.getByLabel('Email address').press('Enter')
    const link = page.getByRole('dialog', { name: 'Invitation for mira@example.test' })
    await link.waitFor()
    expect(await link.getByLabel('Link').inputValue()).toMatch(/\/join\/[\w-]{43}$/)
    await checkPage(page, 'members-link')
    await link.getByRole('button', { name: 'Done' }).click()
    const invitations = page.getByRole('region', { name: 'Invitations' })
    await invitations.getByText('mira@example.test').waitFor()
    await checkPage(page, 'members-invited')
    await invitations.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await invitations.waitFor({ state: 'detached' })
  })

  it('are sent again, and say why they are refused', async () => {
    const { page, project, member } = await openMembers()
    const { email } = await makeInvitation(server, project)
    await page.reload()
    const invitations = page.getByRole('region', { name: 'Invitations' })
    await invitations.getByText(email).waitFor()
    await invitations.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('dialog', { name: `Invitation for ${email}` }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByLabel('Email address').fill(member.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText(/already/)
      .waitFor()
  })
})

it('an admin says which member an imported person is, and has a person forgotten', async () => {
  const project = await makeProject(server)
  const people = ['Ada Lovelace', 'Grace Hopper'].map((name, index) => ({
    project_id: project.id,
    id: randomUUID(),
    import_id: randomUUID(),
    system: 'testrail',
    source: 'Shop',
    key_digest: String(index).repeat(32),
    name,
    label: 'TestRail',
    email: `${index}@elsewhere.test`,
  }))
  await server.db.insertInto('imported_people').values(people).execute()
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/members`, 'admin')
  await page.getByRole('link', { name: 'Imported people' }).click()
  await page.getByText('2 people without an account').waitFor()
  await checkPage(page, 'imported-people')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Ada Lovelace').getByRole('combobox').selectOption({ index: 1 })
  await page.getByText('All that Ada Lovelace did is joined within minutes.').waitFor()
  await row('Grace Hopper').getByRole('button', { name: 'Forget Grace Hopper' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click()
  await row('Former person').waitFor()
  await expect.poll(() => page.getByText('Grace Hopper').count()).toBe(0)
})
