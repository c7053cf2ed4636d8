import { makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { paste, withClipboard } from '../case-actions.ts'
import { type CaseScenario, getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { findLayoutFaults } from '../find-layout-faults.ts'
import { takePicture } from '../take-picture.ts'
import { useBrowser } from '../use-browser.ts'

const MAX_STEPS = 500
const MAX_TEXT = 65_536
const TITLE = 'A customer with a very long name pays with a card that has expired '.repeat(3).slice(0, 200).trim()

const server = useTestServer()
const browser = useBrowser()
let scenario: CaseScenario
let deepest = ''
beforeAll(async () => {
  scenario = await makeCaseScenario(server)
  const { project } = scenario
  let parent_id: string | null = null
  for (let level = 1; level <= 10; level += 1) {
    const folder = await makeFolder(server, project, { name: `Level ${level} of the shop`, parent_id })
    parent_id = folder.id
  }
  deepest = parent_id ?? ''
  const steps = Array.from({ length: MAX_STEPS }, (_, index) => ({
    position: index + 1,
    action: `Press button ${index + 1}`,
    expected: `Lamp ${index + 1} is on`,
  }))
  await makeTestCase(server, project, { title: TITLE, folder_id: deepest, steps })
  const lines = 'A line of the precondition, which is long.\n'.repeat(MAX_TEXT / 43 + 1).slice(0, MAX_TEXT)
  await makeTestCase(server, project, {
    title: 'Wordwithoutspaces'.repeat(15),
    folder_id: deepest,
    precondition: lines,
    expected_result: 'x'.repeat(MAX_TEXT),
  })
})

async function open(query: string, options = {}): Promise<Page> {
  const page = await browser.newPage(options)
  await openAs(page, server, scenario.project, scenario.path + query)
  return page
}

const hasSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
const getState = (page: Page, text: string) => getPanel(page).getByText(text, { exact: true })

/** Types a text, and returns the processor time of the scripts of the page meanwhile. It does not depend on what else runs. */
async function typeMeasured(page: Page, text: string): Promise<number> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readScriptTime = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  }
  const start = await readScriptTime()
  await page.keyboard.type(text)
  const spent = (await readScriptTime()) - start
  await devTools.detach()
  return spent
}

describe('a test case with 500 steps', () => {
  it('is edited with less than six times the work that one with a single step needs, and takes no further step', async () => {
    const page = await open('?case=WEB-2')
    const openStep = async (number: number) => {
      await page.getByRole('button', { name: `Edit expected result of step ${number}`, exact: true }).press('Enter')
      await page.getByRole('textbox', { name: `expected result of step ${number}`, exact: true }).waitFor()
    }
    await openStep(1)
    const few = await typeMeasured(page, ' and stays on for long')
    await page.keyboard.press('Escape')
    await page.goto(`${server.url}${scenario.path}?case=WEB-7`)
    await openStep(MAX_STEPS)
    const many = await typeMeasured(page, ' and stays on for long')
    expect(many / few, 'processor time in comparison').toBeLessThan(6)
    await page.keyboard.press('Tab')
    await getState(page, 'Saved').waitFor()
    const { steps } = await scenario.read('WEB-7')
    expect(steps).toHaveLength(MAX_STEPS)
    expect(steps[MAX_STEPS - 1]?.expected).toBe('Lamp 500 is on and stays on for long')
    expect(await page.getByRole('button', { name: 'Add a step' }).count()).toBe(0)
    await takePicture(page, 'cases 500 steps')
  })

  it('says which pasted lines do not fit', async () => {
    const { project } = scenario
    const steps = Array.from({ length: 498 }, (_, index) => ({ position: index + 1, action: 'Press', expected: '' }))
    const { id } = await makeTestCase(server, project, { title: 'Nearly full', steps })
    const page = await open(`?case=${id}`, withClipboard)
    await page.getByRole('button', { name: 'Add a step' }).press('Enter')
    await paste(page, 'One\nTwo\nThree\nFour')
    await page.getByText('2 steps in what you pasted').waitFor()
    await page.getByText('the last 2 lines will not be added').waitFor()
    await page.keyboard.press('Enter')
    await getState(page, 'Saved').waitFor()
    const stored = (await scenario.read(id)).steps
    expect([stored.length, stored.at(-1)?.action]).toEqual([500, 'Two'])
  })
})

describe('texts of 65,536 characters', () => {
  it.each([1440, 390])('are shown in part, saved whole and never scroll sideways at a width of %i', async (width) => {
    const page = await open('?case=WEB-8', { viewport: { width, height: 900 } })
    await page.getByRole('button', { name: /^Show all [\d,]+ lines$/ }).waitFor()
    expect(await hasSidewaysScroll(page)).toBe(false)
    await takePicture(page, `cases long texts ${width}`)
    await page.getByRole('button', { name: 'Edit precondition' }).press('Enter')
    const field = page.getByRole('textbox', { name: 'precondition' })
    expect((await field.inputValue()).length).toBe(MAX_TEXT)
    await page.getByText('0 of 65,536 characters left').waitFor()
    await page.keyboard.type('!!')
    await page.getByText('2 characters too long').waitFor()
    await page.getByText('Not saved', { exact: true }).waitFor()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type(width === 390 ? '.' : ';')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await scenario.read('WEB-8')).precondition.at(-1)).toBe(width === 390 ? '.' : ';')
  })
})

describe('folders ten levels deep', () => {
  it('are indented for six levels, keep room for their names, and their path is in full', async () => {
    const page = await open(`?folder=${deepest}`)
    const getLeft = async (level: number) => {
      const name = page.getByRole('treeitem', { name: new RegExp(`^Level ${level} `) }).getByText(`Level ${level} of`)
      const box = await name.boundingBox()
      return box ?? { x: 0, width: 0 }
    }
    await page.getByRole('treeitem', { name: /^Level 10 / }).waitFor()
    const [second, third, seventh, tenth] = await Promise.all([getLeft(2), getLeft(3), getLeft(7), getLeft(10)])
    expect(third.x).toBeGreaterThan(second.x)
    expect(tenth.x).toBe(seventh.x)
    expect(tenth.width).toBeGreaterThan(60)
    await takePicture(page, 'cases deep folders')
    await page.goto(`${server.url}${scenario.path}/WEB-7`)
    const path = page.getByRole('navigation', { name: 'Path' })
    await path.getByRole('link', { name: 'Level 10 of the shop' }).waitFor()
    await takePicture(page, 'cases deep path')
    expect(await findLayoutFaults(page)).toEqual([])
    await expect
      .poll(() => path.getAttribute('title'))
      .toMatch(/^Cases › Level 1 of the shop › .* › Level 10 of the shop › WEB-7$/)
    expect(await hasSidewaysScroll(page)).toBe(false)
  })
})

describe('a title of 200 characters', () => {
  it.each([1440, 390])(
    'takes one line in the list, and all its lines in the panel, at a width of %i',
    async (width) => {
      const page = await open('', { viewport: { width, height: 900 } })
      const row = getRow(page, 'WEB-7')
      await row.waitFor()
      const title = row.getByText(TITLE)
      expect((await title.boundingBox())?.height).toBeLessThan(24)
      await expect.poll(() => title.getAttribute('title')).toBe(TITLE)
      await row.click()
      const field = page.getByRole('textbox', { name: 'Title' })
      await expect.poll(() => field.inputValue()).toBe(TITLE)
      expect(await field.evaluate((area) => area.scrollHeight - area.clientHeight)).toBeLessThanOrEqual(1)
      expect(await hasSidewaysScroll(page)).toBe(false)
    },
  )
})
