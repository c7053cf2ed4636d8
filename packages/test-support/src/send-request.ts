import type { Problem } from '@caseward/contract/problem'

import { sendHttp } from './send-http.ts'

/** A response with its body already parsed, if it is JSON. */
export interface TestResponse<T> {
  status: number
  headers: Headers
  body: T
}

export interface RequestOptions {
  token?: string
  /** Sent as JSON, unless it is bytes or `headers` contain a content type. */
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a request to the API of the server at `url`. Redirects are returned, not followed. */
export async function sendRequest<T>(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: RequestOptions = {},
): Promise<TestResponse<T>> {
  const isRaw = body instanceof Uint8Array || 'content-type' in headers
  const response = await sendHttp(url + path, method, {
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isRaw || body === undefined ? (body as string | undefined) : JSON.stringify(body),
  })
  const { status, text } = response
  const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false)
  return { status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T }
}

/** Sends a request that must fail, checks that the response is a problem with this status, and returns the problem. */
export async function expectProblem(
  url: string,
  status: number,
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Problem> {
  const response = await sendRequest<Problem>(url, method, path, options)
  const actual = { status: response.status, type: response.headers.get('content-type'), inBody: response.body.status }
  const expected = { status, type: 'application/problem+json', inBody: status }
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    const details = `${JSON.stringify(actual)}: ${JSON.stringify(response.body)}`
    throw new Error(`${method} ${path}: expected a problem with status ${status}, received ${details}`)
  }
  return response.body
}

/** Returns the fields that a problem names. */
export const getErrorPaths = ({ errors = [] }: Problem): string[] => errors.map(({ path }) => path)
