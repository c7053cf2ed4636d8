import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { keepServerPort } from '@caseward/test-support/test-server'
import { waitForApp } from './built-app.ts'
import { takeWindow, type Window } from './window-pool.ts'

// Before servers start: they read the app once.
await waitForApp()

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Opens a window with its own cookies, which is closed after the test. It fails the test if the page's policy blocks anything. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  /** The same, even if the test before has left one open. */
  newWindow(options?: BrowserContextOptions): Promise<Page>
  /** The same for several tests: their last hook closes it. */
  openPage(options?: BrowserContextOptions): Promise<{ page: Page; close(): Promise<void> }>
  /**
   * Opens one window for all tests of a file or a group, each of which goes on where the one before has ended. After a failed
   * test, the next one gets a new window.
   * @param show opens what it shows first
   * @returns a function that returns the page, in tests
   */
  sharePage(show: (page: Page) => Promise<unknown>): () => Page
}

/** Shared by the test files of a worker: starting it takes longer than a test. It ends with the process of the worker. */
let shared: Promise<Browser> | undefined

async function getBrowser(): Promise<Browser> {
  // A test may have crashed it.
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined
  shared ??= startChromium({ sharesProcesses: true })
  return await shared
}

interface UseOptions {
  /**
   * Whether a test leaves the app open for the next one, at an unknown path, which takes a third of the processor time of
   * loading it again. For files whose tests open the app with `openAs`.
   */
  staysOpen?: boolean
}

/** Starts Chromium before the tests of a file, unless it runs already. */
export function useBrowser({ staysOpen = false }: UseOptions = {}): TestBrowser {
  // The windows of a worker keep the files of the app from one test file to the next.
  keepServerPort()
  /** With the app, as the last test has left it. */
  let open: Window | undefined
  beforeAll(getBrowser, INSTALL_TIMEOUT_MS)
  afterAll(() => open?.giveBack())

  async function end(window: Window, hasPassed: boolean): Promise<void> {
    // What a failed test has left may be anything.
    if (!hasPassed) await window.context.close()
    else if (staysOpen && open === undefined && (await window.leaveOpen())) open = window
    else await window.giveBack()
    reportFaults(window)
  }
  async function newPage(options: BrowserContextOptions | undefined, isOpen: boolean): Promise<Page> {
    const window = (isOpen && (await takeOpen(options))) || (await openWindow(options))
    onTestFinished(({ task }) => end(window, task.result?.state === 'pass'))
    return window.page
  }
  async function takeOpen(options: BrowserContextOptions = {}): Promise<Window | undefined> {
    const window = open
    if (window === undefined || getKind(options) !== '{}') return undefined
    open = undefined
    await prepare(window, options)
    return window
  }
  return {
    newPage: (options) => newPage(options, true),
    newWindow: (options) => newPage(options, false),
    async openPage(options) {
      const window = await openWindow(options)
      const close = async () => {
        await window.giveBack()
        reportFaults(window)
      }
      return { page: window.page, close }
    },
    sharePage(show) {
      let window: Window | undefined
      const close = async (hasPassed: boolean) => {
        const ended = window
        window = undefined
        if (ended === undefined) return
        await (hasPassed ? ended.giveBack() : ended.context.close())
        reportFaults(ended)
      }
      beforeEach(async () => {
        if (window !== undefined) return
        window = await openWindow()
        await show(window.page)
      })
      afterEach(async ({ task }) => {
        if (task.result?.state === 'fail') await close(false)
      })
      afterAll(() => close(true))
      return () => {
        if (window === undefined) throw new Error('The page is used outside of tests')
        return window.page
      }
    },
  }
}

function reportFaults({ faults }: Window): void {
  const found = faults.splice(0)
  if (found.length > 0) throw new Error(`The page reported:\n${found.join('\n')}`)
}

/** What cannot be changed later. All else are no options of the window: each kind of window loads the app on its own. */
function splitOptions({
  viewport,
  colorScheme = 'light',
  reducedMotion = 'no-preference',
  permissions,
  hasTouch = false,
  ...lasting
}: BrowserContextOptions) {
  return { lasting, viewport, colorScheme, reducedMotion, permissions, hasTouch }
}

const getKind = (options: BrowserContextOptions) => JSON.stringify(splitOptions(options).lasting)

async function openWindow(options: BrowserContextOptions = {}): Promise<Window> {
  const window = await takeWindow(await getBrowser(), splitOptions(options).lasting)
  await prepare(window, options)
  return window
}

async function prepare({ context, page }: Window, options: BrowserContextOptions): Promise<void> {
  const { viewport, colorScheme, reducedMotion, permissions, hasTouch } = splitOptions(options)
  await page.setViewportSize(viewport ?? { width: 1440, height: 900 })
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors: null, contrast: null })
  if (permissions !== undefined) await context.grantPermissions(permissions)
  if (hasTouch) await emulateTouch(page)
}

/** For as long as the page is open. */
async function emulateTouch(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/** Pretends that the window is hidden, which a browser without windows never is. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
