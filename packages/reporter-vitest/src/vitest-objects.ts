// What is used of Vitest's own objects, in the shapes of Vitest 3 and 4; those of Vitest 2 are made from its tasks. Its
// own types bring Vite's along, and differ from version to version; what a version does not have is simply not known.

export interface VitestError {
  readonly name?: string | undefined
  readonly message?: string | undefined
  readonly stack?: string | undefined
  readonly diff?: string | undefined
  readonly cause?: unknown
  /** The file that was running when an error came from nowhere. */
  readonly VITEST_TEST_PATH?: string | undefined
}

export interface TestResult {
  /** `pending`: it has not ended, or never began. */
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** Of all attempts at the test, in their order. */
  readonly errors?: readonly VitestError[] | undefined
  /** Why it was skipped. */
  readonly note?: string | undefined
}

export interface TestCase {
  readonly type: 'test'
  /** Tells it from every other test; the same for each attempt. */
  readonly id: string
  readonly name: string
  readonly parent: TestSuite | TestModule
  readonly project: { readonly name: string }
  /** As they were when the file had been read, before anything ran. */
  readonly options: { readonly mode: string; readonly fails?: boolean | undefined }
  /** Since 4.1. */
  readonly tags?: readonly string[] | undefined
  result(): TestResult | undefined
  meta(): object
  /** Since 3.2. */
  annotations?(): readonly { readonly type: string; readonly message: string }[]
  /** Nothing of a test that never began. */
  diagnostic(): { readonly duration: number; readonly retryCount: number; readonly repeatCount: number } | undefined
}

interface Block {
  readonly children: Iterable<TestCase | TestSuite>
  /** Of its hooks, or of reading the file; not of its tests. */
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

/** A file that is to run, and which of its tests. */
export interface TestSpecification {
  readonly moduleId: string
  readonly testLines?: readonly number[] | undefined
  readonly testIds?: readonly string[] | undefined
  readonly testTagsFilter?: readonly string[] | undefined
}

export interface Vitest {
  readonly config: {
    readonly watch?: boolean | undefined
    readonly shard?: { readonly index: number; readonly count: number } | undefined
    readonly testNamePattern?: RegExp | undefined
    readonly tagsFilter?: readonly string[] | undefined
  }
  /** Since 3. */
  getGlobalTestNamePattern?(): RegExp | undefined
  /** Of Vitest 2, where nothing else tells of it. */
  readonly isCancelling?: boolean | undefined
}
