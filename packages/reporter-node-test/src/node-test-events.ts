// What is used of the events of Node's test runner, in the shapes of Node 18 to 24. Its own types say less than it
// tells, and differ from version to version; whatever is missing here is simply not known.

/** An error of a test: what was thrown is its cause. */
export interface TestFailure {
  readonly message?: unknown
  readonly cause?: unknown
  /** Such as `testCodeFailure`, `hookFailed`, `cancelledByParent`. */
  readonly failureType?: unknown
  /** Of a file that ran as a process of its own. */
  readonly exitCode?: unknown
  readonly signal?: unknown
}

/** A test, suite or file that began to be told of, passed or failed. */
export interface TestData {
  readonly name?: string | undefined
  readonly nesting?: number | undefined
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly details?: {
    readonly duration_ms?: number | undefined
    readonly type?: string | undefined
    readonly error?: TestFailure | undefined
  }
  readonly skip?: string | boolean | undefined
  readonly todo?: string | boolean | undefined
  /** Of the newest versions only. */
  readonly tags?: readonly string[] | undefined
}

/** What a test said by `t.diagnostic()`, which Node tells right after the test; or what was said outside of tests. */
export interface DiagnosticData {
  readonly message?: string | undefined
  readonly nesting?: number | undefined
  readonly file?: string | undefined
  readonly line?: number | undefined
}

/** Ctrl-C, with the tests that were running. Of the newest versions only. */
export interface InterruptedData {
  readonly tests?: readonly TestData[] | undefined
}

export type NodeTestEvent =
  | { readonly type: 'test:start' | 'test:pass' | 'test:fail'; readonly data: TestData }
  | { readonly type: 'test:diagnostic' | 'test:stdout' | 'test:stderr'; readonly data: DiagnosticData }
  | { readonly type: 'test:interrupted'; readonly data: InterruptedData }
