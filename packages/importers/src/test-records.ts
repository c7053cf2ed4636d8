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
}
