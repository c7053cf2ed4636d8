import type { Page } from 'playwright-core'

/** An import of 5,000 test cases with steps from a CSV file. Times in milliseconds. */
export interface ImportTimes {
  /** From choosing the file until the preview says what will be created. */
  readonly previewMs: number
  /** From the click on Import until the page says what was created. */
  readonly storedMs: number
  /** The longest time in which the page could not react. */
  readonly longestMs: number
}

const ROWS = 5000

/** Imports into the project whose page of imports is open. */
export async function measureImport(page: Page): Promise<ImportTimes> {
  const readLongest = await watchPage(page)
  const chosenAt = performance.now()
  await page.locator('input[type=file]').setInputFiles({
    name: 'cases.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(createCsv()),
  })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  const store = page.getByRole('button', { name: 'Import 5,000 test cases' })
  await store.waitFor()
  const previewMs = performance.now() - chosenAt
  const clickedAt = performance.now()
  await store.click()
  await page.getByText('5,000 test cases created').waitFor()
  return { previewMs, storedMs: performance.now() - clickedAt, longestMs: await readLongest() }
}

function createCsv(): string {
  const steps = Array.from({ length: 5 }, (_, step) => `${step + 1}. Do this\n=> ${'See that. '.repeat(8).trim()}`)
  const rows = Array.from(
    { length: ROWS },
    (_, index) =>
      `A customer pays by card ${index + 1},Checkout/Payment ${index % 50},high,"${steps.join('\n')}","payment, t${index % 20}"`,
  )
  return `title,folder,priority,steps,tags\n${rows.join('\n')}\n`
}

/** Records the longest time in which the page cannot react, from now on. @returns a function that reads it */
async function watchPage(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const state = { longestMs: 0, last: performance.now() }
    Object.assign(globalThis, { watched: state })
    const tick = () => {
      const now = performance.now()
      state.longestMs = Math.max(state.longestMs, now - state.last)
      state.last = now
      setTimeout(tick)
    }
    tick()
  })
  return async () =>
    await page.evaluate(() => (globalThis as unknown as { watched: { longestMs: number } }).watched.longestMs)
}

/** The largest shift of the layout while a page loads, as Chromium scores it: 0 if nothing moves. */
export async function measureShift(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript(() => {
    const shifts = { score: 0 }
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.score += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url)
  await page.locator(selector).first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {})
  return await page.evaluate(() => (globalThis as unknown as { shifts: { score: number } }).shifts.score)
}
