import { join } from 'node:path'

import type { FastifyBaseLogger } from 'fastify'

import { getCallerIds } from './access/caller-ids.ts'
import { createCookies } from './access/cookies.ts'
import { registerGuards } from './access/guard.ts'
import { expiredKeysJob } from './access/delete-expired-keys.ts'
import { registerIdempotency } from './access/idempotent-requests.ts'
import { createPrincipalCache } from './access/principal-cache.ts'
import { createProjectCache } from './access/project-cache.ts'
import { createRateLimits } from './access/rate-limits.ts'
import { createCheckOrigin } from './access/same-origin.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { adminRoutes } from './features/admin/admin.routes.ts'
import { assignmentMail } from './features/assignments/assignment-mail.ts'
import { assignmentsRoutes } from './features/assignments/assignments.routes.ts'
import { attachmentsRoutes } from './features/attachments/attachments.routes.ts'
import { declaredFilesRoutes } from './features/attachments/declared-files.routes.ts'
import { giveUpWaitingJob } from './features/attachments/give-up-waiting.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { createAuditRetentionJob } from './features/audit/delete-expired-entries.ts'
import { accountRoutes } from './features/auth/account/account.routes.ts'
import { confirmationRoutes } from './features/auth/confirmation/confirmation.routes.ts'
import { emailChangeErrorLinks, confirmEmailPages } from './features/auth/email-change/confirm-email.pages.ts'
import { emailChangeMail } from './features/auth/email-change/email-change-mail.ts'
import { emailChangesRoutes } from './features/auth/email-change/email-changes.routes.ts'
import { passwordResetMail } from './features/auth/password-reset/password-reset-mail.ts'
import { resetErrorLinks, resetPages } from './features/auth/password-reset/password-reset.pages.ts'
import { passwordResetsRoutes } from './features/auth/password-reset/password-reset.routes.ts'
import { passkeyScript } from './features/auth/second-factors/passkey-script.ts'
import { passkeysRoutes } from './features/auth/second-factors/passkeys.routes.ts'
import { removeFactorErrorLinks, removeFactorPages } from './features/auth/second-factors/remove-factor.pages.ts'
import { abandonedSignInsJob } from './features/auth/second-factors/report-abandoned-sign-ins.ts'
import { secondFactorErrorLinks, secondFactorPages } from './features/auth/second-factors/second-factor.pages.ts'
import { setUpErrorLinks, setUpPages } from './features/auth/second-factors/set-up.pages.ts'
import { reviewRoutes } from './features/auth/recovery/review.routes.ts'
import { secondFactorsRoutes } from './features/auth/second-factors/second-factors.routes.ts'
import { securityMail } from './features/auth/security-mail/security-mail.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { sessionRoutes } from './features/auth/session/session.routes.ts'
import { signInLinkErrorLinks, signInLinkPages } from './features/auth/session/sign-in-link.pages.ts'
import { signInErrorLinks, signInPages } from './features/auth/session/sign-in.pages.ts'
import { signOutPages, signOutScript } from './features/auth/session/sign-out.pages.ts'
import { setupErrorLinks, setupPages } from './features/auth/setup/setup.pages.ts'
import { setupRoutes } from './features/auth/setup/setup.routes.ts'
import { registerSingleSignOn, singleSignOnErrorLinks } from './features/auth/single-sign-on/register-single-sign-on.ts'
import { singleSignOnRoutes } from './features/auth/single-sign-on/single-sign-on.routes.ts'
import { activityRoutes } from './features/comments/activity.routes.ts'
import { caseVersionsRoutes } from './features/case-versions/case-versions.routes.ts'
import { commentsRoutes } from './features/comments/comments.routes.ts'
import { mentionMail } from './features/comments/mention-mail.ts'
import { mentionsRoutes } from './features/comments/mentions.routes.ts'
import { createChangeAnnouncer } from './features/events/change-announcer.ts'
import { duplicatesRoutes } from './features/duplicates/duplicates.routes.ts'
import { fillDigestsJob } from './features/duplicates/fill-digests.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { exportsRoutes } from './features/exports/exports.routes.ts'
import { createExcelFiles } from './features/exports/write-excel.ts'
import { combinationsRoutes } from './features/combinations/combinations.routes.ts'
import { caseAliasesRoutes } from './features/case-aliases/case-aliases.routes.ts'
import { sharedStepsRoutes } from './features/shared-steps/shared-steps.routes.ts'
import { configurationsRoutes } from './features/configurations/configurations.routes.ts'
import { fieldsRoutes } from './features/fields/fields.routes.ts'
import { instanceFieldsRoutes } from './features/fields/instance-fields.routes.ts'
import { fieldValuesJob } from './features/fields/fill-field-values.ts'
import { deletedFieldsJob } from './features/fields/remove-deleted-values.ts'
import { createCheckJob } from './features/files/check-files.ts'
import { createContentAddresses } from './features/files/content-addresses.ts'
import { getContentSources } from './features/files/content-sources.ts'
import { createFileBodies } from './features/files/file-bodies.ts'
import { fileUploadsRoutes } from './features/files/file-uploads.routes.ts'
import { registerFileMetrics } from './features/files/file-metrics.ts'
import { registerFilesOrigin } from './features/files/files-origin.ts'
import { filesRoutes } from './features/files/files.routes.ts'
import { createSweepJob } from './features/files/sweep-files.ts'
import { fillBuildDataJob } from './features/build-data/fill-build-data.ts'
import { insightSettingsRoutes } from './features/build-data/insight-settings.routes.ts'
import { evaluationRoutes } from './features/evaluation/evaluation.routes.ts'
import { evaluateRunJob, settleRunsJob } from './features/evaluation/evaluation-jobs.ts'
import { forgetEvidenceJob } from './features/evaluation/forget-evidence.ts'
import { failureGroupsRoutes } from './features/failures/failure-groups.routes.ts'
import { foldersRoutes } from './features/folders/folders.routes.ts'
import { groupRolesRoutes } from './features/groups/group-roles.routes.ts'
import { cleanUpImportsJob } from './features/imports/clean-up-imports.ts'
import { createImportRunner } from './features/imports/import-runner.ts'
import { joinImportedPeopleJob } from './features/imported-people/join-imported-people.ts'
import { importedPeopleRoutes } from './features/imported-people/imported-people.routes.ts'
import { importsRoutes } from './features/imports/imports.routes.ts'
import { invitationMail } from './features/invitations/invitation-mail.ts'
import { invitationsRoutes } from './features/invitations/invitations.routes.ts'
import { joinPages } from './features/invitations/join.pages.ts'
import { linksRoutes } from './features/links/links.routes.ts'
import { rerunsRoutes } from './features/reruns/reruns.routes.ts'
import { createShareViews } from './features/shares/share-views.ts'
import { sharedReportPages } from './features/shares/shared-reports.pages.ts'
import { sharesRoutes } from './features/shares/shares.routes.ts'
import { viewsRoutes } from './features/views/views.routes.ts'
import { runComparisonRoutes } from './features/run-comparison/run-comparison.routes.ts'
import { membersRoutes } from './features/members/members.routes.ts'
import { milestonesRoutes } from './features/milestones/milestones.routes.ts'
import { overviewRoutes } from './features/overview/overview.routes.ts'
import { demoRoutes } from './features/demo/demo.routes.ts'
import { limitMail } from './features/quarantines/limit-mail.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { speedRoutes } from './features/speed/speed.routes.ts'
import { driftRoutes } from './features/drift/drift.routes.ts'
import { reportJob } from './features/reports/report-job.ts'
import { reportMail } from './features/reports/report-mail.ts'
import { reportsRoutes } from './features/reports/reports.routes.ts'
import { quarantineJob } from './features/quarantines/quarantine-job.ts'
import { quarantineMail } from './features/quarantines/quarantine-mail.ts'
import { quarantinesRoutes } from './features/quarantines/quarantines.routes.ts'
import { insightJob } from './features/insight-days/insight-job.ts'
import { stabilityJob } from './features/stability/stability-job.ts'
import { stabilityRoutes } from './features/stability/stability.routes.ts'
import { projectsRoutes } from './features/projects/projects.routes.ts'
import { referenceRoutes } from './features/reference/reference.routes.ts'
import { storageRoutes } from './features/storage/storage.routes.ts'
import { createRetentionJob } from './features/retention/retention-job.ts'
import { resultsRoutes } from './features/results/results.routes.ts'
import { completeQuietRunsJob } from './features/runs/complete-quiet-runs.ts'
import { runsRoutes } from './features/runs/runs.routes.ts'
import { testCaseBatchesRoutes } from './features/test-cases/test-case-batches.routes.ts'
import { testCaseImportsRoutes } from './features/test-cases/test-case-imports.routes.ts'
import { caseSettingsRoutes } from './features/test-cases/case-settings.routes.ts'
import { testCasesRoutes } from './features/test-cases/test-cases.routes.ts'
import { leftOutRoutes } from './features/tests/left-out.routes.ts'
import { testsRoutes } from './features/tests/tests.routes.ts'
import { tokensRoutes } from './features/tokens/tokens.routes.ts'
import { uploadsRoutes } from './features/uploads/uploads.routes.ts'
import { webAppPages } from './features/web-app/web-app.pages.ts'
import { createBackground } from './platform/background.ts'
import { createCopyFiles } from './features/files/copy-for-backups.ts'
import { createBackupJob } from './platform/backup/scheduled-backups.ts'
import type { Database } from './platform/database/connect.ts'
import { createOwnFileStore } from './platform/files/open-file-store.ts'
import type { App } from './platform/http/app.ts'
import { createApp } from './platform/http/create-app.ts'
import { getPublicUrl } from './platform/http/public-url.ts'
import type { CreateSharedLimiter } from './platform/http/rate-limit.ts'
import { createRequestBodies } from './platform/http/request-bodies.ts'
import { createSecretBox } from './platform/secret-box.ts'
import { createSecretKey } from './platform/secret-key.ts'
import type { MailDefinition } from './platform/jobs/mail-jobs.ts'
import type { QueuedJob } from './platform/jobs/queued-jobs.ts'
import type { ScheduledJob } from './platform/jobs/scheduled-jobs.ts'
import { servePageAsset } from './platform/pages/page-asset.ts'
import { registerPageScope } from './platform/pages/page-scope.ts'

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
    errorLinks: {
      ...resetErrorLinks,
      ...emailChangeErrorLinks,
      ...setupErrorLinks,
      ...singleSignOnErrorLinks,
      ...signInErrorLinks,
      ...signInLinkErrorLinks,
      ...secondFactorErrorLinks,
      ...removeFactorErrorLinks,
      ...setUpErrorLinks,
    },
    defaultErrorLink: { href: '/', label: 'Go to your projects' },
    registerPages: (pages) => registerPages(pages, deps, config),
  })
  return app
}

