import { makeMilestone, makeProject, makeRun, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

async function makeScenario() {
  const project = await makeProject(server)
  await makeTestCase(server, project, { title: 'A customer pays by card' })
  await makeTestCases(server, project, 3)
  const milestone = await makeMilestone(server, project, { name: 'Card payments' })
  const run = await makeRun(server, project, { name: 'Card regression', milestone_id: milestone.id })
  return { project, run }
}

const openCases = async (scenario: Awaited<ReturnType<typeof makeScenario>>, role: 'member' | 'viewer' = 'member') => {
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, `/projects/${scenario.project.id}/cases`, role)
  await page.getByRole('grid').waitFor()
  return page
}
const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name })
const openPalette = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor()
}

describe('the palette', () => {
  it('opens on every page with Ctrl K, shows the keys of pages, and goes where Enter says', async () => {
    const scenario = await makeScenario()
    const page = await openCases(scenario)
    for (const path of [`/runs/${scenario.run.id}`, `/runs/${scenario.run.id}/execute`, '/account', '/?all=true']) {
      const before = await page.title()
      await follow(page, path)
      await expect.poll(() => page.title()).not.toBe(before)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await openPalette(page)
      await page.keyboard.press('Escape')
    }
    await follow(page, `/projects/${scenario.project.id}/cases`)
    await page.getByRole('grid').waitFor()
    await openPalette(page)
    await expect.poll(() => option(page, /^Cases/).textContent()).toMatch(/G\s*C$/)
    await checkPage(page, 'palette')
    await page.keyboard.type('ru')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/projects/${scenario.project.id}/runs`)
  })

  it('gets what is typed while it is loading, and no key of the page acts', async () => {
    const { run, project } = await makeScenario()
    const page = await browser.newPage()
    let load = () => {}
    const isWanted = new Promise<void>((resolve) => {
      load = resolve
    })
    await page.route('**/assets/palette-*.js', async (route) => {
      await isWanted
      await route.continue()
    })
    await openAs(page, server, project, `/runs/${run.id}/execute`)
    await page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Passed' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pfx')
    await page.keyboard.press('Backspace')
    load()
    await expect.poll(() => page.getByRole('combobox', { name: 'Search everything' }).inputValue()).toBe('pf')
    await page.keyboard.type('b')
    await expect.poll(() => page.getByRole('combobox', { name: 'Search everything' }).inputValue()).toBe('pfb')
    const { body } = await server.request<{ data: { status: string }[] }>('GET', `/v1/runs/${run.id}/results`, {
      token: project.admin.token,
    })
    expect(new Set(body.data.map(({ status }) => status))).toEqual(new Set(['not_tested']))
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await page.getByText(/^All saved/).waitFor()
  })

  it('finds the test case with an id first, and everything by its name', async () => {
    const scenario = await makeScenario()
    const page = await openCases(scenario)
    await openPalette(page)
    await page.keyboard.type('web-1')
    await expect.poll(() => option(page, /./).first().textContent()).toMatch(/A customer pays by card.*WEB-1/)
    await page.getByRole('combobox', { name: 'Search everything' }).fill('card')
    await option(page, /Card regression/).waitFor()
    await option(page, /Card payments/).waitFor()
    await checkPage(page, 'palette-hits')
    await option(page, /A customer pays by card/).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/projects/${scenario.project.id}/cases/WEB-1`)
  })

  it('offers a viewer no action that is not allowed, and returns the focus when it closes', async () => {
    const page = await openCases(await makeScenario(), 'viewer')
    const search = page.getByRole('searchbox')
    await search.focus()
    await openPalette(page)
    await option(page, /New project/).waitFor()
    expect(await option(page, /New run/).count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
  })
})

describe('the search page', () => {
  it('lists hits by kind, only from the projects of the user, and keeps the text in the URL', async () => {
    const scenario = await makeScenario()
    const other = await makeProject(server)
    await makeTestCase(server, other, { title: 'Another card' })
    const page = await openCases(scenario)
    await openPalette(page)
    await page.keyboard.type('card')
    await option(page, /All hits for/).click()
    await expect.poll(() => page.url()).toContain('/search?q=card')
    const list = (kind: string) => page.getByRole('region', { name: kind }).getByRole('link')
    await expect.poll(() => list('Test cases').allTextContents()).toEqual(['A customer pays by card'])
    await expect.poll(() => list('Runs').allTextContents()).toEqual(['Card regression'])
    await expect.poll(() => list('Milestones').allTextContents()).toEqual(['Card payments'])
    await checkPage(page, 'search')
    await page.reload()
    await list('Runs').click()
    await page.getByRole('heading', { level: 1, name: 'Card regression' }).waitFor()
    await page.goBack()
    await page.getByRole('searchbox', { name: 'Search all projects' }).fill('nothing like this')
    await page.getByText('Nothing matches').waitFor()
    await checkPage(page, 'search-empty')
  })

  it('says why the search failed, and tries again', async () => {
    const page = await openCases(await makeScenario())
    const tryAgain = await failUntilTriedAgain(page, '**/v1/search?*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    )
    await page.goto(`${server.url}/search?q=card`)
    await page.getByText('The search failed.').waitFor()
    await checkPage(page, 'search-failed')
    await tryAgain()
    await page.getByText('Card regression').waitFor()
  })
})
