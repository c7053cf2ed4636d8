/** In the order in which they decide: a passed attempt first, then from the worst to the best. */
export const ATTEMPT_STATUSES = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'] as const

/**
 * - `blocked`: something before it failed, so that it could not run
 * - `interrupted`: stopped before its end
 */
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

/** A file that a test names. JSON declares it with a digest; a report has only its path. */
export interface ReportedAttachment {
  readonly name: string
  /** As the report writes it; undefined for JSON. */
  readonly path?: string | undefined
  /** SHA-256 in hexadecimal and size of the content, if they are known. */
  readonly sha256?: string | undefined
  readonly byteCount?: number | undefined
  /** What the client takes it for: only `trace` makes a difference. */
  readonly kind?: string | undefined
}

/** A step that a framework reports inside of an attempt. */
export interface ReportedStep {
  readonly title: string
  /** Null when unknown. */
  readonly status: AttemptStatus | null
  /** Number of steps around it, 0 to 9. */
  readonly depth: number
  /** Whole milliseconds; null when unknown. */
  readonly elapsedMs: number | null
  /** '' for none. */
  readonly message: string
}

/** An address that a test names, such as that of a known defect. */
export interface ReportedLink {
  readonly kind: 'defect' | 'requirement' | 'other'
  /** As it was written: it may be no address. */
  readonly url: string
}

/** One execution of a test. */
export interface Attempt {
  readonly status: AttemptStatus
  /** Milliseconds, not rounded; null when unknown. */
  readonly elapsedMs: number | null
  /** The error's message, or the reason for skipping; '' for none. */
  readonly message: string
  /** Stack trace, difference, output; '' for none. May begin with the message. */
  readonly details: string
  /** As the tool wrote it; null when unknown. */
  readonly startedAt: string | null
  /** Undefined for none, as nearly all attempts have. */
  readonly attachments?: readonly ReportedAttachment[] | undefined
  readonly steps?: readonly ReportedStep[] | undefined
  /** Whether steps were left out. */
  readonly hasCutSteps?: boolean | undefined
}

/** A test with all its attempts in one upload. Texts are '' when unknown. */
export interface ReportedTest {
  /** A file, a class, or the titles of the blocks around the test, joined by ` > `. */
  readonly suite: string
  readonly name: string
  /** Browser, project or host. */
  readonly variant: string
  readonly file: string
  /** The `classname` of JUnit, without the names of enclosing suites. */
  readonly classname?: string | undefined
  /** Path of the report file in the repository, if several came together. */
  readonly report?: string | undefined
  /** Directory of its package, relative to the repository, `.` for the root; unknown without it. */
  readonly module?: string | undefined
  /** What the tests of one suite of a report have in common that does not name its file. */
  readonly reportSuite?: string | undefined
  /** Whether it counts only if the run has an outcome of it. */
  readonly isOnlyIfReported?: boolean | undefined
  /** Suite and name as earlier versions read them from the same report, if they differ. */
  readonly former?: { readonly suite: string; readonly name: string } | undefined
  /** Ids in properties or annotations. Each text may contain several. */
  readonly testCaseIds: readonly string[]
  readonly tags: readonly string[]
  /** Undefined for none, as nearly all tests have. */
  readonly links?: readonly ReportedLink[] | undefined
  /** Values of custom fields of the result, as they were sent. Undefined for none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly attempts: readonly [Attempt, ...Attempt[]]
}