/** The API. */
function registerRoutes(app: App, deps: Deps): void {
  projectsRoutes(app, deps)
  overviewRoutes(app, deps)
  demoRoutes(app, deps)
  searchRoutes(app, deps)
  foldersRoutes(app, deps)
  testCasesRoutes(app, deps)
  testCaseBatchesRoutes(app, deps)
  caseSettingsRoutes(app, deps)
  duplicatesRoutes(app, deps)
  testCaseImportsRoutes(app, deps)
  runsRoutes(app, deps)
  resultsRoutes(app, deps)
  exportsRoutes(app, deps)
  linksRoutes(app, deps)
  commentsRoutes(app, deps)
  activityRoutes(app, deps)
  mentionsRoutes(app, deps)
  rerunsRoutes(app, deps)
  sharesRoutes(app, deps)
  viewsRoutes(app, deps)
  runComparisonRoutes(app, deps)
  assignmentsRoutes(app, deps)
  attachmentsRoutes(app, deps)
  declaredFilesRoutes(app, deps)
  filesRoutes(app, deps)
  fileUploadsRoutes(app, deps)
  testsRoutes(app, deps)
  leftOutRoutes(app, deps)
  quarantinesRoutes(app, deps)
  stabilityRoutes(app, deps)
  uploadsRoutes(app, deps)
  milestonesRoutes(app, deps)
  membersRoutes(app, deps)
  groupRolesRoutes(app, deps)
  invitationsRoutes(app, deps)
  tokensRoutes(app, deps)
  sessionRoutes(app, deps)
  confirmationRoutes(app, deps)
  secondFactorsRoutes(app, deps)
  passkeysRoutes(app, deps)
  accountRoutes(app, deps)
  emailChangesRoutes(app, deps)
  reviewRoutes(app, deps)
  singleSignOnRoutes(app, deps)
  setupRoutes(app, deps)
  passwordResetsRoutes(app, deps)
  adminRoutes(app, deps)
  storageRoutes(app, deps)
  auditRoutes(app, deps)
  fieldsRoutes(app, deps)
  instanceFieldsRoutes(app, deps)
  configurationsRoutes(app, deps)
  caseAliasesRoutes(app, deps)
  sharedStepsRoutes(app, deps)
  combinationsRoutes(app, deps)
  caseVersionsRoutes(app, deps)
  insightSettingsRoutes(app, deps)
  evaluationRoutes(app, deps)
  failureGroupsRoutes(app, deps)
  healthRoutes(app, deps)
  speedRoutes(app, deps)
  driftRoutes(app, deps)
  reportsRoutes(app, deps)
}

