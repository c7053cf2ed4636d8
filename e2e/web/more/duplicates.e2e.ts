import { makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('templates', () => {
  it('turn steps into one text and back; what is tested is shown as it is written', async () => {
    const scenario = await makeCaseScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, `${scenario.path}?case=WEB-1`)
    const panel = getPanel(page)
    const before = (await scenario.read('WEB-1')).steps
    await panel.getByRole('button', { name: 'Write as text' }).click()
    await panel.getByRole('heading', { name: 'Text', exact: true }).waitFor()
    await expect.poll(async () => (await scenario.read('WEB-1')).template).toBe('text')
    expect((await scenario.read('WEB-1')).steps).toMatchObject([
      { action: '1. Open the shop\n   The basket is empty', expected: '' },
    ])
    await panel.getByRole('button', { name: 'Edit text' }).click()
    await panel.getByRole('textbox', { name: 'text' }).fill('1. Open the shop\n   The basket is empty\n2. Pay\n   Paid')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await scenario.read('WEB-1')).steps[0]?.action).toMatch(/2\. Pay/)
    await checkPage(page, 'a test case that is a text')

    const run = await makeRun(server, scenario.project, { test_case_ids: ['WEB-1'] })
    await page.goto(`${new URL(page.url()).origin}/runs/${run.id}/execute`)
    const testCase = page.getByRole('region', { name: 'Test case' })
    await testCase.getByRole('heading', { name: 'Text', exact: true }).waitFor()
    await testCase.getByText('The basket is empty').waitFor()
    expect(await testCase.locator('[data-step]').count()).toBe(0)

    await page.goto(`${new URL(page.url()).origin}${scenario.path}?case=WEB-1`)
    await panel.getByRole('button', { name: 'Write as steps' }).click()
    await panel.getByRole('group', { name: 'The text as steps' }).getByText('Paid').waitFor()
    await checkPage(page, 'a text as steps')
    await panel.getByRole('button', { name: 'Write 2 steps' }).click()
    await expect
      .poll(async () => (await scenario.read('WEB-1')).steps)
      .toEqual([...before, { position: 2, action: 'Pay', expected: 'Paid' }])
    expect((await scenario.read('WEB-1')).template).toBe('steps')
  })

  it('are set for many test cases, in the bar or its menu, also for an open one, and undone', async () => {
    const scenario = await makeCaseScenario(server)
    const { project, path, read } = scenario
    const ids = ['WEB-1', 'WEB-2']
    const readSteps = () => Promise.all(ids.map(async (id) => (await read(id)).steps))
    const before = await readSteps()
    const page = await browser.newPage()
    await openAs(page, server, project, path)
    for (const id of ids) await getRow(page, id).getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('menuitem', { name: 'Write as text' }).click()
    await page.getByText('2 test cases written as text').waitFor()
    expect((await readSteps()).map(([step]) => step)).toMatchObject(
      ids.map(() => ({ action: '1. Open the shop\n   The basket is empty', expected: '' })),
    )

    // Beside an open test case, or on a phone, the bar has a menu; what is open follows.
    await getRow(page, 'WEB-1').click()
    const panel = getPanel(page)
    await panel.getByRole('heading', { name: 'Text', exact: true }).waitFor()
    for (const id of ids) await getRow(page, id).getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Write as steps' }).click()
    await page.getByText('2 test cases written as steps').waitFor()
    await panel.getByRole('list', { name: 'Steps' }).getByText('The basket is empty').waitFor()
    expect(await readSteps()).toEqual(before)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await read('WEB-2')).template).toBe('text')
    expect((await readSteps()).map((steps) => steps.length)).toEqual([1, 1])
  })

  it('of new test cases are what the settings say', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/settings/general`, 'admin')
    await page.getByLabel('New test cases are written').selectOption('As one text')
    await page.getByRole('region', { name: 'Test cases' }).getByText('Saved').waitFor()
    await page.goto(`${new URL(page.url()).origin}/projects/${project.id}/cases`)
    await page
      .getByRole('button', { name: /^New case/ })
      .first()
      .click()
    const panel = getPanel(page)
    await panel.getByRole('heading', { name: 'Text', exact: true }).waitFor()
    await panel.getByRole('textbox', { name: 'Title' }).fill('Looks around')
    await panel.getByRole('textbox', { name: 'Title' }).blur()
    await panel.getByText('WEB-1', { exact: true }).waitFor()
    await panel.getByRole('heading', { name: 'Text', exact: true }).waitFor()
    const { token } = project.admin
    const stored = await server.request('GET', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    expect(stored.body).toMatchObject({ data: { title: 'Looks around', template: 'text' } })
  })
})

describe('duplicates', () => {
  it('are offered for a new test case, and one is used in its place', async () => {
    const scenario = await makeCaseScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, scenario.path)
    await page
      .getByRole('button', { name: /^New case/ })
      .first()
      .click()
    const panel = getPanel(page)
    await panel.getByRole('textbox', { name: 'Title' }).fill('A customer pays by cards')
    await panel.getByRole('textbox', { name: 'Title' }).blur()
    const use = panel.getByRole('button', { name: 'Use this one: WEB-1' })
    await use.waitFor()
    await panel.getByText('similar title').waitFor()
    await checkPage(page, 'a new test case with similar ones')
    await use.click()
    await expect.poll(() => new URL(page.url()).searchParams.get('case')).toBe('WEB-1')
    await expect.poll(async () => (await scenario.read('WEB-7'))?.id, { timeout: 15_000 }).toBeUndefined()
  })

  it('are listed, compared and deleted', async () => {
    const scenario = await makeCaseScenario(server)
    const { project } = scenario
    const steps = [{ position: 1, action: 'Open the app', expected: 'The basket is empty' }]
    await makeTestCase(server, project, { title: 'A guest  pays by “invoice”', steps })
    const page = await browser.newPage()
    await openAs(page, server, project, scenario.path)
    await page.getByRole('button', { name: 'Import and export' }).click()
    await page.getByRole('menuitem', { name: 'Duplicates' }).click()
    await page.getByRole('heading', { name: 'A guest pays by invoice' }).waitFor()
    await page.getByText('2 test cases, with 2 different lists of steps').waitFor()
    await page.getByRole('button', { name: 'Compare two' }).click()
    await page.getByRole('table').getByText('Changed 1').waitFor()
    await checkPage(page, 'two duplicates')
    await page.getByRole('button', { name: 'Delete WEB-7' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete test case' }).click()
    await page.getByRole('heading', { name: 'No duplicates' }).waitFor({ timeout: 20_000 })
    await checkPage(page, 'no duplicates')
  })

  it('are merged where they are compared, and undone; from the menu of a test case, its address leads on', async () => {
    const scenario = await makeCaseScenario(server)
    const { project, read } = scenario
    await makeTestCase(server, project, { title: 'A guest  pays by “invoice”', automation_key: 'guest > pays' })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/cases/duplicates`)
    await page.getByRole('button', { name: 'Compare two' }).click()
    const keep = page.getByLabel('Keep')
    await keep.waitFor()
    const [kept, merged] = await keep.locator('option').allTextContents()
    await keep.selectOption(merged ?? '')
    await page.getByText(`Automation keys, automated tests, links, files and comments of ${kept} move to`).waitFor()
    await keep.selectOption(kept ?? '')
    await checkPage(page, 'two duplicates to merge')
    await page.getByRole('button', { name: `Merge ${merged} into ${kept}` }).click()
    await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
    await page.getByText(`${merged} merged into ${kept}`).waitFor()
    expect(await read(merged ?? '')).toMatchObject({ merged_into: kept, automation_keys: [] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'A guest pays by invoice' }).waitFor()
    await expect.poll(async () => (await read('WEB-7'))?.automation_keys).toEqual(['guest > pays'])

    // By keys alone, on a phone.
    await page.setViewportSize({ width: 390, height: 800 })
    const { origin } = new URL(page.url())
    await page.goto(`${origin}/projects/${project.id}/cases/WEB-7`)
    await page.getByRole('button', { name: 'More about WEB-7' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Merge into…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Merge WEB-7 into another test case' })
    await dialog.getByRole('combobox').waitFor()
    await page.keyboard.type('WEB-1')
    await dialog.getByRole('option', { name: /^WEB-1/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await dialog.getByRole('button', { name: 'Merge into WEB-1' }).waitFor()
    await checkPage(page, 'the choice of a test case to merge into')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const notice = page.getByText('WEB-7 was merged into this test case.')
    await notice.waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/cases\/WEB-1$/)
    await checkPage(page, 'a test case with a merged one')

    // Its address and the short one, which leads here.
    const address = `${origin}/projects/${project.id}/cases/WEB-7`
    await page.goto(address)
    await notice.waitFor()
    await page.getByRole('link', { name: 'Open WEB-7' }).click()
    await page.getByRole('status').filter({ hasText: 'which has its automation keys' }).waitFor()
    await checkPage(page, 'a merged test case')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(async () => (await read('WEB-7'))?.archived_at).toBeNull()
    expect(await read('WEB-7')).not.toHaveProperty('merged_into')
    await page.goto(address)
    await page.getByRole('heading', { name: /^WEB-7 / }).waitFor()
  })
})
