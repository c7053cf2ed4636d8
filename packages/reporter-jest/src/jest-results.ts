// What is used of what Jest tells its reporters, in the shapes of Jest 29 and 30. Its own types differ between the two
// and bring much along; whatever is missing here is simply not known.

/** What came of one test, or, while its file still runs, of one attempt at it. */
export interface JestTestResult {
  readonly ancestorTitles?: readonly string[] | undefined
  readonly title?: string | undefined
  readonly fullName?: string | undefined
  /** `passed`, `failed`, `pending` for a skipped one, `todo`. */
  readonly status?: string | undefined
  readonly duration?: number | null | undefined
  /** Message, difference and stack of each error in one text. */
  readonly failureMessages?: readonly string[] | null | undefined
  /** How many attempts were made so far. */
  readonly invocations?: number | undefined
  /** The errors of attempts before this one, where `jest.retryTimes` was told to log them. */
  readonly retryReasons?: readonly string[] | null | undefined
}

/** A test that begins. */
export interface JestTestStart {
  /** `only` where others of the file are left out for it. */
  readonly mode?: string | null | undefined
}

export interface JestError {
  readonly message?: unknown
  readonly stack?: unknown
}

/** A file of tests, within one of the projects of the configuration. */
export interface JestTestFile {
  readonly path: string
  readonly context?: {
    readonly config?: {
      readonly id?: string | undefined
      readonly displayName?: { readonly name?: string | undefined } | string | undefined
    }
  }
}

/** What came of a file. */
export interface JestFileResult {
  readonly testResults?: readonly JestTestResult[] | undefined
  /** It did not load, or something was thrown outside of its tests. */
  readonly testExecError?: JestError | undefined
}

/** What came of it all. */
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
