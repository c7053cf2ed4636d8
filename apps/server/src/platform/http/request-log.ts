import { randomBytes } from 'node:crypto'

import type { FastifyBaseLogger, FastifyReply, FastifyRequest, RawRequestDefaultExpression } from 'fastify'

import { memoizeByLabels } from './request-labels.ts'
import type { App } from './app.ts'

const validRequestId = /^[\x21-\x7e]{1,128}$/

/** A random prefix of this process and a counter are as unique as random ids, and cheaper. */
const prefix = randomBytes(9).toString('base64url')
let count = 0

/**
 * Fastify's settings for request ids: a valid `X-Request-Id` of the client, or a new id. Requests have no child logger,
 * which would cost more than the log line: callers pass `request_id`.
 */
export const identifyRequests = {
  requestIdHeader: false,
  genReqId: ({ headers }: RawRequestDefaultExpression): string => {
    const id = headers['x-request-id']
    return typeof id === 'string' && validRequestId.test(id) ? id : `${prefix}-${(count += 1).toString(36)}`
  },
  childLoggerFactory: (logger: FastifyBaseLogger) => logger,
} as const

/** The statuses whose lines say who the request was from, so that refusals can be investigated. */
const REFUSALS = new Set([401, 403, 429])

/** Returns the request id in a header, and logs one line for each request, or only for those that failed. */
export function logRequests(
  app: App,
  log: FastifyBaseLogger,
  which: 'all' | 'errors',
  getCallerIds: (request: FastifyRequest) => object,
): void {
  const getRequestLogger = memoizeByLabels((labels) => log.child({ ...labels }))
  const minStatus = which === 'errors' ? 400 : 0
  const logRequest = (request: FastifyRequest, reply: FastifyReply) => {
    if (reply.statusCode < minStatus) return
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const caller = REFUSALS.has(reply.statusCode) ? getCallerIds(request) : {}
    getRequestLogger(request, reply).info({ request_id: request.id, ms, ...caller }, 'request')
  }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    // Most streams end because their client is gone, for which there is no hook.
    if (isEventStream(request)) reply.raw.once('close', () => logRequest(request, reply))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!isEventStream(request)) logRequest(request, reply)
    done()
  })
}

const isEventStream = ({ matchedRoute }: FastifyRequest): boolean => matchedRoute.config.isEventStream === true
