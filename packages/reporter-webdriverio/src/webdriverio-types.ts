// What is used of WebdriverIO and of Mocha, whose own types would bring all of them along. What is missing is not known.

/** What WebdriverIO tells its reporters of a suite, test or hook: much the same for Mocha, Jasmine and Cucumber. */
export interface EventPayload {
  readonly title?: string | undefined
  readonly file?: string | undefined
  readonly duration?: number | undefined
  /** A text only of a worker that ends because it got no browser. */
  readonly error?: ThrownError | string | undefined
  readonly errors?: readonly ThrownError[] | undefined
  /** Jasmine's reason for a pending test. */
  readonly pendingReason?: string | undefined
  /** Cucumber's, of a feature or scenario. */
  readonly tags?: readonly (string | { readonly name?: string | undefined })[] | undefined
}

export interface ThrownError {
  readonly message?: string | undefined
  readonly stack?: string | undefined
  readonly expected?: unknown
  readonly actual?: unknown
}

/** Mocha's tree of suites. */
export interface MochaSuite {
  readonly title: string
  readonly parent?: MochaSuite | undefined
  readonly tests: readonly MochaTest[]
  readonly suites: readonly MochaSuite[]
  readonly _beforeAll?: readonly MochaHook[]
  readonly _beforeEach?: readonly MochaHook[]
  readonly _afterEach?: readonly MochaHook[]
}

export interface MochaTest {
  readonly file?: string | undefined
  titlePath(): string[]
  isPending(): boolean
}

export interface MochaHook {
  readonly state?: string | undefined
}

/** `mochaOpts` of the configuration. */
export interface MochaOptions {
  readonly grep?: string | RegExp | undefined
  readonly invert?: boolean | undefined
}

/** What is used of the configuration. */
export interface WdioConfig {
  reporters?: unknown[] | undefined
  readonly bail?: number | undefined
  readonly watch?: boolean | undefined
  /** `--shard=1/3` */
  readonly shard?: { readonly current?: number | undefined; readonly total?: number | undefined } | undefined
  readonly mochaOpts?: MochaOptions | undefined
}

/** One browser's capabilities, or those of several that one test drives. */
export type Capabilities = Readonly<Record<string, unknown>>
