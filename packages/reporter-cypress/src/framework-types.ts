// The parts of Cypress's results that are used here, for Cypress 12 and later. Cypress's own types differ between
// versions and from the real values: `tests` is null when a spec did not compile or the browser crashed.

export interface CypressScreenshot {
  readonly path: string
}

export interface CypressAttempt {
  readonly state?: string | undefined
  /** Up to 12. */
  readonly error?: CypressError | null | undefined
  /** Up to 12. */
  readonly duration?: number | null | undefined
  /** Up to 12, instead of `duration`. */
  readonly wallClockDuration?: number | null | undefined
  /** Up to 12. */
  readonly screenshots?: readonly CypressScreenshot[] | null | undefined
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
  /** The error of the last attempt, as Cypress displays it. */
  readonly displayError?: string | null | undefined
  /** Of all attempts, since 13. */
  readonly duration?: number | null | undefined
  readonly attempts?: readonly CypressAttempt[] | null | undefined
}

export interface CypressSpec {
  /** Relative to the project. */
  readonly relative: string
}

/** The argument of `after:spec`. */
export interface CypressSpecResults {
  readonly tests?: readonly CypressTest[] | null | undefined
  /** Why there are no tests. */
  readonly error?: string | null | undefined
  /** Of all tests of the spec, since 13. */
  readonly screenshots?: readonly CypressScreenshot[] | null | undefined
  /** Path of the video of the spec. */
  readonly video?: string | null | undefined
  /** The run was canceled before this spec. */
  readonly skippedSpec?: boolean | undefined
}

/** The argument of `after:run`: the results of all specs, or the reason why there are none. */
export interface CypressRunResults {
  readonly status?: string | undefined
  readonly runs?: readonly (CypressSpecResults & { readonly spec: CypressSpec })[] | null | undefined
  /** Why Cypress could not run. */
  readonly message?: string | undefined
}

/** The part of Cypress's configuration that is used here. */
export interface CypressConfig {
  /** True in `cypress open`. */
  readonly isInteractive?: boolean | undefined
  /** True in `cypress run`. */
  readonly isTextTerminal?: boolean | undefined
  readonly screenshotsFolder?: string | false | undefined
  readonly videosFolder?: string | undefined
}

/** Cypress's `on`. */
export interface CypressEvents {
  (event: 'after:spec', handler: (spec: CypressSpec, results: CypressSpecResults) => Promise<void>): unknown
  (event: 'after:run', handler: (results: CypressRunResults) => Promise<void>): unknown
}

/** Functions to call from your own handlers, because Cypress keeps only one handler per event. */
export interface CasewardHandlers {
  /** Records the results of a spec. */
  afterSpec(spec: CypressSpec, results: CypressSpecResults): Promise<void>
  /** Uploads the results. */
  afterRun(results: CypressRunResults): Promise<void>
}
