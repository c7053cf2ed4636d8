import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { startBufferingProxy } from '../buffering-proxy.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, type RunScenario } from '../run-scenario.ts'
import { setVisibility, useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** One more than HTTP/1.1 allows a browser connections to a host. */
const TABS = 7

const waitUntilLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
const waitForNote = (page: Page, note: string) => page.getByText(note, { exact: true }).waitFor({ timeout: 5000 })
const getRunPath = ({ runId }: RunScenario) => `/runs/${runId}`

describe('seven tabs of one run over HTTP/1.1', () => {
  it('share one stream, stay usable and all show a change, also after the first one was closed', async () => {
    const scenario = await makeRunScenario(server)
    const first = await browser.newPage()
    const streams: string[] = []
    first.context().on('request', (request) => {
      if (request.url().endsWith('/events')) streams.push(request.url())
    })
    await openAs(first, server, scenario.project, getRunPath(scenario))
    const tabs = [first]
    while (tabs.length < TABS) {
      const tab = await first.context().newPage()
      await tab.goto(server.url + getRunPath(scenario))
      tabs.push(tab)
    }
    await Promise.all(tabs.map(waitUntilLive))
    await scenario.setResult('WEB-2', { status: 'failed', note: 'Timeout' })
    await Promise.all(tabs.map((tab) => waitForNote(tab, 'Timeout')))
    expect(streams).toHaveLength(1)
    const getProtocol = () => performance.getEntriesByType('navigation').map((entry) => entry.toJSON() as object)
    expect(await first.evaluate(getProtocol)).toMatchObject([{ nextHopProtocol: 'http/1.1' }])

    const others = tabs.slice(1)
    await first.close()
    await expect.poll(() => streams.length).toBe(2)
    const [last] = tabs.slice(-1)
    if (last === undefined) throw new Error('no tab')
    await last.getByRole('link', { name: 'Execute' }).click()
    await last.getByLabel('Note', { exact: true }).fill('Set in the last tab')
    await last.keyboard.press('Escape')
    await last.keyboard.press('f')
    await last.getByText(/^All saved/).waitFor()
    await Promise.all(others.slice(0, -1).map((tab) => waitForNote(tab, 'Set in the last tab')))
  })

  it('stay usable without locks, which browsers do not have without HTTPS, because hidden tabs leave their stream', async () => {
    const scenario = await makeRunScenario(server)
    const first = await browser.newPage()
    await first.context().addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
    const tabs: Page[] = []
    while (tabs.length < TABS) {
      const tab = tabs.length === 0 ? first : await first.context().newPage()
      await tab.clock.install()
      if (tab === first) await openAs(first, server, scenario.project, getRunPath(scenario))
      else await tab.goto(server.url + getRunPath(scenario))
      tabs.push(tab)
      await waitUntilLive(tab)
      if (tabs.length === TABS) break
      await setVisibility(tab, 'hidden')
      await tab.clock.fastForward(15_000)
      await tab.getByText('Paused', { exact: true }).waitFor()
    }
    await scenario.setResult('WEB-2', { status: 'failed', note: 'Timeout' })
    await waitForNote(tabs.at(-1) ?? first, 'Timeout')
    expect(await first.getByText('Timeout', { exact: true }).count()).toBe(0)
    await setVisibility(first, 'visible')
    await waitForNote(first, 'Timeout')
  })
})

describe('behind a proxy that buffers', () => {
  it('the page reads changes every 15 seconds and says so, until the proxy passes events on', async () => {
    const scenario = await makeRunScenario(server)
    const proxy = await startBufferingProxy(server.url)
    const page = await browser.newPage()
    await page.clock.install()
    await openAs(page, { ...server, url: proxy.url }, scenario.project, getRunPath(scenario))
    await page.getByText('Connecting…', { exact: true }).waitFor()
    await page.getByText('A customer pays in way 2', { exact: true }).waitFor()
    await page.clock.fastForward(10_000)
    await page.getByText('Updated every 15 seconds', { exact: true }).waitFor()
    await checkPage(page, 'run-polling')
    await scenario.setResult('WEB-2', { status: 'failed', note: 'Timeout' })
    await page.clock.fastForward(15_000)
    await waitForNote(page, 'Timeout')
    proxy.passEvents()
    await page.clock.fastForward(60_000)
    await waitUntilLive(page)
    await scenario.setResult('WEB-3', { status: 'failed', note: 'At once' })
    await waitForNote(page, 'At once')
  })
})
