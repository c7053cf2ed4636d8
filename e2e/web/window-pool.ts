import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

import { recordPageFaults } from '@caseward/test-support/page-faults'

import { follow } from './follow.ts'

/** A window with its own cookies and storage. */
export interface Window {
  context: BrowserContext
  page: Page
  /** What its pages reported. */
  faults: string[]
  /** Empties it for another test, or closes it if the test changed what cannot be taken back. */
  giveBack(): Promise<void>
  /**
   * Leaves the app open for another test, at {@link LEFT_OPEN}. Returns false if the test did more than using the app, or if
   * something of it would still be seen.
   */
  leaveOpen(): Promise<boolean>
}

/** An unknown path, where the app shows nothing of what it was used for. */
export const LEFT_OPEN = '/left-open'
/** What does not close until then, such as a question about changes that are not saved, stays. */
const CLEAR_TIMEOUT_MS = 3000

/** All that a page can keep, except the cache of files. */
const STORED =
  'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,shared_storage,storage_buckets'

/** What changes a window, and cannot be changed back. */
const lastingOfWindow = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'route',
  'routeWebSocket',
  'on',
  'once',
] as const
/** The same of the clock of a window. */
const lastingOfClock = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt'] as const
/** The same of a page. */
const lastingOfPage = [
  'addInitScript',
  'addLocatorHandler',
  'exposeBinding',
  'exposeFunction',
  'routeWebSocket',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
] as const

/** Empty windows, by the options that they were opened with. */
const emptied = new Map<string, Window[]>()

/**
 * Opens a window in which nothing is stored. It may have been used by another test: the files of the app are in its cache
 * then, and their code is compiled in its process, without which a page takes three times the processor time.
 */
export async function takeWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const pool = emptied.get(JSON.stringify(options)) ?? []
  for (let window = pool.pop(); window !== undefined; window = pool.pop()) {
    if (window.context.browser() === browser) return window
  }
  return await openWindow(browser, options)
}

async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const faults: string[] = []
  context.on('page', (opened) => recordPageFaults(opened, faults))
  const origins = new Set<string>()
  context.on('request', (request) => {
    if (request.isNavigationRequest()) origins.add(new URL(request.url()).origin)
  })
  const lasting = [watchCalls(context, lastingOfWindow), watchCalls(context.clock, lastingOfClock)]
  const isChanged = () => lasting.some(({ wasCalled }) => wasCalled())
  const endSessions = recordSessions(context)
  const offline = watchCalls(context, ['setOffline'])
  let tab = await openTab(context)

  async function leaveOpen(): Promise<boolean> {
    const [origin] = origins
    if (isChanged() || offline.wasCalled() || !tab.isUntouched()) return false
    if (origins.size !== 1 || context.pages().length > 1) return false
    if (!tab.page.url().startsWith(`${origin}/`)) return false
    await endSessions()
    return await clearApp(tab.page)
  }

  async function giveBack(): Promise<void> {
    const [origin] = origins
    if (origin === undefined || isChanged()) return await context.close()
    await context.setOffline(false)
    offline.forget()
    await endSessions()
    // The storage of a session belongs to a tab: of other origins, it cannot be cleared.
    if (origins.size === 1 && tab.isReusable()) await tab.reset()
    else tab = await openTab(context)
    window.page = tab.page
    await tab.page.goto(`${origin}/healthz`)
    // What pages store when they are closed has to go as well.
    const others = context.pages().filter((page) => page !== tab.page)
    await Promise.all(others.map((page) => page.close()))
    await tab.page.evaluate(() => sessionStorage.clear())
    await context.clearPermissions()
    await context.clearCookies()
    const devTools = await context.newCDPSession(tab.page)
    for (const visited of origins) {
      await devTools.send('Storage.clearDataForOrigin', { origin: visited, storageTypes: STORED })
    }
    await devTools.send('Page.resetNavigationHistory')
    await endSessions()
    origins.clear()
    const key = JSON.stringify(options)
    emptied.set(key, [...(emptied.get(key) ?? []), window])
  }
  const window = { context, page: tab.page, faults, giveBack, leaveOpen }
  return window
}

/** The first page of a window, which shows one test after another: opening another page takes as long as the app to start. */
interface Tab {
  page: Page
  isReusable(): boolean
  /** Whether a test only used what it shows. */
  isUntouched(): boolean
  /** Takes back what a test did to it, so that it can be left without a question. */
  reset(): Promise<void>
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage()
  const lasting = watchCalls(page, lastingOfPage)
  const removeListeners = recordListeners(page)
  const touched = watchCalls(page, ['on', 'route'])
  const isReusable = () => !page.isClosed() && !lasting.wasCalled()
  return {
    page,
    isReusable,
    isUntouched: () => isReusable() && !touched.wasCalled(),
    async reset() {
      removeListeners()
      touched.forget()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.evaluate(() => {
        window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
      })
      // What is under the pointer looks different.
      await page.mouse.move(-1, -1)
    },
  }
}

/** Leaves the page that is open in the app, its messages included. Returns whether nothing of it is seen or stored any more. */
async function clearApp(page: Page): Promise<boolean> {
  const isStored = await page.evaluate(() =>
    Object.keys(localStorage).some((key) => /^caseward:(preferences|draft)/.test(key)),
  )
  if (isStored) return false
  // One that does not close is about more than the page.
  const dialogs = page.locator('[role=dialog], [role=alertdialog]')
  for (let presses = 0; presses < 2 && (await dialogs.count()) > 0; presses += 1) await page.keyboard.press('Escape')
  await page.mouse.move(-1, -1)
  await follow(page, LEFT_OPEN)
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('button[aria-label=Dismiss]')) button.click()
  })
  const isClear = () =>
    document.querySelector('main h1')?.textContent === 'Page not found' &&
    document.querySelector('[role=dialog], [role=alertdialog], [role=menu], button[aria-label=Dismiss]') === null
  return await page.waitForFunction(isClear, null, { timeout: CLEAR_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
}

/** Returns functions that return whether one of the methods was called, and that forget it. */
function watchCalls<K extends string>(target: Record<K, (...args: never[]) => unknown>, methods: readonly K[]) {
  let isCalled = false
  for (const method of methods) {
    const original = target[method].bind(target) as (...args: unknown[]) => unknown
    const call = (...args: unknown[]) => {
      isCalled = true
      return original(...args)
    }
    Object.assign(target, { [method]: call })
  }
  return {
    wasCalled: () => isCalled,
    forget() {
      isCalled = false
    },
  }
}

/** Returns a function that removes the listeners that were added since. */
function recordListeners(page: Page): () => void {
  const added: [string, () => void][] = []
  const on = page.on.bind(page) as (...args: [string, () => void]) => Page
  const record = (...args: [string, () => void]) => {
    added.push(args)
    return on(...args)
  }
  Object.assign(page, { on: record })
  const off = page.off.bind(page) as (...args: [string, () => void]) => Page
  return () => {
    for (const args of added.splice(0)) off(...args)
  }
}

/** Returns a function that ends the sessions of the developer tools that were begun since, and what they emulate. */
function recordSessions(context: BrowserContext): () => Promise<void> {
  const begun = new Set<CDPSession>()
  const begin = context.newCDPSession.bind(context)
  const newCDPSession: BrowserContext['newCDPSession'] = async (target) => {
    const session = await begin(target)
    begun.add(session)
    return session
  }
  Object.assign(context, { newCDPSession })
  return async () => {
    // Some have ended, with their page.
    for (const session of begun) await session.detach().catch(() => {})
    begun.clear()
  }
}
