import { createReporter, type ReporterOptions } from '@caseward/reporter-core'

import { toAttempts } from './to-attempt.ts'
import type {
  CasewardHandlers,
  CypressConfig,
  CypressEvents,
  CypressRunResults,
  CypressSpec,
  CypressSpecResults,
} from './framework-types.ts'

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
  const recorded = new Set<string>()
  let interrupted = false
  const record = (spec: CypressSpec, results: CypressSpecResults) => {
    try {
      recorded.add(spec.relative)
      if (results.skippedSpec === true) {
        interrupted = true
        return
      }
      const { attempts, errors } = toAttempts(spec.relative.replaceAll('\\', '/'), results)
      for (const attempt of attempts) reporter.recordAttempt(attempt)
      for (const error of errors) reporter.recordSuiteError(error)
    } catch (error) {
      const message = `The results have an unknown format: ${error instanceof Error ? error.message : String(error)}`
      reporter.recordSuiteError({ location: spec?.relative ?? 'a spec', message })
    }
  }
  const recordRun = ({ status, runs, message = 'Cypress could not run.' }: CypressRunResults) => {
    // Records specs that were not recorded yet because another handler replaced the one for `after:spec`.
    for (const run of runs ?? []) if (!recorded.has(run.spec.relative)) record(run.spec, run)
    if (status === 'failed') reporter.recordSuiteError({ location: 'cypress', message })
  }
  return {
    afterSpec: (spec, results) => Promise.resolve(record(spec, results)),
    async afterRun(results) {
      try {
        recordRun(results ?? {})
      } catch (error) {
        reporter.recordSuiteError({
          location: 'cypress',
          message: error instanceof Error ? error.message : String(error),
        })
      }
      const { failsSuite } = await reporter.finish({ interrupted })
      // Cypress fails when this handler throws.
      if (failsSuite) throw new Error('Caseward did not store all results, and “strict” is set.')
    },
  }
}

// `isInteractive` is also true in some runs of `cypress run`.
const isOpen = ({ isInteractive, isTextTerminal }: CypressConfig): boolean =>
  isInteractive === true && isTextTerminal !== true
