import type { Reporter, ReporterOptions } from '@casebook/reporter-core'

import { createWorkerResults, type WorkerResults } from './worker-results.ts'
import { variantsOf } from './variants-of.ts'
import type { Capabilities, WdioConfig } from './webdriverio-types.ts'
import { createWorkerJournals, FOLDER_VARIABLE } from './worker-journal.ts'

/** How often the launcher looks for what workers have written: all that is lost when it is killed is younger. */
const LOOK_MS = 500

/** Runs in the launcher: takes what the workers hand over, and uploads it when all have finished. */
export class CasebookLauncher {
  #options: ReporterOptions
  #reporter: Reporter | null = null
  #results: WorkerResults | null = null
  #timer: NodeJS.Timeout | undefined
  #interrupted = false
  #failedWorkers = 0

  constructor(options: ReporterOptions = {}) {
    this.#options = options
  }

  async onPrepare({ shard }: WdioConfig, capabilities: readonly Capabilities[] | Capabilities): Promise<void> {
    // Not needed in the workers, which load this module, too.
    const { createReporter } = await import('@casebook/reporter-core')
    const { current = 1, total = 1 } = shard ?? {}
    const shards = total > 1 ? { shard: String(current), expectedShards: total } : {}
    this.#reporter = createReporter('webdriverio', this.#options, shards)
    try {
      const journals = createWorkerJournals(process.cwd())
      process.env[FOLDER_VARIABLE] = journals.folder
      const results = createWorkerResults(this.#reporter, journals, variantsOf(capabilities), process.cwd())
      this.#results = results
      this.#timer = setInterval(() => results.look(), LOOK_MS).unref()
      process.on('SIGINT', this.#interrupt).on('SIGTERM', this.#interrupt)
      // WebdriverIO does not wait for its services when it is interrupted: what is there goes into the spool.
      process.once('exit', this.#leave)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#reporter.recordSuiteError({
        where: 'webdriverio',
        message: `No results, as no folder can be made: ${message}`,
      })
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
    clearInterval(this.#timer)
    this.#results?.end(exitCode)
    const { bail = 0 } = config
    const interrupted = this.#interrupted || (bail > 0 && this.#failedWorkers >= bail)
    const { failsSuite } = await reporter.finish({ interrupted })
    process.off('exit', this.#leave).off('SIGINT', this.#interrupt).off('SIGTERM', this.#interrupt)
    this.#results?.remove()
    if (failsSuite && exitCode === 0) throw new StrictError()
  }

  #interrupt = (): void => {
    this.#interrupted = true
  }

  #leave = (): void => {
    this.#results?.endAll()
    this.#results?.remove()
  }
}

/** WebdriverIO lets a service fail the suite by an error of this name. */
class StrictError extends Error {
  override readonly name = 'SevereServiceError'
  constructor() {
    super('Casebook did not store all results, and “strict” is set.')
  }
}