/** The pages in the browser. */
async function registerPages(pages: App, deps: Deps, config: Config): Promise<void> {
  signInPages(pages, deps)
  signOutPages(pages, deps)
  signInLinkPages(pages, deps)
  await registerSingleSignOn(pages, deps, config)
  servePageAsset(pages, passkeyScript)
  servePageAsset(pages, signOutScript)
  secondFactorPages(pages, deps)
  removeFactorPages(pages, deps)
  setUpPages(pages, deps)
  setupPages(pages, deps)
  resetPages(pages, deps)
  confirmEmailPages(pages, deps)
  joinPages(pages, deps)
  sharedReportPages(pages, deps)
  await webAppPages(pages, deps)
}

/** The mails that the job worker sends. */
export const mails: readonly MailDefinition[] = [
  invitationMail,
  passwordResetMail,
  emailChangeMail,
  securityMail,
  assignmentMail,
  mentionMail,
  quarantineMail,
  limitMail,
  reportMail,
]

/** The jobs on single rows that the job worker runs. */
export const queuedJobs: readonly QueuedJob[] = [evaluateRunJob]

/** The jobs that the job worker runs at fixed times. */
export const createScheduledJobs = (config: Config, log: FastifyBaseLogger): ScheduledJob[] => [
  createAuditRetentionJob(config),
  expiredKeysJob,
  completeQuietRunsJob,
  settleRunsJob,
  fillBuildDataJob,
  forgetEvidenceJob,
  quarantineJob,
  stabilityJob,
  insightJob,
  reportJob,
  abandonedSignInsJob,
  createSweepJob(config, log),
  createCheckJob(config, log),
  giveUpWaitingJob,
  deletedFieldsJob,
  cleanUpImportsJob,
  joinImportedPeopleJob,
  fillDigestsJob,
  fieldValuesJob,
  createRetentionJob(config),
  ...(config.backupDir === null ? [] : [createBackups(config, config.backupDir, log)]),
]

const createBackups = (config: Config, backupDir: string, log: FastifyBaseLogger): ScheduledJob =>
  createBackupJob({
    ...config,
    backupDir,
    copyFiles: config.backupFiles === 1 ? createCopyFiles(config, log) : null,
    log,
  })
