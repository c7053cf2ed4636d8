import { join } from 'node:path'

import type { FastifyBaseLogger } from 'fastify'

import { getCallerIds } from './access/caller-ids.ts'
import { createCookies } from './access/cookies.ts'
import { registerGuards } from './access/guard.ts'
import { registerIdempotency } from './access/idempotent-requests.ts'
import { createPrincipalCache } from './access/principal-cache.ts'
import { createProjectCache } from './access/project-cache.ts'
import { createRateLimits } from './access/rate-limits.ts'
import { createCheckOrigin } from './access/same-origin.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createChangeAnnouncer } from './features/events/change-announcer.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { createExcelFiles } from './features/exports/write-excel.ts'
import { createContentAddresses } from './features/files/content-addresses.ts'
import { getContentSources } from './features/files/content-sources.ts'
import { createFileBodies } from './features/files/file-bodies.ts'
import { registerFileMetrics } from './features/files/file-metrics.ts'
import { registerFilesOrigin } from './features/files/files-origin.ts'
import { createImportRunner } from './features/imports/import-runner.ts'
import { importedPeopleRoutes } from './features/imported-people/imported-people.routes.ts'
import { importsRoutes } from './features/imports/imports.routes.ts'
import { createShareViews } from './features/shares/share-views.ts'
import { referenceRoutes } from './features/reference/reference.routes.ts'
import { createBackground } from './platform/background.ts'
import type { Database } from './platform/database/connect.ts'
import { createOwnFileStore } from './platform/files/open-file-store.ts'
import type { App } from './platform/http/app.ts'
import { createApp } from './platform/http/create-app.ts'
import { getPublicUrl } from './platform/http/public-url.ts'
import type { CreateSharedLimiter } from './platform/http/rate-limit.ts'
import { createRequestBodies } from './platform/http/request-bodies.ts'
import { createSecretBox } from './platform/secret-box.ts'
import { createSecretKey } from './platform/secret-key.ts'
import { registerPageScope } from './platform/pages/page-scope.ts'
import { errorLinks, registerPages } from './pages.ts'
import { registerRoutes } from './routes.ts'

export interface AppOptions {
  config: Config
  db: Database
  log: FastifyBaseLogger
  createSharedLimiter?: CreateSharedLimiter | undefined
  /** Aborted when the service is told to stop; it continues to serve requests until it is closed. */
  stopSignal?: AbortSignal
  /** Whether the embedded database is down because its disk is full. */
  isDatabaseDiskFull?: () => boolean
}

const neverAborted = new AbortController().signal

/** Builds the service from its features. It does not listen yet. */
export async function buildApp({
  config,
  db,
  log,
  createSharedLimiter,
  stopSignal = neverAborted,
  isDatabaseDiskFull = () => false,
}: AppOptions): Promise<App> {
  const requestBodies = createRequestBodies(config)
  const app = createApp(config, { db, log, stopSignal, isDatabaseDiskFull, requestBodies, getCallerIds })
  const shareViews = createShareViews(db, log)
  app.addHook('onClose', () => shareViews.flush())
  const secretKey = createSecretKey({
    secretKey: config.secretKey,
    // Several servers may use the database of `DATABASE_URL`, and a container may have no lasting directory.
    keyFile: config.databaseUrl === null ? join(config.dataDir, 'secret.key') : null,
  })
  const deps: Deps = {
    db,
    principalCache: createPrincipalCache(db, config),
    projectCache: createProjectCache(db),
    requestBodies,
    fileStore: createOwnFileStore(db, config),
    fileBodies: createFileBodies(),
    excelFiles: createExcelFiles(),
    fileLimitBytes: config.fileLimitMb * 1024 * 1024,
    runFileRetentionDays: config.runFileRetentionDays,
    announcer: createChangeAnnouncer({ db, log }),
    rateLimits: createRateLimits(config, createSharedLimiter),
    cookies: createCookies(config),
    background: createBackground(app, log),
    secretBox: createSecretBox(secretKey),
    contentAddresses: config.filesOrigin === null ? null : createContentAddresses(config.filesOrigin, secretKey),
    redirectsToS3: config.s3Redirect === 1,
    contentSources: getContentSources(config),
    checkOrigin: createCheckOrigin(config),
    getPublicUrl: () => getPublicUrl(app, config),
    singleSignOn:
      config.oidcIssuer === null
        ? null
        : {
            name: config.oidcName,
            isRequired: config.signIn === 'single-sign-on',
            sessionHours: config.oidcSessionHours,
            groupsClaim: config.oidcGroupsClaim,
            adminGroup: config.oidcAdminGroup,
          },
    imageSources: config.imageSources?.split(' ') ?? [],
    hasMailServer: config.smtpUrl !== null,
    allowsShares: config.allowShares === 1,
    shareViews,
  }
  registerFilesOrigin(app, deps)
  registerGuards(app, deps)
  registerIdempotency(app, deps)
  await referenceRoutes(app)
  registerRoutes(app, deps)
  importedPeopleRoutes(app, deps)
  importsRoutes(
    app,
    deps,
    createImportRunner(app, deps, { log, stopSignal, runRetentionDays: config.runRetentionDays }),
  )
  registerFileMetrics(app.metricsRegistry, deps)
  eventsRoutes(app, deps, config, stopSignal)
  await registerPageScope(app, {
    checkOrigin: deps.checkOrigin,
    errorLinks,
    defaultErrorLink: { href: '/', label: 'Go to your projects' },
    registerPages: (pages) => registerPages(pages, deps, config),
  })
  return app
}
