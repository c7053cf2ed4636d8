// The parts of Jest's results that are used here, for Jest 29 and 30. Jest's own types differ between the versions and
// have many dependencies.

/** The result of a test or, while its file is running, of one attempt. */
export interface JestTestResult {
  readonly ancestorTitles?: readonly string[] | undefined
  readonly title?: string | undefined
  readonly fullName?: string | undefined
  /** `passed`, `failed`, `pending` for a skipped one, `todo`. */
  readonly status?: string | undefined
  readonly duration?: number | null | undefined
  /** Message, diff and stack of each error in one text. */
  readonly failureMessages?: readonly string[] | null | undefined
  /** Number of attempts so far. */
  readonly invocations?: number | undefined
  /** The errors of earlier attempts, with `logErrorsBeforeRetry` of `jest.retryTimes`. */
  readonly retryReasons?: readonly string[] | null | undefined
}

/** A test that starts. */
export interface JestTestStart extends Pick<JestTestResult, 'ancestorTitles' | 'title'> {
  /** `only` for `test.only`. */
  readonly mode?: string | null | undefined
}

export interface JestError {
  readonly message?: unknown
  readonly stack?: unknown
}

/** A test file in one of the configured projects. */
export interface JestTestFile {
  readonly path: string
  readonly context?: {
    readonly config?: {
      readonly id?: string | undefined
      readonly displayName?: { readonly name?: string | undefined } | string | undefined
    }
  }
}

export interface JestFileResult {
  readonly testResults?: readonly JestTestResult[] | undefined
  /** The file did not load, or an error was thrown outside of its tests. */
  readonly testExecError?: JestError | undefined
}

export interface JestRunResult {
  readonly numFailedTests?: number | undefined
  readonly numTotalTestSuites?: number | undefined
  readonly testResults?: readonly JestFileResult[] | undefined
  readonly wasInterrupted?: boolean | undefined
  readonly runExecError?: JestError | undefined
}

export interface JestConfig {
  readonly watch?: boolean | undefined
  readonly watchAll?: boolean | undefined
  readonly bail?: number | undefined
  readonly testNamePattern?: string | null | undefined
  readonly shard?: { readonly shardIndex: number; readonly shardCount: number } | undefined
}
