import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { Combination } from '@caseward/contract/combinations'
import type { ResultDetail } from '@caseward/contract/result-rows'
import { makeConfigurations, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

it('steps and files of one combination > are set on the execution page, and stay with it', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeConfigurations(server, project, { browser: ['chrome', 'firefox'] })
  const steps = ['Open', 'Pay'].map((action, index) => ({ position: index + 1, action, expected: '' }))
  const { id } = await makeTestCase(server, project, { steps })
  const configurations = { groups: { browser: ['chrome', 'firefox'] } }
  const run = await makeRun(server, project, { test_case_ids: [id], configurations })
  const path = `/v1/runs/${run.id}/results/${id}`
  const read = async <T>(part: string) => (await server.request<{ data: T }>('GET', path + part, { token })).body.data
  const page = await browser.newPage()
  await openAs(page, server, project, `/runs/${run.id}/execute`, 'admin')
  const list = page.getByRole('listbox', { name: 'Combinations' })
  await list.getByRole('option', { name: /chrome/, selected: true }).waitFor()

  // By keyboard, with an actual result.
  await page.getByRole('button', { name: 'Step 2, not tested' }).focus()
  await page.keyboard.press('Shift+2')
  await page.getByRole('button', { name: 'Step 2, failed' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Actual result of step 2').fill('Error 500')
  await page.keyboard.press('Escape')
  const failed = [{ position: 2, status: 'failed', actual: 'Error 500' }]
  await expect.poll(async () => (await read<Combination[]>('/combinations'))[0]?.steps).toEqual(failed)
  const content = { name: 'chrome.txt', mimeType: 'text/plain', buffer: Buffer.from('The page stays empty') }
  await page.getByLabel('Files to attach').setInputFiles(content)
  await page.getByRole('heading', { name: 'Files (1) of chrome' }).waitFor()
  await checkPage(page, 'steps of a combination')

  // The next one has steps and files of its own.
  await list.getByRole('option', { name: /firefox/ }).click()
  await page.getByRole('button', { name: 'Step 2, not tested' }).waitFor()
  await page.getByRole('heading', { name: 'Files of firefox' }).waitFor()
  await page.getByRole('button', { name: 'Step 1, not tested' }).click()
  await page.getByRole('button', { name: 'Step 1, passed' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Step 1, not tested' }).waitFor()
  await page.getByRole('button', { name: 'Step 1, not tested' }).click()
  await expect
    .poll(async () =>
      (await read<Combination[]>('/combinations')).map((one) => one.steps?.map(({ position }) => position)),
    )
    .toEqual([[2], [1]])
  await page.reload()
  await list.getByRole('option', { name: /chrome/ }).click()
  await page.getByRole('button', { name: 'Step 2, failed' }).waitFor()
  await page.getByText('Error 500').waitFor()
  expect((await read<Attachment[]>('/attachments')).map(({ name, place }) => [name, place])).toEqual([
    ['chrome.txt', 1],
  ])
  expect(await read<Combination[]>('/combinations')).toMatchObject([{ status: 'not_tested' }, { status: 'not_tested' }])

  // Somebody changes the test case after the first status: what was tested stays, until the new text is tested.
  await page.keyboard.press('f')
  await expect.poll(async () => (await read<Combination[]>('/combinations'))[0]?.status).toBe('failed')
  const edited = ['Sign in', 'Open', 'Pay'].map((action, index) => ({ position: index + 1, action, expected: '' }))
  const body = { steps: edited }
  await server.request('PATCH', `/v1/projects/${project.id}/test-cases/${id}`, { token, body })
  await page.reload()
  await page.getByText('Changed since you began: 1 step').waitFor()
  await list.getByRole('option', { name: /chrome/ }).click()
  await page.getByRole('button', { name: 'Step 2, failed' }).waitFor()
  await page.getByRole('button', { name: 'Step 1, not tested' }).click()
  await page.getByRole('button', { name: 'Step 1, passed' }).waitFor()
  const ofBoth = async () => {
    const [chrome] = await read<Combination[]>('/combinations')
    return [chrome?.steps, chrome?.tested_steps].map((ones) => ones?.map(({ position }) => position))
  }
  await expect.poll(ofBoth).toEqual([
    [2, 3],
    [1, 2],
  ])
  await checkPage(page, 'steps of a combination in an earlier text')
  await page.getByRole('button', { name: 'Test the new text' }).click()
  // The list is another one in a narrow window, and begins with what is not tested.
  await list.getByRole('option', { name: /chrome/ }).click()
  await page.getByRole('button', { name: 'Step 3, failed' }).waitFor()
  await page.keyboard.press('Shift+P')
  await expect.poll(async () => (await read<ResultDetail>('')).case_version).toBe(2)
  await expect.poll(ofBoth).toEqual([[2, 3], undefined])
})
