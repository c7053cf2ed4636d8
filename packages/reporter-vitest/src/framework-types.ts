// The parts of Vitest's objects that are used here, for Vitest 3 and 4. The tasks of Vitest 2 are converted to them.
// Vitest's own types depend on Vite's and differ between versions.

export interface VitestError {
  readonly name?: string | undefined
  readonly message?: string | undefined
  readonly stack?: string | undefined
  readonly diff?: string | undefined
  readonly cause?: unknown
  /** The file that was running when an error of unknown source occurred. */
  readonly VITEST_TEST_PATH?: string | undefined
}

export interface TestResult {
  /** `pending`: the test has not ended or never started. */
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** Errors of all attempts, in order. */
  readonly errors?: readonly VitestError[] | undefined
  /** Why it was skipped. */
  readonly note?: string | undefined
}

export interface TestAttachment {
  readonly path?: string | undefined
  readonly body?: string | Uint8Array | undefined
  /** Base64 unless it says otherwise. */
  readonly bodyEncoding?: string | undefined
  /** `reference`, `actual` or `diff` of a comparison of pictures. */
  readonly name?: string | undefined
  readonly originalPath?: string | undefined
}

interface Annotation {
  readonly type: string
  readonly message: string
  readonly attachment?: TestAttachment | undefined
}

interface Artifact {
  readonly type: string
  readonly attachments?: readonly TestAttachment[] | undefined
}

export interface TestCase {
  readonly type: 'test'
  /** Unique, and the same for all attempts. */
  readonly id: string
  readonly name: string
  readonly parent: TestSuite | TestModule
  readonly project: { readonly name: string }
  /** The options when the file was loaded, before its tests ran. */
  readonly options: { readonly mode: string; readonly fails?: boolean | undefined }
  /** Since 4.1. */
  readonly tags?: readonly string[] | undefined
  result(): TestResult | undefined
  meta(): object
  /** Since 3.2. */
  annotations?(): readonly Annotation[]
  /** Since 4. */
  artifacts?(): readonly Artifact[]
  /** Undefined for a test that never started. */
  diagnostic(): { readonly duration: number; readonly retryCount: number; readonly repeatCount: number } | undefined
}

interface Block {
  readonly children: Iterable<TestCase | TestSuite>
  /** Errors of hooks or of loading the file, not of tests. */
  errors(): readonly VitestError[]
}

export interface TestSuite extends Block {
  readonly type: 'suite'
  readonly name: string
  readonly parent: TestSuite | TestModule
}

/** A file. */
export interface TestModule extends Block {
  readonly type: 'module'
  readonly id: string
  readonly moduleId: string
}

/** A file to run, and the selection of its tests. */
export interface TestSpecification {
  readonly moduleId: string
  readonly testLines?: readonly number[] | undefined
  readonly testIds?: readonly string[] | undefined
  readonly testTagsFilter?: readonly string[] | undefined
}

export interface Vitest {
  readonly config: {
    readonly root?: string | undefined
    /** Since 3.2. */
    readonly attachmentsDir?: string | undefined
    readonly watch?: boolean | undefined
    readonly shard?: { readonly index: number; readonly count: number } | undefined
    readonly testNamePattern?: RegExp | undefined
    readonly tagsFilter?: readonly string[] | undefined
  }
  /** Since 3. */
  getGlobalTestNamePattern?(): RegExp | undefined
  /** Vitest 2 only. */
  readonly isCancelling?: boolean | undefined
}
