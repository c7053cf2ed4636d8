import { createSpecReader, type SpecReader } from './read-spec.ts'
import { findRootSuite } from './tests-not-run.ts'
import type { Capabilities, ThrownError, WdioConfig } from './webdriverio-types.ts'
import { createWorkerJournal } from './worker-journal.ts'

/**
 * Runs in each worker process, and hands what it learns to the launcher. It learns most of it as a reporter, which it
 * makes itself, so that users have to name nothing but the service.
 */
export class CasewardWorker {
  #config: WdioConfig
  #reader: SpecReader | null = null

  constructor(_options: unknown, _capabilities: Capabilities, config: WdioConfig) {
    this.#config = config
  }

  /** Comes before WebdriverIO makes the reporters. */
  beforeSession(_config: WdioConfig, _capabilities: Capabilities, specs: readonly string[], cid: string): void {
    const tell = createWorkerJournal(cid)
    if (tell === null) return
    const reader = createSpecReader(tell, specs, process.cwd())
    this.#reader = reader
    addReporter(this.#config, reader)
  }

  beforeHook(_hook: unknown, context: unknown): void {
    this.#reader?.findRoot(() => findRootSuite(context))
  }

  beforeTest(_test: unknown, context: unknown): void {
    this.#reader?.findRoot(() => findRootSuite(context))
  }

  /** Comes when all tests of the worker have run. */
  after(result: number | ThrownError): void {
    this.#reader?.end(result, this.#config.mochaOpts ?? {})
  }
}

/** Makes a reader of events one of the configuration's reporters. */
function addReporter(config: WdioConfig, reader: SpecReader): void {
  class CasewardReporter {
    /** It never keeps WebdriverIO waiting. */
    readonly isSynchronised = true
    emit(event: string, payload: object): void {
      reader.read(event, payload)
    }
  }
  const ours = [CasewardReporter, {}]
  const reporters = config.reporters ?? []
  config.reporters = reporters
  if (reporters.length > 0) {
    reporters.push(ours)
    return
  }
  // WebdriverIO gives those without any reporter its own, and must go on to: ours goes in with that one.
  reporters.push = (...others) => Array.prototype.push.call(reporters, ...others, ours)
}
