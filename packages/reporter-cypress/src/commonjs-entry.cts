/*
 * The entry for configurations in CommonJS. It works without requiring ES modules: Cypress waits for its handlers, so
 * they can import the ES module.
 */
import type {
  CasewardHandlers,
  CypressConfig,
  CypressEvents,
  CypressRunResults,
  CypressSpec,
  CypressSpecResults,
  ReporterOptions,
} from './reporter.ts' with { 'resolution-mode': 'import' }

export type {
  CasewardHandlers,
  CypressConfig,
  CypressEvents,
  CypressRunResults,
  CypressSpec,
  CypressSpecResults,
  ReporterOptions,
}

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
  const handlers = import('./reporter.ts')
    .then((module) => module.casewardHandlers(config, options))
    .catch(skipReporting)
  return {
    afterSpec: async (spec, results) => (await handlers).afterSpec(spec, results),
    afterRun: async (results) => (await handlers).afterRun(results),
  }
}

/** A broken installation must not fail the suite. */
function skipReporting(error: unknown): CasewardHandlers {
  process.stderr.write(`Caseward: results will not be uploaded: ${String(error)}\n`)
  return { afterSpec: async () => {}, afterRun: async () => {} }
}
