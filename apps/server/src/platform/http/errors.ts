import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import { getPostgresErrorCode } from '../database/connect.ts'
import {
  bodyTooLargeProblem,
  databaseUnavailableProblem,
  invalidFieldProblem,
  notFoundProblem,
  Problem,
  unsupportedMediaTypeProblem,
} from './problems.ts'
import type { App } from './app.ts'
import { drainUnreadBody } from './unread-body.ts'

/** Answers every error as a problem, wherever it came from; what is not foreseen is a 500 that shows nothing internal. */
export function registerErrorHandlers(app: App): void {
  app.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
    send(reply, toProblem(error, request), request)
  })
  app.setNotFoundHandler((request, reply) => {
    send(
      reply,
      new Problem(404, 'no_such_endpoint', `There is no ${request.method} ${getPathname(request)} here. See /docs.`),
      request,
    )
  })
}

/**
 * Fastify's settings for what never reaches a route, nor any hook: addresses with malformed percent-encoding or an id
 * without end; what is no HTTP, or too much of it.
 * @param headers what every answer carries
 */
export const createEarlyErrorHandlers = (headers: Record<string, string>) => ({
  frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    void reply.headers(headers).header('x-request-id', request.id)
    const problem = toProblem(error, request)
    request.log.info(
      { request_id: request.id, method: request.method, route: null, status: problem.statusCode },
      'request',
    )
    send(reply, problem, request)
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
    return new Problem(431, 'headers_too_large', 'The address and headers are larger than the 16 KB that are taken.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem(408, 'request_timeout', 'The request did not arrive in time. Send it again.')
  }
  return new Problem(400, 'malformed_request', 'This is not HTTP/1.1. Percent-encode what is not ASCII in an address.')
}

const getPathname = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''

function send(reply: FastifyReply, problem: Problem, request: FastifyRequest): void {
  drainUnreadBody(request, reply)
  const body = problem.statusCode === 500 ? { ...problem.body(), request_id: request.id } : problem.body()
  void reply
    .code(problem.statusCode)
    .headers(problem.headers)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(body)
}

export function toProblem(error: FastifyError | Problem, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const known = fromFastifyError(error, request)
  if (known !== null) return known
  if (isUnavailable(error)) {
    request.log.error({ request_id: request.id, err: error }, 'the database does not answer')
    return databaseUnavailableProblem()
  }
  request.log.error({ request_id: request.id, err: error }, 'unexpected error')
  return new Problem(
    500,
    'internal_error',
    'Something went wrong on our side. The log has the details under the request id.',
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
      return invalidFieldProblem('', 'has another length than Content-Length says')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFoundProblem('thing')
    case 'FST_ERR_NOT_FOUND':
      return notFoundProblem('endpoint')
    default:
  }
  const { statusCode } = error
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new Problem(statusCode, 'invalid_request', error.message)
    : null
}

/** A connection refused or lost, a host without a name, an address or a way to it. */
const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
)

/**
 * Connection refused or lost, no connection free, PostgreSQL starting, stopping or short of room (classes 08, 53, 57
 * of its error codes).
 */
function isUnavailable(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (UNREACHABLE.has(code ?? '')) return true
  if (/^(?:08|53|57P)/.test(getPostgresErrorCode(error) ?? '')) return true
  return /^(?:Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
}
