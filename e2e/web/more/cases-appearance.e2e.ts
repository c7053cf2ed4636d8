import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { type CaseScenario, getPanel, makeCaseScenario, makeRunWithResult } from '../case-scenario.ts'
import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { findLayoutFaults } from '../find-layout-faults.ts'
import { checkPage } from '../page-checks.ts'
import { takePicture } from '../take-picture.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()
let scenario: CaseScenario
beforeAll(async () => {
  scenario = await makeCaseScenario(server)
  await makeRunWithResult(server, scenario, 'failed')
  await scenario.changeAsOther('WEB-2', {
    title: 'A very long title '.repeat(15).slice(0, 255),
    tags: Array.from({ length: 50 }, (_, index) => `tag ${index}`),
    precondition: '| Card | Country |\n|---|---|\n| Visa | Germany |\n\n- [x] done',
    automation_key: 'checkout.spec.ts › '.repeat(20).trim(),
  })
})

const getPage = browser.sharePage((page) => openAs(page, server, scenario.project, scenario.path))

/** What the pages show, and how a user gets there from the list. Esc leaves each of them. */
const states: { name: string; path?: string; open: (page: Page) => Promise<void> }[] = [
  { name: 'panel', path: '?case=WEB-2', open: (page) => page.getByRole('cell', { name: 'Germany' }).waitFor() },
  { name: 'history', path: '?case=WEB-1&panel=history', open: (page) => page.getByText('In 1 run').waitFor() },
  { name: 'no match', path: '?q=nothing', open: (page) => page.getByText('No test case matches').waitFor() },
  { name: 'case', path: '/WEB-2', open: (page) => page.getByRole('cell', { name: 'Germany' }).waitFor() },
  {
    name: 'move',
    async open(page) {
      await page.getByRole('row').nth(1).focus()
      await page.keyboard.press('m')
      await page.getByRole('dialog').getByRole('listbox').waitFor()
    },
  },
  {
    name: 'tags',
    async open(page) {
      await page.getByRole('row', { name: /WEB-2/ }).focus()
      await page.keyboard.press('t')
      await page.getByRole('dialog').getByRole('checkbox', { name: 'tag 49' }).waitFor()
    },
  },
  {
    name: 'list',
    async open(page) {
      await page.getByRole('row').nth(1).getByRole('checkbox').click()
      await page.getByText('1 selected').waitFor()
    },
  },
  {
    name: 'new case',
    path: '?case=new',
    async open(page) {
      await page.getByRole('button', { name: 'Add a step' }).click()
      await page.getByRole('textbox', { name: 'action of step 1' }).waitFor()
    },
  },
]

describe('the cases pages', () => {
  it.each(states)(
    'are accessible in both themes, and lose nothing in narrow windows and with wide text: $name',
    async ({ name, path = '', open }) => {
      const page = getPage()
      await follow(page, scenario.path + path)
      await open(page)
      await checkPage(page, `cases ${name}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  )

  it('lose nothing at a zoom of 200 %, where a window has twice the pixels', async () => {
    const options = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, reducedMotion: 'reduce' } as const
    const page = await browser.newPage(options)
    await openAs(page, server, scenario.project, scenario.path)
    for (const { name, path = '', open } of states.filter((state) => ['panel', 'case', 'list'].includes(state.name))) {
      await follow(page, scenario.path + path)
      await open(page)
      await takePicture(page, `cases ${name}-window-200`)
      expect.soft(await findLayoutFaults(page), name).toEqual([])
    }
  })
})

describe('in a narrow window', () => {
  it('shows folders in a sheet, and the open test case as a page with a way back', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await openAs(page, server, scenario.project, scenario.path)
    await page.getByRole('button', { name: 'All test cases' }).click()
    await page.getByRole('treeitem', { name: /Account/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /WEB-5/ }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByRole('row', { name: /WEB-5/ }).waitFor()
  })
})

describe('the page of a test case', () => {
  it('opens at /WEB-1, and has its history and its usage', async () => {
    const page = getPage()
    await page.goto(`${server.url}/WEB-1`)
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${scenario.path}/WEB-1`)
    await page.getByText('In 1 run').waitFor()
    await page.getByRole('link', { name: 'Nightly' }).waitFor()
    await expect.poll(() => page.title()).toBe('WEB-1 A customer pays by card · Web shop · Caseward')
    await page.getByRole('textbox', { name: 'Automation key' }).fill('checkout.pays')
    await page.keyboard.press('Tab')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await scenario.read('WEB-1')).automation_key).toBe('checkout.pays')
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Payment' }).click()
    await getPanel(page).waitFor()
  })

  it('offers a choice if several projects have the prefix', async () => {
    const other = await makeProject(server, { name: 'Old shop' })
    await makeTestCase(server, other, { title: 'Of the old shop' })
    const page = getPage()
    await openAs(page, server, scenario.project, '/')
    const { id } = await server.db
      .selectFrom('users')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    await server.db.insertInto('memberships').values({ project_id: other.id, user_id: id, role: 'viewer' }).execute()
    await page.goto(`${server.url}/WEB-1`)
    await page.getByRole('heading', { name: 'Which WEB-1?' }).waitFor()
    await page.getByRole('link', { name: 'Old shop' }).click()
    await page.getByRole('heading', { name: 'Of the old shop', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/projects/${other.id}/cases/WEB-1`)
  })

  it('says that a test case does not exist, and that no project has the prefix', async () => {
    const page = getPage()
    await openAs(page, server, scenario.project, '/WEB-999')
    await page.getByText('This test case does not exist').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await follow(page, '/XYZ-1')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})
