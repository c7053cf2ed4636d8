import type { Deps } from './deps.ts'
import { adminRoutes } from './features/admin/admin.routes.ts'
import { assignmentsRoutes } from './features/assignments/assignments.routes.ts'
import { attachmentsRoutes } from './features/attachments/attachments.routes.ts'
import { declaredFilesRoutes } from './features/attachments/declared-files.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { accountRoutes } from './features/auth/account/account.routes.ts'
import { confirmationRoutes } from './features/auth/confirmation/confirmation.routes.ts'
import { emailChangesRoutes } from './features/auth/email-change/email-changes.routes.ts'
import { passwordResetsRoutes } from './features/auth/password-reset/password-reset.routes.ts'
import { passkeysRoutes } from './features/auth/second-factors/passkeys.routes.ts'
import { reviewRoutes } from './features/auth/recovery/review.routes.ts'
import { secondFactorsRoutes } from './features/auth/second-factors/second-factors.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { sessionRoutes } from './features/auth/session/session.routes.ts'
import { setupRoutes } from './features/auth/setup/setup.routes.ts'
import { singleSignOnRoutes } from './features/auth/single-sign-on/single-sign-on.routes.ts'
import { activityRoutes } from './features/comments/activity.routes.ts'
import { caseVersionsRoutes } from './features/case-versions/case-versions.routes.ts'
import { commentsRoutes } from './features/comments/comments.routes.ts'
import { mentionsRoutes } from './features/comments/mentions.routes.ts'
import { copiesRoutes } from './features/copies/copies.routes.ts'
import { duplicatesRoutes } from './features/duplicates/duplicates.routes.ts'
import { exportsRoutes } from './features/exports/exports.routes.ts'
import { combinationsRoutes } from './features/combinations/combinations.routes.ts'
import { caseAliasesRoutes } from './features/case-aliases/case-aliases.routes.ts'
import { sharedStepsRoutes } from './features/shared-steps/shared-steps.routes.ts'
import { configurationsRoutes } from './features/configurations/configurations.routes.ts'
import { fieldsRoutes } from './features/fields/fields.routes.ts'
import { instanceFieldsRoutes } from './features/fields/instance-fields.routes.ts'
import { fileUploadsRoutes } from './features/files/file-uploads.routes.ts'
import { filesRoutes } from './features/files/files.routes.ts'
import { insightSettingsRoutes } from './features/build-data/insight-settings.routes.ts'
import { evaluationRoutes } from './features/evaluation/evaluation.routes.ts'
import { failureGroupsRoutes } from './features/failures/failure-groups.routes.ts'
import { foldersRoutes } from './features/folders/folders.routes.ts'
import { groupRolesRoutes } from './features/groups/group-roles.routes.ts'
import { invitationsRoutes } from './features/invitations/invitations.routes.ts'
import { linksRoutes } from './features/links/links.routes.ts'
import { rerunsRoutes } from './features/reruns/reruns.routes.ts'
import { sharesRoutes } from './features/shares/shares.routes.ts'
import { viewsRoutes } from './features/views/views.routes.ts'
import { runComparisonRoutes } from './features/run-comparison/run-comparison.routes.ts'
import { membersRoutes } from './features/members/members.routes.ts'
import { milestonesRoutes } from './features/milestones/milestones.routes.ts'
import { overviewRoutes } from './features/overview/overview.routes.ts'
import { demoRoutes } from './features/demo/demo.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { speedRoutes } from './features/speed/speed.routes.ts'
import { driftRoutes } from './features/drift/drift.routes.ts'
import { reportsRoutes } from './features/reports/reports.routes.ts'
import { quarantinesRoutes } from './features/quarantines/quarantines.routes.ts'
import { stabilityRoutes } from './features/stability/stability.routes.ts'
import { projectsRoutes } from './features/projects/projects.routes.ts'
import { storageRoutes } from './features/storage/storage.routes.ts'
import { resultsRoutes } from './features/results/results.routes.ts'
import { runsRoutes } from './features/runs/runs.routes.ts'
import { testCaseBatchesRoutes } from './features/test-cases/test-case-batches.routes.ts'
import { testCaseImportsRoutes } from './features/test-cases/test-case-imports.routes.ts'
import { caseSettingsRoutes } from './features/test-cases/case-settings.routes.ts'
import { testCasesRoutes } from './features/test-cases/test-cases.routes.ts'
import { leftOutRoutes } from './features/tests/left-out.routes.ts'
import { testsRoutes } from './features/tests/tests.routes.ts'
import { tokensRoutes } from './features/tokens/tokens.routes.ts'
import { uploadsRoutes } from './features/uploads/uploads.routes.ts'
import type { App } from './platform/http/app.ts'

/** Registers the API. */
export function registerRoutes(app: App, deps: Deps): void {
  projectsRoutes(app, deps)
  overviewRoutes(app, deps)
  demoRoutes(app, deps)
  searchRoutes(app, deps)
  foldersRoutes(app, deps)
  testCasesRoutes(app, deps)
  testCaseBatchesRoutes(app, deps)
  caseSettingsRoutes(app, deps)
  duplicatesRoutes(app, deps)
  copiesRoutes(app, deps)
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
