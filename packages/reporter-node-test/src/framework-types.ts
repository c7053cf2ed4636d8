// The parts of the events of Node's test runner that are used here, for Node 18 to 24. Node's own types are incomplete
// and differ between versions.

/** An error of a test. Its cause is the thrown value. */
export interface TestFailure {
  readonly message?: unknown
  readonly cause?: unknown
  /** Such as `testCodeFailure`, `hookFailed`, `cancelledByParent`. */
  readonly failureType?: unknown
  /** Of a file that ran as a process of its own. */
  readonly exitCode?: unknown
  readonly signal?: unknown
}

/** A test, suite or file that starts, passed or failed. */
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
  /** In the newest versions only. */
  readonly tags?: readonly string[] | undefined
}

/** A message of `t.diagnostic()`, which follows the event of its test; or output outside of tests. */
export interface DiagnosticData {
  readonly message?: string | undefined
  readonly nesting?: number | undefined
  readonly file?: string | undefined
  readonly line?: number | undefined
}

/** Ctrl-C, with the tests that were running. In the newest versions only. */
export interface InterruptedData {
  readonly tests?: readonly TestData[] | undefined
}

export type NodeTestEvent =
  | { readonly type: 'test:start' | 'test:pass' | 'test:fail'; readonly data: TestData }
  | { readonly type: 'test:diagnostic' | 'test:stdout' | 'test:stderr'; readonly data: DiagnosticData }
  | { readonly type: 'test:interrupted'; readonly data: InterruptedData }
