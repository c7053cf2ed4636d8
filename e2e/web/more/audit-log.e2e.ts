import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'

import { makeNamedUser, openAsInstanceAdmin } from '../administration-scenario.ts'
import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { follow } from '../follow.ts'
import { openAs, openWithSession } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const getLog = (page: Page) => page.getByRole('grid', { name: 'Audit log' })
const getRow = (page: Page, sentence: string) => getLog(page).getByRole('row').filter({ hasText: sentence })
const countRows = async (page: Page) => (await getLog(page).getByRole('row').count()) - 1
const DAY_MS = 86_400_000
/** A day as the browser's date fields have it, in its time zone. */
const getDay = (page: Page, days: number) =>
  page.evaluate(
    (time) => {
      const date = new Date(time)
      const pad = (value: number) => String(value).padStart(2, '0')
      return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
    },
    Date.now() + days * DAY_MS,
  )

/** A project in which two admins have changed something. */
async function makeAuditedProject() {
  const team = await makeTeam(server)
  const { project, viewer, member } = team
  const second = await makeMember(server, project.id, 'admin')
  const setName = async (id: string, name: string) =>
    await server.db.updateTable('users').set({ name }).where('id', '=', id).execute()
  await setName(project.admin.id, 'Ada Lovelace')
  await setName(second.id, 'Grace Hopper')
  await setName(viewer.id, 'Bob Stone')
  const send = async (method: 'PATCH' | 'DELETE', path: string, token: string, body?: object) => {
    const options = body === undefined ? { token } : { token, body }
    const { status } = await server.request(method, `/v1/projects/${project.id}${path}`, options)
    expect(status).toBeLessThan(300)
  }
  const { token } = project.admin
  const run = await makeRun(server, project, { name: 'Nightly' })
  const testCase = await makeTestCase(server, project, { title: 'A customer pays by card' })
  await send('PATCH', `/members/${viewer.id}`, token, { role: 'member' })
  await send('DELETE', `/members/${member.id}`, second.token)
  await makeInvitation(server, { ...project, admin: second }, { email: 'mira@example.test', role: 'viewer' })
  await makeCiToken(server, project)
  await send('DELETE', `/test-cases/${testCase.id}`, token)
  await server.request('DELETE', `/v1/runs/${run.id}`, { token: second.token })
  await send('PATCH', '', token, { name: 'Shop' })
  return { ...team, second, path: `/projects/${project.id}/settings/audit` }
}

