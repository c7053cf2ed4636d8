import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type axe from 'axe-core'
import type { Page } from 'playwright-core'

import { waitUntilStill } from './wait-until-still.ts'

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What depends on the theme. */
const colorRule = 'color-contrast'

/** The minified build: compiling `axe.source` takes a page 200 ms more. */
const axeScript = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeOptions {
  /** Whether only colours are checked: all other rules have passed with another theme. */
  checksOnlyColors?: boolean
  /** Whether colours are not checked. */
  checksAllButColors?: boolean
  checksLandmarks?: boolean
  /** Selects what is not checked. */
  excludes?: string
}

/**
 * Runs the rules of axe for WCAG 2.2 A and AA on the page as it is now. Returns one line for each violation.
 * @param options.checksLandmarks whether everything must be inside of a landmark. Menus of the app are rendered at the end of the
 *   page, outside of its landmarks; their button says where they belong
 */
export async function findAxeViolations(
  page: Page,
  { checksOnlyColors = false, checksAllButColors = false, checksLandmarks = false, excludes }: AxeOptions = {},
): Promise<string[]> {
  await waitUntilStill(page)
  // Not as a script of the page, which its Content-Security-Policy would block.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await axeScript)
  const options: axe.RunOptions = {
    runOnly: checksOnlyColors ? { type: 'rule', values: [colorRule] } : { type: 'tag', values: allRules },
    rules: checksOnlyColors
      ? {}
      : { region: { enabled: checksLandmarks }, ...(checksAllButColors ? { [colorRule]: { enabled: false } } : {}) },
    resultTypes: ['violations'],
    // This would fetch the styles for rules that are not among these.
    preload: false,
  }
  const excluded = excludes === undefined ? null : { exclude: [excludes] }
  const { passes, violations } = await page.evaluate(
    async ([context, runOptions]) => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe }
      const results = await injected.run(context ?? document, runOptions)
      return { passes: results.passes.length, violations: results.violations }
    },
    [excluded, options] as const,
  )
  // Of a part of a page, fewer rules are about something.
  const expected = checksOnlyColors || excludes !== undefined ? 1 : 10
  if (passes < expected) throw new Error(`axe ran ${passes} rules only: the page is empty`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
