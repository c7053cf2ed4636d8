import { BODY_LIMIT } from '@caseward/contract/endpoint'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'

import type { Database } from '../database/connect.ts'
import type { App } from './app.ts'
import { trustProxies } from './client-address.ts'
import { compileSchemas } from './compilers.ts'
import { createEarlyErrorHandlers, registerErrorHandlers } from './errors.ts'
import { healthRoutes } from './health.ts'
import { parseJsonBodies } from './json-bodies.ts'
import { metricsRoutes } from './metrics.ts'
import { rejectRepeatedHost } from './repeated-host.ts'
import { identifyRequests, logRequests } from './request-log.ts'
import { createSecurityHeaders, setSecurityHeaders } from './security-headers.ts'

export interface HttpSettings {
  publicUrl: string | null
  /** The number of proxies in front of the service. */
  trustProxy: number
}

/** Creates the HTTP server with everything that does not depend on a feature. It does not listen yet. */
export function createApp(settings: HttpSettings, db: Database, log: FastifyBaseLogger): App {
  const securityHeaders = createSecurityHeaders(settings)
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: trustProxies(settings.trustProxy),
    bodyLimit: BODY_LIMIT.standard,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // In UTF-16 code units, two for each of the 255 characters of a shard's name.
    routerOptions: { maxParamLength: 510 },
    ...createEarlyErrorHandlers(securityHeaders.api),
    ...identifyRequests,
  }).withTypeProvider<TypeBoxTypeProvider>()
  compileSchemas(app, log)
  setSecurityHeaders(app, securityHeaders)
  registerErrorHandlers(app)
  logRequests(app, log)
  rejectRepeatedHost(app)
  parseJsonBodies(app)
  metricsRoutes(app)
  healthRoutes(app, db)
  return app
}
