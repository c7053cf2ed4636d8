import { createSpecReader, type SpecReader } from './read-events.ts'
import { findRootSuite } from './tests-not-run.ts'
import type { Capabilities, ThrownError, WdioConfig } from './framework-types.ts'
import { createWorkerJournal } from './worker-journal.ts'

/**
 * Runs in each worker process, and passes the results to the launcher. It adds a reporter to the configuration, so that
 * users have to configure only the service.
 */
export class CasewardWorker {
  #config: WdioConfig
  #reader: SpecReader | null = null

  constructor(_options: unknown, _capabilities: Capabilities, config: WdioConfig) {
    this.#config = config
  }

  /** Runs before WebdriverIO creates the reporters. */
  beforeSession(_config: WdioConfig, _capabilities: Capabilities, specs: readonly string[], cid: string): void {
    const write = createWorkerJournal(cid)
    if (write === null) return
    const reader = createSpecReader(write, specs, process.cwd())
    this.#reader = reader
    addReporter(this.#config, reader)
  }

  beforeHook(_hook: unknown, context: unknown): void {
    this.#reader?.findRoot(() => findRootSuite(context))
  }

  beforeTest(_test: unknown, context: unknown): void {
    this.#reader?.findRoot(() => findRootSuite(context))
  }

  /** With WebDriver BiDi, pictures are not in the events of reporters. */
  afterCommand(command: string, _args: unknown, result: unknown): void {
    if (command === 'saveScreenshot' && result instanceof Uint8Array && this.#usesBidi())
      this.#reader?.attachScreenshot(result)
  }

  #usesBidi(): boolean {
    const { browser } = globalThis as { browser?: { readonly isBidi?: boolean } }
    return browser?.isBidi === true
  }

  /** Runs after all tests of the worker. */
  after(result: number | ThrownError): void {
    this.#reader?.end(result, this.#config.mochaOpts ?? {})
  }
}

/** Adds a reporter to the configuration that passes its events to a reader. */
function addReporter(config: WdioConfig, reader: SpecReader): void {
  class CasewardReporter {
    /** Tells WebdriverIO not to wait for this reporter. */
    readonly isSynchronised = true
    emit(event: string, payload: object): void {
      reader.read(event, payload)
    }
  }
  const reporter = [CasewardReporter, {}]
  const reporters = config.reporters ?? []
  config.reporters = reporters
  if (reporters.length > 0) {
    reporters.push(reporter)
    return
  }
  // Without reporters, WebdriverIO adds a default one by `push`. This adds the reporter at the same time, not before.
  reporters.push = (...others) => Array.prototype.push.call(reporters, ...others, reporter)
}
