import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { measureStep } from '@caseward/test-support/measured-steps'

import { beginElementCheck, setTheme } from './element-checks.ts'
import { findLayoutFaults } from './find-layout-faults.ts'
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

/** How long a page may load before it is checked. */
const LOADING_MS = 5000

export interface CheckOptions {
  /** For states that only a wide or a narrow window has. */
  widths?: readonly number[]
  /** Whether only what finds most faults is checked: axe with the light theme in the first window, and the layout in one of 320 pixels. */
  isBrief?: boolean
}

/**
 * Checks the page in its present state: no axe violation with both themes at both widths, and nothing that is cut off,
 * overlaps or scrolls sideways in a window of 320 pixels, at 200 % and with wide text. Narrow windows are touched, as phones.
 * Axe checks the first state of a page as a whole, and of the others what is new (element-checks.ts).
 */
export async function checkPage(page: Page, name: string, options: CheckOptions = {}): Promise<void> {
  // The test goes on, so that one run shows all faults.
  expect.soft(await measureStep('page check', () => findPageFaults(page, name, options)), name).toEqual([])
}

/** Returns what {@link checkPage} finds. */
export async function findPageFaults(
  page: Page,
  name: string,
  { widths = allWidths, isBrief = false }: CheckOptions = {},
): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page)
  const faults: string[] = []
  const add = (look: string, found: readonly string[]) => faults.push(...found.map((fault) => `${look}: ${fault}`))
  async function resize(width: number, height = HEIGHT): Promise<void> {
    await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: width < 500 })
    await page.setViewportSize({ width, height })
  }
  async function addLayoutFaults(look: string, picture: string): Promise<void> {
    await waitUntilStill(page)
    await takePicture(page, `${name}-${picture}`)
    add(look, await measureStep('layout', () => findLayoutFaults(page)))
  }

  const elements = beginElementCheck(page, name, isBrief ? 'light' : 'both')
  await setTheme(page, 'light')
  await waitUntilLoaded(page)
  for (const width of isBrief ? widths.slice(0, 1) : widths) {
    await resize(width)
    await waitUntilStill(page)
    faults.push(...(await elements.findFaults(width)))
    if (isBrief) {
      await resize(NARROWEST)
      await addLayoutFaults(String(NARROWEST), String(NARROWEST))
      continue
    }
    await setWideText(page)
    await addLayoutFaults(`wide text ${width}`, `spacing-${width}`)
    await resetText(page)
    if (width === 1440) {
      await resize(zoomed.width, zoomed.height)
      await addLayoutFaults('200 %', 'zoom')
    } else {
      await resize(NARROWEST)
      await addLayoutFaults(String(NARROWEST), String(NARROWEST))
    }
  }
  await resize(widths[0] ?? 1440)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
  await waitUntilStill(page)
  await devTools.detach()
  if (faults.length === 0) elements.accept()
  return faults
}

/** What still loads would move while it is checked. It may also be the state that is checked: then it stays. */
async function waitUntilLoaded(page: Page): Promise<void> {
  const loading = page.locator('[role=status][aria-label^=Loading], [role=progressbar]')
  await loading
    .first()
    .waitFor({ state: 'detached', timeout: LOADING_MS })
    .catch(() => {})
}

/** Not with a style element, which the page's Content-Security-Policy would block. */
const setWideText = (page: Page) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, textSpacing)

const resetText = (page: Page) => page.evaluate(() => void document.adoptedStyleSheets.pop())
