import { createReporter, type Reporter, type ReporterOptions, startSharedJournal } from '@caseward/reporter-core'

import { getBrowserVariants } from './browser-variants.ts'
import type { Capabilities, WdioConfig } from './framework-types.ts'
import { toSuiteJournal } from './suite-journal.ts'
import { setWorkerConfig } from './worker-journal.ts'
import { createWorkerResults, type WorkerResults } from './worker-results.ts'

/**
 * Runs in the launcher: reads the results of the workers, and uploads them when all workers have finished. It does
 * nothing in watch mode.
 */
export class CasewardLauncher {
  #options: ReporterOptions
  #reporter: Reporter | null = null
  #results: WorkerResults | null = null
  #interrupted = false
  #failedWorkers = 0

  constructor(options: ReporterOptions = {}) {
    this.#options = options
  }

  onPrepare({ shard, watch }: WdioConfig, capabilities: readonly Capabilities[] | Capabilities): void {
    if (watch === true) return
    const { current = 1, total = 1 } = shard ?? {}
    const shards = total > 1 ? { shard: String(current), expectedShards: total } : {}
    const reporter = createReporter('webdriverio', this.#options, shards)
    this.#reporter = reporter
    try {
      const journal = startSharedJournal('webdriverio', this.#options, shards)
      if (journal === null) return
      setWorkerConfig({ path: journal.path, variants: getBrowserVariants(capabilities) })
      this.#results = createWorkerResults(reporter, toSuiteJournal(journal), process.cwd())
      process.on('SIGINT', this.#interrupt).on('SIGTERM', this.#interrupt)
      // WebdriverIO does not wait for its services when it is interrupted.
      process.once('exit', this.#keepForNextRun)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      reporter.recordSuiteError({ location: 'webdriverio', message: `Results cannot be recorded: ${message}` })
    }
  }

  onWorkerEnd(cid: string, exitCode: number, specs: readonly string[], retries: number, signal?: string | null): void {
    if (exitCode !== 0 && retries <= 0) this.#failedWorkers += 1
    this.#results?.endWorker(cid, exitCode, specs, signal ?? null)
  }

  async onComplete(exitCode: number, config: WdioConfig): Promise<void> {
    const reporter = this.#reporter
    if (reporter === null) return
    this.#reporter = null
    this.#results?.end(exitCode)
    this.#results = null
    const { bail = 0 } = config
    const interrupted = this.#interrupted || (bail > 0 && this.#failedWorkers >= bail)
    const { failsSuite } = await reporter.finish({ interrupted })
    process.off('exit', this.#keepForNextRun).off('SIGINT', this.#interrupt).off('SIGTERM', this.#interrupt)
    if (failsSuite && exitCode === 0) throw new StrictError()
  }

  #interrupt = (): void => {
    this.#interrupted = true
  }

  #keepForNextRun = (): void => {
    this.#results?.keepForNextRun()
  }
}

/** WebdriverIO fails the suite when a service throws an error of this name. */
class StrictError extends Error {
  override readonly name = 'SevereServiceError'
  constructor() {
    super('Caseward did not store all results, and “strict” is set.')
  }
}
