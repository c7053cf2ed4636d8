import EventEmitter = require('node:events')
import modules = require('node:module')
import os = require('node:os')
import path = require('node:path')

import type { MochaError, MochaEvent, MochaOptions, MochaSuite, MochaTest } from './mocha-objects.ts' with {
  'resolution-mode': 'import',
}
import type { recordRun, Recording } from './record-run.ts' with { 'resolution-mode': 'import' }

interface Recorder {
  readonly recordRun: typeof recordRun
}

// As they are before any test: one that fails leaves its fake timers behind.
const { setImmediate, setTimeout, clearTimeout } = globalThis

/** What is used of a Mocha runner. */
interface Runner {
  readonly suite: MochaSuite & { beforeAll?(title: string, hook: (this: HookContext) => Promise<void>): unknown }
  on(event: string, listener: (subject: never, error: unknown) => void): unknown
}

/** What a hook has as `this`. */
interface HookContext {
  timeout(ms: number): unknown
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
const recorder = loadRecorder()

/**
 * Reporter for Mocha: `mocha --reporter @caseward/mocha`. Mocha has one reporter at a time, so this one lets another
 * print: `spec`, or the one that the option `reporter` names.
 */
class MochaReporter extends Base implements Printer {
  readonly #printer: Printer
  readonly #recording: Recording | null | Promise<Recording | null>

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
      const { exitCode } = process
      // Should something end the process while we are at it, the suite has failed all the same.
      if (count > 0) process.exitCode = Math.min(count, 255)
      void Promise.resolve(this.#recording)
        .then((recording) => recording?.finish(count) ?? false)
        .catch(() => false)
        .then((failsSuite) => {
          process.exitCode = exitCode
          // Out of the promise: what the callback throws is Mocha's.
          return setImmediate(callback, failsSuite && count === 0 ? 1 : count)
        })
    }
    if (typeof this.#printer.done === 'function') this.#printer.done(failures, finish)
    else finish(failures)
  }
}

/** Records the run from its first event, as long as what records it can be loaded. */
function record(runner: Runner, options: MochaOptions): Recording | null | Promise<Recording | null> {
  const where = { env: { ...process.env }, cwd: workingDirectory() }
  let recording: Recording | null = null
  const waiting: MochaEvent[] = []
  const handleEvent = (event: MochaEvent) =>
    recording === null ? void waiting.push(event) : recording.handleEvent(event)
  const begin = (loaded: Recorder) => {
    recording = loaded.recordRun(runner.suite, options, where)
    for (const event of waiting.splice(0)) recording?.handleEvent(event)
    return recording
  }
  const onLoadError = (error: unknown) => {
    process.stderr.write(`Caseward: the results cannot be recorded: ${String(error)}\n`)
    return null
  }

  for (const name of ['test', 'pass', 'pending'] as const)
    runner.on(name, (test: MochaTest) => handleEvent({ name, test }))
  for (const name of ['fail', 'retry'] as const) {
    runner.on(name, (test: MochaTest, error) => handleEvent({ name, test, error, diff: formatDiff(error) }))
  }
  runner.on('suite end', (suite: MochaSuite) => handleEvent({ name: 'suite end', suite }))

  if (recorder instanceof Promise) {
    const currentTest = recorder.then(begin).catch(onLoadError)
    delayFirstTest(runner, currentTest)
    return currentTest
  }
  try {
    return begin(recorder)
  } catch (error) {
    return onLoadError(error)
  }
}

/** Loaded before the files of tests are, at once where Node can require ES modules (20.19, 22.12). */
function loadRecorder(): Recorder | Promise<Recorder> {
  try {
    // By the name that it is published under: TypeScript renames what is imported only.
    return require('./record-run.js') as Recorder
  } catch {
    const loading = import('./record-run.ts')
    loading.catch(() => {})
    return loading
  }
}

/**
 * Lets the first test wait for what records it: one that ends the process, or never lets others have a turn, would be
 * lost. Not for long, as a suite's fakes may keep the modules from being loaded.
 */
function delayFirstTest(runner: Runner, currentTest: Promise<unknown>): void {
  runner.suite.beforeAll?.('Caseward', async function () {
    this.timeout(0)
    await new Promise((resolve) => {
      const patience = setTimeout(resolve, 2000)
      const resume = () => {
        clearTimeout(patience)
        resolve(null)
      }
      void currentTest.then(resume)
    })
  })
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    // It was deleted.
    return os.tmpdir()
  }
}

/** The difference as Mocha prints it, which by now has made texts of both values. */
function formatDiff(error: unknown): string {
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
    process.stderr.write(`Caseward: there is no reporter ${String(name)}, so spec prints.\n`)
    return reporters['spec'] ?? Base
  }
}

export = MochaReporter
