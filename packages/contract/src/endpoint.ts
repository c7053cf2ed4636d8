import type { TSchema } from 'typebox'

/**
 * What a caller must be allowed to do to use an endpoint. Who holds which is the server's
 * business (`apps/server/src/http/authorize.ts`).
 *
 * - `public`: nobody need be signed in
 * - `public-or-own-account`: nobody need be signed in; who is, acts for themselves, as with `own-account`
 * - `signed-in`: any valid token or session
 * - `own-account`: a person, not a CI token
 */
export type Permission =
  | 'public'
  | 'public-or-own-account'
  | 'signed-in'
  | 'own-account'
  | 'project:view'
  | 'test-cases:edit'
  | 'runs:open-and-close'
  | 'runs:execute'
  | 'results:upload'
  | 'members:view'
  | 'members:manage'
  | 'members:change-role'
  | 'milestones:manage'
  | 'project:settings'
  | 'project:delete'

/** Which bucket of requests per minute a call counts against: its token's, or its address's where it needs no token. */
export type RateLimitGroup = 'milestones' | 'members' | 'ci-upload' | 'sign-in' | 'invitation-links' | 'other'

/** One endpoint: everything that server, client and documentation need to know of it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for a path parameter. */
  readonly url: string
  /** Largest request body in bytes; the server's own default where it is left out. */
  readonly bodyLimit?: number
  readonly config: { readonly permission: Permission; readonly rateLimit: RateLimitGroup }
  readonly schema: {
    readonly operationId: string
    readonly tags: readonly string[]
    readonly summary: string
    readonly description: string
    readonly params?: TSchema
    readonly querystring?: TSchema
    readonly body?: TSchema
    readonly response: { readonly [status: number]: TSchema }
  }
}

const MEBIBYTE = 1024 * 1024

/** Body limits in bytes: 10 MB where results and imports come in, 1 MB elsewhere. */
export const BODY_LIMIT = { standard: MEBIBYTE, upload: 10 * MEBIBYTE } as const
