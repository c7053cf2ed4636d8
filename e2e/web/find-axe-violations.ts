import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type axe from 'axe-core'
import type { Page } from 'playwright-core'

import { waitUntilStill } from './wait-until-still.ts'

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What depends on the theme. This rule and the next one find out what is drawn where, which takes longer than all others together. */
const colorRule = 'color-contrast'
const targetRule = 'target-size'
const onlyColors: axe.RunOptions = { runOnly: { type: 'rule', values: [colorRule] } }

/** The minified build: compiling `axe.source` takes a page 200 ms more. */
const axeScript = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Not as a script of the page, which its Content-Security-Policy would block. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate('"axe" in globalThis')) return
  // V8 finds the code that another page of the process has compiled, unlike that of `page.evaluate`: 120 instead of 340 ms.
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Runtime.enable')
  const expression = await axeScript
  const { scriptId = '' } = await devTools.send('Runtime.compileScript', {
    expression,
    sourceURL: 'axe.min.js',
    persistScript: true,
  })
  await devTools.send('Runtime.runScript', { scriptId, silent: true })
  await devTools.detach()
}

export interface AxeOptions {
  /** Whether only colours are checked: all other rules have passed with another theme. */
  checksOnlyColors?: boolean
  /** Whether colours are not checked. */
  checksAllButColors?: boolean
  /** Whether the size of targets is checked, too. */
  checksTargets?: boolean
  checksLandmarks?: boolean
  /** Selects what is checked; by default the page. */
  includes?: string
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
  {
    checksOnlyColors = false,
    checksAllButColors = false,
    checksTargets = true,
    checksLandmarks = false,
    includes,
    excludes,
  }: AxeOptions = {},
): Promise<string[]> {
  await waitUntilStill(page)
  await injectAxe(page)
  const rules = {
    region: { enabled: checksLandmarks },
    ...(checksAllButColors ? { [colorRule]: { enabled: false } } : {}),
    ...(checksTargets ? {} : { [targetRule]: { enabled: false } }),
  }
  const options: axe.RunOptions = {
    ...(checksOnlyColors ? onlyColors : { runOnly: { type: 'tag', values: allRules }, rules }),
    resultTypes: ['violations'],
    // This would fetch the styles for rules that are not among these.
    preload: false,
  }
  const isPart = includes !== undefined || excludes !== undefined
  const part = isPart ? { include: [includes ?? 'html'], exclude: excludes === undefined ? [] : [excludes] } : null
  const { passes, violations } = await page.evaluate(
    async ([context, runOptions]) => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe }
      // A part may have been drawn again meanwhile, without the mark that selects it: then the whole page is checked.
      const isGone = context !== null && context.include.every((selector) => document.querySelector(selector) === null)
      const results = await injected.run(context === null || isGone ? document : context, runOptions)
      return { passes: results.passes.length, violations: results.violations }
    },
    [part, options] as const,
  )
  // Of a part of a page, fewer rules are about something.
  const expected = includes !== undefined ? 0 : checksOnlyColors || isPart ? 1 : 10
  if (passes < expected) throw new Error(`axe ran ${passes} rules only: the page is empty`)
  return describeViolations(violations)
}

/**
 * Checks the contrast of the elements with an attribute, which says how they look. Returns the looks that have passed: that of
 * what is hidden, disabled or covered has not.
 */
export async function findLowContrast(
  page: Page,
  attribute: string,
): Promise<{ faults: string[]; passedLooks: readonly string[] }> {
  await waitUntilStill(page)
  await injectAxe(page)
  const options: axe.RunOptions = {
    ...onlyColors,
    resultTypes: ['passes', 'violations'],
    elementRef: true,
    preload: false,
  }
  const { violations, passedLooks } = await page.evaluate(
    async ([name, runOptions]) => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe }
      const selector = `[${name}]`
      // What was drawn again meanwhile has lost its attribute, and is checked with the next state.
      if (document.querySelector(selector) === null) return { violations: [], passedLooks: [] }
      const results = await injected.run({ include: [selector] }, runOptions)
      const passed = results.passes.flatMap(({ nodes }) =>
        nodes.map(({ element }) => element?.getAttribute(name) ?? ''),
      )
      const failed = results.violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }))
      return { violations: failed, passedLooks: passed.filter((look) => look !== '') }
    },
    [attribute, options] as const,
  )
  return { faults: describeViolations(violations), passedLooks }
}

const describeViolations = (violations: readonly { id: string; nodes: readonly Node[] }[]) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))

interface Node {
  html: string
  failureSummary?: string | undefined
}
