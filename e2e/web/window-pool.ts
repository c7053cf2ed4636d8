import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

import { recordPageFaults } from '@caseward/test-support/page-faults'

/** A window with its own cookies and storage. */
export interface Window {
  context: BrowserContext
  page: Page
  /** What its pages reported. */
  faults: string[]
  /** Empties it for another test, or closes it if the test changed what cannot be taken back. */
  giveBack(): Promise<void>
}

/** All that a page can keep, except the cache of files. */
const STORED =
  'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,shared_storage,storage_buckets'

/** What changes a context, and cannot be changed back. */
const lasting = ['addInitScript', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket', 'on', 'once'] as const

/** Empty windows, by the options that they were opened with. */
const emptied = new Map<string, Window[]>()

/**
 * Opens a window in which nothing is stored. It may have been used by another test: the files of the app are in its cache
 * then, without which a page takes three times the processor time.
 */
export async function takeWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const pool = emptied.get(JSON.stringify(options)) ?? []
  for (let window = pool.pop(); window !== undefined; window = pool.pop()) {
    if (window.context.browser() === browser) return { ...window, page: await window.context.newPage() }
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
  const wasChanged = watchChanges(context)

  /** Keeps the process of the pages alive, in which the code of the app is compiled already. */
  let keeper: Page | undefined

  async function giveBack(): Promise<void> {
    const [origin] = origins
    if (wasChanged() || origin === undefined) return await context.close()
    keeper ??= await context.newPage()
    await keeper.goto(`${origin}/healthz`)
    // What pages store when they are closed has to go as well.
    const pages = context.pages().filter((page) => page !== keeper)
    await Promise.all(pages.map((page) => page.close()))
    await context.setOffline(false)
    await context.clearPermissions()
    await context.clearCookies()
    const devTools = await context.newCDPSession(keeper)
    for (const visited of origins) {
      await devTools.send('Storage.clearDataForOrigin', { origin: visited, storageTypes: STORED })
    }
    await devTools.detach()
    origins.clear()
    const key = JSON.stringify(options)
    emptied.set(key, [...(emptied.get(key) ?? []), window])
  }
  const window = { context, page: await context.newPage(), faults, giveBack }
  return window
}

/** Returns a function that returns whether something was changed since that cannot be changed back. */
function watchChanges(context: BrowserContext): () => boolean {
  let wasChanged = false
  for (const method of lasting) {
    const original = context[method].bind(context) as (...args: unknown[]) => unknown
    const change = (...args: unknown[]) => {
      wasChanged = true
      return original(...args)
    }
    Object.assign(context, { [method]: change })
  }
  return () => wasChanged
}