describe('the audit log of a project', () => {
  it('says in sentences who did what, and everything about an entry', async () => {
    const { project, path } = await makeAuditedProject()
    const page = await browser.newPage()
    await openAs(page, server, project, path, 'admin')
    for (const sentence of [
      'Renamed the project: Web shop → Shop',
      'Deleted the run “Nightly”',
      'Deleted the test case WEB-1 “A customer pays by card”',
      'Invited mira@example.test as viewer',
      'Changed the role of Bob Stone: viewer → member',
      'Created the project “Web shop”',
    ]) {
      await getRow(page, sentence).waitFor()
    }
    await expect.poll(() => page.title()).toBe('Audit log · Settings · Shop · Caseward')
    await checkPage(page, 'audit-project')
    await getRow(page, 'Changed the role of Bob Stone').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Role changed' })
    await dialog.getByText('Ada Lovelace').waitFor()
    await dialog.getByText('127.0.0.1').waitFor()
    await checkPage(page, 'audit-entry')
    await page.reload()
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'All by this user' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'User: Ada Lovelace' }).waitFor()
    await getRow(page, 'Deleted the run').waitFor({ state: 'detached' })
    await page.goBack()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row')
  })

  it('filters by user, by action and by date, in the URL and by keyboard', async () => {
    const { project, path, second } = await makeAuditedProject()
    const page = await browser.newPage()
    await openAs(page, server, project, path, 'admin')
    await getRow(page, 'Deleted the run').waitFor()
    const all = await countRows(page)
    await page.keyboard.press('f')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Find a user' }).fill('grace')
    const people = page.getByRole('listbox', { name: 'Users' }).getByRole('option')
    await expect.poll(() => people.allInnerTexts()).toEqual(['Grace Hopper'])
    await checkPage(page, 'audit-person')
    await page.keyboard.press('Enter')
    await expect.poll(() => countRows(page)).toBe(3)
    expect(new URL(page.url()).search).toBe(`?actor=${second.id}`)
    await page.getByLabel('Change').selectOption('Run deleted')
    await expect.poll(() => countRows(page)).toBe(1)
    await page.reload()
    await getRow(page, 'Deleted the run “Nightly”').waitFor()
    await page.getByRole('button', { name: 'User: Grace Hopper' }).waitFor()
    await checkPage(page, 'audit-filtered')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => countRows(page)).toBe(all)

    const [yesterday, today, tomorrow] = [await getDay(page, -1), await getDay(page, 0), await getDay(page, 1)]
    await page.getByLabel('From').fill(today)
    await page.getByLabel('To').fill(today)
    await expect.poll(() => countRows(page)).toBe(all)
    await page.getByLabel('From').fill('')
    await page.getByLabel('To').fill(yesterday)
    await page.getByRole('heading', { name: 'Nothing was recorded' }).waitFor()
    await checkPage(page, 'audit-no-match')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('From').fill(tomorrow)
    await page.getByRole('heading', { name: 'Nothing was recorded' }).waitFor()
    await page.getByLabel('To').fill(today)
    await page.getByRole('heading', { name: 'The last day is before the first' }).waitFor()
    expect(await page.getByRole('link', { name: 'Download CSV' }).count()).toBe(0)
    await follow(page, `${path}?action=unknown&from=2026-02-30`)
    await expect.poll(() => countRows(page)).toBe(all)
  })

  it('is downloaded as CSV with the same filter', async () => {
    const { project, path } = await makeAuditedProject()
    const page = await browser.newPage()
    await openAs(page, server, project, `${path}?action=member.change_role`, 'admin')
    await expect.poll(() => countRows(page)).toBe(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('audit-log.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('Bob Stone')
  })

  it('is for the admins of the project only, with the reason', async () => {
    const project = await makeProject(server)
    const path = `/projects/${project.id}/settings/audit`
    for (const role of ['member', 'viewer'] as const) {
      const page = await browser.newPage()
      await openAs(page, server, project, path, role)
      await page.getByRole('heading', { name: 'Only admins of the project see its audit log' }).waitFor()
      expect(await getLog(page).count()).toBe(0)
      const request = `/v1/projects/${project.id}/audit-log`
      expect(await page.evaluate(async (url) => (await fetch(url)).status, request)).toBe(403)
      if (role === 'viewer') await checkPage(page, 'audit-not-allowed')
    }
    const outsider = await browser.newPage()
    await openAsInstanceAdmin(outsider, server, path)
    await outsider.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  it('opens and closes when the role of the user changes, without a reload', async () => {
    const { project, path, viewer } = await makeTeam(server)
    const page = await browser.newPage()
    await openWithSession(page, server, viewer, `/projects/${project.id}/settings/audit`)
    await page.getByText('Live', { exact: true }).waitFor()
    const setRole = (role: string) =>
      server.request('PATCH', `${path}/${viewer.id}`, { token: project.admin.token, body: { role } })
    await setRole('admin')
    await getRow(page, 'viewer → admin').waitFor()
    await setRole('viewer')
    await page.getByRole('heading', { name: 'Only admins of the project see its audit log' }).waitFor()
  })

  it('opens from the settings and from the palette for admins', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/runs`, 'admin')
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('audit')
    await page.getByRole('option', { name: 'Audit log of the project' }).waitFor()
    await page.keyboard.press('Enter')
    await getRow(page, 'Created the project').waitFor()
    await page.getByRole('link', { name: 'General' }).click()
    await getLog(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Audit log' }).click()
    await getRow(page, 'Created the project').waitFor()
  })
})

describe('the audit log of the instance', () => {
  it('has the changes in all projects and outside of them, and filters by any user', async () => {
    await makeAuditedProject()
    const bob = await makeNamedUser(server, 'Zebedee Stone')
    const page = await browser.newPage()
    const ada = await openAsInstanceAdmin(page, server, '/admin/audit')
    await page.evaluate(
      (path) =>
        fetch(path, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: '{"disabled":true}',
        }),
      `/v1/admin/users/${bob.id}`,
    )
    await page.reload()
    await getRow(page, 'Disabled Zebedee Stone').getByText('Ada Lovelace').waitFor()
    await getRow(page, 'Deleted the run').first().getByText('Web shop').waitFor()
    await expect.poll(() => page.title()).toBe('Audit log · Administration · Caseward')
    await checkPage(page, 'audit-instance')
    await page.getByRole('button', { name: 'User: Everybody' }).click()
    await page.getByRole('combobox', { name: 'Find a user' }).fill(ada.email)
    await page.getByRole('listbox').getByRole('option', { name: ada.email }).click()
    await expect.poll(() => countRows(page)).toBe(1)
    // Somebody without any change can be chosen, too.
    await page.getByRole('button', { name: 'User: Ada Lovelace' }).click()
    await page.getByRole('combobox', { name: 'Find a user' }).fill('zebedee')
    await page.getByRole('listbox').getByRole('option', { name: bob.email }).click()
    await page.getByRole('heading', { name: 'Nothing was recorded' }).waitFor()
  })

  it('is readable with 10,000 entries with long names, of which more arrive while scrolling', async () => {
    const page = await browser.newPage()
    await openAsInstanceAdmin(page, server, '/admin/audit')
    const name = 'Augusta '.repeat(24)
    await sql`insert into audit_log (id, at, action, actor_kind, actor_name, actor_email, subject_kind, subject_id,
        subject_name, project_id, project_name, address, detail)
      select ('018f0000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, now() - interval '300 days', 'run.delete',
        'user', ${name}, 'augusta@example.test', 'run', null, ${`${name} ${name}`.slice(0, 255)}, gen_random_uuid(), ${name},
        '2001:0db8:85a3:0000:0000:8a2e:0370:7334', '{}'
      from generate_series(1, 10000) i`.execute(server.db)
    await follow(page, '/admin/audit?action=run.delete&to=2025-01-01')
    await getLog(page).getByRole('row').nth(5).waitFor()
    await checkPage(page, 'audit-overfull')
    await getLog(page).getByRole('row').nth(1).focus()
    const getLastIndex = async () => Number(await getLog(page).getByRole('row').last().getAttribute('aria-rowindex'))
    for (const count of [100, 200]) {
      await expect
        .poll(async () => {
          await page.keyboard.press('End')
          return await getLastIndex()
        })
        .toBeGreaterThan(count)
    }
    await getLog(page).getByRole('row').last().click()
    await page.getByRole('dialog').waitFor()
    await checkPage(page, 'audit-overfull-entry')
  })

  it('is readable while the server does not answer, and goes on when it does', async () => {
    const page = await browser.newPage()
    const tryAgain = await failUntilTriedAgain(page, '**/v1/admin/audit-log*')
    await openAsInstanceAdmin(page, server, '/admin/audit')
    await page.getByText('The audit log could not be loaded.').waitFor()
    await checkPage(page, 'audit-error')
    await tryAgain()
    await getLog(page).waitFor()
  })
})
