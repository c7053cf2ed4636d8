import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'

import type { Config } from './config.ts'
import type { Database } from './platform/database/connect.ts'
import type { Deps } from './deps.ts'
import { foldersRoutes } from './features/folders/folders.routes.ts'
import { invitationsRoutes } from './features/invitations/invitations.routes.ts'
import { membersRoutes } from './features/members/members.routes.ts'
import { milestonesRoutes } from './features/milestones/milestones.routes.ts'
import { accountRoutes } from './features/auth/account/account.routes.ts'
import { passwordResetsRoutes } from './features/auth/password-reset/password-reset.routes.ts'
import { projectsRoutes } from './features/projects/projects.routes.ts'
import { resultsRoutes } from './features/results/results.routes.ts'
import { runsRoutes } from './features/runs/runs.routes.ts'
import { sessionRoutes } from './features/auth/session/session.routes.ts'
import { setupRoutes } from './features/auth/setup/setup.routes.ts'
import { testCasesRoutes } from './features/test-cases/test-cases.routes.ts'
import { tokensRoutes } from './features/tokens/tokens.routes.ts'
import { uploadsRoutes } from './features/uploads/uploads.routes.ts'
import { trustProxies } from './platform/http/client-address.ts'
import { compileSchemas } from './platform/http/compilers.ts'
import { createCookies } from './platform/http/cookies.ts'
import { createEarlyErrorHandlers, registerErrorHandlers } from './platform/http/errors.ts'
import { registerGuards } from './access/guard.ts'
import { healthRoutes } from './platform/http/health.ts'
import { createSecurityHeaders, setSecurityHeaders } from './platform/http/security-headers.ts'
import { parseJsonBodies } from './platform/http/json-bodies.ts'
import { metricsRoutes } from './platform/http/metrics.ts'
import { createProjectCache } from './access/project-cache.ts'
import { createPrincipalCache } from './access/principal-cache.ts'
import { createRateLimits, type CreateSharedLimiter } from './platform/http/rate-limit.ts'
import { getPublicUrl } from './platform/http/public-url.ts'
import { referenceRoutes } from './features/reference/reference.routes.ts'
import type { App } from './platform/http/app.ts'
import { identifyRequests, logRequests } from './platform/http/request-log.ts'
import { createCheckOrigin } from './platform/http/same-origin.ts'
import { pagesRoutes } from './platform/pages/pages.routes.ts'

/** The service: every feature by name. Listens to nothing yet. */
export async function buildApp({
  config,
  db,
  log,
  shareBucket,
}: {
  config: Config
  db: Database
  log: FastifyBaseLogger
  shareBucket?: CreateSharedLimiter | undefined
}): Promise<App> {
  const securityHeaders = createSecurityHeaders(config)
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: trustProxies(config.trustProxy),
    bodyLimit: 1024 * 1024,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // In UTF-16 units: a shard's name of 255 characters.
    routerOptions: { maxParamLength: 510 },
    ...createEarlyErrorHandlers(securityHeaders.api),
    ...identifyRequests,
  }).withTypeProvider<TypeBoxTypeProvider>()
  compileSchemas(app, log)

  const deps: Deps = {
    db,
    principalCache: createPrincipalCache(db, config),
    projectCache: createProjectCache(db),
    rateLimits: createRateLimits(config, shareBucket),
    cookies: createCookies(config),
    checkOrigin: createCheckOrigin(config),
    publicUrl: () => getPublicUrl(app, config),
    hasMailServer: config.smtpUrl !== null,
  }

  setSecurityHeaders(app, securityHeaders)
  registerErrorHandlers(app)
  logRequests(app, log)
  parseJsonBodies(app)
  metricsRoutes(app)
  registerGuards(app, deps)
  await referenceRoutes(app)
  healthRoutes(app, deps)

  projectsRoutes(app, deps)
  foldersRoutes(app, deps)
  testCasesRoutes(app, deps)
  runsRoutes(app, deps)
  resultsRoutes(app, deps)
  uploadsRoutes(app, deps)
  milestonesRoutes(app, deps)
  membersRoutes(app, deps)
  invitationsRoutes(app, deps)
  tokensRoutes(app, deps)
  sessionRoutes(app, deps)
  accountRoutes(app, deps)
  setupRoutes(app, deps)
  passwordResetsRoutes(app, deps)
  await pagesRoutes(app, deps, config)

  return app
}
