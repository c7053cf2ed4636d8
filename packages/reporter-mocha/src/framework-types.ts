// The parts of Mocha's objects that are used here, for Mocha 7 to 12. In parallel mode, they are copies from a worker
// that have fewer properties.

export interface MochaSuite {
  readonly title?: string | undefined
  readonly file?: string | undefined
  readonly parent?: MochaSuite | undefined
  /** Not in parallel mode. */
  readonly tests?: readonly MochaTest[] | undefined
  readonly suites?: readonly MochaSuite[] | undefined
}

/** A test, a hook, or a placeholder for an error outside of both. */
export interface MochaTest {
  readonly type?: string | undefined
  readonly title?: string | undefined
  readonly file?: string | undefined
  readonly duration?: number | undefined
  readonly parent?: MochaSuite | undefined
  /** Identifies a test in parallel mode, where each event has a copy of it. */
  readonly __mocha_id__?: string | undefined
  titlePath?(): readonly string[]
  fullTitle?(): string
  isPending?(): boolean
  /** Number of earlier attempts. */
  currentRetry?(): number
}

/** A thrown value. Only for an attempt that is retried may it be something else. */
export interface MochaError {
  readonly message?: unknown
  readonly stack?: unknown
  readonly actual?: unknown
  readonly expected?: unknown
  /** Whether the message is from `node:assert`, which contains the diff. */
  readonly generatedMessage?: unknown
}

export type MochaEvent = MochaTestEvent | MochaFailure | MochaSuiteEnd

export interface MochaTestEvent {
  readonly name: 'test' | 'pass' | 'pending'
  readonly test: MochaTest
}

/** A failed test or hook, or a failed attempt at a test that will be retried. */
export interface MochaFailure {
  readonly name: 'fail' | 'retry'
  readonly test: MochaTest
  readonly error: unknown
  /** The diff as Mocha prints it. */
  readonly diff?: string | undefined
}

export interface MochaSuiteEnd {
  readonly name: 'suite end'
  readonly suite: MochaSuite
}

/** The options of a run that are used here. */
export interface MochaOptions {
  readonly reporterOption?: Readonly<Record<string, unknown>> | undefined
  readonly reporterOptions?: Readonly<Record<string, unknown>> | undefined
  readonly bail?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly watch?: boolean | undefined
  readonly grep?: RegExp | string | undefined
  readonly invert?: boolean | undefined
}
