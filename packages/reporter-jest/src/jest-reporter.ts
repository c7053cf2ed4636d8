import { createReporter, type Reporter, type ReporterOptions } from '@caseward/reporter-core'

import { toRelativePath, toSuiteError } from './to-attempt.ts'
import { createFileRecorder, type FileRecorder } from './file-recorder.ts'
import type {
  JestConfig,
  JestFileResult,
  JestRunResult,
  JestTestFile,
  JestTestResult,
  JestTestStart,
} from './jest-results.ts'

/**
 * Reporter for Jest: `reporters: ['default', '@caseward/jest']`, or `['@caseward/jest', { … }]` with options.
 * In watch mode it keeps still.
 */
export default class JestReporter {
  readonly #config: JestConfig
  /** Null in watch mode: what is tried out while writing a test is nobody's result. */
  readonly #reporter: Reporter | null
  /** The files that run now, by path: several projects may run the same file at the same time. */
  readonly #running = new Map<string, readonly FileRecorder[]>()
  /** What `--testNamePattern` asks for. */
  readonly #pattern: RegExp | null
  readonly #cwd = process.cwd()
  #finished: Promise<void> | null = null
  #failure: Error | undefined

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

  /** Jest waits for it, also where it is about to hang or to exit. With `bail` it may come several times. */
  async onRunComplete(_contexts: unknown, results: JestRunResult): Promise<void> {
    this.#finished ??= this.#finish(results)
    await this.#finished
  }

  /** An error here is how a reporter makes Jest fail. */
  getLastError(): Error | undefined {
    return this.#failure
  }

  async #finish(results: JestRunResult): Promise<void> {
    const { runExecError, wasInterrupted, numFailedTests = 0, numTotalTestSuites = 0, testResults = [] } = results
    if (runExecError) this.#ignoreErrors(() => this.#reporter?.recordSuiteError(toSuiteError('jest', runExecError)))
    const { bail = 0 } = this.#config
    const bailed = bail > 0 && numFailedTests >= bail && testResults.length < numTotalTestSuites
    const outcome = await this.#reporter?.finish({ interrupted: wasInterrupted === true || bailed })
    if (outcome?.failsSuite) this.#failure = new Error('Caseward has not stored all results.')
  }

  #open(file: JestTestFile): FileRecorder {
    const log = createFileRecorder(
      file,
      this.#cwd,
      ({ fullName = '' }) => this.#pattern?.test(fullName) ?? true,
      // With `bail` other files still run while the results are on their way.
      (attempt) => (this.#finished === null ? this.#reporter?.recordAttempt(attempt) : undefined),
    )
    this.#running.set(file.path, [...this.#getRecorders(file.path), log])
    return log
  }

  #close(file: JestTestFile): FileRecorder {
    const log =
      this.#getRecorders(file.path).find((running) => running.file.context === file.context) ?? this.#open(file)
    const others = this.#getRecorders(file.path).filter((running) => running !== log)
    if (others.length > 0) this.#running.set(file.path, others)
    else this.#running.delete(file.path)
    return log
  }

  #getRecorders(path: string): readonly FileRecorder[] {
    return this.#running.get(path) ?? []
  }

  /**
   * The file whose test Jest tells of. With a single test it names the file, but of the project always the first one:
   * where several run the file at the same time, its tests are told at its end.
   */
  #getOnlyRecorder(path: string): FileRecorder | undefined {
    const logs = this.#getRecorders(path)
    return logs.length === 1 ? logs[0] : undefined
  }

  /** What Jest tells in a shape that no known version has must not end the suite: it tells less, that is all. */
  #ignoreErrors(recordEarlyResult: () => void): void {
    try {
      recordEarlyResult()
    } catch {}
  }
}
