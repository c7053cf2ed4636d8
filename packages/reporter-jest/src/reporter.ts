import { createReporter, type Reporter, type ReporterOptions } from '@caseward/reporter-core'

import { toRelativePath, toSuiteError } from './to-attempt.ts'
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
  }

  onTestFileStart(file: JestTestFile): void {
    this.#ignoreErrors(() => this.#open(file))
  }

  onTestCaseStart({ path }: JestTestFile, { mode }: JestTestStart): void {
    if (mode === 'only') this.#ignoreErrors(() => this.#getOnlyRecorder(path)?.markFocused())
  }

  onTestCaseResult({ path }: JestTestFile, result: JestTestResult): void {
    this.#ignoreErrors(() => this.#getOnlyRecorder(path)?.recordEarlyResult(result))
  }

  onTestFileResult(file: JestTestFile, { testResults, testExecError }: JestFileResult): void {
    this.#ignoreErrors(() => {
      this.#close(file).recordFinalResults(testResults ?? [])
      if (testExecError) this.#reporter?.recordSuiteError(toSuiteError(toRelativePath(file, this.#cwd), testExecError))
    })
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
    if (runExecError) this.#ignoreErrors(() => this.#reporter?.recordSuiteError(toSuiteError('jest', runExecError)))
    const { bail = 0 } = this.#config
    const hasBailed = bail > 0 && numFailedTests >= bail && testResults.length < numTotalTestSuites
    const finishResult = await this.#reporter?.finish({ interrupted: wasInterrupted === true || hasBailed })
    if (finishResult?.failsSuite)
      this.#lastError = new Error('Caseward did not store all results, and “strict” is set.')
  }

  #open(file: JestTestFile): FileRecorder {
    const recorder = createFileRecorder(
      file,
      this.#cwd,
      ({ fullName = '' }) => this.#pattern?.test(fullName) ?? true,
      // With `bail`, other files may still run during the upload.
      (attempt) => (this.#finished === null ? this.#reporter?.recordAttempt(attempt) : undefined),
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

  /** An event in the format of an unknown version must not end the suite. */
  #ignoreErrors(action: () => void): void {
    try {
      action()
    } catch {}
  }
}
