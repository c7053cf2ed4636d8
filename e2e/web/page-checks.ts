import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { measureStep } from '@caseward/test-support/measured-steps'

import { type AxeOptions, findAxeViolations } from './find-axe-violations.ts'
import { findLayoutFaults } from './find-layout-faults.ts'
import { addPassedElements, getPassedElements, markNewElements, NEW_ELEMENTS } from './new-elements.ts'
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

interface CheckOptions {
  /** For states that only a wide or a narrow window has. */
  widths?: readonly number[]
}

/**
 * Checks the page in its present state: no axe violation with both themes at both widths, and nothing that is cut off,
 * overlaps or scrolls sideways in a window of 320 pixels, at 200 % and with wide text. Narrow windows are touched, as phones.
 * The first state of a page is checked as a whole. Of the others in the same file, axe checks what is new, which takes a third
 * of the processor time.
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
  async function emulate(colorScheme: 'light' | 'dark'): Promise<void> {
    // Nothing moves while it is checked.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  }
  async function findFaults(picture: string): Promise<string[]> {
    await waitUntilStill(page)
    await takePicture(page, `${name}-${picture}`)
    return await measureStep('layout', () => findLayoutFaults(page))
  }
  async function addViolations(look: string, options: AxeOptions): Promise<void> {
    add(look, await measureStep('axe', () => findAxeViolations(page, options)))
    await takePicture(page, `${name}-${look.replace(' ', '-')}`)
  }

  const passed = getPassedElements(page)
  const checked = new Set<string>()
  /** Checks what the page has at this width, and had in no state before. */
  async function checkNewElements(width: number): Promise<void> {
    await waitUntilStill(page)
    const found = await markNewElements(page, new Set([...(passed ?? []), ...checked]))
    if (found.size === 0) return
    const isFirst = passed === undefined && checked.size === 0
    /** What was drawn again meanwhile has lost its mark: then the whole page is checked. */
    const choosePart = async (): Promise<AxeOptions> =>
      isFirst || (await page.locator(NEW_ELEMENTS).count()) === 0 ? {} : { includes: NEW_ELEMENTS }
    await addViolations(`light ${width}`, await choosePart())
    await emulate('dark')
    await addViolations(`dark ${width}`, { ...(await choosePart()), checksOnlyColors: true })
    await emulate('light')
    for (const element of found) checked.add(element)
  }

  await emulate('light')
  await waitUntilLoaded(page)
  for (const width of widths) {
    await resize(width)
    if (width !== widths[0]) await addViolations(`light ${width}`, { checksOnlySizes: true })
    await checkNewElements(width)
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
  await page.emulateMedia({ reducedMotion: null })
  await waitUntilStill(page)
  await devTools.detach()
  // The test goes on, so that one run shows all faults.
  expect.soft(faults, name).toEqual([])
  // A second attempt checks all of it again.
  if (faults.length === 0) addPassedElements(page, checked)
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
