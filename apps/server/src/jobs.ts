import type { FastifyBaseLogger } from 'fastify'

import { expiredKeysJob } from './access/delete-expired-keys.ts'
import type { Config } from './config.ts'
import { assignmentMail } from './features/assignments/assignment-mail.ts'
import { giveUpWaitingJob } from './features/attachments/give-up-waiting.ts'
import { createAuditRetentionJob } from './features/audit/delete-expired-entries.ts'
import { emailChangeMail } from './features/auth/email-change/email-change-mail.ts'
import { passwordResetMail } from './features/auth/password-reset/password-reset-mail.ts'
import { abandonedSignInsJob } from './features/auth/second-factors/report-abandoned-sign-ins.ts'
import { securityMail } from './features/auth/security-mail/security-mail.ts'
import { mentionMail } from './features/comments/mention-mail.ts'
import { fillDigestsJob } from './features/duplicates/fill-digests.ts'
import { fieldValuesJob } from './features/fields/fill-field-values.ts'
import { deletedFieldsJob } from './features/fields/remove-deleted-values.ts'
import { createCheckJob } from './features/files/check-files.ts'
import { createSweepJob } from './features/files/sweep-files.ts'
import { fillBuildDataJob } from './features/build-data/fill-build-data.ts'
import { evaluateRunJob, settleRunsJob } from './features/evaluation/evaluation-jobs.ts'
import { forgetEvidenceJob } from './features/evaluation/forget-evidence.ts'
import { cleanUpImportsJob } from './features/imports/clean-up-imports.ts'
import { joinImportedPeopleJob } from './features/imported-people/join-imported-people.ts'
import { invitationMail } from './features/invitations/invitation-mail.ts'
import { limitMail } from './features/quarantines/limit-mail.ts'
import { reportJob } from './features/reports/report-job.ts'
import { reportMail } from './features/reports/report-mail.ts'
import { quarantineJob } from './features/quarantines/quarantine-job.ts'
import { quarantineMail } from './features/quarantines/quarantine-mail.ts'
import { insightJob } from './features/insight-days/insight-job.ts'
import { stabilityJob } from './features/stability/stability-job.ts'
import { createRetentionJob } from './features/retention/retention-job.ts'
import { completeQuietRunsJob } from './features/runs/complete-quiet-runs.ts'
import { createCopyFiles } from './features/files/copy-for-backups.ts'
import { createBackupJob } from './platform/backup/scheduled-backups.ts'
import type { MailDefinition } from './platform/jobs/mail-jobs.ts'
import type { QueuedJob } from './platform/jobs/queued-jobs.ts'
import type { ScheduledJob } from './platform/jobs/scheduled-jobs.ts'

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
