import type { ReporterOptions } from '@caseward/reporter-core'

import type { MochaOptions } from './framework-types.ts'

const FALSE = new Set<unknown>([false, 'false', '0', '', null])

const FLAGS = ['strict', 'createCases', 'addToRun'] as const

/** Reads the options of the reporter. On the command line, an option is a string, or true if it has no value. */
export function readOptions({ reporterOption, reporterOptions }: MochaOptions): ReporterOptions {
  const options: Readonly<Record<string, unknown>> = { ...reporterOptions, ...reporterOption }
  const flags = FLAGS.filter((name) => options[name] !== undefined).map((name) => [name, !FALSE.has(options[name])])
  return { ...options, ...Object.fromEntries(flags) }
}

/** Returns whether the results of the run are not reported. */
export const isDryRunOrWatch = ({ dryRun, watch }: MochaOptions): boolean => dryRun === true || watch === true

/** Returns whether `--grep`, `--fgrep` and `--invert` select a test. */
export function isSelected(fullTitle: string, { grep, invert = false }: MochaOptions): boolean {
  // `search` ignores the `lastIndex` of a global pattern.
  return grep === undefined || (fullTitle.search(grep) !== -1) !== invert
}
