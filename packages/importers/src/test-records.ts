/*
 * The neutral model of automated tests and what came of them, which only exports of Caseward say.
 */

export interface TestRecord {
  readonly kind: 'test'
  readonly key: string
  readonly file: string
  readonly suite: string
  readonly name: string
  readonly module: string
  readonly variant: string
  readonly report_suite: string
  /** Its normalized titles; empty if the export does not say. */
  readonly title_key: string
  readonly created_at: string
  /** Empty for one in use. */
  readonly retired_at: string
  /** Test cases that it is linked to, and by what. */
  readonly cases: readonly { readonly case: string; readonly source: string }[]
}

export interface TestAttemptRecord {
  readonly status: string
  readonly elapsed_ms: number | null
  readonly message: string
  readonly details: string
  readonly started_at: string
  readonly steps?: readonly {
    readonly title: string
    readonly status: string
    readonly depth: number
    readonly elapsed_ms: number | null
    readonly message: string
  }[]
  readonly steps_cut?: boolean
}

/** What came of a test in a run, after all attempts. */
export interface TestOutcomeRecord {
  readonly kind: 'test_outcome'
  readonly run: string
  readonly test: string
  readonly status: string
  readonly is_flaky: boolean
  readonly is_matched: boolean
  readonly attempt_count: number
  /** Null for one attempt that needs no words. */
  readonly attempts: readonly TestAttemptRecord[] | null
  readonly elapsed_ms: number | null
  readonly at: string
  /** The number of the source in the run that decided; missing for the first one. */
  readonly source?: number
  /** What each source has reported; missing if only one has. */
  readonly parts?: readonly OutcomePartRecord[]
}

/** What came of a test in a run, as one source has reported it. */
export interface OutcomePartRecord {
  /** The number of the source in the run. */
  readonly source: number
  readonly status: string
  readonly is_flaky: boolean
  readonly attempt_count: number
  readonly attempts: readonly TestAttemptRecord[] | null
  readonly elapsed_ms: number | null
  readonly at: string
}

/** An error outside of tests, such as a file that did not load. */
export interface SuiteErrorRecord {
  readonly kind: 'suite_error'
  readonly key: string
  readonly run: string
  readonly location: string
  readonly message: string
  readonly shard: string
  /** The number of the source in the run; null for the first one. */
  readonly source: number | null
  readonly at: string
}

/** A test or an error that somebody has left out of a run, as it was. */
export interface LeftOutRecord {
  readonly kind: 'left_out'
  readonly key: string
  readonly run: string
  readonly name: string
  /** One of both. */
  readonly outcome: TestOutcomeRecord | null
  readonly error: SuiteErrorRecord | null
  readonly person: string
  readonly at: string
}

/** A time in which failures of a test do not block, or did not. */
export interface QuarantineRecord {
  readonly kind: 'quarantine'
  readonly key: string
  readonly test: string
  readonly reason: string
  /** People are ids of users or email addresses; empty for nobody. */
  readonly owner: string
  readonly link: string | null
  readonly branches: readonly string[]
  readonly is_automatic: boolean
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
  /** Empty while it is in effect. */
  readonly ended_at: string
  readonly ended_by: string
  readonly end_reason: string | null
}
