import type { Page } from 'playwright-core'

import { median, percentile95 } from '../measure.ts'
import { awaitChange, type Change, recordFrames, stopFrames, waitUntilUsable, watchChange } from './in-page.ts'
import { getOrderNumber } from './seed-web.ts'

/** The first row of a table below its head. */
const FIRST_ROW = '[role=row][aria-rowindex="2"]'

/** Returns the milliseconds from the start of a page's navigation until it shows its rows and can be used. */
export async function openPage(page: Page, url: string, selector = FIRST_ROW): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return await page.evaluate(waitUntilUsable, selector)
}

async function measureChange(page: Page, change: Change, input: () => Promise<void>): Promise<number> {
  await page.evaluate(watchChange, change)
  await input()
  return await page.evaluate(awaitChange)
}

/** Milliseconds from clicking a row until its test case is loaded and shown in the panel: the median of ten rows. */
export async function measurePanel(page: Page): Promise<number> {
  // This part of the panel has the id of the test case as its name once it is loaded.
  const selector = 'section[aria-label="Test case"] [role=region]'
  const change: Change = { event: 'click', selector, attribute: 'aria-label' }
  await page.locator(FIRST_ROW).getByRole('gridcell').nth(2).click()
  await page.locator(selector).waitFor()
  const times: number[] = []
  for (let row = 3; row < 13; row += 1) {
    const cell = page.locator(`[role=row][aria-rowindex="${row}"]`).getByRole('gridcell').nth(2)
    times.push(await measureChange(page, change, () => cell.click()))
  }
  return median(times)
}

/** Milliseconds from a key in the search to its rows: the slowest of six digits, each of which changes the rows. */
export async function measureSearch(page: Page): Promise<number> {
  const search = page.getByRole('searchbox').first()
  const change: Change = { event: 'keydown', selector: '[role=grid]', attribute: 'aria-rowcount' }
  const all = await page.locator(change.selector).getAttribute('aria-rowcount')
  const times: number[] = []
  for (const number of [getOrderNumber(815), getOrderNumber(4711)]) {
    await search.fill('')
    await page.locator(`${change.selector}[aria-rowcount="${all}"]`).waitFor()
    // More digits would find the same single test case.
    for (const digit of number.slice(0, 3)) {
      times.push(await measureChange(page, change, () => page.keyboard.press(digit)))
    }
  }
  return Math.max(...times)
}

const SCROLL_STEPS = 90
const SCROLL_PIXELS = 400

/** The duration of a frame in milliseconds while a long table is scrolled: the 95th percentile. */
export async function measureScroll(page: Page): Promise<number> {
  await page.locator(FIRST_ROW).hover()
  await page.evaluate(recordFrames)
  for (let step = 0; step < SCROLL_STEPS; step += 1) await page.mouse.wheel(0, SCROLL_PIXELS)
  return percentile95(await page.evaluate(stopFrames))
}

/** The memory of the page's JavaScript in MB, without garbage. */
export async function measureHeap(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('HeapProfiler.enable')
  await devTools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devTools.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

const KEYS = 40

/** Milliseconds from a key that sets a result: until the next test case is painted, and until the result is stored. */
export async function measureExecution(page: Page): Promise<{ paintedMs: number[]; storedMs: number[] }> {
  const change: Change = { event: 'keydown', selector: 'h1' }
  const paintedMs: number[] = []
  const storedMs: number[] = []
  for (let key = 0; key < KEYS; key += 1) {
    const stored = page.waitForResponse((response) => response.request().method() !== 'GET')
    const pressedAt = performance.now()
    paintedMs.push(await measureChange(page, change, () => page.keyboard.press('p')))
    await stored
    storedMs.push(performance.now() - pressedAt)
  }
  return { paintedMs, storedMs }
}
