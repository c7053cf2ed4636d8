import type { ResultDetail } from '@caseward/contract/result-rows'
import { makeField, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

it('fields of results are defined, set while testing, and asked for when the run is completed', async () => {
  const { project } = await makeCaseScenario(server)
  const { token } = project.admin
  const page = await browser.newPage()
  const getButton = (name: string) => page.getByRole('button', { name, exact: true })
  await openAs(page, server, project, `/projects/${project.id}/settings/fields`, 'admin')
  await page.getByRole('radio', { name: 'Results' }).check({ force: true })
  await page.getByText('Setting a status never asks for them').waitFor()
  await getButton('New field').click()
  const dialog = page.getByRole('dialog', { name: 'New field of results' })
  await dialog.getByLabel('Name').fill('Cause')
  await dialog.getByLabel('Type').selectOption('Text')
  await dialog.getByLabel('Failed').check()
  await checkPage(page, 'fields of results new')
  await getButton('Add field').click()
  await page.getByText('Text · needed for failed · cause').waitFor()
  await makeField(server, project, { subject: 'result' })
  await page.getByText('Risk', { exact: true }).waitFor()

  const run = await makeRun(server, project)
  const path = `/v1/runs/${run.id}/results`
  await server.request('PUT', `${path}/WEB-1`, { token, body: { status: 'failed' } })
  const read = async () => {
    const { body } = await server.request<{ data: ResultDetail }>('GET', `${path}/WEB-1`, { token })
    return body.data
  }
  await page.goto(`${server.url}/runs/${run.id}`)
  await getButton('Complete').click()
  const missing = page.getByRole('dialog', { name: 'Fields are missing' })
  await missing.getByText('1 result lacks a field that its status needs').waitFor()
  await checkPage(page, 'fields of results missing')
  await missing.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('img', { name: 'A field is missing' }).waitFor()
  await page.getByRole('button', { name: 'Fields missing' }).click()
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'WEB-2' }).count()).toBe(0)
  await checkPage(page, 'run with missing fields')
  await getButton('Complete').click()
  await missing.getByRole('link', { name: /^WEB-1/ }).click()

  const fields = page.getByRole('group', { name: 'Fields', exact: true })
  await fields.getByLabel('Cause (needed)').fill('Timeout')
  // What is typed there sets no status.
  await fields.getByLabel('Risk').fill('7')
  await fields.getByLabel('Cause (needed)').or(fields.getByLabel('Cause')).first().focus()
  await expect.poll(async () => (await read()).fields).toEqual({ cause: 'Timeout', risk: 7 })
  await fields.getByLabel('Cause', { exact: true }).waitFor()
  expect(await read()).toMatchObject({ status: 'failed' })
  await checkPage(page, 'fields of results')
  await page.goto(`${server.url}/runs/${run.id}`)
  await getButton('Complete').click()
  await getButton('Reopen').waitFor()

  await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'in_progress' } })
  await server.request('PATCH', `${path}/WEB-1`, { token, body: { fields: { cause: null } } })
  await getButton('Complete').click()
  await getButton('Complete all the same').click()
  await getButton('Reopen').waitFor()
})

it('fields of runs are set when a run is started, shown on its page and changed there', async () => {
  const { project } = await makeCaseScenario(server)
  const { token } = project.admin
  await makeField(server, project, { subject: 'run', key: 'build', name: 'Build', type: 'text', is_required: true })
  const options = ['linux', 'mac'].map((key) => ({ key, label: key }))
  await makeField(server, project, {
    subject: 'run',
    key: 'system',
    name: 'System',
    type: 'select',
    options,
    default: 'mac',
  })
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/runs/new`, 'member')
  const fields = page.getByRole('region', { name: 'Fields of the run' })
  expect(await fields.getByLabel('System').inputValue()).toBe('mac')
  await page.getByRole('button', { name: 'Start run' }).click()
  await fields.getByText('is required').waitFor()
  await checkPage(page, 'new run with fields')
  await fields.getByLabel('Build (required)').fill('2.4.0')
  await page.reload()
  // They are kept with the draft.
  expect(await fields.getByLabel('Build (required)').inputValue()).toBe('2.4.0')
  await page.getByRole('button', { name: 'Start run' }).click()

  const facts = page.getByRole('region', { name: 'Summary' })
  await facts.getByText('2.4.0').waitFor()
  await facts.getByText('mac', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Fields of the run' }).click()
  const dialog = page.getByRole('dialog', { name: /^Fields of/ })
  await dialog.getByLabel('System').selectOption('linux')
  await checkPage(page, 'fields of a run')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await facts.getByText('linux', { exact: true }).waitFor()
  const { body } = await server.request<{ data: { fields: object }[] }>('GET', `/v1/projects/${project.id}/runs`, {
    token,
  })
  expect(body.data[0]?.fields).toEqual({ build: '2.4.0', system: 'linux' })
})
