// What is used of what Mocha tells its reporters, in the shapes of Mocha 7 to 12. In parallel mode these are copies of
// what a worker has, which hold less; whatever is missing here is simply not known.

export interface MochaSuite {
  readonly title?: string | undefined
  readonly file?: string | undefined
  readonly parent?: MochaSuite | undefined
  /** Not in parallel mode. */
  readonly tests?: readonly MochaTest[] | undefined
  readonly suites?: readonly MochaSuite[] | undefined
}

/** A test, a hook, or what stands in for one when there is an error outside of both. */
export interface MochaTest {
  readonly type?: string | undefined
  readonly title?: string | undefined
  readonly file?: string | undefined
  readonly duration?: number | undefined
  readonly parent?: MochaSuite | undefined
  titlePath?(): readonly string[]
  fullTitle?(): string
  isPending?(): boolean
  /** The number of attempts before this one. */
  currentRetry?(): number
}

/** What was thrown, of which only an attempt that is retried tells in other shapes than that of an error. */
export interface MochaError {
  readonly message?: unknown
  readonly stack?: unknown
  readonly actual?: unknown
  readonly expected?: unknown
  /** Whether the message was made by `node:assert`, which tells the difference in it. */
  readonly generatedMessage?: unknown
}

/** What happens while Mocha runs. */
export type MochaEvent = MochaTestEvent | MochaFailure | MochaSuiteEnd

export interface MochaTestEvent {
  readonly name: 'test' | 'pass' | 'pending'
  readonly test: MochaTest
}

/** A test or hook failed, or an attempt at a test that will be retried. */
export interface MochaFailure {
  readonly name: 'fail' | 'retry'
  readonly test: MochaTest
  readonly error: unknown
  /** As Mocha prints it. */
  readonly diff?: string | undefined
}

export interface MochaSuiteEnd {
  readonly name: 'suite end'
  readonly suite: MochaSuite
}

/** What is used of the options of a run. */
export interface MochaOptions {
  readonly reporterOption?: Readonly<Record<string, unknown>> | undefined
  readonly reporterOptions?: Readonly<Record<string, unknown>> | undefined
  readonly bail?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly watch?: boolean | undefined
  readonly grep?: RegExp | string | undefined
  readonly invert?: boolean | undefined
}
