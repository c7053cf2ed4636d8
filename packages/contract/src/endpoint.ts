import type { TSchema } from 'typebox'

/**
 * What an endpoint requires of its caller. The server decides which roles and tokens grant it
 * (`apps/server/src/access/permissions.ts`).
 *
 * - `public`: no token or session is required
 * - `public-or-own-account`: no token or session is required; a signed-in user acts on their own account
 * - `signed-in`: any valid token or session
 * - `own-account`: a user, not a CI token
 * - `instance:manage`: an instance administrator, with a session or a personal token
 */
export type Permission =
  | 'public'
  | 'public-or-own-account'
  | 'signed-in'
  | 'own-account'
  | 'instance:manage'
  | 'project:view'
  | 'test-cases:edit'
  | 'runs:open-and-close'
  | 'runs:execute'
  | 'results:upload'
  | 'files:upload'
  | 'comments:write'
  | 'views:keep'
  | 'members:view'
  | 'members:manage'
  | 'members:change-role'
  | 'milestones:manage'
  | 'quarantine:manage'
  | 'project:settings'
  | 'project:delete'

/** The rate limit that a request counts against: per token, or per known browser or IP address if the endpoint is public. */
export type RateLimitGroup =
  | 'milestones'
  | 'members'
  | 'ci-upload'
  | 'sign-in'
  | 'password-resets'
  | 'invitation-links'
  | 'passkey-options'
  | 'files'
  | 'other'

/** An endpoint, as the server, the client and the documentation use it. */
export interface Endpoint {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for a path parameter. */
  readonly url: string
  /** The size limit of the request body in bytes; {@link BODY_LIMIT}.standard by default. */
  readonly bodyLimit?: number
  readonly config: {
    readonly permission: Permission
    readonly rateLimit: RateLimitGroup
    /** Set if a session may call it whose user has to set up a second factor first. */
    readonly allowsMissingSecondFactor?: true
    /** Set if the successful response is a stream of events, which stays open. */
    readonly isEventStream?: true
    /** Set if the body is a file, unless it is JSON: it is streamed to the file store and never parsed. */
    readonly receivesFile?: true
    /** Set if the successful response is the content of a file. */
    readonly sendsFile?: true
    /** Set if the query can have filters by custom fields, such as `field.severity`. */
    readonly hasFieldFilters?: true
    /** Set if a response contains a secret, which is shown once: it is not kept for an `Idempotency-Key`. */
    readonly returnsSecret?: true
  }
  readonly schema: {
    readonly operationId: string
    readonly tags: readonly string[]
    readonly summary: string
    readonly description: string
    readonly params?: TSchema
    readonly querystring?: TSchema
    readonly headers?: TSchema
    readonly body?: TSchema
    readonly response: { readonly [status: number]: TSchema }
  }
}

const MEBIBYTE = 1024 * 1024

/**
 * Size limits of request bodies in bytes: 10 MB for uploads of results, new runs and changes of many test cases, 1 MB for
 * everything else.
 */
export const BODY_LIMIT = { standard: MEBIBYTE, upload: 10 * MEBIBYTE } as const

/** Size limit of a file in one request. A larger one is sent in parts. */
export const MAX_FILE_BYTES = 32 * MEBIBYTE

/** Size of a part of a file in bytes. The last one is shorter; all can be, as far as the store takes them. */
export const FILE_PART_BYTES = 8 * MEBIBYTE

/**
 * Limits of JSON in a request body, which keep a few megabytes from becoming gigabytes when they are parsed. Real requests
 * stay far below them: 100,000 results with four fields contain 500,000 values.
 */
export const JSON_LIMIT = {
  /** Levels of objects and lists inside of each other. */
  depth: 32,
  /** Keys of one object. */
  keys: 1000,
  /** Objects, lists and simple values of the whole body. An empty object or list counts twice. */
  values: 1_000_000,
  /** Values in one item of a list of the outermost object, or outside of these lists. */
  valuesPerItem: 100_000,
} as const
