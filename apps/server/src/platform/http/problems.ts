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
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** An error that the API returns as `application/problem+json` (RFC 9457). It may be thrown anywhere below a route. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly statusCode: number
  readonly code: string
  readonly fields: FieldError[]
  readonly headers: Record<string, string>
  /** More fields of the body, which the endpoint declares. */
  readonly extensions: object

  constructor(
    statusCode: number,
    code: string,
    detail: string,
    options: { fields?: FieldError[]; headers?: Record<string, string>; extensions?: object } = {},
  ) {
    const { fields = [], headers = {}, extensions = {} } = options
    super(detail)
    this.statusCode = statusCode
    this.code = code
    this.fields = fields
    this.headers = headers
    this.extensions = extensions
  }

  body(): ProblemBody {
    return {
      type: 'about:blank',
      title: titles[this.statusCode] ?? 'Error',
      status: this.statusCode,
      detail: this.message,
      code: this.code,
      ...(this.fields.length > 0 ? { errors: this.fields.slice(0, MAX_FIELD_ERRORS) } : {}),
      ...this.extensions,
    }
  }
}

/** 400 with all invalid fields; the response lists the first thousand. */
export function invalidProblem(fields: FieldError[], code = 'invalid_request'): Problem {
  return new Problem(400, code, describeFields(fields), { fields })
}

function describeFields([first, ...others]: readonly FieldError[]): string {
  if (first === undefined) return 'The request is not valid.'
  // A message of a library may end with a period.
  const detail = `The request is not valid: ${first.path || 'the body'} ${first.message.replace(/\.$/, '')}`
  if (others.length === 0) return `${detail}.`
  return others.length < MAX_FIELD_ERRORS
    ? `${detail} (and ${others.length} more, see errors).`
    : `${detail} (and many more: errors lists the first ${MAX_FIELD_ERRORS.toLocaleString('en')}).`
}

/** 400 for one field. */
export const invalidFieldProblem = (path: string, message: string, code?: string) =>
  invalidProblem([{ path, message }], code)

/** 404. @param noun what was not found, without an article: `run` */
export const notFoundProblem = (noun: string) =>
  new Problem(404, 'not_found', `There is no ${noun} with this id, or it was deleted.`)

export const unauthenticatedProblem = (detail: string) =>
  new Problem(401, 'unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })

export const forbiddenProblem = (detail: string, code = 'forbidden') => new Problem(403, code, detail)

export const conflictProblem = (code: string, detail: string, fields: FieldError[] = []) =>
  new Problem(409, code, detail, { fields })

/** 410, for links that are no longer valid. */
export const goneProblem = (code: string, detail: string) => new Problem(410, code, detail)

/** 422 */
export const unprocessableProblem = (code: string, detail: string) => new Problem(422, code, detail)

const quotaNouns: Record<string, string> = {
  max_projects_per_user: 'projects of a user',
  max_members_per_project: 'members of a project',
  max_test_cases_per_project: 'test cases of a project',
  max_runs_per_project: 'runs of a project',
}

/** 422, when a request would exceed a quota of the instance. */
export const quotaReachedProblem = ({ name, value }: { name: string; value: number }) =>
  unprocessableProblem(
    'quota_reached',
    `This would exceed the limit of ${value.toLocaleString('en')} ${quotaNouns[name] ?? name} on this server, and nothing was stored. Delete what is no longer needed, or ask an instance administrator to change the setting ${name}.`,
  )

export const bodyTooLargeProblem = (limitBytes: number) =>
  new Problem(
    413,
    'body_too_large',
    `The request body exceeds the limit of ${limitBytes / 1024 / 1024} MB. Send it in several requests.`,
  )

export const unsupportedMediaTypeProblem = (supportedTypes: readonly string[]) =>
  new Problem(
    415,
    'unsupported_media_type',
    `Send the body as ${supportedTypes.map((type) => `\`Content-Type: ${type}\``).join(' or ')}.`,
  )

export const unsupportedEncodingProblem = () =>
  new Problem(
    415,
    'unsupported_content_encoding',
    'Compressed bodies are not supported. Send it without Content-Encoding.',
  )

export const unsupportedCharsetProblem = () =>
  new Problem(415, 'unsupported_charset', 'JSON must be UTF-8, but the Content-Type declares another charset.')

export const serverBusyProblem = () =>
  new Problem(
    503,
    'server_busy',
    'The service has no memory left for another request of this size. Nothing was stored; try again in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )

/** 503. It is the same for every account, and for accounts that do not exist. */
export const hashingBusyProblem = () =>
  new Problem(
    503,
    'sign_in_busy',
    'Too many passwords are being checked at this moment. Nothing was stored; try again in a few seconds.',
    { headers: { 'retry-after': '3' } },
  )

/** 503, for a request with an `Idempotency-Key`, which needs a connection of its own. */
export const connectionsBusyProblem = () =>
  new Problem(
    503,
    'server_busy',
    'Too many requests with an Idempotency-Key, yours or those of others, are in progress. Nothing was stored; send it again, with the same key, in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )

/** 503. The connection may have been lost after the database stored what it was sent. */
export const databaseUnavailableProblem = () =>
  new Problem(
    503,
    'database_unavailable',
    'The database is unavailable, or the connection to it was lost. Try again. If the request creates something, check first whether it was created.',
    { headers: { 'retry-after': '2' } },
  )

/** 503 */
export const databaseBusyProblem = () =>
  new Problem(
    503,
    'database_busy',
    'The database is busy with other changes to the same data. Nothing was stored; try again in a second.',
    { headers: { 'retry-after': '1' } },
  )

/** 503 */
export const databaseDiskFullProblem = () =>
  new Problem(
    503,
    'database_disk_full',
    'The disk of the database is full. Nothing was stored. Ask the administrator of the server to free space, then try again.',
    { headers: { 'retry-after': '2' } },
  )
