import EventEmitter = require('node:events')
import modules = require('node:module')
import os = require('node:os')
import path = require('node:path')

import type { MochaError, MochaEvent, MochaOptions, MochaSuite, MochaTest } from './framework-types.ts' with {
  'resolution-mode': 'import',
}
import type { recordRun, Recording } from './reporter.ts' with { 'resolution-mode': 'import' }

interface Recorder {
  readonly recordRun: typeof recordRun
}

// Taken before any test runs, because a failed test may leave fake timers.
const { setImmediate, setTimeout, clearTimeout } = globalThis

/** The part of a Mocha runner that is used here. */
interface Runner {
  readonly suite: MochaSuite & { beforeAll?(title: string, hook: (this: HookContext) => Promise<void>): unknown }
  on(event: string, listener: (subject: never, error: unknown) => void): unknown
}

/** The `this` of a hook. */
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

// Mocha 12 is an ES module. All versions of Node that it supports can require it.
const { reporters } = require('mocha') as { readonly reporters: Reporters }
const Base: PrinterClass = reporters.Base
const recorder = loadRecorder()

/**
 * Reporter for Mocha: `mocha --reporter @caseward/mocha`. Mocha has only one reporter, so this one delegates the output
 * to another: `spec`, or the one in the option `reporter`.
 */
class MochaReporter extends Base implements Printer {
  readonly #printer: Printer
  readonly #recording: Recording | null | Promise<Recording | null>

  constructor(runner: Runner, options: MochaOptions = {}) {
    // The base class gets a runner without events, because only the printer may count: otherwise failures count twice.
    const silentRunner: unknown = new EventEmitter()
    super(silentRunner as Runner, options)
    this.#printer = new (findPrinter(options))(runner, options)
    Object.assign(this, { runner, stats: this.#printer.stats, failures: this.#printer.failures })
    this.#recording = record(runner, options)
  }

  /** Mocha waits for the callback, which receives the number of failures. */
  override done(failures: number, callback: (failures: number) => void): void {
    const finish = (count: number) => {
      const { exitCode } = process
      // Keeps the suite failed if the process ends during the upload.
      if (count > 0) process.exitCode = Math.min(count, 255)
      void Promise.resolve(this.#recording)
        .then((recording) => recording?.finish(count) ?? false)
        .catch(() => false)
        .then((failsSuite) => {
          process.exitCode = exitCode
          // Called outside of the promise, so that Mocha handles what the callback throws.
          return setImmediate(callback, failsSuite && count === 0 ? 1 : count)
        })
    }
    if (typeof this.#printer.done === 'function') this.#printer.done(failures, finish)
    else finish(failures)
  }
}

/** Records the run from its first event. Events are queued until the recorder is loaded. */
function record(runner: Runner, options: MochaOptions): Recording | null | Promise<Recording | null> {
  const runtime = { env: { ...process.env }, cwd: getWorkingDirectory() }
  let recording: Recording | null = null
  const queue: MochaEvent[] = []
  const readEvent = (event: MochaEvent) => (recording === null ? void queue.push(event) : recording.readEvent(event))
  const startRecording = (loadedRecorder: Recorder) => {
    recording = loadedRecorder.recordRun(runner.suite, options, runtime)
    for (const event of queue.splice(0)) recording?.readEvent(event)
    return recording
  }
  const onLoadError = (error: unknown) => {
    process.stderr.write(`Caseward: results cannot be recorded: ${String(error)}\n`)
    return null
  }

  for (const name of ['test', 'pass', 'pending'] as const)
    runner.on(name, (test: MochaTest) => readEvent({ name, test }))
  for (const name of ['fail', 'retry'] as const) {
    runner.on(name, (test: MochaTest, error) => readEvent({ name, test, error, diff: formatDiff(error) }))
  }
  runner.on('suite end', (suite: MochaSuite) => readEvent({ name: 'suite end', suite }))

  if (recorder instanceof Promise) {
    const started = recorder.then(startRecording).catch(onLoadError)
    delayFirstTest(runner, started)
    return started
  }
  try {
    return startRecording(recorder)
  } catch (error) {
    return onLoadError(error)
  }
}

/** Loads the recorder before the test files; synchronously if Node can require ES modules (20.19, 22.12). */
function loadRecorder(): Recorder | Promise<Recorder> {
  try {
    // The name after the build, because TypeScript does not rewrite the paths of `require`.
    return require('./reporter.js') as Recorder
  } catch {
    const loading = import('./reporter.ts')
    loading.catch(() => {})
    return loading
  }
}

/**
 * Delays the first test until recording has started: otherwise a test that ends the process would be lost. The delay is
 * limited, because fakes of the suite may prevent the recorder from loading.
 */
function delayFirstTest(runner: Runner, started: Promise<unknown>): void {
  runner.suite.beforeAll?.('Caseward', async function () {
    this.timeout(0)
    await new Promise((resolve) => {
      const timeout = setTimeout(resolve, 2000)
      const resume = () => {
        clearTimeout(timeout)
        resolve(null)
      }
      void started.then(resume)
    })
  })
}

function getWorkingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    // The directory was deleted.
    return os.tmpdir()
  }
}

/** Formats the diff as Mocha prints it. Mocha has converted both values to strings before. */
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
    const requireFromProject = modules.createRequire(path.join(process.cwd(), 'package.json'))
    const printer = requireFromProject(String(name)) as PrinterClass & { default?: PrinterClass }
    return printer.default ?? printer
  } catch {
    process.stderr.write(`Caseward: reporter “${String(name)}” not found; using “spec” instead.\n`)
    return reporters['spec'] ?? Base
  }
}

export = MochaReporter
