import { createGuard, createReporter, type Guard, type Reporter, type ReporterOptions } from '@caseward/reporter-core'

import type { FullConfig, FullResult, Suite, TestCase, TestError, TestResult } from './framework-types.ts'
import { createTestReader, type TestReader } from './read-events.ts'

export type { ReporterOptions } from '@caseward/reporter-core'

/** The user's options and those that Playwright adds. */
interface PlaywrightOptions extends ReporterOptions {
  /** `list` for `--list`; undocumented. */
  readonly _mode?: string
}

/**
 * Reporter for `reporter: [['list'], ['@caseward/playwright', { … }]]`. Each option has an environment variable. It
 * does not print to standard output, and does not change the exit code of the suite, unless `strict` is set.
 */
export default class CasewardReporter {
  readonly #options: PlaywrightOptions
  #reporter: Reporter | null = null
  #reader: TestReader | null = null
  readonly #guard: Guard = createGuard('playwright', (error) => this.#reporter?.recordSuiteError(error))

  constructor(options: ReporterOptions = {}) {
    this.#options = options
  }

  printsToStdio(): boolean {
    return false
  }

  onBegin(config: FullConfig, suite: Suite): void {
    if (this.#options._mode === 'list' || isInteractive(process.argv)) return
    const { shard } = config
    const defaults = shard ? { shard: `${shard.current}/${shard.total}`, expectedShards: shard.total } : {}
    this.#reporter = createReporter('playwright', this.#options, defaults)
    // Expected pictures are in the snapshot directory, which may be beside the working directory, as the tests may.
    for (const { outputDir, snapshotDir, testDir } of config.projects ?? [])
      for (const directory of [outputDir, snapshotDir, testDir])
        if (directory !== undefined) this.#reporter.allowDirectory(directory)
    this.#reader = createTestReader(this.#reporter, suite, process.cwd(), this.#guard)
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#read((reader) => reader.recordResult(test, result))
  }

  onError(error: TestError): void {
    this.#read((reader) => reader.recordError(error))
  }

  async onEnd(result: FullResult): Promise<{ status: 'failed' } | undefined> {
    // A suite whose end cannot be read is treated as incomplete.
    let interrupted = true
    this.#read((reader) => {
      ;({ interrupted } = reader.end(result))
    })
    const finishResult = await this.#reporter?.finish({ interrupted })
    // Any other status already fails the suite.
    return finishResult?.failsSuite === true && result.status === 'passed' ? { status: 'failed' } : undefined
  }

  #read(readWith: (reader: TestReader) => void): void {
    const reader = this.#reader
    if (reader !== null) this.#guard(() => readWith(reader))
  }
}

/** Returns whether Playwright runs in UI mode or in an editor, whose results are not reported. */
const isInteractive = (argv: readonly string[]): boolean =>
  argv.some((argument) => argument === 'test-server' || /^--ui(?:-host|-port)?(?:=|$)/.test(argument))
