import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { measureStep } from '@caseward/test-support/measured-steps'

import { findAxeViolations } from './find-axe-violations.ts'
import { findLayoutFaults } from './find-layout-faults.ts'
import { markNewElements, NEW_ELEMENTS, rememberElements } from './new-elements.ts'
import { takePicture } from './take-picture.ts'
import { waitUntilStill } from './wait-until-still.ts'

/** The widths that every page is checked at, in pixels. */
const allWidths: readonly number[] = [1440, 390]
const HEIGHT = 900
/** WCAG 1.4.10: 320 pixels are a window of 1280 at 400 %. */
const NARROWEST = 320
/** A window of 1440 by 900 at 200 %, as the page sees it. cases-appearance.e2e.ts has windows with twice the pixels. */
const zoomed = { width: 720, height: 450 }
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
 * overlaps or scrolls sideways in a window of 320 pixels, at 200 % and with wide text. Narrow windows are touched, as phones.
 */
export async function checkPage(page: Page, name: string, options: CheckOptions = {}): Promise<void> {
  await measureStep('page check', () => check(page, name, options))
}

async function check(page: Page, name: string, { widths = allWidths }: CheckOptions): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const faults: string[] = []
  const add = (look: string, found: readonly string[]) => faults.push(...found.map((fault) => `${look}: ${fault}`))
  async function resize(width: number, height = HEIGHT): Promise<void> {
    await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: width < 500 })
    await page.setViewportSize({ width, height })
  }
  async function findFaults(picture: string): Promise<string[]> {
    await waitUntilStill(page)
    await takePicture(page, `${name}-${picture}`)
    return await measureStep('layout', () => findLayoutFaults(page))
  }

  /** The second window is checked for what it has that the first one did not have, and for sizes. */
  async function findViolations(colorScheme: 'light' | 'dark', isFirst: boolean): Promise<string[]> {
    const checksOnlyColors = colorScheme === 'dark'
    if (isFirst) {
      const found = await findAxeViolations(page, { checksOnlyColors })
      if (!checksOnlyColors) await rememberElements(page)
      return found
    }
    const sizes = checksOnlyColors ? [] : await findAxeViolations(page, { checksOnlySizes: true })
    if (!checksOnlyColors) newElements = await markNewElements(page)
    if (newElements === 0) return sizes
    return [...sizes, ...(await findAxeViolations(page, { checksOnlyColors, includes: NEW_ELEMENTS }))]
  }
  let newElements = 0

  for (const width of widths) {
    await resize(width)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const isFirst = width === widths[0]
      add(`${colorScheme} ${width}`, await measureStep('axe', () => findViolations(colorScheme, isFirst)))
      await takePicture(page, `${name}-${colorScheme}-${width}`)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await setWideText(page)
    add(`wide text ${width}`, await findFaults(`spacing-${width}`))
    await resetText(page)
    if (width === 1440) {
      await resize(zoomed.width, zoomed.height)
      add('200 %', await findFaults('zoom'))
    }
  }
  if (widths.includes(390)) {
    await resize(NARROWEST)
    add(String(NARROWEST), await findFaults(String(NARROWEST)))
  }
  await resize(widths[0] ?? 1440)
  await waitUntilStill(page)
  await devTools.detach()
  // The test goes on, so that one run shows all faults.
  expect.soft(faults, name).toEqual([])
}

/** Not with a style element, which the page's Content-Security-Policy would block. */
const setWideText = (page: Page) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, textSpacing)

const resetText = (page: Page) => page.evaluate(() => void document.adoptedStyleSheets.pop())
