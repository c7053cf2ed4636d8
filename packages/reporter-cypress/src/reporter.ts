import { createReporter, type ReporterOptions } from '@caseward/reporter-core'

import type { CasewardHandlers, CypressConfig, CypressEvents } from './framework-types.ts'
import { createResultReader } from './read-events.ts'

export type { ReporterOptions } from '@caseward/reporter-core'
export type {
  CasewardHandlers,
  CypressConfig,
  CypressEvents,
  CypressRunResults,
  CypressSpec,
  CypressSpecResults,
} from './framework-types.ts'

/**
 * Uploads the results of `cypress run`. Call it in `setupNodeEvents`. It does nothing in `cypress open`.
 * @param on Cypress's `on`. Cypress keeps one handler per event: if you have other handlers for `after:spec` or
 * `after:run`, use {@link casewardHandlers} instead.
 */
export function caseward(on: CypressEvents, config: CypressConfig, options: ReporterOptions = {}): void {
  const handlers = casewardHandlers(config, options)
  on('after:spec', (spec, results) => handlers.afterSpec(spec, results))
  on('after:run', (results) => handlers.afterRun(results))
}

/** Returns handlers to call from your own handlers for `after:spec` and `after:run`. */
export function casewardHandlers(config: CypressConfig, options: ReporterOptions = {}): CasewardHandlers {
  if (isOpen(config)) return { afterSpec: () => Promise.resolve(), afterRun: () => Promise.resolve() }
  const reporter = createReporter('cypress', options)
  for (const directory of [config.screenshotsFolder, config.videosFolder])
    if (typeof directory === 'string') reporter.allowDirectory(directory)
  const reader = createResultReader(reporter)
  return {
    afterSpec: (spec, results) => Promise.resolve(reader.readSpec(spec, results)),
    async afterRun(results) {
      const { failsSuite } = await reporter.finish(reader.end(results))
      // Cypress fails when this handler throws.
      if (failsSuite) throw new Error('Caseward did not store all results, and “strict” is set.')
    },
  }
}

// `isInteractive` is also true in some runs of `cypress run`.
const isOpen = ({ isInteractive, isTextTerminal }: CypressConfig): boolean =>
  isInteractive === true && isTextTerminal !== true
