import EventEmitter = require('node:events')
import modules = require('node:module')
import path = require('node:path')

import type { MochaError, MochaEvent, MochaOptions, MochaSuite, MochaTest } from './mocha-objects.ts' with {
  'resolution-mode': 'import',
}
import type { Recording } from './record-run.ts' with { 'resolution-mode': 'import' }

/** What is used of a Mocha runner. */
interface Runner {
  readonly suite: MochaSuite
  on(event: string, listener: (subject: never, error: unknown) => void): unknown
}

/** A reporter that prints. */
interface Printer {
  stats?: unknown
  failures?: unknown
  done?(failures: number, callback: (failures: number) => void): void
}

type PrinterClass = new (runner: Runner, options: MochaOptions) => Printer

interface Differences {
  showDiff(error: unknown): boolean
  generateDiff(actual: string, expected: string): string
}

interface Reporters {
  readonly Base: PrinterClass & Differences
  readonly [name: string]: PrinterClass | undefined
}

// Mocha 12 is an ES module, which may be required all the same where it runs.
const { reporters } = require('mocha') as { readonly reporters: Reporters }
const Base: PrinterClass = reporters.Base

/**
 * Reporter for Mocha: `mocha --reporter @casebook/mocha`. Mocha has one reporter at a time, so this one lets another
 * print: `spec`, or the one that the option `reporter` names.
 */
class MochaReporter extends Base implements Printer {
  readonly #printer: Printer
  readonly #recording: Promise<Recording | null>

  constructor(runner: Runner, options: MochaOptions = {}) {
    // It is the printer that counts and collects: two that do it on the same run would tell each failure twice.
    const silent: unknown = new EventEmitter()
    super(silent as Runner, options)
    this.#printer = new (findPrinter(options))(runner, options)
    Object.assign(this, { runner, stats: this.#printer.stats, failures: this.#printer.failures })
    this.#recording = record(runner, options)
  }

  /** Mocha waits for the callback, and takes from it the number of failures. */
  override done(failures: number, callback: (failures: number) => void): void {
    const finish = (count: number) => {
      void this.#recording
        .then((recording) => recording?.finish(count) ?? false)
        .catch(() => false)
        // Out of the promise: what the callback throws is Mocha's.
        .then((failsSuite) => setImmediate(callback, failsSuite && count === 0 ? 1 : count))
    }
    if (typeof this.#printer.done === 'function') this.#printer.done(failures, finish)
    else finish(failures)
  }
}

/** Records the run by the ES modules that do so. What happens before they are loaded waits for them. */
function record(runner: Runner, options: MochaOptions): Promise<Recording | null> {
  let recording: Recording | null = null
  const waiting: MochaEvent[] = []
  const take = (event: MochaEvent) => (recording === null ? void waiting.push(event) : recording.take(event))

  for (const name of ['test', 'pass', 'pending'] as const) runner.on(name, (test: MochaTest) => take({ name, test }))
  for (const name of ['fail', 'retry'] as const) {
    runner.on(name, (test: MochaTest, error) => take({ name, test, error, diff: diffOf(error) }))
  }
  runner.on('suite end', (suite: MochaSuite) => take({ name: 'suite end', suite }))

  return import('./record-run.ts').then(
    ({ recordRun }) => {
      recording = recordRun(runner.suite, options)
      for (const event of waiting.splice(0)) recording?.take(event)
      return recording
    },
    (error: unknown) => {
      process.stderr.write(`Casebook: the results cannot be recorded: ${String(error)}\n`)
      return null
    },
  )
}

/** The difference as Mocha prints it, which by now has made texts of both values. */
function diffOf(error: unknown): string {
  try {
    const { actual, expected } = error as MochaError
    if (typeof actual !== 'string' || typeof expected !== 'string' || !reporters.Base.showDiff(error)) return ''
    return reporters.Base.generateDiff(actual, expected)
  } catch {
    return ''
  }
}

function findPrinter(options: MochaOptions): PrinterClass {
  const { reporter: name = 'spec' } = { ...options.reporterOptions, ...options.reporterOption }
  try {
    if (typeof name === 'function') return name as PrinterClass
    const builtIn = reporters[String(name)]
    if (builtIn !== undefined) return builtIn
    const fromProject = modules.createRequire(path.join(process.cwd(), 'package.json'))
    const found = fromProject(String(name)) as PrinterClass & { default?: PrinterClass }
    return found.default ?? found
  } catch {
    process.stderr.write(`Casebook: there is no reporter ${String(name)}, so spec prints.\n`)
    return reporters['spec'] ?? Base
  }
}

export = MochaReporter
