// The parts of Playwright's objects that are used here. Playwright's own types have many dependencies and differ
// between versions.

export interface TestError {
  readonly message?: string | undefined
  readonly stack?: string | undefined
  /** The thrown value, if it is not an error. */
  readonly value?: string | undefined
  readonly cause?: TestError | undefined
  readonly location?: { readonly file: string } | undefined
}

interface Annotation {
  readonly type: string
  readonly description?: string | undefined
}

export interface Attachment {
  readonly name: string
  readonly contentType?: string
  /** One of the two. */
  readonly path?: string | undefined
  readonly body?: Uint8Array | undefined
}

export interface TestStep {
  readonly title: string
  /** `test.step`, `hook`, `fixture`, `expect`, `pw:api`, `test.attach`, … */
  readonly category: string
  /** -1 if the step did not end. */
  readonly duration: number
  readonly error?: TestError | undefined
  readonly steps: readonly TestStep[]
  /** Since 1.50. */
  readonly annotations?: readonly Annotation[]
}

export interface TestResult {
  readonly status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted'
  readonly duration: number
  readonly errors: readonly TestError[]
  readonly attachments?: readonly Attachment[]
  readonly steps?: readonly TestStep[]
  /** Annotations of this attempt; since 1.52. */
  readonly annotations?: readonly Annotation[]
}

/** A file, a describe block, a project, or the root. */
export interface Suite {
  readonly title: string
  readonly location?: { readonly file: string } | undefined
  readonly parent?: Suite | undefined
  project(): { readonly name: string; readonly dependencies?: readonly string[] } | undefined
  allTests(): readonly TestCase[]
}

export interface TestCase {
  /** Unique, also across projects and repetitions. */
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
  readonly projects?: readonly {
    readonly outputDir?: string
    readonly snapshotDir?: string
    readonly testDir?: string
  }[]
  readonly shard?: { readonly current: number; readonly total: number } | null
}

export interface FullResult {
  readonly status: 'passed' | 'failed' | 'timedout' | 'interrupted'
}
