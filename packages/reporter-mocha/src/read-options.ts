import type { ReporterOptions } from '@caseward/reporter-core'

import type { MochaOptions } from './framework-types.ts'

const FALSE = new Set<unknown>([false, 'false', '0', '', null])

/** Reads the options of the reporter. On the command line, an option is a string, or true if it has no value. */
export function readOptions({ reporterOption, reporterOptions }: MochaOptions): ReporterOptions {
  const { strict, ...options } = { ...reporterOptions, ...reporterOption }
  return strict === undefined ? options : { ...options, strict: !FALSE.has(strict) }
}

/** Returns whether the results of the run are not reported. */
export const isDryRunOrWatch = ({ dryRun, watch }: MochaOptions): boolean => dryRun === true || watch === true

/** Returns whether `--grep`, `--fgrep` and `--invert` select a test. */
export function isSelected(fullTitle: string, { grep, invert = false }: MochaOptions): boolean {
  // `search` ignores the `lastIndex` of a global pattern.
  return grep === undefined || (fullTitle.search(grep) !== -1) !== invert
}
