import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'

import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Deps } from './deps.ts'
import { foldersRoutes } from './features/folders/folders.routes.ts'
import { invitationsRoutes } from './features/invitations/invitations.routes.ts'
import { membersRoutes } from './features/members/members.routes.ts'
import { milestonesRoutes } from './features/milestones/milestones.routes.ts'
import { passwordResetsRoutes } from './features/password-resets/password-resets.routes.ts'
import { projectsRoutes } from './features/projects/projects.routes.ts'
import { resultsRoutes } from './features/results/results.routes.ts'
import { runsRoutes } from './features/runs/runs.routes.ts'
import { sessionRoutes } from './features/session/session.routes.ts'
import { setUpRoutes } from './features/set-up/set-up.routes.ts'
import { testCasesRoutes } from './features/test-cases/test-cases.routes.ts'
import { tokensRoutes } from './features/tokens/tokens.routes.ts'
import { uploadsRoutes } from './features/uploads/uploads.routes.ts'
import { trustProxies } from './http/client-address.ts'
import { compileSchemas } from './http/compilers.ts'
import { createCookies } from './http/cookies.ts'
import { answerBeforeRoutes, answerErrorsAsProblems } from './http/errors.ts'
import { guardEveryRoute } from './http/guard.ts'
import { healthRoutes } from './http/health.ts'
import { createSecurityHeaders, setSecurityHeaders } from './http/security-headers.ts'
import { parseJsonBodies } from './http/json-bodies.ts'
import { metricsRoutes } from './http/metrics.ts'
import { createPlaces } from './http/places.ts'
import { createPrincipals } from './http/principals.ts'
import { createRateLimits, type ShareBucket } from './http/rate-limit.ts'
import { publicUrlOf } from './http/public-url.ts'
import { referenceRoutes } from './http/reference.ts'
import type { App } from './http/request.ts'
import { identifyRequests, logRequests } from './http/request-log.ts'
import { createCheckOrigin } from './http/same-origin.ts'
import { pagesRoutes } from './pages/pages.routes.ts'

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
  shareBucket?: ShareBucket | undefined
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
    ...answerBeforeRoutes(securityHeaders.ofData),
    ...identifyRequests,
  }).withTypeProvider<TypeBoxTypeProvider>()
  compileSchemas(app, log)

  const deps: Deps = {
    db,
    principals: createPrincipals(db, config),
    places: createPlaces(db),
    rateLimits: createRateLimits(config, shareBucket),
    cookies: createCookies(config),
    checkOrigin: createCheckOrigin(config),
    publicUrl: () => publicUrlOf(app, config),
    hasMailServer: config.smtpUrl !== null,
  }

  setSecurityHeaders(app, securityHeaders)
  answerErrorsAsProblems(app)
  logRequests(app, log)
  parseJsonBodies(app)
  metricsRoutes(app)
  guardEveryRoute(app, deps)
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
  setUpRoutes(app, deps)
  passwordResetsRoutes(app, deps)
  await pagesRoutes(app, deps, config)

  return app
}
