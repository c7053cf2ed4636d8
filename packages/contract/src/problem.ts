import { Type, type Static } from 'typebox'

/** A field of the request that is wrong: where (JSON Pointer into the body, or the parameter's name) and why. */
export const FieldError = Type.Object({
  path: Type.String({ description: 'JSON Pointer to the field in the body, or `/name` of a query parameter.' }),
  message: Type.String({ description: 'What is wrong with it.' }),
})
export type FieldError = Static<typeof FieldError>

/** How many bad fields are listed: every one of a bulk of a hundred test cases, and no answer of many megabytes. */
export const MAX_FIELD_ERRORS = 1000

/** RFC 9457 problem details, with a `code` for programs and `errors` for every bad field at once, up to {@link MAX_FIELD_ERRORS}. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A URI reference that names the kind of problem.' }),
    title: Type.String({ description: 'The kind of problem in a few words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened here, and what to do about it.' }),
    code: Type.String({ description: 'A stable snake_case word that programs may switch on.' }),
    errors: Type.Optional(
      Type.Array(FieldError, {
        maxItems: MAX_FIELD_ERRORS,
        description: 'Every field that is wrong; the first 1,000 where there are more, which `detail` then says.',
      }),
    ),
    request_id: Type.Optional(Type.String({ description: 'Given with a 500, to find the failure in the log.' })),
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

const statusDescriptions = {
  400: 'The body or the query is not valid; `errors` names every bad field.',
  401: 'No token, or one that is wrong, revoked or expired.',
  403: 'The caller may not do this.',
  404: 'There is no such thing.',
  409: 'It conflicts with what is there.',
  410: 'It was there and is of no use any more.',
  413: 'The body is larger than allowed.',
  415: 'The body is of a media type that is not taken here.',
  422: 'It would break a rule that must hold.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  500: 'Something went wrong on the server; `request_id` finds it in the log.',
  503: 'The database does not answer, and nothing was stored; `Retry-After` says when to try again.',
} as const
type ProblemStatus = keyof typeof statusDescriptions

/** What every endpoint may answer, through no fault of the caller. */
const SERVER_ERROR_STATUSES = [500, 503] as const
type ServerErrorStatus = (typeof SERVER_ERROR_STATUSES)[number]

/**
 * Response schemas for the problems that an endpoint may answer, to be spread into its `response`. Those that any of
 * them may, 500 and 503, come along.
 * @example response: { 200: Run, ...problems(401, 403, 404, 429) }
 */
export function problems<const S extends Exclude<ProblemStatus, ServerErrorStatus>>(
  ...statuses: S[]
): { readonly [K in S | ServerErrorStatus]: typeof Problem } {
  const entries = [...statuses, ...SERVER_ERROR_STATUSES].map(
    (status) => [status, { ...Problem, description: statusDescriptions[status] }] as const,
  )
  return Object.fromEntries(entries) as unknown as { readonly [K in S | ServerErrorStatus]: typeof Problem }
}
