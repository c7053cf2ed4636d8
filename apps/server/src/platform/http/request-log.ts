import { randomBytes } from 'node:crypto'

import type { FastifyBaseLogger, RawRequestDefaultExpression } from 'fastify'

import { memoizeByLabels } from './request-labels.ts'
import type { App } from './app.ts'

const acceptable = /^[\x21-\x7e]{1,128}$/

/** Ours are this process's own series and a count: as unique as a random id each, and cheaper. */
const series = randomBytes(9).toString('base64url')
let count = 0

/**
 * Fastify's settings for request ids: the caller's `X-Request-Id` where it is one, else a new one. No request gets a
 * logger of its own, which would cost more than its line in the log: whoever logs names the request.
 */
export const identifyRequests = {
  requestIdHeader: false,
  genReqId: ({ headers }: RawRequestDefaultExpression): string => {
    const given = headers['x-request-id']
    return typeof given === 'string' && acceptable.test(given) ? given : `${series}-${(count += 1).toString(36)}`
  },
  childLoggerFactory: (logger: FastifyBaseLogger) => logger,
} as const

/** Echoes the request id, and logs one line for each request. */
export function logRequests(app: App, log: FastifyBaseLogger): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  const getRequestLogger = memoizeByLabels((outcome) => log.child({ ...outcome }))
  app.addHook('onResponse', (request, reply, done) => {
    getRequestLogger(request, reply).info(
      { request_id: request.id, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'request',
    )
    done()
  })
}
