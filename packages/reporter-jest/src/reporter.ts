import {
  createGuard,
  createReporter,
  type Guard,
  type Reporter,
  type ReporterOptions,
  type SuiteError,
} from '@caseward/reporter-core'

import { getTestFile, toSuiteError } from './to-attempt.ts'
import { createFileRecorder, type FileRecorder } from './read-events.ts'
import type {
  JestConfig,
  JestFileResult,
  JestRunResult,
  JestTestFile,
  JestTestResult,
  JestTestStart,
} from './framework-types.ts'

/**
 * Reporter for Jest: `reporters: ['default', '@caseward/jest']`, or `['@caseward/jest', { … }]` with options.
 * It does nothing in watch mode.
 */
export default class JestReporter {
  readonly #config: JestConfig
  /** Null in watch mode. */
  readonly #reporter: Reporter | null
  readonly #guard: Guard
  /** Recorders of the running files by path. Several projects can run the same file at the same time. */
  readonly #recorders = new Map<string, readonly FileRecorder[]>()
  /** The pattern of `--testNamePattern`. */
  readonly #pattern: RegExp | null
  readonly #cwd = process.cwd()
  #finished: Promise<void> | null = null
  #lastError: Error | undefined

  constructor(config: JestConfig | null | undefined, options?: ReporterOptions | null) {
    this.#config = config ?? {}
    const { watch, watchAll, shard, testNamePattern } = this.#config
    this.#pattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null
    const defaults = shard ? { shard: String(shard.shardIndex), expectedShards: shard.shardCount } : {}
    this.#reporter = watch || watchAll ? null : createReporter('jest', options ?? {}, defaults)
    this.#guard = createGuard('jest', (error) => this.#recordError(error))
  }

  onTestFileStart(file: JestTestFile): void {
    this.#guard(() => this.#open(file))
  }

  onTestCaseStart(file: JestTestFile, test: JestTestStart): void {
    this.#guard(() => {
      const recorder = this.#getOnlyRecorder(file.path)
      if (test.mode === 'only') recorder?.markFocused()
      recorder?.start(test)
    })
  }

  onTestCaseResult(file: JestTestFile, result: JestTestResult): void {
    this.#guard(() => this.#getOnlyRecorder(file.path)?.recordEarlyResult(result))
  }

  onTestFileResult(file: JestTestFile, { testResults, testExecError }: JestFileResult): void {
    this.#guard(() => {
      const recorder = this.#close(file)
      recorder.recordFinalResults(testResults ?? [])
      if (testExecError) recorder.recordUnfinished(testExecError)
    })
    if (testExecError) this.#guard(() => this.#recordError(toSuiteError(getTestFile(file, this.#cwd), testExecError)))
  }

  /** Jest waits for this promise even before it exits. With `bail`, Jest may call it several times. */
  async onRunComplete(_contexts: unknown, results: JestRunResult): Promise<void> {
    this.#finished ??= this.#finish(results)
    await this.#finished
  }

  /** Jest fails when a reporter returns an error here. */
  getLastError(): Error | undefined {
    return this.#lastError
  }

  async #finish(results: JestRunResult): Promise<void> {
    const { runExecError, wasInterrupted, numFailedTests = 0, numTotalTestSuites = 0, testResults = [] } = results
    if (runExecError) this.#guard(() => this.#recordError(toSuiteError('jest', runExecError)))
    const { bail = 0 } = this.#config
    const hasBailed = bail > 0 && numFailedTests >= bail && testResults.length < numTotalTestSuites
    const finishResult = await this.#reporter?.finish({ interrupted: wasInterrupted === true || hasBailed })
    if (finishResult?.failsSuite)
      this.#lastError = new Error('Caseward did not store all results, and “strict” is set.')
  }

  /** Records nothing after the end: with `bail`, other files may still run during the upload. */
  #recordError(error: SuiteError): void {
    if (this.#finished === null) this.#reporter?.recordSuiteError(error)
  }

  #open(file: JestTestFile): FileRecorder {
    const recorder = createFileRecorder(
      file,
      this.#cwd,
      ({ fullName = '' }) => this.#pattern?.test(fullName) ?? true,
      (attempt) => (this.#finished === null ? this.#reporter?.recordAttempt(attempt) : undefined),
      this.#guard,
    )
    this.#recorders.set(file.path, [...this.#getRecorders(file.path), recorder])
    return recorder
  }

  #close(file: JestTestFile): FileRecorder {
    const recorder =
      this.#getRecorders(file.path).find((open) => open.file.context === file.context) ?? this.#open(file)
    const others = this.#getRecorders(file.path).filter((open) => open !== recorder)
    if (others.length > 0) this.#recorders.set(file.path, others)
    else this.#recorders.delete(file.path)
    return recorder
  }

  #getRecorders(path: string): readonly FileRecorder[] {
    return this.#recorders.get(path) ?? []
  }

  /**
   * Returns the recorder for an event of a single test, which Jest always attributes to the first project. If several
   * projects run the file at the same time, there is none, and the tests are recorded at the end of the file.
   */
  #getOnlyRecorder(path: string): FileRecorder | undefined {
    const recorders = this.#getRecorders(path)
    return recorders.length === 1 ? recorders[0] : undefined
  }
}
