import { createGuard, createReporter, type RuntimeEnvironment } from '@caseward/reporter-core'

import type { MochaEvent, MochaOptions, MochaSuite } from './framework-types.ts'
import { isDryRunOrWatch, readOptions } from './read-options.ts'
import { createEventReader } from './read-events.ts'

export interface Recording {
  readEvent(event: MochaEvent): void
  /** Uploads the results. Resolves to whether the suite should fail; never rejects. */
  finish(failures: number): Promise<boolean>
}

/**
 * Starts recording a run. Returns null in a dry run or in watch mode.
 * @param runtime the environment at the start of the run
 */
export function recordRun(
  root: MochaSuite,
  options: MochaOptions,
  runtime: Pick<RuntimeEnvironment, 'env' | 'cwd'>,
): Recording | null {
  if (isDryRunOrWatch(options)) return null
  const reporter = createReporter('mocha', readOptions(options), {}, runtime)
  const guard = createGuard('mocha', (error) => reporter.recordSuiteError(error))
  const reader = createEventReader(reporter, root, options, runtime.cwd, guard)
  return {
    readEvent: (event) => guard(() => reader.read(event)),
    async finish(failures) {
      // A suite whose end cannot be read is treated as incomplete.
      let interrupted = true
      guard(() => {
        ;({ interrupted } = reader.end(failures))
      })
      const { failsSuite } = await reporter.finish({ interrupted })
      return failsSuite
    },
  }
}
