import type { Page } from 'playwright-core'

import { measureStep } from '@caseward/test-support/measured-steps'

import { type AxeOptions, findAxeViolations, findLowContrast } from './find-axe-violations.ts'
import { addPassed, getPassedElements, markNewElements, NEW_ELEMENTS, NEW_LOOK, type Theme } from './new-elements.ts'
import { takePicture } from './take-picture.ts'
import { waitUntilStill } from './wait-until-still.ts'

/** A check of one state of a page, at one width after another. */
interface ElementCheck {
  /** Returns what is wrong with the elements that the page has at its present width, and had in no state before, with the themes. */
  findFaults(width: number): Promise<string[]>
  /** Counts what was checked as passed. Without it, a second attempt of the test checks all of it again. */
  accept(): void
}

/**
 * Begins to check a page with the rules of axe: the first state of a page as a whole, and of the others what is new. Contrast is
 * checked of what looks as nothing that has passed. The theme is light before it, and may be dark afterwards.
 * @param themes which themes are checked; the light one always is
 */
export function beginElementCheck(page: Page, name: string, themes: 'both' | 'light' = 'both'): ElementCheck {
  const passed = getPassedElements(page)
  const seen = { light: new Set<string>(), dark: new Set<string>() }
  const looks = new Set<string>()
  const faults: string[] = []
  let theme: Theme = 'light'
  async function switchTo(other: Theme): Promise<void> {
    theme = other
    await setTheme(page, theme)
  }
  const add = (width: number, found: readonly string[]) =>
    faults.push(...found.map((fault) => `${theme} ${width}: ${fault}`))

  /** Marks what is new with the present theme, and checks its contrast. */
  async function checkColors(width: number): Promise<Awaited<ReturnType<typeof markNewElements>>> {
    const found = await markNewElements(page, passed?.[theme] ?? new Set(), seen[theme])
    await takePicture(page, `${name}-${theme}-${width}`)
    if (found.hasLooks) {
      const { faults: low, passedLooks } = await measureStep('axe', () => findLowContrast(page, NEW_LOOK))
      add(width, low)
      for (const look of passedLooks) looks.add(look)
    }
    for (const element of found.elements) seen[theme].add(element)
    return found
  }

  /** The theme of the width before is the first one, because switching takes as long as a check. */
  async function checkThemes(width: number): Promise<void> {
    const isDark = theme === 'dark'
    if (isDark) {
      await checkColors(width)
      await switchTo('light')
    }
    const { elements, hasTargets } = await checkColors(width)
    if (elements.size === 0) return
    /** What was drawn again meanwhile has lost its mark: then the whole page is checked. */
    const isWhole = passed === undefined || (await page.locator(NEW_ELEMENTS).count()) === 0
    const part: AxeOptions = isWhole ? {} : { includes: NEW_ELEMENTS, checksTargets: hasTargets }
    add(width, await measureStep('axe', () => findAxeViolations(page, { checksAllButColors: true, ...part })))
    if (isDark || themes === 'light') return
    await switchTo('dark')
    await checkColors(width)
  }
  return {
    async findFaults(width) {
      await checkThemes(width)
      return faults.splice(0)
    },
    accept: () => addPassed(page, seen, looks),
  }
}

/** Nothing moves while it is checked. */
export async function setTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await waitUntilStill(page)
}
