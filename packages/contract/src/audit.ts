import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { CursorPage, CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Nullable, OneOf, Timestamp, TimestampInput, Uuid } from './schemas.ts'
import type { Static } from './static.ts'

/** Every action that the audit log records. New ones may be added. */
export const AUDIT_ACTIONS = [
  'attachment.delete',
  'comment.delete',
  'configuration.create',
  'configuration.delete',
  'configuration.update',
  'field.create',
  'field.delete',
  'field.merge_options',
  'field.restore',
  'field.retire',
  'field.update',
  'file.delete',
  'folder.delete',
  'import.apply',
  'import.delete',
  'import.undo',
  'imported_person.forget',
  'imported_person.join',
  'instance.back_up',
  'instance.distribute',
  'instance.restore',
  'instance.update_settings',
  'invitation.accept',
  'invitation.create',
  'invitation.resend',
  'invitation.revoke',
  'member.add',
  'member.change_role',
  'member.keep_last_admin',
  'member.remove',
  'member.skip_full_project',
  'milestone.delete',
  'password.change',
  'password.reset',
  'project.create',
  'project.delete',
  'project.delete_old_runs',
  'project.delete_old_tests',
  'project.remove_old_files',
  'project.update',
  'project.update_group_roles',
  'quarantine.add',
  'quarantine.change',
  'quarantine.end',
  'recovery_code.use',
  'recovery_codes.create',
  'run.delete',
  'run.exclude',
  'run.include',
  'run.leave_out',
  'run.put_back',
  'run.remove_configurations',
  'run.remove_test_cases',
  'second_factor.add',
  'second_factor.reject',
  'second_factor.remove',
  'session.confirm',
  'session.create',
  'session.end',
  'session.end_by_provider',
  'session.end_others',
  'session.end_password_sessions',
  'session.reject',
  'share.create',
  'share.revoke',
  'shared_step.create',
  'shared_step.delete',
  'shared_step.update',
  'single_sign_on.link',
  'single_sign_on.unlink',
  'test_case.archive',
  'test_case.delete',
  'test_case.merge',
  'test_case.restore',
  'test_case.undo_merge',
  'token.create',
  'token.keep',
  'token.revoke',
  'user.cancel_email_change',
  'user.change_email',
  'user.complete_review',
  'user.create',
  'user.create_reset_link',
  'user.create_sign_in_link',
  'user.delete',
  'user.disable',
  'user.enable',
  'user.end_sessions',
  'user.grant_instance_admin',
  'user.keep_last_instance_admin',
  'user.request_email_change',
  'user.reset_second_factors',
  'user.revoke_tokens',
  'user.update',
  'user.withdraw_instance_admin',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_ACTOR_KINDS = ['user', 'token', 'system'] as const

export const AUDIT_SUBJECT_KINDS = [
  'attachment',
  'comment',
  'configuration',
  'field',
  'folder',
  'import',
  'instance',
  'invitation',
  'milestone',
  'project',
  'quarantine',
  'run',
  'session',
  'share',
  'shared_step',
  'test_case',
  'token',
  'user',
] as const
export type AuditSubjectKind = (typeof AUDIT_SUBJECT_KINDS)[number]

const Actor = Type.Object({
  kind: OneOf(AUDIT_ACTOR_KINDS, {
    description: '`token` is a CI token. `system` is the service itself, or a command on the server.',
  }),
  id: Nullable(Type.String({ description: 'Id of the user or CI token; null for the system.' })),
  name: Type.String({ description: 'Name at that time.' }),
  email: Nullable(Type.String({ description: 'Email address of the user at that time.' })),
  token_id: Nullable(Type.String({ description: 'Personal token that the user sent; null for a session.' })),
  token_name: Nullable(Type.String({ description: 'Name of the personal token.' })),
})

const Subject = Type.Object({
  kind: OneOf(AUDIT_SUBJECT_KINDS, { description: 'Kind of what was changed.' }),
  id: Nullable(Type.String({ description: 'Id of what was changed, which may be deleted; null if it has none.' })),
  name: Type.String({ description: 'Name at that time.' }),
  email: Nullable(Type.String({ description: 'Email address at that time, if the subject is a user.' })),
})

const AuditProject = Type.Object(
  {
    id: Type.String({ description: 'Project id. The project may be deleted.' }),
    name: Type.String({ description: 'Name at that time.' }),
  },
  { description: 'The project of the change; null outside of projects.' },
)

const example = {
  id: '019aa5d1-3c4d-7e5f-8a61-7c8d9e0f1a2b',
  at: '2026-11-21T14:05:00.000Z',
  action: 'member.change_role',
  actor: {
    kind: 'user',
    id: '019aa5b7-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    token_id: null,
    token_name: null,
  },
  subject: { kind: 'user', id: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10', name: 'Mira', email: 'mira@example.com' },
  project: { id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77', name: 'Web shop' },
  address: '203.0.113.7',
  detail: { from: 'viewer', to: 'member' },
}

export const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Entry id.' }),
    at: Timestamp('When the change was made.'),
    action: OneOf(AUDIT_ACTIONS, { description: 'What was done: a noun and a verb.' }),
    actor: Actor,
    subject: Subject,
    project: Nullable(AuditProject),
    address: Nullable(Type.String({ description: 'IP address that the request came from; null for the system.' })),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'More about the change, such as `from` and `to`. Its fields depend on the action.',
    }),
  },
  { examples: [example] },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = Type.Object({
  actor: Type.Optional(Uuid('Return only changes by this user or CI token.')),
  action: Type.Optional(OneOf(AUDIT_ACTIONS, { description: 'Return only changes of this kind.' })),
  from: Type.Optional(TimestampInput('Return only changes at or after this time.')),
  to: Type.Optional(TimestampInput('Return only changes before this time.')),
  format: Type.Optional(
    OneOf(['json', 'csv'], { description: '`csv` returns a CSV file, as `Accept: text/csv` does.' }),
  ),
  ...CursorQuery,
})
export type AuditQuery = Static<typeof AuditQuery>

/** Most rows of one CSV file. */
export const MAX_AUDIT_CSV_ROWS = 100_000

const tags = ['Audit log'] as const
const listResponse = { ...CursorPage(AuditEntry), examples: [{ data: [example], meta: { next_after: null } }] }
const csvDescription =
  'As CSV, it returns up to 100,000 changes at once, whatever `per_page` is; to continue, send the last `id` as `after`.'

export const listProjectAuditLog = {
  method: 'GET',
  url: '/v1/projects/:project_id/audit-log',
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'listProjectAuditLog',
    tags,
    summary: "List a project's audit log",
    description: `Returns who changed members, roles, invitations, CI tokens and settings of the project, and who deleted something in it, newest first. ${csvDescription}`,
    params: ProjectParams,
    querystring: AuditQuery,
    response: { 200: listResponse, ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const listAuditLog = {
  method: 'GET',
  url: '/v1/admin/audit-log',
  config: { permission: 'instance:manage', rateLimit: 'other' },
  schema: {
    operationId: 'listAuditLog',
    tags,
    summary: "List the instance's audit log",
    description: `Returns the changes in all projects, deleted ones too, and those outside of projects: accounts, sign-ins, personal tokens and the administration of the instance. Newest first. ${csvDescription}`,
    querystring: AuditQuery,
    response: { 200: listResponse, ...problems(400, 401, 403, 429) },
  },
} as const satisfies Endpoint
