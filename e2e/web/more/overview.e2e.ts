import { makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

let demo: { id: string; token: string }
beforeAll(async () => {
  const { token } = await makeUser(server)
  const { body } = await server.request<{ data: { id: string } }>('POST', '/v1/projects/demo', { token })
  demo = { id: body.data.id, token }
})

const getCard = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

/** In this window, the rows of a run are all in sight: others are not in the page. */
const TALL = { width: 1440, height: 2400 }

/** How many results the page lists that a link has opened: the rows of a run, or the blockers of a milestone. */
async function countListed(page: Page): Promise<number> {
  if (page.url().includes('/milestones/')) return await getCard(page, 'Blockers').getByRole('listitem').count()
  return await page.getByRole('grid').getByRole('row', { name: /WEB-/ }).count()
}

async function openDemo(role: 'member' | 'viewer' = 'member') {
  const page = await browser.newPage()
  await openAs(page, server, demo, `/projects/${demo.id}`, role)
  await getCard(page, 'Flaky').getByRole('listitem').first().waitFor()
  await getCard(page, 'Readiness').getByText('tested').first().waitFor()
  return page
}

describe('the overview', () => {
  it('says in one sentence whether the next milestone is ready, and each part leads to its list', async () => {
    const page = await openDemo()
    const readiness = getCard(page, 'Readiness')
    await readiness.getByRole('heading', { name: 'Release 2.4 due in' }).waitFor()
    await expect
      .poll(() => readiness.getByRole('paragraph').innerText())
      .toMatch(/^\d+ % tested, \d+ failed, \d+ of them critical, \d+ blocked\. At this pace, everything is tested on /)
    await checkPage(page, 'overview')
    await readiness.getByRole('link', { name: /tested$/ }).click()
    await expect.poll(() => page.url()).toContain('/runs?milestone=')
    await page.goBack()
    await page.setViewportSize(TALL)
    for (const [name, filter] of [
      [/^\d+ failed$/, /\?status=failed$|\?list=failed$/],
      [/of them critical$/, /\?status=failed&priority=critical$|\?list=critical$/],
      [/blocked$/, /\?status=blocked$|\?list=blocked$/],
    ] as const) {
      const link = readiness.getByRole('link', { name })
      const count = Number.parseInt(await link.innerText(), 10)
      await link.click()
      await expect.poll(() => page.url()).toMatch(filter)
      await expect.poll(() => countListed(page)).toBe(count)
      await page.goBack()
      await readiness.waitFor()
    }
  })

  it.each([1440, 390])(
    'asks for everything once, and moves nothing that is shown, in a window of %i',
    async (width) => {
      const page = await browser.newWindow({ viewport: { width, height: 900 } })
      const requests: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname.startsWith('/v1/')) requests.push(pathname + search)
      })
      await page.addInitScript(() => {
        const shift = { sum: 0 }
        Object.assign(globalThis, { shift })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shift.sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      const readShift = () => page.evaluate(() => (globalThis as unknown as { shift: { sum: number } }).shift.sum)
      await openAs(page, server, demo, `/projects/${demo.id}`)
      const { body } = await server.request<{ data: { id: string; name: string }[] }>(
        'GET',
        `/v1/projects/${demo.id}/milestones`,
        { token: demo.token },
      )
      const milestone = body.data.find(({ name }) => name === 'Release 2.4')
      const pages = [
        [`/projects/${demo.id}`, getCard(page, 'Changed').getByRole('listitem').first()],
        [`/projects/${demo.id}/milestones/${milestone?.id}`, getCard(page, 'Runs').getByRole('listitem').first()],
      ] as const
      // The server has observed the project since the first stream: what follows was not changed meanwhile.
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
      for (const [path, last] of pages) {
        requests.length = 0
        await page.goto(server.url + path)
        await last.waitFor()
        await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
        expect(await readShift()).toBeLessThan(0.1)
        // One line needs no charts.
        expect(requests.filter((url) => url.includes('/health?')).every((url) => url.includes('fields=band'))).toBe(
          true,
        )
        expect(requests.filter((url, index) => requests.indexOf(url) !== index)).toEqual([])
      }
    },
  )

  it('shows all flaky test cases, and all failures, when somebody asks for them', async () => {
    const page = await openDemo()
    const flaky = getCard(page, 'Flaky')
    const total = Number(/\d+/.exec(await flaky.getByRole('heading').innerText())?.[0])
    expect(total).toBeGreaterThan(6)
    expect(await flaky.getByRole('listitem').count()).toBe(6)
    await flaky.getByRole('link', { name: 'Show all' }).click()
    await expect.poll(() => flaky.getByRole('listitem').count()).toBe(total)
    await checkPage(page, 'overview-all')
    await page.reload()
    await flaky.getByRole('link', { name: 'Show fewer' }).click()
    await expect.poll(() => flaky.getByRole('listitem').count()).toBe(6)
  })

  it('tells new failures from those that last and from flaky ones, and leads to their test cases', async () => {
    const page = await openDemo()
    await getCard(page, 'New failures').getByText('1 run', { exact: true }).first().waitFor()
    await getCard(page, 'Failing for longer')
      .getByText(/^\d+ runs$/)
      .first()
      .waitFor()
    const flaky = getCard(page, 'Flaky').getByRole('listitem').first()
    expect(await flaky.innerText()).toMatch(/flaky in \d/)
    await flaky.getByRole('link').click()
    await expect.poll(() => page.url()).toMatch(/\/cases\/WEB-\d+$/)
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await getCard(page, 'Open runs').getByRole('link', { name: 'Regression 2.4' }).click()
    await page.getByRole('heading', { level: 1, name: 'Regression 2.4' }).waitFor()
  })

  it('has a table of the figures of the chart, and says what happened', async () => {
    const page = await openDemo()
    const rows = getCard(page, 'Pass rate').getByRole('row')
    await expect.poll(() => rows.count()).toBe(23)
    expect(await rows.last().innerText()).toMatch(/^Nightly #842\s+\d+ %$/)
    const changed = getCard(page, 'Changed').getByRole('listitem')
    await expect.poll(() => changed.count()).toBe(10)
    await changed.filter({ hasText: 'Completed: Nightly #842' }).first().waitFor()
    expect(await changed.filter({ hasText: 'CI started Nightly #842' }).count()).toBe(0)
  })

  it('has its parts in their order on a phone', async () => {
    const page = await openDemo('viewer')
    await page.setViewportSize({ width: 390, height: 844 })
    const names = ['Readiness', 'Open runs', 'New failures', 'Pass rate', 'Failing for longer', 'Flaky', 'Changed']
    const readOrder = async () => {
      const boxes = await Promise.all(names.map((name) => getCard(page, name).boundingBox()))
      return names.toSorted((a, b) => (boxes[names.indexOf(a)]?.y ?? 0) - (boxes[names.indexOf(b)]?.y ?? 0))
    }
    // What loads meanwhile moves the parts below.
    await expect.poll(readOrder).toEqual(names)
    expect(await page.getByRole('link', { name: /New run|Start a run/ }).count()).toBe(0)
  })

  it('shows a run that somebody else starts, without reload', async () => {
    const page = await openDemo()
    const body = { name: 'Hotfix 2.4.1' }
    await server.request('POST', `/v1/projects/${demo.id}/runs`, { token: demo.token, body })
    await getCard(page, 'Open runs').getByRole('link', { name: 'Hotfix 2.4.1' }).waitFor()
    await getCard(page, 'Changed').getByRole('link', { name: 'Hotfix 2.4.1' }).waitFor()
  })

  it('loads and fails part by part', async () => {
    const page = await browser.newWindow()
    const tryAgain = await failUntilTriedAgain(page, '**/unstable-test-cases*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    )
    await openAs(page, server, demo, `/projects/${demo.id}`)
    await getCard(page, 'Flaky').getByRole('alert').waitFor()
    await getCard(page, 'Open runs').getByRole('link', { name: 'Regression 2.4' }).waitFor()
    await checkPage(page, 'overview-failure')
    await tryAgain(getCard(page, 'Flaky').getByRole('button', { name: 'Try again' }))
    await getCard(page, 'New failures').getByText('1 run', { exact: true }).first().waitFor()
  })
})

describe('the overview of a young project', () => {
  it('offers what to begin with, and to a viewer only says what will be there', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}`)
    await page.getByRole('button', { name: 'See the demo' }).waitFor()
    await checkPage(page, 'overview-empty')
    await page.getByRole('link', { name: 'Write test cases' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor()
    const other = await browser.newPage()
    await openAs(other, server, project, `/projects/${project.id}`, 'viewer')
    await other.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
    expect(await other.getByRole('link', { name: 'Write test cases' }).count()).toBe(0)
  })

  it('without runs offers to start one', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}`)
    await getCard(page, 'Flaky').getByText('No test case has a flaky test.').waitFor()
    await checkPage(page, 'overview-no-runs')
    await getCard(page, 'Open runs').getByRole('link', { name: 'Start a run' }).click()
    await page.getByRole('heading', { level: 1, name: 'New run' }).waitFor()
  })

  it('of another team is not there', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, await makeProject(server), `/projects/${project.id}`)
    await page.getByText('This project does not exist, or you are not a member of it.').waitFor()
    await checkPage(page, 'overview-missing')
  })
})
