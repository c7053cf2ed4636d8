// What is used of Playwright's own objects. Its types come with a browser's worth of others, and differ from version to
// version; what a version does not have is simply not known.

export interface TestError {
  readonly message?: string | undefined
  readonly stack?: string | undefined
  /** What was thrown, if it was no error. */
  readonly value?: string | undefined
  readonly cause?: TestError | undefined
  readonly location?: { readonly file: string } | undefined
}

interface Annotation {
  readonly type: string
  readonly description?: string | undefined
}

export interface TestResult {
  readonly status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted'
  readonly duration: number
  readonly errors: readonly TestError[]
  /** Of this attempt; since 1.52. */
  readonly annotations?: readonly Annotation[]
}

/** A file, a describe block, or what is around them. */
export interface Suite {
  readonly title: string
  readonly location?: { readonly file: string } | undefined
  readonly parent?: Suite | undefined
  project(): { readonly name: string; readonly dependencies?: readonly string[] } | undefined
  allTests(): readonly TestCase[]
}

export interface TestCase {
  /** Tells it from every other test, also of another project or repetition. */
  readonly id: string
  readonly title: string
  readonly location: { readonly file: string }
  readonly parent: Suite
  readonly annotations: readonly Annotation[]
  /** Since 1.42. */
  readonly tags?: readonly string[]
  readonly expectedStatus: TestResult['status']
  readonly results: readonly TestResult[]
  outcome(): 'skipped' | 'expected' | 'unexpected' | 'flaky'
}

export interface FullConfig {
  readonly shard?: { readonly current: number; readonly total: number } | null
}

export interface FullResult {
  readonly status: 'passed' | 'failed' | 'timedout' | 'interrupted'
}
