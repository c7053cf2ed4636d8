import { type FieldError, MAX_FIELD_ERRORS, type Problem as ProblemBody } from '@caseward/contract/problem'

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** An error that the API answers as `application/problem+json` (RFC 9457). Thrown anywhere below a route. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly statusCode: number
  readonly code: string
  readonly fields: FieldError[]
  readonly headers: Record<string, string>

  constructor(
    statusCode: number,
    code: string,
    detail: string,
    more: { fields?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.statusCode = statusCode
    this.code = code
    this.fields = more.fields ?? []
    this.headers = more.headers ?? {}
  }

  body(): ProblemBody {
    return {
      type: 'about:blank',
      title: titles[this.statusCode] ?? 'Error',
      status: this.statusCode,
      detail: this.message,
      code: this.code,
      ...(this.fields.length > 0 ? { errors: this.fields.slice(0, MAX_FIELD_ERRORS) } : {}),
    }
  }
}

/** 400 that names every bad field: the answer lists the first of very many. */
export function invalidProblem(fields: FieldError[], code = 'invalid_request'): Problem {
  return new Problem(400, code, describe(fields), { fields })
}

function describe([first, ...others]: readonly FieldError[]): string {
  if (first === undefined) return 'The request is not valid.'
  // What another says of a field may be sentences of its own.
  const said = `The request is not valid: ${first.path || 'the body'} ${first.message.replace(/\.$/, '')}`
  if (others.length === 0) return `${said}.`
  return others.length < MAX_FIELD_ERRORS
    ? `${said} (and ${others.length} more, see errors).`
    : `${said} (and many more: errors lists the first ${MAX_FIELD_ERRORS.toLocaleString('en')}).`
}

/** 400 for one field. */
export const invalidFieldProblem = (path: string, message: string, code?: string) =>
  invalidProblem([{ path, message }], code)

/** 404. `what` is a bare noun: `run`. */
export const notFoundProblem = (what: string) =>
  new Problem(404, 'not_found', `There is no ${what} with this id, or it was deleted.`)

export const unauthenticatedProblem = (detail: string) =>
  new Problem(401, 'unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })

export const forbiddenProblem = (detail: string, code = 'forbidden') => new Problem(403, code, detail)

export const conflictProblem = (code: string, detail: string, fields: FieldError[] = []) =>
  new Problem(409, code, detail, { fields })

/** 410. For links that were of use once. */
export const goneProblem = (code: string, detail: string) => new Problem(410, code, detail)

/** 422 */
export const unprocessableProblem = (code: string, detail: string) => new Problem(422, code, detail)

export const runCompletedProblem = () =>
  conflictProblem(
    'run_completed',
    'The run is completed and takes no results. Reopen it (PATCH status in_progress) to go on.',
  )

export const bodyTooLargeProblem = (limitBytes: number) =>
  new Problem(
    413,
    'body_too_large',
    `The body is larger than the ${limitBytes / 1024 / 1024} MB that are taken here. Send it in several parts.`,
  )

export const unsupportedMediaTypeProblem = (taken: readonly string[]) =>
  new Problem(
    415,
    'unsupported_media_type',
    `Send the body as ${taken.map((type) => `\`Content-Type: ${type}\``).join(' or ')}.`,
  )

export const unsupportedEncodingProblem = () =>
  new Problem(415, 'unsupported_content_encoding', 'Send the body as it is, without Content-Encoding.')

export const unsupportedCharsetProblem = () =>
  new Problem(415, 'unsupported_charset', 'Send JSON in UTF-8: the charset of its Content-Type is another.')

export const databaseUnavailableProblem = () =>
  new Problem(
    503,
    'database_unavailable',
    'The database does not answer at the moment. Nothing was stored; try again.',
    {
      headers: { 'retry-after': '2' },
    },
  )
