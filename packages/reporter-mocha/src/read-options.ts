import type { ReporterOptions } from '@caseward/reporter-core'

import type { MochaOptions } from './mocha-objects.ts'

const FALSE = new Set<unknown>([false, 'false', '0', '', null])

/** Our options among those of the reporter. On the command line each is a text, or true where it has no value. */
export function readOptions({ reporterOption, reporterOptions }: MochaOptions): ReporterOptions {
  const { strict, ...options } = { ...reporterOptions, ...reporterOption }
  return strict === undefined ? options : { ...options, strict: !FALSE.has(strict) }
}

/** Whether this is a run whose results are nobody's: nothing is run, or somebody writes a test just now. */
export const isDryRunOrWatch = ({ dryRun, watch }: MochaOptions): boolean => dryRun === true || watch === true

/** Whether a test was asked for by `--grep`, `--fgrep` and `--invert`. */
export function isSelected(fullTitle: string, { grep, invert = false }: MochaOptions): boolean {
  // Searching takes no notice of where an earlier search with the same expression has stopped.
  return grep === undefined || (fullTitle.search(grep) !== -1) !== invert
}
