import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { findAxeViolations } from './find-axe-violations.ts'
import { takePicture } from './take-picture.ts'

/** The widths that every page is checked at, in pixels. */
const widths = [1440, 390] as const
/** WCAG 1.4.10: 320 pixels are a window of 1280 at 400 %. */
const NARROWEST = 320

/** Checks the page as it is now with both themes at both widths, and that it never scrolls sideways. */
export async function checkPage(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await takePicture(page, `${name}-${colorScheme}-${width}`)
      expect(await findAxeViolations(page), `${name}, ${colorScheme}, ${width}`).toEqual([])
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: 900 })
  expect(await hasSidewaysScroll(page), `${name} at ${NARROWEST}`).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

const hasSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
