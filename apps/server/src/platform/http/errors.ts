import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import { isDatabaseBusy, isDatabaseUnavailable, isDiskFull } from '../database/failures.ts'
import { isAccountDeleted } from '../database/deleted-accounts.ts'
import { getReachedQuota } from '../database/quotas.ts'
import {
  bodyTooLargeProblem,
  databaseBusyProblem,
  databaseDiskFullProblem,
  databaseUnavailableProblem,
  invalidFieldProblem,
  notFoundProblem,
  Problem,
  quotaReachedProblem,
  unauthenticatedProblem,
  unsupportedMediaTypeProblem,
} from './problems.ts'
import type { App } from './app.ts'
import { drainUnreadBody } from './unread-body.ts'

/**
 * Returns every error as a problem. An unexpected error becomes a 500 without internal details.
 * @param headers of responses of the API, which includes all that match no route
 */
export function registerErrorHandlers(app: App, headers: Record<string, string>): void {
  app.setErrorHandler(sendErrorAsProblem)
  app.setNotFoundHandler((request, reply) => {
    void reply.headers(headers)
    sendProblem(
      reply,
      new Problem(
        404,
        'no_such_endpoint',
        `The endpoint ${request.method} ${getPathname(request)} does not exist. See /docs.`,
      ),
      request,
    )
  })
}

/** The error handler of the API, and of a route for programs among the pages. */
export function sendErrorAsProblem(error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, toProblem(error, request), request)
}

/**
 * Creates Fastify's settings for errors before any route or hook: URLs with malformed percent-encoding or too long
 * parameters, and requests that are not valid HTTP or have too large headers.
 * @param headers of every response
 */
export const createEarlyErrorHandlers = (headers: Record<string, string>) => ({
  frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    void reply.headers(headers).header('x-request-id', request.id)
    const problem = toProblem(error, request)
    request.log.info(
      { request_id: request.id, method: request.method, route: null, status: problem.statusCode },
      'request',
    )
    sendProblem(reply, problem, request)
  },

  clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const problem = toProtocolProblem(error.code)
    const body = JSON.stringify(problem.body())
    const head = [
      `HTTP/1.1 ${problem.statusCode} ${STATUS_CODES[problem.statusCode]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy(error)
  },
})

function toProtocolProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(431, 'headers_too_large', 'The URL and headers exceed the limit of 16 KB.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem(408, 'request_timeout', 'The request timed out before it was complete. Send it again.')
  }
  return new Problem(
    400,
    'malformed_request',
    'The request is not valid HTTP/1.1. Percent-encode non-ASCII characters in the URL.',
  )
}

const getPathname = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''

function sendProblem(reply: FastifyReply, problem: Problem, request: FastifyRequest): void {
  drainUnreadBody(request, reply)
  // A stream that fails before its first bytes has already set the encoding.
  void reply.removeHeader('content-encoding')
  const body = problem.statusCode === 500 ? { ...problem.body(), request_id: request.id } : problem.body()
  void reply
    .code(problem.statusCode)
    .headers(problem.headers)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(body)
}

/** Converts an error, and logs it unless the client caused it. */
export function toProblem(error: FastifyError | Problem, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const clientProblem = fromFastifyError(error, request)
  if (clientProblem !== null) return clientProblem
  if (isAccountDeleted(error)) return unauthenticatedProblem('This account was just deleted.')
  const quota = getReachedQuota(error)
  if (quota !== null) return quotaReachedProblem(quota)
  if (isDiskFull(error)) {
    request.log.error({ request_id: request.id, err: error }, 'the disk of the database is full')
    return databaseDiskFullProblem()
  }
  if (isDatabaseUnavailable(error)) {
    request.log.error({ request_id: request.id, err: error }, 'the database is unavailable')
    return databaseUnavailableProblem()
  }
  if (isDatabaseBusy(error)) {
    request.log.warn({ request_id: request.id, err: error }, 'the database ended a request in favor of another change')
    return databaseBusyProblem()
  }
  request.log.error({ request_id: request.id, err: error }, 'unexpected error')
  return new Problem(
    500,
    'internal_error',
    'An unexpected error occurred. The server log contains the details under the request id.',
  )
}

function fromFastifyError(error: FastifyError, request: FastifyRequest): Problem | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLargeProblem(request.routeOptions.bodyLimit ?? 0)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaTypeProblem(['application/json', ...(request.routeOptions.config.otherMediaTypes ?? [])])
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalidFieldProblem('', 'is not valid JSON', 'invalid_json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidFieldProblem('', 'does not have the length that Content-Length declares')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFoundProblem('resource')
    case 'FST_ERR_NOT_FOUND':
      return notFoundProblem('endpoint')
    default:
  }
  const { statusCode } = error
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new Problem(statusCode, 'invalid_request', error.message)
    : null
}
