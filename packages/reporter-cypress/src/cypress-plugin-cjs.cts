/*
 * For configurations that Cypress loads as CommonJS, also on a Node that cannot require ES modules: Cypress waits for
 * its handlers, so the ES module may be loaded when they are made.
 */
import type {
  CasewardHandlers,
  CypressConfig,
  CypressEvents,
  CypressRunResults,
  CypressSpec,
  CypressSpecResults,
  ReporterOptions,
} from './cypress-plugin.ts' with { 'resolution-mode': 'import' }

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
 * Uploads the results of `cypress run`. To be called in `setupNodeEvents`; in `cypress open` it does nothing.
 * @param on Cypress's `on`. It keeps one handler for each event: with other plugins for `after:spec` or `after:run`, or
 * handlers of your own, use {@link casewardHandlers}.
 */
export function caseward(on: CypressEvents, config: CypressConfig, options: ReporterOptions = {}): void {
  const handlers = casewardHandlers(config, options)
  on('after:spec', (spec, results) => handlers.afterSpec(spec, results))
  on('after:run', (results) => handlers.afterRun(results))
}

/** The same as functions, to be called from handlers of your own. */
export function casewardHandlers(config: CypressConfig, options: ReporterOptions = {}): CasewardHandlers {
  const made = import('./cypress-plugin.ts').then((module) => module.casewardHandlers(config, options)).catch(explain)
  return {
    afterSpec: async (spec, results) => (await made).afterSpec(spec, results),
    afterRun: async (results) => (await made).afterRun(results),
  }
}

/** A broken installation must not fail the suite. */
function explain(error: unknown): CasewardHandlers {
  process.stderr.write(`Caseward: nothing will be uploaded: ${String(error)}\n`)
  return { afterSpec: async () => {}, afterRun: async () => {} }
}
