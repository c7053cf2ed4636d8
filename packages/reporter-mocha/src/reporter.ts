import { createReporter, type RuntimeEnvironment } from '@caseward/reporter-core'

import type { MochaEvent, MochaOptions, MochaSuite } from './framework-types.ts'
import { isDryRunOrWatch, readOptions } from './read-options.ts'
import { createEventRecorder } from './read-events.ts'

export interface Recording {
  handleEvent(event: MochaEvent): void
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
  const recorder = createEventRecorder(reporter, root, options, runtime.cwd)
  return {
    handleEvent(event) {
      try {
        recorder.handleEvent(event)
      } catch {
        // An event in the format of an unknown version must not end the suite.
      }
    },
    async finish(failures) {
      const { failsSuite } = await reporter.finish(readEndSafely(() => recorder.end(failures)))
      return failsSuite
    },
  }
}

function readEndSafely(read: () => { readonly interrupted: boolean }): { readonly interrupted: boolean } {
  try {
    return read()
  } catch {
    // A suite with an unknown end is treated as incomplete.
    return { interrupted: true }
  }
}
