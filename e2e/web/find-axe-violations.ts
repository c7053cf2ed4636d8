import axe from 'axe-core'
import type { Page } from 'playwright-core'

import { waitUntilStill } from './wait-until-still.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Runs the rules of axe for WCAG 2.2 A and AA on the page as it is now. Returns one line for each violation. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  await waitUntilStill(page)
  // Not as a script of the page, which its Content-Security-Policy would block.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const { passes, violations } = await page.evaluate(async (tags) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe }
    // Without `preload`, which fetches the styles for rules that are not among these.
    const results = await injected.run({ runOnly: tags, resultTypes: ['violations'], preload: false })
    return { passes: results.passes.length, violations: results.violations }
  }, rules)
  if (passes < 10) throw new Error(`axe ran ${passes} rules only: the page is empty`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
