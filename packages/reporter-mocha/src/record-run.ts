import { createReporter, type RuntimeEnvironment } from '@caseward/reporter-core'

import type { MochaEvent, MochaOptions, MochaSuite } from './mocha-objects.ts'
import { isDryRunOrWatch, readOptions } from './read-options.ts'
import { createEventRecorder } from './event-recorder.ts'

/** What is left of a run for the CommonJS entry to do: to pass on what Mocha tells. */
export interface Recording {
  handleEvent(event: MochaEvent): void
  /** Uploads. Resolves to whether the suite is to fail because of it; never rejects. */
  finish(failures: number): Promise<boolean>
}

/**
 * Begins to record a run; null if its results are nobody's.
 * @param where as it was when the run began
 */
export function recordRun(
  root: MochaSuite,
  options: MochaOptions,
  where: Pick<RuntimeEnvironment, 'env' | 'cwd'>,
): Recording | null {
  if (isDryRunOrWatch(options)) return null
  const reporter = createReporter('mocha', readOptions(options), {}, where)
  const log = createEventRecorder(reporter, root, options, where.cwd)
  return {
    handleEvent(event) {
      try {
        log.handleEvent(event)
      } catch {
        // What is told in a shape that no known version has must not end the suite: it tells less, that is all.
      }
    },
    async finish(failures) {
      const { failsSuite } = await reporter.finish(readEndSafely(() => log.end(failures)))
      return failsSuite
    },
  }
}

function readEndSafely(read: () => { readonly interrupted: boolean }): { readonly interrupted: boolean } {
  try {
    return read()
  } catch {
    // How it ended cannot be told. A run whose end is not known is not complete.
    return { interrupted: true }
  }
}
