import { MAX_RUN_FILES_DAYS } from '@caseward/contract/run-settings'
import { Type } from 'typebox'

import { BACKUP_SCHEDULES } from '../platform/backup/backup-schedules.ts'
import { booleanAliases, defineSetting } from './define-setting.ts'

const formatList = (values: readonly string[]) =>
  `${values
    .slice(0, -1)
    .map((value) => `\`${value}\``)
    .join(', ')} or \`${values.at(-1)}\``

/** How long data is kept, and its backups. */
export const retentionSettings = {
  auditRetentionDays: defineSetting({
    env: 'AUDIT_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: 36_500 }),
    default: 400,
    doc: 'Number of days that entries of the audit log are kept.',
  }),
  runRetentionDays: defineSetting({
    env: 'RUN_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: 36_500 }),
    default: null,
    doc: 'Number of days after which completed runs are deleted with their results; runs are kept when unset.',
  }),
  runFileRetentionDays: defineSetting({
    env: 'RUN_FILE_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: MAX_RUN_FILES_DAYS }),
    default: null,
    doc: 'Number of days after which the files of completed runs are removed; they are kept as long as the run when unset.',
  }),
  testRetentionDays: defineSetting({
    env: 'TEST_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: 36_500 }),
    default: null,
    doc: 'Number of days after which automated tests without link and outcomes are deleted; tests are kept when unset.',
  }),
  backupDir: defineSetting({
    env: 'BACKUP_DIR',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Directory for scheduled backups; none are made when unset. Of several servers, one makes each backup.',
  }),
  backupEvery: defineSetting({
    env: 'BACKUP_EVERY',
    schema: Type.Unsafe<keyof typeof BACKUP_SCHEDULES>({ type: 'string', enum: Object.keys(BACKUP_SCHEDULES) }),
    default: '1d',
    doc: `How often a backup is made, counted from midnight UTC: ${formatList(Object.keys(BACKUP_SCHEDULES))}. \`7d\` is on Sundays.`,
  }),
  backupKeep: defineSetting({
    env: 'BACKUP_KEEP',
    schema: Type.Integer({ minimum: 1, maximum: 10_000 }),
    default: 7,
    doc: 'Number of scheduled backups that are kept; older ones are deleted.',
  }),
  backupFiles: defineSetting({
    env: 'BACKUP_FILES',
    schema: Type.Integer({ minimum: 0, maximum: 1 }),
    default: 0,
    doc: 'Whether scheduled backups contain attached files: `1`, or `0`. They are copied to `BACKUP_DIR/files`, each once for all backups.',
    aliases: booleanAliases,
  }),
}
