import { Type, type TProperties } from 'typebox'

import type { Static } from './static.ts'

/** An invalid field of the request. */
export const FieldError = Type.Object({
  path: Type.String({
    description: 'JSON Pointer to the field in the body, or `/` and the name of a query parameter or header.',
  }),
  message: Type.String({ description: 'Why the field is invalid.' }),
})
export type FieldError = Static<typeof FieldError>

/** Limits the size of a problem. 100 test cases of a bulk request can have this many errors. */
export const MAX_FIELD_ERRORS = 1000

/** RFC 9457 problem details, with a `code` for programs and up to {@link MAX_FIELD_ERRORS} invalid fields. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'URI reference that identifies the kind of problem.' }),
    title: Type.String({ description: 'Short summary of the kind of problem.' }),
    status: Type.Integer({ description: 'HTTP status.' }),
    detail: Type.String({ description: 'What happened, and what to do about it.' }),
    code: Type.String({ description: 'Stable error code in snake_case, for programs.' }),
    errors: Type.Optional(
      Type.Array(FieldError, {
        maxItems: MAX_FIELD_ERRORS,
        description: 'Invalid fields; only the first 1,000 if there are more, as stated in `detail`.',
      }),
    ),
    request_id: Type.Optional(
      Type.String({ description: 'Request id to search for in the server log; only with status 500.' }),
    ),
  },
  {
    description: 'Problem details (RFC 9457)',
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'The request is not valid: /name is required.',
        code: 'invalid_request',
        errors: [{ path: '/name', message: 'is required' }],
      },
    ],
  },
)
export type Problem = Static<typeof Problem>

/** What a problem of a status means, where an endpoint does not say more. */
export const PROBLEM_DESCRIPTIONS = {
  400: 'The request body or query is invalid; `errors` lists every invalid field.',
  401: 'The token is missing, invalid, revoked or expired.',
  403: 'The caller does not have the required permission.',
  404: 'The resource was not found.',
  409: 'Conflicts with the current state of the resource.',
  410: 'No longer valid: used, expired, replaced or revoked.',
  413: 'The request body exceeds the size limit.',
  415: 'The media type of the request body is not supported.',
  416: 'The content does not have the range of bytes, or several ranges were requested.',
  422: 'Violates a rule of the resource.',
  429: 'Too many requests; `Retry-After` contains the number of seconds to wait.',
  500: 'Internal server error; search the server log for `request_id`.',
  503: 'The database is unavailable or busy, the service has no memory left for another large request, no connection to the database for another one with an `Idempotency-Key`, or too many passwords wait to be checked, or too many files are being sent. Nothing was stored; `Retry-After` contains the number of seconds to wait.',
  507: 'There is not enough free space for files.',
} as const
type ProblemStatus = keyof typeof PROBLEM_DESCRIPTIONS

/** Every endpoint can return these, independently of the request. */
const SERVER_ERROR_STATUSES = [500, 503] as const
type ServerErrorStatus = (typeof SERVER_ERROR_STATUSES)[number]

/**
 * Returns response schemas of problems, to be spread into the `response` of an endpoint. 500 and 503 are included.
 * @example response: { 200: Run, ...problems(401, 403, 404, 429) }
 */
export function problems<const S extends Exclude<ProblemStatus, ServerErrorStatus>>(
  ...statuses: S[]
): { readonly [K in S | ServerErrorStatus]: typeof Problem } {
  const entries = [...statuses, ...SERVER_ERROR_STATUSES].map(
    (status) => [status, { ...Problem, description: PROBLEM_DESCRIPTIONS[status] }] as const,
  )
  return Object.fromEntries(entries) as unknown as { readonly [K in S | ServerErrorStatus]: typeof Problem }
}

/** A problem with more fields: what the client needs to resolve it. */
export const ExtendedProblem = <P extends TProperties>(fields: P) =>
  Type.Object({ ...Problem.properties, ...fields }, { description: 'Problem details (RFC 9457) with more fields' })

/** A field of a body that the endpoint does not know, so that it was ignored. */
export const UnknownFieldWarning = Type.Object({
  code: Type.Literal('unknown_field'),
  field: Type.String({ description: 'JSON Pointer to the field in the body, cut at 100 characters.' }),
  did_you_mean: Type.Optional(Type.String({ description: 'The nearest field that the endpoint knows.' })),
})
export type UnknownFieldWarning = Static<typeof UnknownFieldWarning>

/** Limits what a response says about a body: a wrong name is usually in all items of a list. */
export const MAX_WARNINGS = 10

/** What a successful response to a request with a body has beside its own fields, if some fields of the body are unknown. */
export const UnknownFieldWarnings = Type.Array(UnknownFieldWarning, {
  maxItems: MAX_WARNINGS,
  description: 'The first fields of the body that are unknown and were ignored. Absent if there are none.',
})
