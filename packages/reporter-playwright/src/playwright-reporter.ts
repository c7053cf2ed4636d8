import { createReporter, type Reporter, type ReporterOptions } from '@caseward/reporter-core'

import type { FullConfig, FullResult, Suite, TestCase, TestError, TestResult } from './playwright-objects.ts'
import { createTestReader, type TestReader } from './read-tests.ts'

export type { ReporterOptions } from '@caseward/reporter-core'

/** What Playwright adds to the user's own options. */
interface PlaywrightOptions extends ReporterOptions {
  /** `list` when the tests are only listed; undocumented. */
  readonly _mode?: string
}

/**
 * Reporter for `reporter: [['list'], ['@caseward/playwright', { … }]]`. Of its options each has an environment variable.
 * It prints nothing on the standard output, and leaves the suite's exit code as it is, unless `strict` is set.
 */
export default class CasewardReporter {
  readonly #options: PlaywrightOptions
  #reporter: Reporter | null = null
  #reader: TestReader | null = null

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
    this.#reader = createTestReader(this.#reporter, suite, process.cwd())
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#read((reader) => reader.recordResult(test, result))
  }

  onError(error: TestError): void {
    this.#read((reader) => reader.readError(error))
  }

  async onEnd(result: FullResult): Promise<{ status: 'failed' } | undefined> {
    let interrupted = false
    this.#read((reader) => {
      ;({ interrupted } = reader.end(result))
    })
    const outcome = await this.#reporter?.finish({ interrupted })
    // Whatever else is not "passed" has an exit code of its own.
    return outcome?.failsSuite === true && result.status === 'passed' ? { status: 'failed' } : undefined
  }

  /** Nothing that Playwright tells may end the suite. What cannot be read is told as an error, not left out in silence. */
  #read(take: (reader: TestReader) => void): void {
    if (this.#reader === null) return
    try {
      take(this.#reader)
    } catch (error) {
      this.#reporter?.recordSuiteError({ location: '@caseward/playwright', message: String(error) })
    }
  }
}

/** In UI mode and in editors, tests run as often as somebody presses a key: no run of a suite. */
const isInteractive = (argv: readonly string[]): boolean =>
  argv.some((argument) => argument === 'test-server' || /^--ui(?:-host|-port)?(?:=|$)/.test(argument))
