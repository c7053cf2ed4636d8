// The parts of the objects of WebdriverIO and Mocha that are used here. Their own types have many dependencies.

/** The payload of an event about a suite, test or hook. It is similar for Mocha, Jasmine and Cucumber. */
export interface EventPayload {
  readonly title?: string | undefined
  readonly file?: string | undefined
  readonly duration?: number | undefined
  /** A string only if the worker could not start a browser. */
  readonly error?: ThrownError | string | undefined
  readonly errors?: readonly ThrownError[] | undefined
  /** Jasmine's reason for a pending test. */
  readonly pendingReason?: string | undefined
  /** Tags of a Cucumber feature or scenario. */
  readonly tags?: readonly (string | { readonly name?: string | undefined })[] | undefined
}

/** The payload of `client:afterCommand`, an event about a request to the driver. */
export interface CommandPayload {
  readonly command?: string | undefined
  /** Base64 of a picture. */
  readonly result?: { readonly value?: unknown } | undefined
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

/** The part of the configuration that is used here. */
export interface WdioConfig {
  reporters?: unknown[] | undefined
  readonly bail?: number | undefined
  readonly watch?: boolean | undefined
  /** `--shard=1/3` */
  readonly shard?: { readonly current?: number | undefined; readonly total?: number | undefined } | undefined
  readonly mochaOpts?: MochaOptions | undefined
}

/** The capabilities of one browser, or of several browsers that each test uses. */
export type Capabilities = Readonly<Record<string, unknown>>
