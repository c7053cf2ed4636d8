import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { findAxeViolations } from './find-axe-violations.ts'
import { findLayoutFaults } from './find-layout-faults.ts'
import { takePicture } from './take-picture.ts'
import { waitUntilStill } from './wait-until-still.ts'

/** The widths that every page is checked at, in pixels. */
const allWidths: readonly number[] = [1440, 390]
const HEIGHT = 900
/** WCAG 1.4.10: 320 pixels are a window of 1280 at 400 %. */
const NARROWEST = 320
/** A window of 1440 by 900 at 200 %, as the page sees it. */
const zoomed = { width: 720, height: 450, deviceScaleFactor: 2, mobile: false }
/** WCAG 1.4.12: what a user may set without losing anything. */
const textSpacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`

interface CheckOptions {
  /** For states that only a wide or a narrow window has. */
  widths?: readonly number[]
}

/**
 * Checks the page in its present state: no axe violation with both themes at both widths, and nothing that is cut off,
 * overlaps or scrolls sideways in a window of 320 pixels, at 200 % and with wide text.
 */
export async function checkPage(page: Page, name: string, { widths = allWidths }: CheckOptions = {}): Promise<void> {
  const faults: string[] = []
  const add = (look: string, found: readonly string[]) => faults.push(...found.map((fault) => `${look}: ${fault}`))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT })
      add(`${colorScheme} ${width}`, await findAxeViolations(page))
      await takePicture(page, `${name}-${colorScheme}-${width}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    add(`wide text ${width}`, await withWideText(page, () => findFaults(page, `${name}-spacing-${width}`)))
  }
  if (widths.includes(390)) {
    await page.setViewportSize({ width: NARROWEST, height: HEIGHT })
    add(String(NARROWEST), await findFaults(page, `${name}-${NARROWEST}`))
  }
  if (widths.includes(1440)) add('200 %', await withZoom(page, () => findFaults(page, `${name}-zoom`)))
  await page.setViewportSize({ width: widths[0] ?? 1440, height: HEIGHT })
  expect(faults, name).toEqual([])
}

async function findFaults(page: Page, picture: string): Promise<string[]> {
  await waitUntilStill(page)
  await takePicture(page, picture)
  return await findLayoutFaults(page)
}

async function withZoom<T>(page: Page, act: () => Promise<T>): Promise<T> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setDeviceMetricsOverride', zoomed)
  try {
    return await act()
  } finally {
    await devTools.send('Emulation.clearDeviceMetricsOverride')
    await devTools.detach()
  }
}

/** Not with a style element, which the page's Content-Security-Policy would block. */
async function withWideText<T>(page: Page, act: () => Promise<T>): Promise<T> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, textSpacing)
  try {
    return await act()
  } finally {
    await page.evaluate(() => void document.adoptedStyleSheets.pop())
  }
}
