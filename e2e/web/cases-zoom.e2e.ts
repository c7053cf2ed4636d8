import { useTestServer } from '@caseward/test-support/test-server'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { type CaseScenario, getRow, makeCaseScenario, makeRunWithResult, openAs } from './case-scenario.ts'
import { findCutOff, findUnreachable, hasSidewaysScroll, setTextSpacing } from './find-cut-off.ts'
import { takePicture } from './take-picture.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()
let scenario: CaseScenario
beforeAll(async () => {
  scenario = await makeCaseScenario(server)
  await makeRunWithResult(server, scenario, 'failed')
})

/** What the pages show, and how a user gets there. Each begins with a page that is loaded. */
const states: { name: string; path?: string; open: (page: Page) => Promise<unknown> }[] = [
  {
    name: 'list',
    async open(page) {
      await getRow(page, 'WEB-3').getByRole('checkbox').click()
      await page.getByText('1 selected').waitFor()
    },
  },
  {
    name: 'move',
    async open(page) {
      await getRow(page, 'WEB-3').focus()
      await page.keyboard.press('m')
      await page.getByRole('dialog').getByRole('listbox').waitFor()
    },
  },
  {
    name: 'tags',
    async open(page) {
      await getRow(page, 'WEB-1').focus()
      await page.keyboard.press('t')
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
    },
  },
  { name: 'panel', path: '?case=WEB-1', open: (page) => page.getByRole('textbox', { name: 'Title' }).waitFor() },
  { name: 'history', path: '?case=WEB-1&panel=history', open: (page) => page.getByText('In 1 run').waitFor() },
  { name: 'new case', path: '?case=new', open: (page) => page.getByRole('textbox', { name: 'Title' }).waitFor() },
  { name: 'no match', path: '?q=nothing', open: (page) => page.getByText('No test case matches').waitFor() },
  { name: 'case', path: '/WEB-1', open: (page) => page.getByText('In 1 run').waitFor() },
]

/** Opens all states in one window, one after the other. @returns what is wrong in any of them */
async function checkStates(name: string, options: BrowserContextOptions, prepare?: (page: Page) => Promise<void>) {
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce' })
  await openAs(page, server, scenario.project, scenario.path)
  const faults: string[] = []
  for (const state of states) {
    await page.goto(server.url + scenario.path + (state.path ?? ''))
    await page.getByRole('main').waitFor()
    await state.open(page)
    await prepare?.(page)
    await takePicture(page, `cases ${name} ${state.name}`)
    const found = [...(await findCutOff(page)), ...(await findUnreachable(page)).map((item) => `${item}: out of reach`)]
    if (await hasSidewaysScroll(page)) found.push('The page scrolls sideways')
    faults.push(...found.map((fault) => `${state.name}: ${fault}`))
  }
  return faults
}

describe('the cases pages', () => {
  it('lose nothing at a zoom of 200 %', async () => {
    const options = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }
    expect(await checkStates('at 200 %', options)).toEqual([])
  })

  it('lose nothing at a zoom of 400 %', async () => {
    const options = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }
    expect(await checkStates('at 400 %', options)).toEqual([])
  })

  it.each([1440, 390])('lose nothing with the text spacing of WCAG 1.4.12 at a width of %i', async (width) => {
    const options = { viewport: { width, height: 900 } }
    expect(await checkStates(`with text spacing ${width}`, options, setTextSpacing)).toEqual([])
  })
})
