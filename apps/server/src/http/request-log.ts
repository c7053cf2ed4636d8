import { randomUUID } from 'node:crypto'

import type { RawRequestDefaultExpression } from 'fastify'

import type { App } from './request.ts'

const acceptable = /^[\x21-\x7e]{1,128}$/

/** Fastify's settings for request ids: the caller's `X-Request-Id` where it is one, else a new one. */
export const identifyRequests = {
  requestIdHeader: false,
  genReqId: ({ headers }: RawRequestDefaultExpression): string => {
    const given = headers['x-request-id']
    return typeof given === 'string' && acceptable.test(given) ? given : randomUUID()
  },
} as const

/** Echoes the request id, and logs one line for each request: the route's pattern, never an address with secrets in it. */
export function logRequests(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
