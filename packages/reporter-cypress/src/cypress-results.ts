// What is used of Cypress's results, in the shapes of 12 and of 13 and later. Its own types differ from version to
// version, and from what it really tells: `tests` is null when a spec did not compile or the browser crashed.

export interface CypressAttempt {
  readonly state?: string | undefined
  /** Up to 12. */
  readonly error?: CypressError | null | undefined
  /** Up to 12, in one of its shapes. */
  readonly duration?: number | null | undefined
  /** Up to 12, in another. */
  readonly wallClockDuration?: number | null | undefined
}

export interface CypressError {
  readonly name?: string | undefined
  readonly message?: string | undefined
  readonly stack?: string | undefined
}

export interface CypressTest {
  /** Titles of the describe blocks and of the test. */
  readonly title: readonly string[]
  readonly state?: string | undefined
  /** The last attempt's error, as it is shown. */
  readonly displayError?: string | null | undefined
  /** Of all attempts, since 13. */
  readonly duration?: number | null | undefined
  readonly attempts?: readonly CypressAttempt[] | null | undefined
}

export interface CypressSpec {
  /** Relative to the project. */
  readonly relative: string
}

/** What `after:spec` is given. */
export interface CypressSpecResults {
  readonly tests?: readonly CypressTest[] | null | undefined
  /** Why there are no tests. */
  readonly error?: string | null | undefined
  /** The run was cancelled before this spec. */
  readonly skippedSpec?: boolean | undefined
}

/** What `after:run` is given: the results of all specs, or why there was no run. */
export interface CypressRunResults {
  readonly status?: string | undefined
  readonly runs?: readonly (CypressSpecResults & { readonly spec: CypressSpec })[] | null | undefined
  /** Why Cypress could not run. */
  readonly message?: string | undefined
}

/** What is used of the resolved configuration. */
export interface CypressConfig {
  /** True in `cypress open`. */
  readonly isInteractive?: boolean | undefined
  /** True in `cypress run`. */
  readonly isTextTerminal?: boolean | undefined
}

/** Cypress's `on`. */
export interface CypressEvents {
  (event: 'after:spec', handler: (spec: CypressSpec, results: CypressSpecResults) => Promise<void>): unknown
  (event: 'after:run', handler: (results: CypressRunResults) => Promise<void>): unknown
}

/** What to call from handlers of one's own: Cypress keeps only one for each event. */
export interface CasewardHandlers {
  /** Keeps the results of a spec. */
  afterSpec(spec: CypressSpec, results: CypressSpecResults): Promise<void>
  /** Uploads. */
  afterRun(results: CypressRunResults): Promise<void>
}
