import { BODY_LIMIT } from '@caseward/contract/endpoint'
import fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify'

import type { Database } from '../database/connect.ts'
import type { App, ContractTypes } from './app.ts'
import { callBeforeSend } from './before-send.ts'
import { trustProxies } from './client-address.ts'
import { compileSchemas } from './compilers.ts'
import { compressResponses } from './compress-responses.ts'
import { createEarlyErrorHandlers, registerErrorHandlers } from './errors.ts'
import { healthRoutes } from './health.ts'
import { parseJsonBodies } from './json-bodies.ts'
import { findMatchedRoutes } from './matched-route.ts'
import { metricsRoutes } from './metrics.ts'
import { rejectRepeatedHost } from './repeated-host.ts'
import type { RequestBodies } from './request-bodies.ts'
import { identifyRequests, logRequests } from './request-log.ts'
import { reportUnknownNames } from './unknown-names.ts'
import { createSecurityHeaders, setSecurityHeaders } from './security-headers.ts'

export interface HttpSettings {
  publicUrl: string | null
  /** The number of proxies in front of the service. */
  trustProxy: number
  /** Which requests are logged. */
  logRequests: 'all' | 'errors'
  /** The time in which a request must arrive completely. */
  requestTimeoutSeconds: number
  /** Where scheduled backups are, or null without them. */
  backupDir: string | null
}

export interface AppDeps {
  db: Database
  log: FastifyBaseLogger
  /** Aborted when the service is told to stop; it continues to serve requests until it is closed. */
  stopSignal: AbortSignal
  /** Whether the embedded database is down because its disk is full. */
  isDatabaseDiskFull: () => boolean
  requestBodies: RequestBodies
  /** Returns who a request is from, for the line of a refused request in the log. */
  getCallerIds: (request: FastifyRequest) => object
}

/** Creates the HTTP server with everything that does not depend on a feature. It does not listen yet. */
export function createApp(
  settings: HttpSettings,
  { db, log, stopSignal, isDatabaseDiskFull, requestBodies, getCallerIds }: AppDeps,
): App {
  const securityHeaders = createSecurityHeaders(settings)
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: trustProxies(settings.trustProxy),
    bodyLimit: BODY_LIMIT.standard,
    ...limitDurations(settings.requestTimeoutSeconds * 1000),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // In UTF-16 code units, two for each of the 255 characters of a shard's name.
    routerOptions: { maxParamLength: 510 },
    ...createEarlyErrorHandlers(securityHeaders.api),
    ...identifyRequests,
  }).withTypeProvider<ContractTypes>()
  compileSchemas(app)
  findMatchedRoutes(app)
  setSecurityHeaders(app, securityHeaders)
  registerErrorHandlers(app, securityHeaders.api)
  logRequests(app, log, settings.logRequests, getCallerIds)
  closeConnectionsWhenStopping(app, stopSignal)
  rejectRepeatedHost(app)
  requestBodies.releaseAfterResponses(app)
  callBeforeSend(app)
  reportUnknownNames(app)
  compressResponses(app)
  parseJsonBodies(app, requestBodies)
  metricsRoutes(app, settings)
  healthRoutes(app, { db, stopSignal, isDatabaseDiskFull })
  return app
}

/**
 * Asks clients and load balancers to close their connections once the service is told to stop. Connections that are still
 * open when it stops would be closed while a request may be on its way.
 */
function closeConnectionsWhenStopping(app: App, stopSignal: AbortSignal): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (stopSignal.aborted) void reply.header('connection', 'close')
    done()
  })
}

const MAX_HEADERS_MS = 60_000
const MAX_TIMEOUT_CHECK_MS = 30_000

/**
 * Fastify's settings for slow clients. A request must arrive in time, first its headers. A connection is closed when
 * nothing is sent or received for as long: a client that does not read its response holds memory.
 */
function limitDurations(requestTimeoutMs: number) {
  return {
    requestTimeout: requestTimeoutMs,
    connectionTimeout: requestTimeoutMs,
    http: {
      // Node confuses the two when the time for headers is the longer one.
      headersTimeout: Math.min(requestTimeoutMs, MAX_HEADERS_MS),
      connectionsCheckingInterval: Math.min(requestTimeoutMs / 10, MAX_TIMEOUT_CHECK_MS),
    },
  }
}
