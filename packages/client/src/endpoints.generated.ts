// Generated from packages/contract by packages/client/scripts/generate-endpoints.mjs: `npm run generated`.

import type { Endpoint, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'

/** Filters by custom fields: `field.severity`, and `field.risk.min`, `.max` or `.contains`. */
export interface FieldFilters {
  readonly [name: `field.${string}`]: string | number | boolean | readonly string[] | undefined
}

export const REVIEW_ITEM_KINDS = ['second_factor', 'identity', 'ci_token', 'member', 'instance_admin'] as const
export type ReviewItemKind = (typeof REVIEW_ITEM_KINDS)[number]

export interface AccountReview {
  /** When the account was secured; null when there is nothing to check. */
  since: string | null
  /** What to check, the newest first: second factors, identities and CI tokens of any age, members and administrators of the 30 days before. */
  items: ReviewItem[]
}

export interface ReviewItem {
  /** `second_factor`: a second factor of the account. `identity`: a link with single sign-on. `ci_token`: a valid CI token that the user created and no admin has reviewed. `member`: a member who joined with an invitation of the user. `instance_admin`: an instance administrator whom the user made one. */
  kind: ReviewItemKind
  /** Id of the factor, identity, token, or user. */
  id: string
  /** Name, the email address of a user, or the issuer of an identity. */
  name: string
  /** The project of a CI token or member; null for others. */
  project: {
    id: string
    /** Project name. */
    name: string
  } | null
  /** When it was created, linked, invited or granted. */
  created_at: string
}

export interface CompleteAccountReview {
  success: { 204: null }
}

/** Complete the check of your account. */
export const completeAccountReview: Endpoint<CompleteAccountReview> = { method: 'DELETE', url: '/v1/me/review', operationId: 'completeAccountReview', success: { 204: null } }

export interface GetAccountReview {
  success: { 200: { data: AccountReview } }
}

/** List what to check after your account was secured. */
export const getAccountReview: Endpoint<GetAccountReview> = { method: 'GET', url: '/v1/me/review', operationId: 'getAccountReview', success: { 200: ['data{}'] } }

export const TIMELINE_KINDS = ['created', 'updated', 'completed', 'result', 'comment', 'attachment', 'link', 'run', 'rerun'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

export interface TimelineEntry {
  /** When it happened. */
  at: string
  /** `created` and `updated`: the test case or run was created, and last changed. `completed`: the run was. `result`: a status or note was set. `comment`, `attachment` and `link` were added. `run`: a run with the test case was created. `rerun`: a run that repeats this one was. */
  kind: TimelineKind
  /** User id; null for automation. */
  actor: string | null
  detail: {
    /** Id of the comment, attachment, link or run. */
    id: string | null
    /** First line of the note or comment, name of the attachment or run, or label of the link; null for none, and for a comment that was deleted. */
    text: string | null
    /** Of a `result`, and of the test case in a `run`; null for others. */
    status: ResultStatus | null
  }
}

export interface ListResultActivity {
  params: ResultParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of entries per page, up to 50. */
    per_page?: number
  }
  success: {
    200: {
      data: TimelineEntry[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List what happened to a result. */
export const listResultActivity: Endpoint<ListResultActivity> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id/activity', operationId: 'listResultActivity', success: { 200: ['data[]', 'meta{}'] } }

export interface ListRunActivity {
  params: RunParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: TimelineEntry[]; meta: { next_after: string | null } } }
}

/** List what happened to a run. */
export const listRunActivity: Endpoint<ListRunActivity> = { method: 'GET', url: '/v1/runs/:run_id/activity', operationId: 'listRunActivity', success: { 200: ['data[]', 'meta{}'] } }

export interface ListTestCaseActivity {
  params: TestCaseParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: TimelineEntry[]; meta: { next_after: string | null } } }
}

/** List what happened to a test case. */
export const listTestCaseActivity: Endpoint<ListTestCaseActivity> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/activity', operationId: 'listTestCaseActivity', success: { 200: ['data[]', 'meta{}'] } }

export const PROJECT_CREATION = ['everyone', 'instance_admins'] as const
export type ProjectCreation = (typeof PROJECT_CREATION)[number]

export const QUOTAS = ['max_projects_per_user', 'max_members_per_project', 'max_test_cases_per_project', 'max_runs_per_project', 'max_file_bytes_per_project'] as const
export type Quota = (typeof QUOTAS)[number]

export const USER_STATUSES = ['active', 'disabled'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

export interface InstanceSettings {
  /** Who can create projects: every user, or only instance administrators. */
  project_creation: ProjectCreation
  /** Whether the session of a user without a second factor may do nothing but set one up (403 `second_factor_setup_required`). */
  require_second_factor: boolean
  /** Most projects of which a user can be an admin and still create another. */
  max_projects_per_user: number | null
  /** Most members of a project. */
  max_members_per_project: number | null
  /** Most test cases of a project. */
  max_test_cases_per_project: number | null
  /** Most runs of a project. */
  max_runs_per_project: number | null
  /** Most bytes that the files of a project take, each content once. */
  max_file_bytes_per_project: number | null
}

export interface InstanceUser {
  id: string
  /** Display name. */
  name: string
  /** Email address. */
  email: string
  /** Whether the user administers this instance. */
  is_instance_admin: boolean
  /** When the user was disabled; null for an active user. */
  disabled_at: string | null
  /** Whether sign-in asks the user for a second factor. */
  has_second_factor: boolean
  /** Number of active sessions. */
  session_count: number
  /** Number of personal tokens that have not expired. */
  token_count: number
  /** When the user last signed in; null if never. */
  last_sign_in_at: string | null
  /** When a session or personal token was last used, to the minute; null if never. */
  last_seen_at: string | null
  /** When the account was created. */
  created_at: string
}

export interface UpdateInstanceSettingsBody {
  project_creation?: ProjectCreation
  require_second_factor?: boolean
  max_projects_per_user?: number | null
  max_members_per_project?: number | null
  max_test_cases_per_project?: number | null
  max_runs_per_project?: number | null
  max_file_bytes_per_project?: number | null
}

export interface UpdateUserBody {
  /** Disabling ends the sessions of the user, revokes their personal tokens and pending invitations, and refuses their sign-in. */
  disabled?: boolean
  /** Grants or withdraws the administration. */
  is_instance_admin?: boolean
}

export interface DeleteUser {
  params: { user_id: string }
  success: { 204: null }
}

export const deleteUser: Endpoint<DeleteUser> = { method: 'DELETE', url: '/v1/admin/users/:user_id', operationId: 'deleteUser', success: { 204: null } }

export interface EndUserSessions {
  params: { user_id: string }
  success: { 204: null }
}

export const endUserSessions: Endpoint<EndUserSessions> = { method: 'DELETE', url: '/v1/admin/users/:user_id/sessions', operationId: 'endUserSessions', success: { 204: null } }

export interface GetInstanceSettings {
  success: { 200: { data: InstanceSettings } }
}

export const getInstanceSettings: Endpoint<GetInstanceSettings> = { method: 'GET', url: '/v1/admin/settings', operationId: 'getInstanceSettings', success: { 200: ['data{}'] } }

export interface ListUsers {
  query: {
    /** Part of a name or email address, case-insensitive. */
    q?: string
    /** Return only users with this status. */
    status?: UserStatus
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: InstanceUser[]; meta: { next_after: string | null } } }
}

export const listUsers: Endpoint<ListUsers> = { method: 'GET', url: '/v1/admin/users', operationId: 'listUsers', success: { 200: ['data[]', 'meta{}'] } }

export interface ResetSecondFactors {
  params: { user_id: string }
  success: { 204: null }
}

/** Remove all second factors of a user. */
export const resetSecondFactors: Endpoint<ResetSecondFactors> = { method: 'DELETE', url: '/v1/admin/users/:user_id/second-factors', operationId: 'resetSecondFactors', success: { 204: null } }

export interface RevokeUserTokens {
  params: { user_id: string }
  success: { 204: null }
}

/** Revoke all personal tokens of a user. */
export const revokeUserTokens: Endpoint<RevokeUserTokens> = { method: 'DELETE', url: '/v1/admin/users/:user_id/tokens', operationId: 'revokeUserTokens', success: { 204: null } }

export interface UpdateInstanceSettings {
  body: UpdateInstanceSettingsBody
  success: { 200: { data: InstanceSettings } }
}

export const updateInstanceSettings: Endpoint<UpdateInstanceSettings> = { method: 'PATCH', url: '/v1/admin/settings', operationId: 'updateInstanceSettings', success: { 200: ['data{}'] } }

export interface UpdateUser {
  params: { user_id: string }
  body: UpdateUserBody
  success: { 200: { data: InstanceUser } }
}

export const updateUser: Endpoint<UpdateUser> = { method: 'PATCH', url: '/v1/admin/users/:user_id', operationId: 'updateUser', success: { 200: ['data{}'] } }

export interface WorkRun {
  id: string
  /** Project of the run. */
  project_id: string
  project_name: string
  name: string
  /** When the run was created. */
  created_at: string
  /** Number of your results and combinations by status. */
  stats: StatusCounts
}

export interface AssignResults {
  params: RunParams
  body: {
    /** Up to 10,000 results. */
    result_ids: string[]
    /** Who is to test them. */
    user_ids: string[]
    /** Places of configurations of the run: assigns the combinations of the results with these, instead of the results. */
    configurations?: number[]
  }
  success: {
    200: {
      data: {
        /** Number of results, or combinations, that are now assigned as requested. */
        assigned: number
      }
    }
  }
}

/** Assign results to people. */
export const assignResults: Endpoint<AssignResults> = { method: 'POST', url: '/v1/runs/:run_id/results/assign', operationId: 'assignResults', acceptsKey: true, success: { 200: ['data{}'] } }

export interface ListMyWork {
  success: { 200: { data: WorkRun[] } }
}

/** List the runs with results that are assigned to you. */
export const listMyWork: Endpoint<ListMyWork> = { method: 'GET', url: '/v1/me/work', operationId: 'listMyWork', success: { 200: ['data[]'] } }

export const ATTACHMENT_STATES = ['complete', 'waiting', 'never_arrived', 'removed', 'lost'] as const
export type AttachmentState = (typeof ATTACHMENT_STATES)[number]

export const FILE_KINDS = ['other', 'image', 'video', 'audio', 'text', 'trace'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface Attachment {
  id: string
  /** Name of the file. */
  name: string
  /** What the content is; the server decides it from the first bytes, not from the name. */
  kind: FileKind
  /** Media type that the content is served with; null unless it is complete. */
  media_type: string | null
  /** Size of the content in bytes; null if the content was removed. */
  byte_count: number | null
  /** SHA-256 of the content in hexadecimal; null if the content was removed. */
  sha256: string | null
  /** Width of an image in pixels; null for other kinds. */
  width: number | null
  /** Height of an image in pixels; null for other kinds. */
  height: number | null
  /** `complete`: the content is there. `waiting`: an upload declared it, and its content has not arrived. `never_arrived`: it has not arrived within 7 days, or until then. `removed`: the content was removed because of its age. `lost`: the content is missing in the file store. */
  state: AttachmentState
  /** Id of the file, with which its content can be attached to another place without sending it again; null unless it is complete. */
  file_id: string | null
  /** Path of the content on this server; null unless it is complete. */
  url: string | null
  /** Position of the step, from 1; null for the whole place. */
  step: number | null
  /** Place of the combination of the result that it belongs to; null for the whole result. */
  place: number | null
  /** Test at whose attempt it is; null if it was attached to the result or another place. */
  test_id: string | null
  /** `source` of the part of the test that has the attempt; null without an attempt. */
  source: number | null
  /** Number of the attempt within its part, from 1; null without an attempt. */
  attempt: number | null
  /** User id; null if it was attached with a CI token. */
  created_by: string | null
  /** When it was attached or declared. */
  created_at: string
}

export interface AttachFileBody {
  /** Id of a file of the same project, from an attachment. */
  file_id?: string
  /** Name at this place. */
  name?: string
}

export interface PlacedAttachment {
  id: string
  name: string
  kind: FileKind
  media_type: string | null
  byte_count: number | null
  sha256: string | null
  width: number | null
  height: number | null
  state: AttachmentState
  file_id: string | null
  url: string | null
  step: number | null
  place: number | null
  test_id: string | null
  source: number | null
  attempt: number | null
  created_by: string | null
  created_at: string
  /** The test case that it is attached to. */
  test_case_id: string | null
  /** The run that it is attached to, itself or one of its results. */
  run_id: string | null
  /** The result that it is attached to. */
  result_id: string | null
}

export interface AttachToResult {
  params: ResultParams
  query: {
    /** Name of the file, required with a file as body. */
    name?: string
    /** Position of the step, from 1, to attach it to. */
    step?: number
    /** Place of the combination of the result to attach it to; 422 `unknown_combination` if there is none. */
    place?: number
  }
  body: AttachFileBody
  success: { 201: { data: Attachment } }
}

/** Attach a file to a result. */
export const attachToResult: Endpoint<AttachToResult> = { method: 'POST', url: '/v1/runs/:run_id/results/:result_id/attachments', operationId: 'attachToResult', acceptsKey: true, success: { 201: ['data{}'] } }

export interface AttachToRun {
  params: RunParams
  query: { name?: string }
  body: AttachFileBody
  success: { 201: { data: Attachment } }
}

/** Attach a file to a run. */
export const attachToRun: Endpoint<AttachToRun> = { method: 'POST', url: '/v1/runs/:run_id/attachments', operationId: 'attachToRun', acceptsKey: true, success: { 201: ['data{}'] } }

export interface AttachToTestCase {
  params: TestCaseParams
  query: { name?: string; step?: number }
  body: AttachFileBody
  success: { 201: { data: Attachment } }
}

/** Attach a file to a test case. */
export const attachToTestCase: Endpoint<AttachToTestCase> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/attachments', operationId: 'attachToTestCase', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteAttachment {
  params: { project_id: string; attachment_id: string }
  success: { 204: null }
}

export const deleteAttachment: Endpoint<DeleteAttachment> = { method: 'DELETE', url: '/v1/projects/:project_id/attachments/:attachment_id', operationId: 'deleteAttachment', success: { 204: null } }

export interface GetAttachment {
  params: { project_id: string; attachment_id: string }
  success: { 200: { data: PlacedAttachment } }
}

export const getAttachment: Endpoint<GetAttachment> = { method: 'GET', url: '/v1/projects/:project_id/attachments/:attachment_id', operationId: 'getAttachment', success: { 200: ['data{}'] } }

export interface ListResultAttachments {
  params: ResultParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Attachment[]; meta: { next_after: string | null } } }
}

/** List the files of a result. */
export const listResultAttachments: Endpoint<ListResultAttachments> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id/attachments', operationId: 'listResultAttachments', success: { 200: ['data[]', 'meta{}'] } }

export interface ListRunAttachments {
  params: RunParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Attachment[]; meta: { next_after: string | null } } }
}

/** List the files of a run. */
export const listRunAttachments: Endpoint<ListRunAttachments> = { method: 'GET', url: '/v1/runs/:run_id/attachments', operationId: 'listRunAttachments', success: { 200: ['data[]', 'meta{}'] } }

export interface ListTestCaseAttachments {
  params: TestCaseParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Attachment[]; meta: { next_after: string | null } } }
}

/** List the files of a test case. */
export const listTestCaseAttachments: Endpoint<ListTestCaseAttachments> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/attachments', operationId: 'listTestCaseAttachments', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateAttachment {
  params: { project_id: string; attachment_id: string }
  body: {
    /** The new name. */
    name: string
  }
  success: { 200: { data: Attachment } }
}

/** Rename an attachment. */
export const updateAttachment: Endpoint<UpdateAttachment> = { method: 'PATCH', url: '/v1/projects/:project_id/attachments/:attachment_id', operationId: 'updateAttachment', success: { 200: ['data{}'] } }

export const AUDIT_ACTIONS = ['attachment.delete', 'comment.delete', 'configuration.create', 'configuration.delete', 'configuration.update', 'field.create', 'field.delete', 'field.merge_options', 'field.restore', 'field.retire', 'field.update', 'file.delete', 'folder.delete', 'import.apply', 'import.delete', 'import.undo', 'imported_person.forget', 'imported_person.join', 'instance.back_up', 'instance.distribute', 'instance.restore', 'instance.update_settings', 'invitation.accept', 'invitation.create', 'invitation.resend', 'invitation.revoke', 'member.add', 'member.change_role', 'member.keep_last_admin', 'member.remove', 'member.skip_full_project', 'milestone.delete', 'password.change', 'password.reset', 'project.create', 'project.delete', 'project.delete_old_runs', 'project.delete_old_tests', 'project.remove_old_files', 'project.update', 'project.update_group_roles', 'quarantine.add', 'quarantine.change', 'quarantine.end', 'recovery_code.use', 'recovery_codes.create', 'run.delete', 'run.exclude', 'run.include', 'run.leave_out', 'run.put_back', 'run.remove_configurations', 'run.remove_test_cases', 'second_factor.add', 'second_factor.reject', 'second_factor.remove', 'session.confirm', 'session.create', 'session.end', 'session.end_by_provider', 'session.end_others', 'session.end_password_sessions', 'session.reject', 'share.create', 'share.revoke', 'shared_step.create', 'shared_step.delete', 'shared_step.update', 'single_sign_on.link', 'single_sign_on.unlink', 'test_case.archive', 'test_case.delete', 'test_case.merge', 'test_case.restore', 'test_case.undo_merge', 'token.create', 'token.keep', 'token.revoke', 'user.cancel_email_change', 'user.change_email', 'user.complete_review', 'user.create', 'user.create_reset_link', 'user.create_sign_in_link', 'user.delete', 'user.disable', 'user.enable', 'user.end_sessions', 'user.grant_instance_admin', 'user.keep_last_instance_admin', 'user.request_email_change', 'user.reset_second_factors', 'user.revoke_tokens', 'user.update', 'user.withdraw_instance_admin'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_ACTOR_KINDS = ['user', 'token', 'system'] as const
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number]

export const AUDIT_SUBJECT_KINDS = ['attachment', 'comment', 'configuration', 'field', 'folder', 'import', 'instance', 'invitation', 'milestone', 'project', 'quarantine', 'run', 'session', 'share', 'shared_step', 'test_case', 'token', 'user'] as const
export type AuditSubjectKind = (typeof AUDIT_SUBJECT_KINDS)[number]

export interface AuditEntry {
  id: string
  /** When the change was made. */
  at: string
  /** What was done: a noun and a verb. */
  action: AuditAction
  actor: {
    /** `token` is a CI token. `system` is the service itself, or a command on the server. */
    kind: AuditActorKind
    /** Id of the user or CI token; null for the system. */
    id: string | null
    /** Name at that time. */
    name: string
    /** Email address of the user at that time. */
    email: string | null
    /** Personal token that the user sent; null for a session. */
    token_id: string | null
    /** Name of the personal token. */
    token_name: string | null
  }
  subject: {
    /** Kind of what was changed. */
    kind: AuditSubjectKind
    /** Id of what was changed, which may be deleted; null if it has none. */
    id: string | null
    name: string
    /** Email address at that time, if the subject is a user. */
    email: string | null
  }
  /** The project of the change; null outside of projects. */
  project: {
    /** Project id. */
    id: string
    name: string
  } | null
  /** IP address that the request came from; null for the system. */
  address: string | null
  /** More about the change, such as `from` and `to`. */
  detail: { [k: string]: unknown }
}

export interface AuditQuery {
  /** Return only changes by this user or CI token. */
  actor?: string
  /** Return only changes of this kind. */
  action?: AuditAction
  /** Return only changes at or after this time. */
  from?: string
  /** Return only changes before this time. */
  to?: string
  /** `csv` returns a CSV file, as `Accept: text/csv` does. */
  format?: 'json' | 'csv'
  after?: string
  per_page?: number
}

export interface ListAuditLog {
  query: AuditQuery
  success: { 200: { data: AuditEntry[]; meta: { next_after: string | null } } }
}

/** List the instance's audit log. */
export const listAuditLog: Endpoint<ListAuditLog> = { method: 'GET', url: '/v1/admin/audit-log', operationId: 'listAuditLog', success: { 200: ['data[]', 'meta{}'] } }

export interface ListProjectAuditLog {
  params: ProjectParams
  query: AuditQuery
  success: { 200: { data: AuditEntry[]; meta: { next_after: string | null } } }
}

/** List a project's audit log. */
export const listProjectAuditLog: Endpoint<ListProjectAuditLog> = { method: 'GET', url: '/v1/projects/:project_id/audit-log', operationId: 'listProjectAuditLog', success: { 200: ['data[]', 'meta{}'] } }

export interface BulkResultError {
  /** Test case id in the request, or the name of a test without an id. */
  test_case_id: string
  /** Why the result was not stored. */
  error: string
  /** The reason as a stable code, for programs. */
  code:
    | 'not_in_run'
    | 'no_test_case_id'
    | 'ambiguous'
    | 'newer_result'
    | 'too_many_ids'
    | 'suite_error'
    | 'invalid_junit_xml'
    | 'unknown_step'
    | 'step_results_too_large'
    | 'no_such_combination'
  /** The newer result that was kept, with the first 1,000 characters of its note; only with `newer_result`. */
  current?: TestResult
}

export interface BulkResultItem {
  /** Test case id, such as `WEB-12`; it must be in the run. */
  test_case_id: string
  status: ResultStatus
  /** Comment or error message; truncated to 65,536 characters. */
  note?: string | null
  /** Duration in whole seconds. */
  elapsed?: number | null
  /** Results of steps. */
  steps?: StepChange[]
  /** Sets only this combination of the result, and its status follows from all of them. */
  place?: number
  /** `tested_at` of the result that the caller has seen; null if it was not set. If the result is newer, it is kept. Without it, the result is overwritten. A request that is repeated with the same values is stored again. */
  base_tested_at?: string | null
  /** The version of the test case that was tested. */
  case_version?: number
  /** Values of the custom fields of results by their keys. */
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
}

export interface BulkUpdateResults {
  params: RunParams
  body: {
    /** Up to 10,000 results. */
    results: BulkResultItem[]
  }
  success: {
    /** All results were stored. */
    200: {
      data: {
        /** Number of test cases whose result was stored. */
        updated: number
        results: { test_case_id: string; status: ResultStatus }[]
      }
    }
    /** Some results were not stored; `errors` lists them with the reasons. */
    207: {
      data: { updated: number; results: { test_case_id: string; status: ResultStatus }[]; errors: BulkResultError[] }
    }
  }
}

/** Set up to 10,000 results. */
export const bulkUpdateResults: Endpoint<BulkUpdateResults> = { method: 'POST', url: '/v1/runs/:run_id/results/bulk', operationId: 'bulkUpdateResults', acceptsKey: true, success: { 200: ['data{}'], 207: ['data{}'] } }

export const ALIAS_SYSTEMS = ['testrail', 'qase', 'xray', 'zephyr-scale', 'zephyr-squad', 'testlink', 'testomat', 'azure', 'kiwi', 'practitest', 'allure', 'testmo', 'testplanit', 'qtest', 'squash', 'testcaselab', 'sheet'] as const
export type AliasSystem = (typeof ALIAS_SYSTEMS)[number]

export interface CaseAlias {
  /** The tool. */
  system: AliasSystem
  /** The project of the tool, such as its code or name: two projects can have the same ids. */
  source: string
  /** The id there, such as `C4711` or `EWB-T12`. */
  key: string
}

export interface FoundAlias {
  test_case_id: string
  system: AliasSystem
  source: string
  key: string
}

export interface FindCaseAliases {
  params: ProjectParams
  query: {
    /** The id, such as `C4711`. */
    key: string
  }
  success: { 200: { data: FoundAlias[] } }
}

/** Find test cases by an id of another tool. */
export const findCaseAliases: Endpoint<FindCaseAliases> = { method: 'GET', url: '/v1/projects/:project_id/case-aliases', operationId: 'findCaseAliases', success: { 200: ['data[]'] } }

export interface ListCaseAliases {
  params: TestCaseParams
  success: { 200: { data: CaseAlias[] } }
}

/** List the ids of a test case in other tools. */
export const listCaseAliases: Endpoint<ListCaseAliases> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/aliases', operationId: 'listCaseAliases', success: { 200: ['data[]'] } }

export interface ReplaceCaseAliases {
  params: TestCaseParams
  body: {
    /**
     */
    aliases: CaseAlias[]
  }
  success: { 200: { data: CaseAlias[] } }
}

/** Replace the ids of a test case in other tools. */
export const replaceCaseAliases: Endpoint<ReplaceCaseAliases> = { method: 'PUT', url: '/v1/projects/:project_id/test-cases/:test_case_id/aliases', operationId: 'replaceCaseAliases', success: { 200: ['data[]'] } }

export interface CaseSettings {
  /** The template of new test cases that do not say theirs: a list of `steps`, or one `text`. */
  default_template: Template
  /** Whether an id of another tool decides where a test names one of this project in the same place, and they belong to two test cases. */
  aliases_first: boolean
}

export interface GetCaseSettings {
  params: ProjectParams
  success: { 200: { data: CaseSettings } }
}

/** Get how test cases are written. */
export const getCaseSettings: Endpoint<GetCaseSettings> = { method: 'GET', url: '/v1/projects/:project_id/case-settings', operationId: 'getCaseSettings', success: { 200: ['data{}'] } }

export interface UpdateCaseSettings {
  params: ProjectParams
  body: { default_template?: Template; aliases_first?: boolean }
  success: { 200: { data: CaseSettings } }
}

/** Change how test cases are written. */
export const updateCaseSettings: Endpoint<UpdateCaseSettings> = { method: 'PATCH', url: '/v1/projects/:project_id/case-settings', operationId: 'updateCaseSettings', success: { 200: ['data{}'] } }

export const SKIP_REASONS = ['not_found', 'not_a_member', 'retired', 'in_use', 'required', 'invalid'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const VERSION_SOURCES = ['web', 'api', 'import', 'bulk', 'restore', 'shared_step', 'review', 'merge'] as const
export type VersionSource = (typeof VERSION_SOURCES)[number]

export interface CaseVersion {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  priority: Priority
  /** Type of test. */
  type: TestCaseType
  /** Conditions that must be met before the test. */
  precondition: string
  /** Steps in order. */
  steps: Step[]
  /** Expected result of the whole test case. */
  expected_result: string
  /** How it is written and shown: as a list of `steps`, or as one `text`. */
  template: Template
  tags: string[]
  /** All keys that match automated tests to the test case; `automation_key` is the first. */
  automation_keys: string[]
  /** User id of who keeps the test case up to date; null for nobody. */
  owner_id: string | null
  /** How long the test takes in seconds; null if it is not estimated. */
  estimate: number | null
  /** Key that matches automated tests to the test case if they have no test case id; null for none. */
  automation_key: string | null
  /** User id of the author; null if unknown. */
  created_by: string | null
  /** Number of the version. */
  version: number
  /** When the test case was created. */
  created_at: string
  /** Values of the custom fields by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** Which of the steps come from shared steps, in order; absent if none do. */
  step_groups?: StepGroup[]
  /** When it was saved, of several saves the last one; null if it is from before versions were kept. */
  changed_at: string | null
  /** User id of the author; null if unknown. */
  changed_by: string | null
  /** How it was saved: in the browser (`web`), by the API with a token (`api`), by an import, with many test cases at once (`bulk`), by a change of a shared step, or by restoring an earlier version. */
  via: VersionSource | null
  /** Names of the fields that differ from the version before, such as `title`, or `fields.severity` for a custom field; those of deleted fields are `fields`. */
  changed: string[]
  /** What the author said about the change. */
  summary: string | null
}

export interface CaseVersionEntry {
  version: number
  changed_at: string | null
  changed_by: string | null
  via: VersionSource | null
  changed: string[]
  summary: string | null
}

export interface RestoredTestCase {
  id: string
  title: string
  folder_id: string | null
  priority: Priority
  type: TestCaseType
  precondition: string
  steps: Step[]
  expected_result: string
  template: Template
  tags: string[]
  automation_keys: string[]
  owner_id: string | null
  estimate: number | null
  automation_key: string | null
  created_by: string | null
  /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. */
  position: string
  /** Number of changes of the fields, from 1. */
  version: number
  /** When the test case was archived; null if it is not. */
  archived_at: string | null
  created_at: string
  /** When the test case last changed. */
  updated_at: string
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  step_groups?: StepGroup[]
  /** The test case that this archived one was merged into, where its id leads; absent if it was not merged. */
  merged_into?: string
  /** What could not be restored, and stays as it is. */
  skipped: {
    /** Name of the field, such as `folder_id` or `fields.severity`. */
    field: string
    /** `not_found`: the folder, option or shared step was deleted; steps of a shared step (`step_groups`) are restored as the test case's own. `not_a_member`: the person left. `retired`: the field or option is retired. `in_use`: another test case has the automation key. `required`: the field must have a value now. `invalid`: the field has other limits now. */
    reason: SkipReason
  }[]
}

export interface VersionParams {
  project_id: string
  /** Test case id, such as `WEB-12`. */
  test_case_id: string
  version: string
}

export interface GetCaseVersion {
  params: VersionParams
  success: { 200: { data: CaseVersion } }
}

/** Get a version of a test case. */
export const getCaseVersion: Endpoint<GetCaseVersion> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/versions/:version', operationId: 'getCaseVersion', success: { 200: ['data{}'] } }

export interface ListCaseVersions {
  params: TestCaseParams
  query: { after?: number }
  success: { 200: { data: CaseVersionEntry[]; meta: { next_after: number | null } } }
}

/** List the versions of a test case. */
export const listCaseVersions: Endpoint<ListCaseVersions> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/versions', operationId: 'listCaseVersions', success: { 200: ['data[]', 'meta{}'] } }

export interface RestoreCaseVersion {
  params: VersionParams
  body: {
    /** What was changed and why, for the list of versions; up to 500 characters. */
    summary?: string | null
  }
  success: { 200: { data: RestoredTestCase } }
}

/** Restore a version of a test case. */
export const restoreCaseVersion: Endpoint<RestoreCaseVersion> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/versions/:version/restore', operationId: 'restoreCaseVersion', acceptsKey: true, success: { 200: ['data{}'] } }

export interface Combination {
  /** Result that it belongs to. */
  result_id: string
  /** Test case id; null if the test case was deleted. */
  test_case_id: string | null
  /** Place within the result, which never changes. */
  place: number
  /** Place of the configuration in the run. */
  configuration: number
  /** Name of the configuration. */
  name: string
  status: ResultStatus
  /** Comment or error message. */
  note: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** User id; null if the result was set with a CI token. */
  tested_by: string | null
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string | null
  /** User id of the person who is to test it; null if it is nobody in particular. */
  assigned_to: string | null
  /** Status that follows from its steps; null without results of steps. */
  step_state: ResultStatus | null
  /** Results of its steps, by position: in the list of a result, and when one is set. */
  steps?: StepResult[]
  /** The same by position in `tested_case`, which the result has when the test case says something else now. */
  tested_steps?: StepResult[]
}

export interface CombinationRow {
  id: string
  /** When the newest of them was tested; null if none was. */
  tested_at: string | null
  /** Places within the result. */
  places: number[]
  /** Places of their configurations in the run. */
  configurations: number[]
  /** Their statuses. */
  statuses: ResultStatus[]
  /** User ids of the people who are to test them; absent if none is assigned. */
  assigned_to?: (string | null)[]
}

export interface ChangeRunConfigurations {
  params: RunParams
  body: {
    /** What the test cases are tested with: each gets a result per combination, and its own status follows from them. */
    add?: NewRunConfigurations
    /** Places of configurations of the run. */
    remove?: number[]
  }
  success: { 200: { data: Run } }
}

/** Add or remove configurations of a run. */
export const changeRunConfigurations: Endpoint<ChangeRunConfigurations> = { method: 'PATCH', url: '/v1/runs/:run_id/configurations', operationId: 'changeRunConfigurations', success: { 200: ['data{}'] } }

export interface DeleteCombination {
  params: {
    run_id: string
    /** Result id, or test case id such as `WEB-12`. */
    result_id: string
    /** Place of the combination. */
    place: string
  }
  success: { 200: Message }
}

/** Delete a combination of a result. */
export const deleteCombination: Endpoint<DeleteCombination> = { method: 'DELETE', url: '/v1/runs/:run_id/results/:result_id/combinations/:place', operationId: 'deleteCombination', success: { 200: ['message'] } }

export interface ListCombinationRows {
  params: RunParams
  query: {
    /** Return only results that changed since this time (or up to ten seconds before). */
    changed_since?: string
    after?: string
    /** Number of results per page. */
    per_page?: number
  }
  success: {
    200: {
      data: CombinationRow[]
      meta: {
        /** Number of results with combinations on all pages. */
        total: number
        next_after: string | null
      }
    }
  }
}

/** List the combinations of a run, a row per result. */
export const listCombinationRows: Endpoint<ListCombinationRows> = { method: 'GET', url: '/v1/runs/:run_id/combination-rows', operationId: 'listCombinationRows', success: { 200: ['data[]', 'meta{}'] } }

export interface ListCombinations {
  params: RunParams
  query: {
    /** Return only results with this status, or with one of these statuses if the parameter is repeated. */
    status?: ResultStatus | readonly ResultStatus[]
    /** Return only those of this configuration of the run. */
    configuration?: number
    /** Return only those that are assigned to this user; `me` for the caller, `nobody` for no one. */
    assigned_to?: string
    /** Return only those of this result. */
    result_id?: string
    /** Return only those with a note. */
    has_note?: 'true'
    /** Return what comes after this one: `next_after` of the page before. */
    after?: string
  }
  success: {
    200: {
      data: Combination[]
      meta: {
        /** Cursor of the next page. */
        next_after: string | null
      }
    }
  }
}

/** List the combinations of a run. */
export const listCombinations: Endpoint<ListCombinations> = { method: 'GET', url: '/v1/runs/:run_id/combinations', operationId: 'listCombinations', success: { 200: ['data[]', 'meta{}'] } }

export interface ListResultCombinations {
  params: ResultParams
  success: { 200: { data: Combination[] } }
}

export const listResultCombinations: Endpoint<ListResultCombinations> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id/combinations', operationId: 'listResultCombinations', success: { 200: ['data[]'] } }

export interface SetCombination {
  params: { run_id: string; result_id: string; place: string }
  body: {
    status?: ResultStatus
    note?: string | null
    elapsed?: number | null
    /**
     */
    steps?: StepChange[]
    base_tested_at?: string | null
    case_version?: number
  }
  success: { 200: { data: Combination } }
}

/** Set a combination of a result. */
export const setCombination: Endpoint<SetCombination> = { method: 'PUT', url: '/v1/runs/:run_id/results/:result_id/combinations/:place', operationId: 'setCombination', success: { 200: ['data{}'] } }

export interface Comment {
  id: string
  /** The text, in Markdown; null if the comment was deleted. */
  body: string | null
  /** User id of the author. */
  created_by: string
  /** When the comment was written. */
  created_at: string
  /** When the author last changed it; null if never. */
  edited_at: string | null
  /** When it was deleted; null if it was not. */
  deleted_at: string | null
  /** User id of who deleted it. */
  deleted_by: string | null
  /** What was attached for the comment, and the other attachments that its text shows. */
  attachments: Attachment[]
}

export interface CommentBody {
  /** The text, in Markdown. */
  body: string
  /** What the caller has attached to the same test case, run or result for this comment. */
  attachment_ids?: string[]
}

export interface CommentVersion {
  body: string
  /** When the author changed it. */
  replaced_at: string
}

export interface CreateResultComment {
  params: ResultParams
  body: CommentBody
  success: { 201: { data: Comment } }
}

/** Comment on a result. */
export const createResultComment: Endpoint<CreateResultComment> = { method: 'POST', url: '/v1/runs/:run_id/results/:result_id/comments', operationId: 'createResultComment', acceptsKey: true, success: { 201: ['data{}'] } }

export interface CreateRunComment {
  params: RunParams
  body: CommentBody
  success: { 201: { data: Comment } }
}

/** Comment on a run. */
export const createRunComment: Endpoint<CreateRunComment> = { method: 'POST', url: '/v1/runs/:run_id/comments', operationId: 'createRunComment', acceptsKey: true, success: { 201: ['data{}'] } }

export interface CreateTestCaseComment {
  params: TestCaseParams
  body: CommentBody
  success: { 201: { data: Comment } }
}

/** Comment on a test case. */
export const createTestCaseComment: Endpoint<CreateTestCaseComment> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/comments', operationId: 'createTestCaseComment', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteComment {
  params: { project_id: string; comment_id: string }
  success: { 204: null }
}

export const deleteComment: Endpoint<DeleteComment> = { method: 'DELETE', url: '/v1/projects/:project_id/comments/:comment_id', operationId: 'deleteComment', success: { 204: null } }

export interface ListCommentVersions {
  params: { project_id: string; comment_id: string }
  success: { 200: { data: CommentVersion[] } }
}

/** List the earlier texts of a comment. */
export const listCommentVersions: Endpoint<ListCommentVersions> = { method: 'GET', url: '/v1/projects/:project_id/comments/:comment_id/versions', operationId: 'listCommentVersions', success: { 200: ['data[]'] } }

export interface ListResultComments {
  params: ResultParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Comment[]; meta: { next_after: string | null } } }
}

/** List the comments on a result. */
export const listResultComments: Endpoint<ListResultComments> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id/comments', operationId: 'listResultComments', success: { 200: ['data[]', 'meta{}'] } }

export interface ListRunComments {
  params: RunParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Comment[]; meta: { next_after: string | null } } }
}

/** List the comments on a run. */
export const listRunComments: Endpoint<ListRunComments> = { method: 'GET', url: '/v1/runs/:run_id/comments', operationId: 'listRunComments', success: { 200: ['data[]', 'meta{}'] } }

export interface ListTestCaseComments {
  params: TestCaseParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Comment[]; meta: { next_after: string | null } } }
}

/** List the comments on a test case. */
export const listTestCaseComments: Endpoint<ListTestCaseComments> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/comments', operationId: 'listTestCaseComments', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateComment {
  params: { project_id: string; comment_id: string }
  body: CommentBody
  success: { 200: { data: Comment } }
}

/** Change a comment. */
export const updateComment: Endpoint<UpdateComment> = { method: 'PATCH', url: '/v1/projects/:project_id/comments/:comment_id', operationId: 'updateComment', success: { 200: ['data{}'] } }

export const CONFIGURATION_SCOPES = ['project', 'instance'] as const
export type ConfigurationScope = (typeof CONFIGURATION_SCOPES)[number]

export interface Configuration {
  id: string
  /** Whether it is one of the project, or of the whole instance: its administrators change it. */
  scope: ConfigurationScope
  group_key: string
  /** Name of its group, such as Browser. */
  group_name: string
  /** Key within its group. */
  key: string
  /** Name, such as Chrome. */
  name: string
  /** Variants of automated tests that are results of it. */
  variants: string[]
  /** Place within its group, from 1; 0 if it is retired. */
  position: number
  /** When it was retired; null if it is in use. */
  retired_at: string | null
}

export interface ConfigurationParams {
  project_id: string
  configuration_id: string
}

export interface CreateConfigurationBody {
  /** Key of the group, which is created with its first configuration. */
  group_key: string
  /** Name of the group: required for its first configuration. */
  group_name?: string
  /** Key, different for each configuration of the group. */
  key: string
  /** Name, different for each configuration of the group. */
  name: string
  /** Up to 20 variants of automated tests, such as the name of a Playwright project: their results are results of this configuration. */
  variants?: string[]
}

export interface UpdateConfigurationBody {
  name?: string
  /** Name of the group, which all its configurations share. */
  group_name?: string
  /**
   */
  variants?: string[]
  /** New place within its group, from 1; the others make room. */
  position?: number
  /** Whether it is taken out of use: new runs cannot have it. */
  retired?: boolean
}

export interface CreateConfiguration {
  params: ProjectParams
  body: CreateConfigurationBody
  success: { 201: { data: Configuration } }
}

/** Add a configuration. */
export const createConfiguration: Endpoint<CreateConfiguration> = { method: 'POST', url: '/v1/projects/:project_id/configurations', operationId: 'createConfiguration', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteConfiguration {
  params: ConfigurationParams
  success: { 204: null }
}

export const deleteConfiguration: Endpoint<DeleteConfiguration> = { method: 'DELETE', url: '/v1/projects/:project_id/configurations/:configuration_id', operationId: 'deleteConfiguration', success: { 204: null } }

export interface ListConfigurations {
  params: ProjectParams
  query: {
    /** Which configurations to return: `any` by default. */
    retired?: 'true' | 'false' | 'any'
  }
  success: {
    200: {
      data: Configuration[]
      meta: {
        /** Number of configurations in the list. */
        total: number
      }
    }
  }
}

/** List the configurations of a project. */
export const listConfigurations: Endpoint<ListConfigurations> = { method: 'GET', url: '/v1/projects/:project_id/configurations', operationId: 'listConfigurations', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateConfiguration {
  params: ConfigurationParams
  body: UpdateConfigurationBody
  success: { 200: { data: Configuration } }
}

/** Change a configuration. */
export const updateConfiguration: Endpoint<UpdateConfiguration> = { method: 'PATCH', url: '/v1/projects/:project_id/configurations/:configuration_id', operationId: 'updateConfiguration', success: { 200: ['data{}'] } }

export const CONFIRMATION_METHODS = ['password', 'totp', 'passkey', 'recovery_code', 'single_sign_on'] as const
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number]

export interface ConfirmBody {
  /** Password of the account. */
  password?: string
  /** Code that the authenticator app shows, 6 digits. */
  totp_code?: string
  /** What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeyCompletion` or `startPasskeyConfirmation`. */
  passkey?: {
    /** Id of the credential. */
    id: string
    response: {
      /** What the browser signed. */
      clientDataJSON: string
      /** What the authenticator signed. */
      authenticatorData: string
      /** The signature. */
      signature: string
    }
  }
  /** A recovery code, which is used up. */
  recovery_code?: string
}

export interface ConfirmSession {
  body: ConfirmBody
  success: {
    200: {
      data: {
        /** Until when the session does not have to confirm again. */
        confirmed_until: string
      }
    }
  }
}

/** Confirm who you are. */
export const confirmSession: Endpoint<ConfirmSession> = { method: 'POST', url: '/v1/session/confirm', operationId: 'confirmSession', acceptsKey: true, success: { 200: ['data{}'] } }

export const COPY_SKIP_REASONS = ['not_found', 'other_type', 'retired', 'invalid', 'not_a_member', 'other_project', 'shortened', 'lost', 'too_large', 'quota'] as const
export type CopySkipReason = (typeof COPY_SKIP_REASONS)[number]

export interface Copies {
  /** Number of copies. */
  created: number
  /** Project of the copies. */
  project_id: string
  /** The copies, in their order. */
  test_cases: {
    id: string
    title: string
    /** Test case id of the original. */
    copy_of: string
  }[]
  /** What the copies lack because it has no place there. */
  skipped: SkippedPart[]
}

export interface CopyTestCaseBody {
  /** Number of copies, 1 to 50. */
  count?: number
  /** Folder of the copies; null for the top level. */
  folder_id?: string | null
  /** Project of the copies, which requires the same permission there. */
  project_id?: string
}

export interface CopyTestCasesBody {
  /** Test cases to copy, up to 100; one copy of each, in this order. */
  test_case_ids: string[]
  folder_id?: string | null
  project_id?: string
}

export interface SkippedPart {
  /** The original. */
  test_case_id: string
  /** What the copies lack: `owner_id`, `step_groups`, `attachments`, `title`, or a field such as `fields.severity`. */
  field: string
  /** `not_found`: the other project has no such field or option. `other_type`: its field has another type. `retired`: the field or option is retired. `invalid`: the field has other limits. `not_a_member`: the person is no member there who edits. `other_project`: steps of a shared step (`step_groups`) are steps of the copy's own. `shortened`: the title with a number would be too long. Of files: `lost`: the content is gone; `too_large`: more than 100 MB for one request; `quota`: the other project has no room. */
  reason: CopySkipReason
  /** Which of several: key of an option, or name of a file. */
  value?: string
}

export interface CopyTestCase {
  params: TestCaseParams
  body: CopyTestCaseBody
  success: { 201: { data: Copies } }
}

export const copyTestCase: Endpoint<CopyTestCase> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/copies', operationId: 'copyTestCase', acceptsKey: true, success: { 201: ['data{}'] } }

export interface CopyTestCases {
  params: ProjectParams
  body: CopyTestCasesBody
  success: { 201: { data: Copies } }
}

/** Copy up to 100 test cases. */
export const copyTestCases: Endpoint<CopyTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/bulk-copy', operationId: 'copyTestCases', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeclaredAttachment {
  name: string
  /** SHA-256 of the content: 64 hexadecimal digits. */
  sha256: string
  /** Size of the content in bytes. */
  byte_count: number
  /** What the client takes it for. */
  kind?: FileKind
}

export interface ReportFile {
  /** Path or name as the report writes it. */
  path: string
  sha256: string
  byte_count: number
  /** Path of the report that names it, as in `reports`; without it, all reports of the upload. */
  report?: string
}

export interface CreateDemoProject {
  success: { 201: { data: Project } }
}

export const createDemoProject: Endpoint<CreateDemoProject> = { method: 'POST', url: '/v1/projects/demo', operationId: 'createDemoProject', acceptsKey: true, success: { 201: ['data{}'] } }

export const DRIFT_KINDS = ['gone', 'unmatched', 'twice', 'moved', 'title', 'by_hand'] as const
export type DriftKind = (typeof DRIFT_KINDS)[number]

export interface DriftItem {
  /** The test; of `twice` up to 10 that claim the test case; of `moved` the gone test and the new one; none for `by_hand`. */
  tests: NamedTest[]
  /** The linked test case; of `unmatched` the one with the most similar title, if there is one. */
  test_case: { id: string; title: string } | null
  /** Day (UTC) of the newest settled run with the first test. */
  last_seen_on: string | null
  /** Suite of that run. */
  series: string | null
  /** How similar the titles are, 0 to 1, where that was compared. */
  similarity: number | null
  /** Of `twice`: places with tests of the test case. */
  count: number | null
}

export interface ContinueTest {
  params: {
    project_id: string
    /** The newer test. */
    test_id: string
  }
  body: {
    /** The earlier test. */
    from_test_id: string
  }
  success: { 200: { data: ProjectTest } }
}

/** Continue a test that was renamed or moved. */
export const continueTest: Endpoint<ContinueTest> = { method: 'POST', url: '/v1/projects/:project_id/tests/:test_id/continue', operationId: 'continueTest', acceptsKey: true, success: { 200: ['data{}'] } }

export interface ListDrift {
  params: ProjectParams
  query: {
    /** What is listed. */
    kind: DriftKind
    after?: number
    per_page?: number
  }
  success: {
    200: {
      data: DriftItem[]
      meta: {
        /** Items of this kind; 500 if there may be more. */
        total: number
        next_after: number | null
        /** Of `gone` and `moved`: the day (UTC) of the first settled run, if no suite has 10 of them yet, so that nothing can be said; null else. */
        too_early_since: string | null
      }
    }
  }
}

/** List what drifts apart. */
export const listDrift: Endpoint<ListDrift> = { method: 'GET', url: '/v1/projects/:project_id/drift', operationId: 'listDrift', success: { 200: ['data[]', 'meta{}'] } }

export const SIMILARITY_KINDS = ['content', 'title', 'similar'] as const
export type SimilarityKind = (typeof SIMILARITY_KINDS)[number]

export interface DuplicateGroup {
  /** Number of test cases with this title. */
  count: number
  /** The test cases, up to 20. */
  test_cases: DuplicateTestCase[]
}

export interface DuplicateTestCase {
  id: string
  title: string
  folder_id: string | null
  updated_at: string
  /** Those of a group with the same number have the same title and steps; the others only the same title. */
  content: number
}

export interface SimilarBody {
  title: string
  /** Steps in order; an item with `shared_step_id` stands for the steps of a shared step. */
  steps?: StepInput[]
}

export interface SimilarForTests {
  /** Title of the test case that would be created. */
  title: string
  /** The tests that would share it. */
  tests: {
    id: string
    /** Name of the test. */
    name: string
  }[]
  /** Test cases that are like it, up to 3, the most similar first. */
  similar: SimilarTestCase[]
}

/** Either `test_ids` or `all_unmatched_of_run` is required. */
export interface SimilarForTestsBody {
  /** Tests to compare; linked ones are left out. */
  test_ids?: string[]
  /** Run id: compare all tests of this run that match no test case. */
  all_unmatched_of_run?: string
  /** `next_after` of the previous response; the first tests without it. */
  after?: string
}

export interface SimilarTestCase {
  id: string
  title: string
  folder_id: string | null
  /** What is the same: title and steps (`content`), the `title`, or most of it (`similar`). */
  same: SimilarityKind
  /** Similarity of the titles by the groups of three letters in them, 0 to 1. */
  similarity: number
}

export interface FindSimilarForTests {
  params: ProjectParams
  /** Either `test_ids` or `all_unmatched_of_run` is required. */
  body: SimilarForTestsBody
  success: {
    200: {
      data: SimilarForTests[]
      meta: {
        /** Number of tests without a test case that were compared. */
        compared: number
        /** Number of tests that are left for another request. */
        remaining: number
        /** Cursor of the next request; null if nothing is left. */
        next_after: string | null
        /** Whether all test cases of the project were compared; else more may be similar. */
        is_complete: boolean
      }
    }
  }
}

/** Find test cases that are like those that tests would get. */
export const findSimilarForTests: Endpoint<FindSimilarForTests> = { method: 'POST', url: '/v1/projects/:project_id/tests/similar-test-cases', operationId: 'findSimilarForTests', acceptsKey: true, success: { 200: ['data[]', 'meta{}'] } }

export interface FindSimilarTestCases {
  params: ProjectParams
  body: SimilarBody
  success: {
    200: {
      data: SimilarTestCase[]
      meta: {
        /** Whether all test cases with those words were looked at; else more may be similar. */
        is_complete: boolean
      }
    }
  }
}

/** Find test cases that are like a new one. */
export const findSimilarTestCases: Endpoint<FindSimilarTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/similar', operationId: 'findSimilarTestCases', acceptsKey: true, success: { 200: ['data[]', 'meta{}'] } }

export interface ListDuplicates {
  params: ProjectParams
  query: { after?: string }
  success: {
    200: {
      data: DuplicateGroup[]
      meta: {
        next_after: string | null
        /** Whether all test cases are compared. */
        is_complete: boolean
      }
    }
  }
}

/** List test cases with the same title. */
export const listDuplicates: Endpoint<ListDuplicates> = { method: 'GET', url: '/v1/projects/:project_id/duplicates', operationId: 'listDuplicates', success: { 200: ['data[]', 'meta{}'] } }

export interface CancelEmailChange {
  success: { 204: null }
}

/** Cancel the change of your email address. */
export const cancelEmailChange: Endpoint<CancelEmailChange> = { method: 'DELETE', url: '/v1/me/email', operationId: 'cancelEmailChange', success: { 204: null } }

export interface GetEmail {
  success: {
    200: {
      data: {
        /** Email address of the account. */
        email: string
        /** The change that waits for a confirmation; null for none. */
        pending: {
          /** Address that the account gets when it is confirmed. */
          email: string
          /** Until when it can be confirmed. */
          expires_at: string
        } | null
      }
    }
  }
}

/** Get your email address. */
export const getEmail: Endpoint<GetEmail> = { method: 'GET', url: '/v1/me/email', operationId: 'getEmail', success: { 200: ['data{}'] } }

export interface RequestEmailChange {
  body: {
    /** New email address. */
    email: string
  }
  success: { 200: { data: { email: string; pending: { email: string; expires_at: string } | null } } }
}

/** Request a change of your email address. */
export const requestEmailChange: Endpoint<RequestEmailChange> = { method: 'POST', url: '/v1/me/email', operationId: 'requestEmailChange', acceptsKey: true, success: { 200: ['data{}'] } }

/** Size limits of request bodies in bytes. */
export const BODY_LIMIT = { standard: 1048576, upload: 10485760 } as const

/** Size limit of a file in one request. */
export const MAX_FILE_BYTES = 33554432 as const

export const EXCLUSIONS = ['mass_failure', 'by_hand'] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

export interface EvaluationCounts {
  /** Tests with the verdict `flaked`. */
  flaked: number
  /** Tests with the verdict `fixed`. */
  fixed: number
  /** Tests with the verdict `quarantined`. */
  quarantined: number
  /** Tests with the verdict `not_run`. */
  not_run: number
  /** Tests with the verdict `already_red`. */
  already_red: number
  /** Tests with the verdict `environment`. */
  environment: number
  /** Tests with the verdict `changed`. */
  changed: number
  /** Tests with the verdict `known_flaky`. */
  known_flaky: number
  /** Tests with the verdict `new_test`. */
  new_test: number
  /** Tests with the verdict `new`. */
  new: number
  /** Tests with the verdict `missing`. */
  missing: number
}

export const EVALUATION_WARNINGS = ['no_tests', 'incomplete', 'no_default_branch', 'no_base', 'missing_tests', 'mass_failure', 'excluded_by_hand', 'imported', 'untrusted'] as const
export type EvaluationWarning = (typeof EVALUATION_WARNINGS)[number]

export interface Evaluation {
  run_id: string
  /** Whether it knows all uploads. */
  is_current: boolean
  /** Whether no CI job that has begun misses a shard. */
  is_complete: boolean
  /** Whether the run is completed, or no report has come for some time. */
  is_settled: boolean
  /** Why the run is no base for others and makes no test flaky: at least 80 % of its tests failed, or a user excluded it. */
  excluded: Exclusion | null
  /** When it was evaluated; null for not yet. */
  evaluated_at: string | null
  /** The run that this one is compared with first. */
  base: {
    run_id: string
    /** Name of the run. */
    name: string
    /** Branch; null if unknown. */
    branch: string | null
    /** Commit; null if unknown. */
    commit: string | null
    /** Whether it ran the very commit that the run is based on. */
    is_exact: boolean
  } | null
  counts: EvaluationCounts
  /** Number of verdicts that block, and of errors outside of tests, which always do. */
  blocking_count: number
  tests: {
    /** Number of tests that passed or failed. */
    executed: number
    /** Number of tests that passed. */
    passed: number
    /** Number of tests that failed or were blocked. */
    failed: number
    /** Number of tests that were skipped or interrupted. */
    skipped: number
  }
  /** Number of errors outside of tests. */
  suite_error_count: number
  /** The newest 1,000 uploads, the oldest first. */
  uploads: {
    /** Number in the run, from 1. */
    number: number
    /** CI job; empty if unknown. */
    job: string
    /** Shard; empty for none. */
    shard: string
    /** Variant; empty for none. */
    variant: string
    /** Build attempt; null if unknown. */
    build_attempt: number | null
    test_count: number
    /** Number of failed tests. */
    failed_count: number
    /** Whether most of its tests failed, so that it makes no test flaky. */
    is_excluded: boolean
    /** When it came. */
    at: string
  }[]
  /** What limits what the evaluation can say. */
  warnings: {
    /** Code of the warning. */
    code: EvaluationWarning
    /** What it means and what to do. */
    detail: string
  }[]
}

export interface GetEvaluation {
  params: RunParams
  query: {
    /** Seconds to wait until the evaluation is current. */
    wait?: number
  }
  success: { 200: { data: Evaluation } }
}

/** Get the evaluation of a run. */
export const getEvaluation: Endpoint<GetEvaluation> = { method: 'GET', url: '/v1/runs/:run_id/evaluation', operationId: 'getEvaluation', success: { 200: ['data{}'] } }

export interface AttachmentsEvent {
  /** Ids of results whose attachments changed, or whose contents have arrived. */
  result_ids: string[]
  /** Ids of tests, at whose attempts they are. */
  test_ids: string[]
  /** Whether more attachments changed than the event contains: fetch them again. */
  more: boolean
  /** Number of attachments of the run whose content has not arrived yet. */
  waiting_file_count: number
}

export interface CommentsEvent {
  /** Run of the comments; null for those on test cases. */
  run_id: string | null
  /** Ids of results whose comments changed; none if only those on the run itself did. */
  result_ids: string[]
  /** Ids of test cases whose comments changed. */
  test_case_ids: string[]
  /** Whether more comments changed than the event contains: fetch them again. */
  more: boolean
}

export interface EvaluationEvent {
  /** Run that was evaluated. */
  run_id: string
  counts: EvaluationCounts
  /** Number of verdicts and errors outside of tests that block. */
  blocking_count: number
}

export interface MilestonesEvent {
  /** Ids of milestones that were created, changed or deleted; none if `more` is true. */
  ids: string[]
  /** Whether more milestones changed than the event contains: fetch them again. */
  more: boolean
}

export interface ResultsEvent {
  run_id: string
  /** Up to 200 results; none if `more` is true. */
  results: ResultRow[]
  /** Whether more results changed than the event contains: fetch them again. */
  more: boolean
}

export interface RunEvent {
  id: string
  status: RunStatus
  stats: StatusCounts
  /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
  pass_rate: number
  /** Number of test cases in the run. */
  result_count: number
  /** Automated tests of the run, counted by their outcome. */
  test_stats: TestStats
  suite_error_count: number
  /** When the run or one of its results last changed. */
  updated_at: string
  /** What the test cases are tested with, with the number of combinations by status; absent without any. */
  configurations?: RunConfiguration[]
}

export interface RunsEvent {
  /** Ids of runs that were created or deleted, or changed in more than their results; none if `more` is true. */
  ids: string[]
  /** Whether more runs changed than the event contains: fetch them again. */
  more: boolean
}

export interface SharedStepsEvent {
  /** Ids of shared steps that were created, changed or deleted; none if `more` is true. */
  ids: string[]
  /** Whether more shared steps changed than the event contains: fetch them again. */
  more: boolean
}

/** Fetch what has changed since `at`, or everything if nothing was fetched before. */
export interface SyncEvent {
  /** All changes up to this time were sent or could be fetched before. */
  at: string
  /** For so many milliseconds before this event, nothing has changed in the project. */
  quiet_ms: number
}

export interface TestCasesEvent {
  /** Ids of test cases that were created, changed or deleted, such as `WEB-12`; none if `more` is true. */
  ids: string[]
  /** Whether more test cases changed than the event contains: fetch them again. */
  more: boolean
}

export interface StreamProjectEvents {
  params: ProjectParams
}

/** Receive the changes of a project. */
export const streamProjectEvents: EventStreamEndpoint<StreamProjectEvents> = { method: 'GET', url: '/v1/projects/:project_id/events', operationId: 'streamProjectEvents' }

export interface StreamRunEvents {
  params: RunParams
}

/** Receive the changes of a run. */
export const streamRunEvents: EventStreamEndpoint<StreamRunEvents> = { method: 'GET', url: '/v1/runs/:run_id/events', operationId: 'streamRunEvents' }

export const EXPORT_FIELDS = ['folder', 'test_case_id', 'title', 'status', 'combinations', 'note', 'elapsed', 'tested_by', 'tested_at', 'defects', 'links', 'files'] as const
export type ExportField = (typeof EXPORT_FIELDS)[number]

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
/** `csv` for any number of results, or `xlsx`, an Excel file, for up to 10,000. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_PARTS = ['cases', 'runs', 'files'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

export const PROJECT_EXPORT_FORMATS = ['bundle', 'json', 'csv', 'xlsx', 'testrail-csv', 'gherkin'] as const
export type ProjectExportFormat = (typeof PROJECT_EXPORT_FORMATS)[number]

export interface ExportProject {
  params: ProjectParams
  query: {
    /** Format of the file. */
    format?: ProjectExportFormat
    /** Only these parts of a `bundle` or `json`; by default all. */
    include?: ExportPart[]
    /** What a row of a table is: a test case, or a step of one. */
    rows?: 'cases' | 'steps'
    folder_id?: string
    /**
     */
    priority?: Priority[]
    /**
     */
    type?: TestCaseType[]
    /**
     */
    tag?: string[]
    /**
     */
    owner_id?: string[]
    estimate?: 'any' | 'none'
    search?: string
    /** Export archived test cases, too (`any`, the default), none of them (`false`) or only these (`true`). */
    archived?: 'any' | 'false' | 'true'
    changed_since?: string
  }
}

export const exportProject: FileEndpoint<ExportProject> = {
  method: 'GET',
  url: '/v1/projects/:project_id/export',
  operationId: 'exportProject',
  sendsFile: true,
}

export interface ExportResults {
  params: RunParams
  query: {
    format?: ExportFormat
    /** Only these columns. */
    fields?: (
      | 'folder'
      | 'test_case_id'
      | 'title'
      | 'status'
      | 'combinations'
      | 'note'
      | 'elapsed'
      | 'tested_by'
      | 'tested_at'
      | 'defects'
      | 'links'
      | 'files'
      | 'custom_fields'
    )[]
  }
}

/** Export the results of a run. */
export const exportResults: FileEndpoint<ExportResults> = {
  method: 'GET',
  url: '/v1/runs/:run_id/export',
  operationId: 'exportResults',
  sendsFile: true,
}

export const GROUP_SORTS = ['tests', 'newest'] as const
export type GroupSort = (typeof GROUP_SORTS)[number]

export interface FailureGroup {
  /** What identifies the group: 32 hexadecimal digits. */
  signature: string
  /** Kind and message of its newest failure, without secrets. */
  title: string
  /** Kind of error, such as `TypeError`; empty if unknown. */
  kind: string
  /** Number of tests that failed with it. */
  test_count: number
  /** Number of runs in which it occurred. */
  run_count: number
  /** When the first run with it was created. */
  first_seen: string
  /** When the newest run with it was created. */
  last_seen: string
  /** Number of its failures by verdict; verdicts that none has are absent. */
  verdicts: { [k: string]: number }
  /** Up to 5 of the tests. */
  tests: NamedTest[]
  /** Defects that are linked to the result or the test cases of the test, up to 10. */
  issues: LinkedIssue[]
  /** With `fields=days`: the days on which it occurred, the oldest first. */
  days?: {
    /** Day in the time zone of the request: `2026-11-21`. */
    day: string
    /** Number of tests that failed with it in runs of that day. */
    tests: number
  }[]
}

export interface FailureGroupDetail {
  signature: string
  title: string
  kind: string
  test_count: number
  run_count: number
  first_seen: string
  last_seen: string
  verdicts: { [k: string]: number }
  /** Up to 100 of the tests. */
  tests: NamedTest[]
  issues: LinkedIssue[]
  /** Message, with what differs from run to run replaced: `connect ECONNREFUSED <addr>`. */
  message: string
  /** Function where it happened; empty if unknown. */
  frame: string
  /** The days on which it occurred, the oldest first. */
  days: { day: string; tests: number }[]
  /** The newest failure; null if its run is deleted. */
  sample: {
    run_id: string
    test_id: string
    /** Message of the failed attempt. */
    message: string
    /** Stack trace, difference or output. */
    details: string
  } | null
}

export interface GetFailureGroup {
  params: {
    project_id: string
    /** Signature of the group. */
    signature: string
  }
  query: {
    /** Count failures in runs of so many days, of the newest 1000 of them. */
    days?: number
    /** Count only runs of this branch. */
    branch?: string
    /** Count only runs of this suite (`suite` in their metadata); empty for those without one. */
    series?: string
    /** IANA time zone of `days`, such as `Europe/Berlin`. */
    time_zone?: string
  }
  success: { 200: { data: FailureGroupDetail } }
}

export const getFailureGroup: Endpoint<GetFailureGroup> = { method: 'GET', url: '/v1/projects/:project_id/failure-groups/:signature', operationId: 'getFailureGroup', success: { 200: ['data{}'] } }

export interface ListFailureGroups {
  params: ProjectParams
  query: {
    days?: number
    branch?: string
    series?: string
    /** `tests`: those with most tests first. `newest`: those that were seen first most recently. */
    sort?: GroupSort
    /** `days`: also return the days of each group. */
    fields?: 'days'
    time_zone?: string
    /** Return only groups whose title contains this text, case-insensitive. */
    search?: string
    after?: string
    /** Number of groups per page. */
    per_page?: number
  }
  success: { 200: { data: FailureGroup[]; meta: { next_after: string | null } } }
}

/** List the failure groups of a project. */
export const listFailureGroups: Endpoint<ListFailureGroups> = { method: 'GET', url: '/v1/projects/:project_id/failure-groups', operationId: 'listFailureGroups', success: { 200: ['data[]', 'meta{}'] } }

export interface ListRunFailureGroups {
  params: RunParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: FailureGroup[]; meta: { next_after: string | null } } }
}

export const listRunFailureGroups: Endpoint<ListRunFailureGroups> = { method: 'GET', url: '/v1/runs/:run_id/failure-groups', operationId: 'listRunFailureGroups', success: { 200: ['data[]', 'meta{}'] } }

export interface MergeOptionsBody {
  /** Key of the option that is replaced, and retired. */
  from: string
  /** Key of the option in its place, which is not retired. */
  into: string
}

export interface MergedOptions {
  field: Field
  /** Number of test cases that have another value now. */
  updated: number
  /** Number of test cases that still have the option: send the request again until it is 0. */
  remaining: number
  /** The test cases that changed, with their earlier values. */
  before: {
    id: string
    /** The value of the field. */
    fields?: { [k: string]: string | number | boolean | string[] | null }
  }[]
}

export interface MergeFieldOptions {
  params: FieldParams
  body: MergeOptionsBody
  success: { 200: { data: MergedOptions } }
}

/** Merge an option of a field into another one. */
export const mergeFieldOptions: Endpoint<MergeFieldOptions> = { method: 'POST', url: '/v1/projects/:project_id/fields/:field_id/options/merge', operationId: 'mergeFieldOptions', acceptsKey: true, success: { 200: ['data{}'] } }

export const FIELD_TYPES = ['text', 'long_text', 'number', 'date', 'checkbox', 'select', 'multi_select', 'user', 'url'] as const
/** Type of the values: `text` (one line of up to 1,000 characters), `long_text` (Markdown, up to 65,536), `number`, `date` (`"2026-11-21"`), `checkbox` (true or false; absent is not false), `select` (key of an option), `multi_select` (list of keys), `user` (id of an admin or member) or `url` (http or https, up to 2,048 characters). */
export type FieldType = (typeof FIELD_TYPES)[number]

/** Values of custom fields that were not stored. */
export interface IgnoredFields {
  /** Number of values that were not stored. */
  count: number
  /** The first 100 keys and reasons. */
  fields: {
    /** Key as it was sent, cut at 100 characters. */
    key: string
    /** The first such value as it was sent, as text, cut at 100 characters. */
    value: string
    /** The reason, for programs. */
    code: 'unknown_field' | 'invalid_field_value' | 'unknown_option' | 'result_not_stored'
    /** What is wrong. */
    error: string
    /** Number of values with this key and reason. */
    count: number
  }[]
}

export const FIELD_SCOPES = ['project', 'instance'] as const
export type FieldScope = (typeof FIELD_SCOPES)[number]

export const FIELD_SUBJECTS = ['case', 'result', 'run'] as const
export type FieldSubject = (typeof FIELD_SUBJECTS)[number]

export const tags = ['Fields'] as const
export type Tags = (typeof tags)[number]

export interface CreateFieldBody {
  /** What has the field. */
  subject?: FieldSubject
  /** Up to 40 lower-case letters, digits and underscores, beginning with a letter. */
  key: string
  /** Name, which people read. */
  name: string
  type: FieldType
  /** What the field is for. */
  description?: string
  /** The value of new test cases or runs whose request does not contain the field; null for none. */
  default?: string | number | boolean | string[] | null
  /** Of a select: 1 to 200 options in their order. */
  options?: {
    key: string
    /** What people read, different for each option. */
    label: string
    /** Whether it can no longer be chosen. */
    is_retired?: boolean
  }[]
  /** Smallest value of a number; null for any. */
  min?: number | null
  /** Largest value of a number; null for any. */
  max?: number | null
  /** Most decimal places of a number; null for any up to 6. */
  decimals?: number | null
  /** Whether a new test case or run must have a value. */
  is_required?: boolean
  /** Only for fields of results: the statuses that need a value. */
  required_on?: ResultStatus[]
}

export interface Field {
  id: string
  /** What has the field: test cases (`case`), results or runs. */
  subject: FieldSubject
  /** Key, by which requests and responses name the field. */
  key: string
  name: string
  /** What the field is for; may be empty. */
  description: string
  type: FieldType
  is_required: boolean
  /** Of a field of results: the statuses that need a value before the run is completed; else empty. */
  required_on: ResultStatus[]
  default: (string | number | boolean | string[]) | null
  /** The options of a select, in their order; null for other types. */
  options:
    | {
        /** Key, which values contain. */
        key: string
        /** What people read. */
        label: string
        is_retired: boolean
      }[]
    | null
  min: number | null
  max: number | null
  decimals: number | null
  /** Place among the fields, from 1. */
  position: number
  /** Whose the field is. */
  scope: ConfigurationScope
  /** When the field was retired, or switched off; null if it is in use. */
  retired_at: string | null
}

export interface FieldParams {
  project_id: string
  field_id: string
}

export interface UpdateFieldBody {
  name?: string
  /** Only `text` can become `long_text`, and `select` can become `multi_select`. */
  type?: FieldType
  /** New place among the fields, from 1; the others make room. */
  position?: number
  description?: string
  /**
   */
  default?: string | number | boolean | string[] | null
  /**
   */
  options?: { key: string; label: string; is_retired?: boolean }[]
  min?: number | null
  max?: number | null
  decimals?: number | null
  is_required?: boolean
  /**
   */
  required_on?: ResultStatus[]
}

export interface CreateField {
  params: ProjectParams
  body: CreateFieldBody
  success: { 201: { data: Field } }
}

/** Add a field. */
export const createField: Endpoint<CreateField> = { method: 'POST', url: '/v1/projects/:project_id/fields', operationId: 'createField', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteField {
  params: FieldParams
  success: { 204: null }
}

/** Delete a retired field. */
export const deleteField: Endpoint<DeleteField> = { method: 'DELETE', url: '/v1/projects/:project_id/fields/:field_id', operationId: 'deleteField', success: { 204: null } }

export interface ListFields {
  params: ProjectParams
  query: {
    /** Return only fields of this. */
    subject?: FieldSubject
    /** Which fields to return: `any` by default. */
    retired?: 'true' | 'false' | 'any'
  }
  success: {
    200: {
      data: Field[]
      meta: {
        /** Number of fields in the list. */
        total: number
      }
    }
  }
}

/** List the fields of a project. */
export const listFields: Endpoint<ListFields> = { method: 'GET', url: '/v1/projects/:project_id/fields', operationId: 'listFields', success: { 200: ['data[]', 'meta{}'] } }

export interface RestoreField {
  params: FieldParams
  success: { 200: { data: Field } }
}

/** Restore a retired field. */
export const restoreField: Endpoint<RestoreField> = { method: 'POST', url: '/v1/projects/:project_id/fields/:field_id/restore', operationId: 'restoreField', acceptsKey: true, success: { 200: ['data{}'] } }

export interface RetireField {
  params: FieldParams
  success: { 200: { data: Field } }
}

export const retireField: Endpoint<RetireField> = { method: 'POST', url: '/v1/projects/:project_id/fields/:field_id/retire', operationId: 'retireField', acceptsKey: true, success: { 200: ['data{}'] } }

export interface UpdateField {
  params: FieldParams
  body: UpdateFieldBody
  success: { 200: { data: Field } }
}

/** Change a field. */
export const updateField: Endpoint<UpdateField> = { method: 'PATCH', url: '/v1/projects/:project_id/fields/:field_id', operationId: 'updateField', success: { 200: ['data{}'] } }

export interface FileUpload {
  /** Id of the upload. */
  id: string
  /** Size of all parts but the last one in bytes. */
  part_size: number
}

export interface FileUploadProgress {
  /** Number of bytes that were received. */
  received: number
  /** Size of the whole content. */
  byte_count: number
  /** Id of the file, to attach it; null until it is complete. */
  file_id: string | null
}

export interface MissingFile {
  /** SHA-256 of the content. */
  sha256: string
  byte_count: number
}

/** Problem details (RFC 9457) with more fields */
export interface PartProblem {
  /** URI reference that identifies the kind of problem. */
  type: string
  /** Short summary of the kind of problem. */
  title: string
  /** HTTP status. */
  status: number
  /** What happened, and what to do about it. */
  detail: string
  /** Stable error code in snake_case, for programs. */
  code: string
  /** Invalid fields; only the first 1,000 if there are more, as stated in `detail`. */
  errors?: FieldError[]
  /** Request id to search for in the server log; only with status 500. */
  request_id?: string
  /** Number of bytes that were received; only with the code `wrong_offset`. */
  received?: number
}

export interface ReceivedBytes {
  received: number
  byte_count: number
}

export interface CreateFileUpload {
  params: ProjectParams
  body: {
    /** Size of the whole file in bytes. */
    byte_count: number
    name?: string
  }
  success: { 201: { data: FileUpload } }
}

/** Begin to send a file in parts. */
export const createFileUpload: Endpoint<CreateFileUpload> = { method: 'POST', url: '/v1/projects/:project_id/file-uploads', operationId: 'createFileUpload', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteFileUpload {
  params: {
    project_id: string
    /** Id of the upload. */
    file_upload_id: string
  }
  success: { 204: null }
}

/** Cancel a file that is sent in parts. */
export const deleteFileUpload: Endpoint<DeleteFileUpload> = { method: 'DELETE', url: '/v1/projects/:project_id/file-uploads/:file_upload_id', operationId: 'deleteFileUpload', success: { 204: null } }

export interface GetDeclaredFileProgress {
  params: {
    run_id: string
    /** SHA-256 of the content in hexadecimal. */
    sha256: string
  }
  success: { 200: null }
}

/** Find out how much of a declared content was received. */
export const getDeclaredFileProgress: Endpoint<GetDeclaredFileProgress> = { method: 'HEAD', url: '/v1/runs/:run_id/files/:sha256', operationId: 'getDeclaredFileProgress', success: { 200: null } }

export interface GetFileUploadProgress {
  params: { project_id: string; file_upload_id: string }
  success: { 200: null }
}

/** Find out how much of a file was received. */
export const getFileUploadProgress: Endpoint<GetFileUploadProgress> = { method: 'HEAD', url: '/v1/projects/:project_id/file-uploads/:file_upload_id', operationId: 'getFileUploadProgress', success: { 200: null } }

export interface ListMissingFiles {
  params: RunParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: MissingFile[]; meta: { next_after: string | null } } }
}

/** List the contents that a run waits for. */
export const listMissingFiles: Endpoint<ListMissingFiles> = { method: 'GET', url: '/v1/runs/:run_id/files/missing', operationId: 'listMissingFiles', success: { 200: ['data[]', 'meta{}'] } }

export interface SendDeclaredFile {
  params: { run_id: string; sha256: string }
  success: {
    /** The project has the content already. */
    200: { data: ReceivedBytes }
    /** The content was stored. */
    201: { data: ReceivedBytes }
    /** A part was received, and others follow. */
    202: { data: ReceivedBytes }
  }
}

/** Send a content that an upload declared. */
export const sendDeclaredFile: Endpoint<SendDeclaredFile> = { method: 'PUT', url: '/v1/runs/:run_id/files/:sha256', operationId: 'sendDeclaredFile', success: { 200: ['data{}'], 201: ['data{}'], 202: ['data{}'] } }

export interface SendFilePart {
  params: { project_id: string; file_upload_id: string }
  success: {
    /** The file is complete already. */
    200: { data: FileUploadProgress }
    /** The file is complete. */
    201: { data: FileUploadProgress }
    /** The part was received, and others follow. */
    202: { data: FileUploadProgress }
  }
}

export const sendFilePart: Endpoint<SendFilePart> = { method: 'PUT', url: '/v1/projects/:project_id/file-uploads/:file_upload_id', operationId: 'sendFilePart', success: { 200: ['data{}'], 201: ['data{}'], 202: ['data{}'] } }

export interface FileText {
  /** The text from `from` to `to`, without a byte order mark. */
  text: string
  /** Where the text begins, in bytes: where it was requested, or at the end of the character that is there. */
  from: number
  /** Where the text ends, in bytes: the next part begins here. */
  to: number
  byte_count: number
}

export interface GetFileContent {
  params: { project_id: string; file_id: string }
  query: {
    /** Name under which a browser saves the file. */
    name?: string
    /** `1` makes a browser save the file and not show it. */
    download?: number
  }
}

export const getFileContent: FileEndpoint<GetFileContent> = {
  method: 'GET',
  url: '/v1/projects/:project_id/files/:file_id/content',
  operationId: 'getFileContent',
  sendsFile: true,
}

export interface GetFileText {
  params: { project_id: string; file_id: string }
  query: {
    /** Where to begin, in bytes; by default 0. */
    from?: number
    /** Where to end, in bytes; by default 256 KB after `from`. */
    to?: number
  }
  success: { 200: { data: FileText } }
}

/** Get a part of a text. */
export const getFileText: Endpoint<GetFileText> = { method: 'GET', url: '/v1/projects/:project_id/files/:file_id/text', operationId: 'getFileText', success: { 200: ['data{}'] } }

export interface CreateFolderBody {
  name: string
  /** Parent folder; null for the top level. */
  parent_id?: string | null
  /** Position among its siblings, from 0. */
  position?: number
}

export interface Folder {
  id: string
  name: string
  /** Parent folder; null at the top level. */
  parent_id: string | null
  position: number
  /** Number of test cases in the folder, without subfolders. */
  test_case_count: number
  /** When the folder was created. */
  created_at: string
  /** When a field of the folder last changed. */
  updated_at: string
}

export interface UpdateFolderBody {
  name?: string
  parent_id?: string | null
  position?: number
}

export interface CreateFolder {
  params: ProjectParams
  body: CreateFolderBody
  success: { 201: { data: Folder } }
}

export const createFolder: Endpoint<CreateFolder> = { method: 'POST', url: '/v1/projects/:project_id/folders', operationId: 'createFolder', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteFolder {
  params: { project_id: string; folder_id: string }
  success: { 200: Message }
}

export const deleteFolder: Endpoint<DeleteFolder> = { method: 'DELETE', url: '/v1/projects/:project_id/folders/:folder_id', operationId: 'deleteFolder', success: { 200: ['message'] } }

export interface ListFolders {
  params: ProjectParams
  success: { 200: { data: Folder[] } }
}

export const listFolders: Endpoint<ListFolders> = { method: 'GET', url: '/v1/projects/:project_id/folders', operationId: 'listFolders', success: { 200: ['data[]'] } }

export interface UpdateFolder {
  params: { project_id: string; folder_id: string }
  body: UpdateFolderBody
  success: { 200: { data: Folder } }
}

/** Rename or move a folder. */
export const updateFolder: Endpoint<UpdateFolder> = { method: 'PATCH', url: '/v1/projects/:project_id/folders/:folder_id', operationId: 'updateFolder', success: { 200: ['data{}'] } }

export interface GroupRole {
  /** Name or id of the group. */
  group: string
  /** Role of the members of the group. */
  role: Role
  /** Members of the project who had the group at their last sign-on; at most 1,000. */
  user_ids: string[]
}

export interface GroupRoleInput {
  /** Name or id of the group, exactly as the sign-in provider returns it. */
  group: string
  role: Role
}

export interface ListGroupRoles {
  params: ProjectParams
  success: {
    200: {
      data: GroupRole[]
      meta: {
        /** Claim from which this server reads groups; null if it reads none. */
        groups_claim: string | null
      }
    }
  }
}

export const listGroupRoles: Endpoint<ListGroupRoles> = { method: 'GET', url: '/v1/projects/:project_id/group-roles', operationId: 'listGroupRoles', success: { 200: ['data[]', 'meta{}'] } }

export interface ReplaceGroupRoles {
  params: ProjectParams
  body: {
    /** All groups with a role. */
    group_roles: GroupRoleInput[]
  }
  success: { 200: { data: GroupRole[]; meta: { groups_claim: string | null } } }
}

/** Set roles of groups. */
export const replaceGroupRoles: Endpoint<ReplaceGroupRoles> = { method: 'PUT', url: '/v1/projects/:project_id/group-roles', operationId: 'replaceGroupRoles', success: { 200: ['data[]', 'meta{}'] } }

export interface Health {
  /** Branch of the base runs; null if the default branch is unknown. */
  branch: string | null
  /** When the first day begins. */
  from: string
  /** When this was counted. */
  to: string
  /** Whether there are more than 2000 runs, of which the newest are counted. */
  is_cut: boolean
  /** Whether the branch was green, by suite. */
  band: {
    /** Suite of the runs; empty for those without one. */
    series: string
    /** The oldest first. */
    segments: {
      /** When the run was created, or the first day began. */
      from: string
      /** When the next run was created; 72 hours later at most. */
      to: string
      /** `green`: nothing blocked. `red`: something did. `excluded`: it is no base run, as after an outage. */
      state: 'green' | 'red' | 'excluded'
      run_id: string
    }[]
    /** Null without a base run in these days. */
    current: {
      /** State of the newest base run. */
      state: 'green' | 'red'
      /** When the first run in a row with this state was created. */
      since: string
      /** What blocked in the newest run. */
      blocking_count: number
    } | null
    /** How long it was green. */
    green_ms: number
    /** How long it was red. */
    red_ms: number
    /** How often it got green again: from the first red run to the next green one. */
    recoveries: number
    /** Median of how long that took; null if it did not happen. */
    median_recovery_ms: number | null
    /** The longest of these times. */
    longest_recovery_ms: number | null
  }[]
  /** Tests that failed in the newest base run of their suite, and not in the one before. */
  newly_failing?: {
    /** All of them. */
    total: number
    /** Up to 10. */
    items: {
      test: NamedTest
      /** The newest base run, in which it failed. */
      run_id: string
      /** Number of base runs in a row, up to 50, in which it failed. */
      runs: number
      /** When the first of these runs was created. */
      since: string
      /** Why it failed; null if it failed without a text. */
      cause: {
        /** Signature of the failure group. */
        signature: string
        /** Kind and message. */
        title: string
      } | null
      /** Owner of its quarantine; null without one. */
      owner_name: string | null
    }[]
  }
  /** Tests that failed in the newest base run of their suite and in the one before, the longest first. */
  failing_longest?: {
    total: number
    items: {
      test: NamedTest
      run_id: string
      runs: number
      since: string
      cause: { signature: string; title: string } | null
      owner_name: string | null
    }[]
  }
  /** The newest base runs, up to 200, with those that are excluded. */
  runs?: {
    id: string
    name: string
    series: string
    commit: string | null
    /** When it was created. */
    at: string
    state: 'green' | 'red' | 'excluded'
    /** Tests that passed or failed. */
    executed: number
    /** Tests that passed. */
    passed: number
    /** Failures and suite errors that block. */
    blocking_count: number
    /** How long its tests took together; null if no report says it. */
    test_ms: number | null
    /** From its first to its last upload. */
    clock_ms: number | null
  }[]
  /** Every day, the oldest first, over base runs that are not excluded. */
  days?: {
    /** Day in the time zone of the request. */
    day: string
    /** Base runs that were created on it. */
    base_runs: number
    /** Tests that passed or failed in them. */
    executed: number
    /** Tests that passed in them. */
    passed: number
    /** Tests that failed in them. */
    failed: number
    /** Mean of the shares that passed in its runs, 0 to 1; null on a day without a run. */
    pass_rate: number | null
    /** Median of `test_ms` of its runs. */
    median_ms: number | null
    /** 95th percentile of `test_ms` of its runs. */
    p95_ms: number | null
    /** Flaky tests at the end of this day in UTC; null if they were not counted. */
    flaky: number | null
    /** Quarantined tests then. */
    quarantined: number | null
    /** Whether automatic quarantine reached its limit. */
    is_limited: boolean
  }[]
  /** What flaky tests cost, in runs of all branches. */
  weeks?: {
    /** Monday with which the week begins. */
    week: string
    /** Build attempts that turned all failures of the earlier ones of their job. */
    build_attempts: number
    /** How long their tests took together. */
    machine_ms: number
  }[]
  /** How unstable tests ended in the newest runs. */
  matrix?: {
    /** Those with most outcomes other than passed; newly failing ones first. */
    tests: NamedTest[]
    /** Ids of the newest base runs, the oldest first. */
    runs: string[]
    /** A row for each test, with a cell for each run. */
    cells: ('passed' | 'flaked' | 'failed' | 'failed_again' | 'not_run')[][]
  }
  /** Test cases that are not archived, by the folder at the top. */
  automation?: {
    /** Folder id; null for test cases without a folder. */
    folder_id: string | null
    /** Name of the folder; empty without one. */
    name: string
    /** Automated test cases whose tests passed last. */
    passing: number
    /** Automated test cases of which a test failed last. */
    failing: number
    /** Automated test cases that did not run in 14 days. */
    not_run: number
    /** Test cases without a test. */
    by_hand: number
  }[]
  /** The failure groups with most tests. */
  causes?: {
    signature: string
    /** Kind and message of its newest failure. */
    title: string
    first_seen: string
    /** Tests that failed with it in these days. */
    test_count: number
    issues: LinkedIssue[]
    /** The days on which it occurred. */
    days: {
      day: string
      /** Tests that failed with it on that day. */
      tests: number
    }[]
  }[]
}

export interface GetHealth {
  params: ProjectParams
  query: {
    /** Base runs of this branch; the default branch without it. */
    branch?: string
    /** Only runs of this suite (`suite` in their metadata); empty for those without one. */
    series?: string
    /** Number of days, with today. */
    days?: number
    /** IANA time zone of the days, such as `Europe/Berlin`. */
    time_zone?: string
    /** `band`: return only whether the branch was green, which is less work. */
    fields?: 'all' | 'band'
  }
  success: { 200: { data: Health } }
}

/** Get the health of a branch. */
export const getHealth: Endpoint<GetHealth> = { method: 'GET', url: '/v1/projects/:project_id/health', operationId: 'getHealth', success: { 200: ['data{}'] } }

export const IMPORT_STATES = ['reading', 'planning', 'planned', 'applying', 'done', 'differs', 'cancelled', 'failed', 'undoing', 'undone'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const RECORD_ACTIONS = ['create', 'update', 'unchanged', 'conflict', 'deleted_here', 'not_imported', 'absent_in_source'] as const
export type RecordAction = (typeof RECORD_ACTIONS)[number]

export const RECORD_KINDS = ['folder', 'case', 'shared_steps', 'shared_step_version', 'person', 'plan', 'relation', 'milestone', 'configuration', 'run', 'result', 'field', 'attachment', 'comment', 'case_version', 'test', 'test_outcome', 'suite_error', 'quarantine', 'left_out'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

export interface ImportLoss {
  /** Stable code, such as `expected_not_split`. */
  code: string
  /** How often. */
  count: number
  /** What it means. */
  sentence: string
  /** The first of them, up to 5. */
  examples: {
    /** What the source calls it; null if it has no id. */
    key: string | null
    /** Title; may be empty. */
    title: string
    /** Where in the file; may be empty. */
    place: string
  }[]
}

export interface ImportPlanning {
  /** What applying does. */
  actions: {
    /** Kind of record. */
    kind: RecordKind
    /** What happens: `conflict` if it was changed here and in the source, differently; it stays as it is here. */
    action: RecordAction
    /** How many. */
    count: number
  }[]
  /** What is not imported, or not as it was. */
  losses: ImportLoss[]
  /** Values without a place of their own, by the name of their field. */
  fields: {
    /** Name in the source. */
    name: string
    /** Test cases with a value. */
    filled: number
    /** Different values, counted up to 201. */
    distinct: number
    /** Up to 3 values. */
    samples: string[]
    /** What it becomes: `field:<key>` a custom field, `new:<key>` one that is created, `details` a value that is kept beside the test case, or `ignore`. */
    to: string
  }[]
  /** Priorities and types of test cases and statuses of results in the source, and what they become. */
  values: {
    /** Where the value is. */
    field: 'priority' | 'type' | 'status'
    /** Value in the source. */
    from: string
    /** Value here. */
    to: string
    /** Test cases or results with it. */
    count: number
    /** Whether the value has a meaning that is known, or was chosen. */
    is_known: boolean
  }[]
  /** What should be answered; each has a default. */
  questions: ImportQuestion[]
  /** Whether it creates custom fields or options, so that only an admin can apply it. */
  needs_settings: boolean
  /** Test cases of earlier imports of this source that are not in the file. */
  absent: number
  /** Missing in plans from before this was looked for. */
  similar?: {
    /** Test cases that would be created although the project has similar ones: `similar` of each says which. */
    count: number
    /** Test cases that would be created, and were not compared: 10,000 of an import are. */
    not_compared: number
    /** Whether all test cases of the project were compared: its newest 50,000 are, and older ones with an equal title. */
    is_complete: boolean
  }
}

export interface ImportProof {
  /** Whether everything that was read is accounted for, and stored. */
  is_equal: boolean
  cases: {
    /** In the file. */
    read: number
    /** Found in the project. */
    stored: number
  }
  folders: { read: number; stored: number }
  steps: {
    /** Of test cases that were created. */
    read: number
    stored: number
  }
  shared_steps?: { read: number; stored: number }
  configurations?: { read: number; stored: number }
  milestones?: { read: number; stored: number }
  runs?: { read: number; stored: number }
  results?: {
    /** In the file, earlier ones as well. */
    read: number
    stored: number
  }
  /** What is not equal. */
  differences: string[]
}

export interface ImportQuestion {
  /** What is asked, such as `encoding`. */
  id: string
  /** The question. */
  sentence: string
  /** Possible answers; empty for any text. */
  options: string[]
  /** What is done without an answer; empty for nothing. */
  default: string
  /** The answer; null for none. */
  answer: string | null
}

export interface ImportReading {
  /** What the file contains. */
  counts: {
    /** Kind of what was read. */
    kind: RecordKind
    count: number
  }[]
  /** Steps of all test cases. */
  steps: number
  /** Encoding of a text file. */
  encoding: string | null
}

export interface CaseSource {
  /** The tool, such as `testrail`. */
  system: string
  /** Name of the project of the tool. */
  source: string
  /** What the tool calls it; without an id there, its path and title. */
  key: string
  /** When it was last imported. */
  imported_at: string
  /** Values that have no place in a test case, by name. */
  details: { [k: string]: unknown }
}

export interface Import {
  id: string
  /** Name, that of the file. */
  name: string
  /** `reading` and `planning` change nothing in the project. `planned` waits to be applied. `differs` was applied, and the proof is not equal. `failed` and `cancelled` can be resumed. */
  state: ImportState
  /** The tool, such as `testrail`; null until it is recognized. */
  system: string | null
  /** Name of the project of the tool: objects of the same source are found again; null until read. */
  source: string | null
  /** Format of the file; null until it is recognized. */
  format: string | null
  /** What was uploaded. */
  files: {
    name: string
    /** Size in bytes. */
    byte_count: number
  }[]
  /** Digest of the plan, to apply it; null without one. */
  plan: string | null
  progress: {
    /** What is being done. */
    stage: string
    /** How much of it. */
    done: number
    /** Of how much; 0 if unknown. */
    total: number
  } | null
  reading: ImportReading | null
  planning: ImportPlanning | null
  proof: ImportProof | null
  error: {
    /** Stable code, such as `legacy_excel`. */
    code: string
    /** Why it failed, and what to do. */
    detail: string
  } | null
  created_by: string | null
  /** When the file was imported. */
  created_at: string
  /** When the plan was made. */
  planned_at: string | null
  /** When it was applied. */
  applied_at: string | null
  /** When it was undone. */
  undone_at: string | null
}

export interface ImportedRecord {
  /** Place in the file, from 1. */
  seq: number
  kind: RecordKind
  key: string | null
  /** Title or name; may be empty. */
  title: string
  /** What happens to it; null before the plan. */
  action: RecordAction | null
  /** Id of the folder, shared step, test case, configuration, milestone, run, result or user; null if there is none yet. */
  target: string | null
  /** Codes of what is not imported, or not as it was. */
  losses: string[]
  /** Fields that change; of a conflict, those that differ. */
  changed: string[]
  /** What is here now of the fields that change; null unless there are any. */
  before: { [k: string]: unknown } | null
  /** What the test case or folder is afterwards; null for what is not imported, and for test cases that the source has not changed. */
  after: { [k: string]: unknown } | null
  /** Values without a place here, by name. */
  details: { [k: string]: unknown }
  /** Of a test case that is created: those that exist and are like it, when the plan was made. */
  similar: SimilarTestCase[]
}

export const ABSENT_CHOICES = ['keep', 'archive', 'tag'] as const
export type AbsentChoice = (typeof ABSENT_CHOICES)[number]

export interface CreateImportBody {
  /** File, received by `POST …/file-uploads`. */
  file_id: string
  name: string
  source?: string
}

export interface ImportSettings {
  source?: string
  /** Encoding of a text file, such as `windows-1252`. */
  encoding?: string
  /** Which project of a file that has several: one of the options of the question. */
  project?: string
  /** Which number of dates such as `03/04/2025` is the day, if the file does not tell. */
  date_order?: 'day_first' | 'month_first'
  /** Time zone of times that do not tell theirs, such as `Europe/Berlin`; `UTC` by default. */
  time_zone?: string
  /** What fields of the source become. */
  fields?: {
    /** Name of the field in the source. */
    name: string
    /** `field:<key>`, `new`, `details` or `ignore`. */
    to: string
  }[]
  /** What priorities become. */
  priorities?: {
    /** Priority in the source. */
    from: string
    /** Priority here. */
    to: Priority
  }[]
  /** What types become. */
  types?: {
    /** Type in the source. */
    from: string
    /** Type here. */
    to: TestCaseType
  }[]
  /** What statuses of results become. */
  statuses?: {
    /** Status of results in the source. */
    from: string
    /** Status here. */
    to: ResultStatus
  }[]
  /** Address of an issue, with `{id}` for its id: `https://tracker.example/browse/{id}`; null for none. */
  id_pattern?: string | null
  /** Creates test cases and folders again that an earlier import of the source has brought, and that were deleted here. */
  restores_deleted?: boolean
  /** What becomes of test cases that an earlier import of the source has brought, and that are not in the file: they are kept as they are by default, or archived, or get the tag `absent-in-source`, unless they were changed here. */
  absent?: AbsentChoice
  /** What becomes of deprecated and obsolete test cases: archived by default. */
  deprecated?: 'archive' | 'keep'
}

export interface ImportedPerson {
  /** Id, which results and runs have where they name a user. */
  id: string
  /** Name in the source; `Former person` if it was forgotten. */
  name: string
  /** Name of the source. */
  source: string
  /** Email address in the source; null if there is none, and for others than admins. */
  email: string | null
  /** The user that all they did becomes; null for none. */
  user_id: string | null
  /** Whether name and email address were forgotten. */
  is_forgotten: boolean
}

export interface ForgetImportedPerson {
  params: {
    project_id: string
    /** Id of the imported person. */
    person_id: string
  }
  success: { 204: null }
}

export const forgetImportedPerson: Endpoint<ForgetImportedPerson> = { method: 'DELETE', url: '/v1/projects/:project_id/imported-people/:person_id', operationId: 'forgetImportedPerson', success: { 204: null } }

export interface JoinImportedPerson {
  params: { project_id: string; person_id: string }
  body: {
    /** User id of a member. */
    user_id: string
  }
  success: { 200: { data: ImportedPerson } }
}

/** Join an imported person to a member. */
export const joinImportedPerson: Endpoint<JoinImportedPerson> = { method: 'PATCH', url: '/v1/projects/:project_id/imported-people/:person_id', operationId: 'joinImportedPerson', success: { 200: ['data{}'] } }

export interface ListImportedPeople {
  params: ProjectParams
  success: {
    200: {
      /** Up to 10,000. */
      data: ImportedPerson[]
    }
  }
}

/** List people of imported history. */
export const listImportedPeople: Endpoint<ListImportedPeople> = { method: 'GET', url: '/v1/projects/:project_id/imported-people', operationId: 'listImportedPeople', success: { 200: ['data[]'] } }

export interface ApplyImport {
  params: { project_id: string; import_id: string }
  body: {
    /** `plan` of the import. */
    plan: string
  }
  success: {
    /** The plan is being applied. */
    202: { data: Import }
  }
}

/** Apply the plan of an import. */
export const applyImport: Endpoint<ApplyImport> = { method: 'POST', url: '/v1/projects/:project_id/imports/:import_id/apply', operationId: 'applyImport', acceptsKey: true, success: { 202: ['data{}'] } }

export interface CancelImport {
  params: { project_id: string; import_id: string }
  success: {
    /** It ends after the current batch. */
    202: { data: Import }
  }
}

export const cancelImport: Endpoint<CancelImport> = { method: 'POST', url: '/v1/projects/:project_id/imports/:import_id/cancel', operationId: 'cancelImport', acceptsKey: true, success: { 202: ['data{}'] } }

export interface CreateImport {
  params: ProjectParams
  body: CreateImportBody
  success: { 201: { data: Import } }
}

/** Import a file from another tool. */
export const createImport: Endpoint<CreateImport> = { method: 'POST', url: '/v1/projects/:project_id/imports', operationId: 'createImport', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteImport {
  params: { project_id: string; import_id: string }
  success: { 204: null }
}

export const deleteImport: Endpoint<DeleteImport> = { method: 'DELETE', url: '/v1/projects/:project_id/imports/:import_id', operationId: 'deleteImport', success: { 204: null } }

export interface GetCaseSource {
  params: TestCaseParams
  success: {
    200: {
      /** One for each source; empty for none. */
      data: CaseSource[]
    }
  }
}

/** Find out where a test case comes from. */
export const getCaseSource: Endpoint<GetCaseSource> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/source', operationId: 'getCaseSource', success: { 200: ['data[]'] } }

export interface GetImport {
  params: { project_id: string; import_id: string }
  success: { 200: { data: Import } }
}

export const getImport: Endpoint<GetImport> = { method: 'GET', url: '/v1/projects/:project_id/imports/:import_id', operationId: 'getImport', success: { 200: ['data{}'] } }

export interface GetImportReport {
  params: { project_id: string; import_id: string }
  query: { format?: 'json' | 'csv' }
}

/** Download the report of an import. */
export const getImportReport: FileEndpoint<GetImportReport> = {
  method: 'GET',
  url: '/v1/projects/:project_id/imports/:import_id/report',
  operationId: 'getImportReport',
  sendsFile: true,
}

export interface ListImportRecords {
  params: { project_id: string; import_id: string }
  query: {
    /** Only of this kind. */
    kind?: RecordKind
    /** Only with this action. */
    action?: RecordAction
    /** Only with a loss of this code. */
    loss?: string
    /** Only with this text in the title or key. */
    search?: string
    /** Only test cases that would be created although there are similar ones. */
    similar?: 'true'
    after?: number
    per_page?: number
  }
  success: { 200: { data: ImportedRecord[]; meta: { next_after: number | null } } }
}

/** List what an import contains. */
export const listImportRecords: Endpoint<ListImportRecords> = { method: 'GET', url: '/v1/projects/:project_id/imports/:import_id/records', operationId: 'listImportRecords', success: { 200: ['data[]', 'meta{}'] } }

export interface ListImports {
  params: ProjectParams
  query: { after?: string; per_page?: number }
  success: { 200: { data: Import[]; meta: { next_after: string | null } } }
}

/** List the imports of a project. */
export const listImports: Endpoint<ListImports> = { method: 'GET', url: '/v1/projects/:project_id/imports', operationId: 'listImports', success: { 200: ['data[]', 'meta{}'] } }

export interface PlanImport {
  params: { project_id: string; import_id: string }
  body: ImportSettings
  success: {
    /** The plan is being made. */
    202: { data: Import }
  }
}

/** Plan an import again with other choices. */
export const planImport: Endpoint<PlanImport> = { method: 'POST', url: '/v1/projects/:project_id/imports/:import_id/plan', operationId: 'planImport', acceptsKey: true, success: { 202: ['data{}'] } }

export interface ResolveConflicts {
  params: { project_id: string; import_id: string }
  body: {
    /** `seq` of the records; all conflicts of the import without it. */
    record_ids?: number[]
    /** Whose values the test cases have afterwards. */
    use: 'source' | 'current'
  }
  success: { 200: { data: Import } }
}

/** Decide conflicts of an import. */
export const resolveConflicts: Endpoint<ResolveConflicts> = { method: 'POST', url: '/v1/projects/:project_id/imports/:import_id/conflicts', operationId: 'resolveConflicts', acceptsKey: true, success: { 200: ['data{}'] } }

export interface ResumeImport {
  params: { project_id: string; import_id: string }
  success: {
    /** It goes on. */
    202: { data: Import }
  }
}

export const resumeImport: Endpoint<ResumeImport> = { method: 'POST', url: '/v1/projects/:project_id/imports/:import_id/resume', operationId: 'resumeImport', acceptsKey: true, success: { 202: ['data{}'] } }

export interface UndoImport {
  params: { project_id: string; import_id: string }
  success: {
    /** It is being undone. */
    202: { data: Import }
  }
}

export const undoImport: Endpoint<UndoImport> = { method: 'POST', url: '/v1/projects/:project_id/imports/:import_id/undo', operationId: 'undoImport', acceptsKey: true, success: { 202: ['data{}'] } }

export interface NamedTest {
  id: string
  /** File, class or blocks around the test. */
  suite: string
  name: string
  /** Variant; empty if there is only one. */
  variant: string
  /** File; empty if unknown. */
  file: string
}

export const ISSUE_PLACES = ['title', 'body', 'labels', 'url'] as const
export type IssuePlace = (typeof ISSUE_PLACES)[number]

export interface InsightSettings {
  /** Default branch that a user set; null to take what CI reports. */
  default_branch: string | null
  /** Default branch that is used: the setting, else what CI reported last, else `main` or `master` if a run has it. */
  effective_default_branch: string | null
  /** Automatic quarantine. */
  auto_quarantine: {
    /** Whether tests that become flaky are quarantined. */
    enabled: boolean
    /** User who looks after these tests; null for none, as after they left. */
    owner_id: string | null
  }
  /** Address of the page of the issue tracker that creates an issue, with places; null for none. */
  issue_template: string | null
  /** With `fields=repetitions`: whether in the last 30 days a test was attempted again after a failure, or a commit was run twice. */
  has_repetitions?: boolean
}

export interface UpdateInsightSettingsBody {
  /** Default branch; null to take what CI reports. */
  default_branch?: string | null
  auto_quarantine?: {
    enabled?: boolean
    /** Member of the project who looks after these tests; required if it is enabled. */
    owner_id?: string | null
  }
  /** Address of the page of the issue tracker that creates an issue: `http` or `https`, with `{title}`, and perhaps `{body}`, `{labels}` and `{url}`, behind the host. */
  issue_template?: string | null
}

export interface GetInsightSettings {
  params: ProjectParams
  query: {
    /** `repetitions`: also return `has_repetitions`. */
    fields?: 'repetitions'
  }
  success: { 200: { data: InsightSettings } }
}

/** Get what failures are compared with. */
export const getInsightSettings: Endpoint<GetInsightSettings> = { method: 'GET', url: '/v1/projects/:project_id/insight-settings', operationId: 'getInsightSettings', success: { 200: ['data{}'] } }

export interface UpdateInsightSettings {
  params: ProjectParams
  body: UpdateInsightSettingsBody
  success: { 200: { data: InsightSettings } }
}

/** Change what failures are compared with. */
export const updateInsightSettings: Endpoint<UpdateInsightSettings> = { method: 'PATCH', url: '/v1/projects/:project_id/insight-settings', operationId: 'updateInsightSettings', success: { 200: ['data{}'] } }

export interface CreateInstanceConfiguration {
  body: CreateConfigurationBody
  success: { 201: { data: Configuration } }
}

/** Add a configuration of the instance. */
export const createInstanceConfiguration: Endpoint<CreateInstanceConfiguration> = { method: 'POST', url: '/v1/admin/configurations', operationId: 'createInstanceConfiguration', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteInstanceConfiguration {
  params: { configuration_id: string }
  success: { 204: null }
}

export const deleteInstanceConfiguration: Endpoint<DeleteInstanceConfiguration> = { method: 'DELETE', url: '/v1/admin/configurations/:configuration_id', operationId: 'deleteInstanceConfiguration', success: { 204: null } }

export interface ListInstanceConfigurations {
  query: { retired?: 'true' | 'false' | 'any' }
  success: { 200: { data: Configuration[]; meta: { total: number } } }
}

export const listInstanceConfigurations: Endpoint<ListInstanceConfigurations> = { method: 'GET', url: '/v1/admin/configurations', operationId: 'listInstanceConfigurations', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateInstanceConfiguration {
  params: { configuration_id: string }
  body: UpdateConfigurationBody
  success: { 200: { data: Configuration } }
}

/** Change a configuration of the instance. */
export const updateInstanceConfiguration: Endpoint<UpdateInstanceConfiguration> = { method: 'PATCH', url: '/v1/admin/configurations/:configuration_id', operationId: 'updateInstanceConfiguration', success: { 200: ['data{}'] } }

export interface CreateInstanceFieldBody {
  subject?: FieldSubject
  key: string
  name: string
  type: FieldType
  description?: string
  /**
   */
  default?: string | number | boolean | string[] | null
  /**
   */
  options?: { key: string; label: string; is_retired?: boolean }[]
  min?: number | null
  max?: number | null
  decimals?: number | null
}

export interface InstanceField {
  id: string
  subject: FieldSubject
  key: string
  name: string
  description: string
  type: FieldType
  is_required: boolean
  required_on: ResultStatus[]
  default: (string | number | boolean | string[]) | null
  options: { key: string; label: string; is_retired: boolean }[] | null
  min: number | null
  max: number | null
  decimals: number | null
  position: number
  scope: ConfigurationScope
  retired_at: string | null
  /** Number of projects that have it switched on. */
  project_count: number
}

export interface OfferedField {
  id: string
  subject: FieldSubject
  key: string
  name: string
  description: string
  type: FieldType
  is_required: boolean
  required_on: ResultStatus[]
  default: (string | number | boolean | string[]) | null
  options: { key: string; label: string; is_retired: boolean }[] | null
  min: number | null
  max: number | null
  decimals: number | null
  position: number
  scope: ConfigurationScope
  retired_at: string | null
  /** Whether this project has it switched on. */
  is_used: boolean
}

export interface SetInstanceFieldBody {
  /** Whether the project has the field. */
  is_used: boolean
  /** Whether a new test case or run of this project must have a value. */
  is_required?: boolean
  /** Of a field of results: the statuses that need a value before a run of this project is completed. */
  required_on?: ResultStatus[]
  position?: number
}

export interface UpdateInstanceFieldBody {
  name?: string
  type?: FieldType
  position?: number
  description?: string
  /**
   */
  default?: string | number | boolean | string[] | null
  /**
   */
  options?: { key: string; label: string; is_retired?: boolean }[]
  min?: number | null
  max?: number | null
  decimals?: number | null
}

export interface CreateInstanceField {
  body: CreateInstanceFieldBody
  success: { 201: { data: InstanceField } }
}

/** Add a field of the instance. */
export const createInstanceField: Endpoint<CreateInstanceField> = { method: 'POST', url: '/v1/admin/fields', operationId: 'createInstanceField', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteInstanceField {
  params: { field_id: string }
  success: { 204: null }
}

/** Delete a retired field of the instance. */
export const deleteInstanceField: Endpoint<DeleteInstanceField> = { method: 'DELETE', url: '/v1/admin/fields/:field_id', operationId: 'deleteInstanceField', success: { 204: null } }

export interface ListInstanceFields {
  query: { subject?: FieldSubject }
  success: { 200: { data: InstanceField[]; meta: { total: number } } }
}

export const listInstanceFields: Endpoint<ListInstanceFields> = { method: 'GET', url: '/v1/admin/fields', operationId: 'listInstanceFields', success: { 200: ['data[]', 'meta{}'] } }

export interface ListOfferedFields {
  params: ProjectParams
  query: { subject?: FieldSubject }
  success: { 200: { data: OfferedField[]; meta: { total: number } } }
}

/** List the fields of the instance that a project can have. */
export const listOfferedFields: Endpoint<ListOfferedFields> = { method: 'GET', url: '/v1/projects/:project_id/instance-fields', operationId: 'listOfferedFields', success: { 200: ['data[]', 'meta{}'] } }

export interface RestoreInstanceField {
  params: { field_id: string }
  success: { 200: { data: InstanceField } }
}

/** Restore a retired field of the instance. */
export const restoreInstanceField: Endpoint<RestoreInstanceField> = { method: 'POST', url: '/v1/admin/fields/:field_id/restore', operationId: 'restoreInstanceField', acceptsKey: true, success: { 200: ['data{}'] } }

export interface RetireInstanceField {
  params: { field_id: string }
  success: { 200: { data: InstanceField } }
}

export const retireInstanceField: Endpoint<RetireInstanceField> = { method: 'POST', url: '/v1/admin/fields/:field_id/retire', operationId: 'retireInstanceField', acceptsKey: true, success: { 200: ['data{}'] } }

export interface SetInstanceField {
  params: FieldParams
  body: SetInstanceFieldBody
  success: { 200: { data: OfferedField } }
}

/** Switch a field of the instance on or off. */
export const setInstanceField: Endpoint<SetInstanceField> = { method: 'PUT', url: '/v1/projects/:project_id/instance-fields/:field_id', operationId: 'setInstanceField', success: { 200: ['data{}'] } }

export interface UpdateInstanceField {
  params: { field_id: string }
  body: UpdateInstanceFieldBody
  success: { 200: { data: InstanceField } }
}

/** Change a field of the instance. */
export const updateInstanceField: Endpoint<UpdateInstanceField> = { method: 'PATCH', url: '/v1/admin/fields/:field_id', operationId: 'updateInstanceField', success: { 200: ['data{}'] } }

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

export interface AcceptedInvitation {
  project: { id: string; name: string }
  member: Member
}

export interface Invitation {
  id: string
  /** Email address of the invited person. */
  email: string
  /** Role of the new member. */
  role: Role
  /** `pending` until the invitation is accepted, revoked or expired. */
  status: InvitationStatus
  /** User id of the member who sent the invitation. */
  invited_by: string
  /** When the invitation expires: seven days after the last link was sent. */
  expires_at: string
  /** When the invitation was created. */
  created_at: string
}

export interface InvitationPreview {
  project: { id: string; name: string }
  email: string
  role: Role
  invited_by: {
    /** Name of the member who sent the invitation. */
    name: string
  }
  expires_at: string
}

export interface SentInvitation {
  id: string
  email: string
  role: Role
  status: InvitationStatus
  invited_by: string
  expires_at: string
  created_at: string
  /** Link to accept the invitation. */
  join_url?: string
}

export interface AcceptInvitation {
  params: {
    /** Last part of the link in the email. */
    secret: string
  }
  body: {
    /** Name of the new user. */
    name?: string
    /** Password of the new user, 8 to 1024 characters. */
    password?: string
  } | null
  success: { 200: AcceptedInvitation }
}

export const acceptInvitation: Endpoint<AcceptInvitation> = { method: 'POST', url: '/v1/invitations/:secret/accept', operationId: 'acceptInvitation', success: { 200: ['project{}', 'member{}'] } }

export interface GetInvitationPreview {
  params: { secret: string }
  success: { 200: InvitationPreview }
}

/** Get the invitation of a link. */
export const getInvitationPreview: Endpoint<GetInvitationPreview> = { method: 'GET', url: '/v1/invitations/:secret', operationId: 'getInvitationPreview', success: { 200: ['project{}', 'email', 'role', 'invited_by{}', 'expires_at'] } }

export interface InviteMember {
  params: ProjectParams
  body: {
    /** Email address to invite. */
    email: string
    role: Role
  }
  success: { 201: SentInvitation }
}

export const inviteMember: Endpoint<InviteMember> = { method: 'POST', url: '/v1/projects/:project_id/members/invite', operationId: 'inviteMember', acceptsKey: true, success: { 201: ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'] } }

export interface ListInvitations {
  params: ProjectParams
  query: {
    /** Return only invitations with this status. */
    status?: InvitationStatus
    /** Page number, from 1. */
    page?: number
    per_page?: number
  }
  success: { 200: { data: Invitation[]; meta: PageMeta } }
}

export const listInvitations: Endpoint<ListInvitations> = { method: 'GET', url: '/v1/projects/:project_id/invitations', operationId: 'listInvitations', success: { 200: ['data[]', 'meta{}'] } }

export interface ResendInvitation {
  params: { project_id: string; invitation_id: string }
  success: { 200: SentInvitation }
}

/** Send an invitation again. */
export const resendInvitation: Endpoint<ResendInvitation> = { method: 'POST', url: '/v1/projects/:project_id/invitations/:invitation_id/resend', operationId: 'resendInvitation', acceptsKey: true, success: { 200: ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'] } }

export interface RevokeInvitation {
  params: { project_id: string; invitation_id: string }
  success: { 204: null }
}

export const revokeInvitation: Endpoint<RevokeInvitation> = { method: 'DELETE', url: '/v1/projects/:project_id/invitations/:invitation_id', operationId: 'revokeInvitation', success: { 204: null } }

export interface LeftOut {
  /** Id of the test, or of the error. */
  id: string
  /** An outcome of a test, or an error outside of tests. */
  kind: 'test' | 'suite_error'
  /** Suite and name of the test, or the place of the error. */
  name: string
  /** The outcome of the test; null for an error. */
  outcome: AttemptStatus | null
  /** User id; null if the account was deleted. */
  left_out_by: string | null
  /** When it was left out. */
  left_out_at: string
}

export interface LeaveOutSuiteError {
  params: { run_id: string; error_id: string }
  success: { 200: { data: LeftOut } }
}

/** Leave an error outside of tests out of a run. */
export const leaveOutSuiteError: Endpoint<LeaveOutSuiteError> = { method: 'POST', url: '/v1/runs/:run_id/suite-errors/:error_id/leave-out', operationId: 'leaveOutSuiteError', acceptsKey: true, success: { 200: ['data{}'] } }

export interface LeaveOutTest {
  params: RunTestParams
  success: { 200: { data: LeftOut } }
}

/** Leave a test out of a run. */
export const leaveOutTest: Endpoint<LeaveOutTest> = { method: 'POST', url: '/v1/runs/:run_id/tests/:test_id/leave-out', operationId: 'leaveOutTest', acceptsKey: true, success: { 200: ['data{}'] } }

export interface ListLeftOut {
  params: RunParams
  success: { 200: { data: LeftOut[] } }
}

/** List what was left out of a run. */
export const listLeftOut: Endpoint<ListLeftOut> = { method: 'GET', url: '/v1/runs/:run_id/left-out', operationId: 'listLeftOut', success: { 200: ['data[]'] } }

export interface PutBackLeftOut {
  params: { run_id: string; id: string }
  success: { 200: { data: LeftOut } }
}

/** Put back what was left out of a run. */
export const putBackLeftOut: Endpoint<PutBackLeftOut> = { method: 'DELETE', url: '/v1/runs/:run_id/left-out/:id', operationId: 'putBackLeftOut', success: { 200: ['data{}'] } }

export const LINK_KINDS = ['defect', 'requirement', 'other'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export interface Link {
  id: string
  /** What the address is of. */
  kind: LinkKind
  /** The address, as it was sent. */
  url: string
  /** What to show: the label that was sent, or one that was made from the address, such as `SHOP-41`. */
  label: string
  /** User id; null for automation. */
  created_by: string | null
  /** When the link was added. */
  created_at: string
}

export interface CreateLinkBody {
  /** An address that begins with `http://` or `https://`, without a user name or password. */
  url: string
  kind?: LinkKind
  /** What to show instead of the address. */
  label?: string
}

export interface CreateResultLink {
  params: ResultParams
  body: CreateLinkBody
  success: {
    /** The place has a link to this address already, which is returned. */
    200: { data: Link }
    201: { data: Link }
  }
}

/** Add a link to a result. */
export const createResultLink: Endpoint<CreateResultLink> = { method: 'POST', url: '/v1/runs/:run_id/results/:result_id/links', operationId: 'createResultLink', acceptsKey: true, success: { 200: ['data{}'], 201: ['data{}'] } }

export interface CreateTestCaseLink {
  params: TestCaseParams
  body: CreateLinkBody
  success: { 200: { data: Link }; 201: { data: Link } }
}

/** Add a link to a test case. */
export const createTestCaseLink: Endpoint<CreateTestCaseLink> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/links', operationId: 'createTestCaseLink', acceptsKey: true, success: { 200: ['data{}'], 201: ['data{}'] } }

export interface DeleteResultLink {
  params: { run_id: string; result_id: string; link_id: string }
  success: { 204: null }
}

/** Remove a link from a result. */
export const deleteResultLink: Endpoint<DeleteResultLink> = { method: 'DELETE', url: '/v1/runs/:run_id/results/:result_id/links/:link_id', operationId: 'deleteResultLink', success: { 204: null } }

export interface DeleteTestCaseLink {
  params: { project_id: string; test_case_id: string; link_id: string }
  success: { 204: null }
}

/** Remove a link from a test case. */
export const deleteTestCaseLink: Endpoint<DeleteTestCaseLink> = { method: 'DELETE', url: '/v1/projects/:project_id/test-cases/:test_case_id/links/:link_id', operationId: 'deleteTestCaseLink', success: { 204: null } }

export interface ListResultLinks {
  params: ResultParams
  success: { 200: { data: Link[] } }
}

export const listResultLinks: Endpoint<ListResultLinks> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id/links', operationId: 'listResultLinks', success: { 200: ['data[]'] } }

export interface ListTestCaseLinks {
  params: TestCaseParams
  success: { 200: { data: Link[] } }
}

export const listTestCaseLinks: Endpoint<ListTestCaseLinks> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/links', operationId: 'listTestCaseLinks', success: { 200: ['data[]'] } }

export const ROLES = ['admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export interface ChangedMember {
  id: string
  email: string
  name: string
  /** URL of a picture; null for none. */
  avatar_url: string | null
  /** Role in the project. */
  role: Role
  /** When the user joined the project. */
  joined_at: string
  /** When the role last changed. */
  updated_at: string
}

export interface Member {
  id: string
  email: string
  name: string
  avatar_url: string | null
  role: Role
  joined_at: string
}

export interface Person {
  id: string
  name: string
  avatar_url: string | null
  /** Whether the user is a member now. */
  is_member: boolean
  /** Role in the project; null for a former member. */
  role: Role | null
}

export interface ChangeMemberRole {
  params: {
    project_id: string
    /** User id of the member. */
    user_id: string
  }
  body: {
    /** New role. */
    role: Role
  }
  success: { 200: ChangedMember }
}

/** Change a member's role. */
export const changeMemberRole: Endpoint<ChangeMemberRole> = { method: 'PATCH', url: '/v1/projects/:project_id/members/:user_id', operationId: 'changeMemberRole', success: { 200: ['id', 'email', 'name', 'avatar_url', 'role', 'joined_at', 'updated_at'] } }

export interface LeaveProject {
  params: ProjectParams
  success: { 204: null }
}

export const leaveProject: Endpoint<LeaveProject> = { method: 'DELETE', url: '/v1/projects/:project_id/members/me', operationId: 'leaveProject', success: { 204: null } }

export interface ListMembers {
  params: ProjectParams
  query: {
    /** Return only members with this role. */
    role?: Role
    page?: number
    per_page?: number
  }
  success: { 200: { data: Member[]; meta: PageMeta } }
}

export const listMembers: Endpoint<ListMembers> = { method: 'GET', url: '/v1/projects/:project_id/members', operationId: 'listMembers', success: { 200: ['data[]', 'meta{}'] } }

export interface ListPeople {
  params: ProjectParams
  success: { 200: { data: Person[] } }
}

/** List members and former members. */
export const listPeople: Endpoint<ListPeople> = { method: 'GET', url: '/v1/projects/:project_id/people', operationId: 'listPeople', success: { 200: ['data[]'] } }

export interface RemoveMember {
  params: { project_id: string; user_id: string }
  success: { 204: null }
}

export const removeMember: Endpoint<RemoveMember> = { method: 'DELETE', url: '/v1/projects/:project_id/members/:user_id', operationId: 'removeMember', success: { 204: null } }

export interface Mention {
  /** Id of the mention. */
  id: string
  /** Project of the comment. */
  project_id: string
  project_name: string
  /** The comment that mentions you. */
  comment_id: string
  /** Test case of the comment or of its result; null for a run, or if it was deleted. */
  test_case_id: string | null
  /** Run of the comment or of its result; null for a test case. */
  run_id: string | null
  /** Result of the comment; null for others. */
  result_id: string | null
  /** Title of the test case, or name of the run. */
  title: string
  author_name: string
  /** First line of the comment, up to 200 characters. */
  text: string
  /** When the comment mentioned you. */
  created_at: string
  /** When you marked it as read; null if it is unread. */
  read_at: string | null
}

export interface ListMyMentions {
  query: {
    after?: string
    per_page?: number
    /** `true`: only those that are not read. */
    unread?: 'true' | 'false'
  }
  success: {
    200: {
      data: Mention[]
      meta: {
        next_after: string | null
        /** Number of all mentions that are not read. */
        unread_count: number
      }
    }
  }
}

/** List the comments that mention you. */
export const listMyMentions: Endpoint<ListMyMentions> = { method: 'GET', url: '/v1/me/mentions', operationId: 'listMyMentions', success: { 200: ['data[]', 'meta{}'] } }

export interface ReadMyMentions {
  body: {
    /** Up to 100 mentions. */
    ids?: string[]
    /** `true`: all mentions, in place of `ids`. */
    all?: boolean
  }
  success: {
    200: {
      data: {
        /** Number of mentions that were unread before. */
        read: number
      }
    }
  }
}

/** Mark mentions as read. */
export const readMyMentions: Endpoint<ReadMyMentions> = { method: 'POST', url: '/v1/me/mentions/read', operationId: 'readMyMentions', acceptsKey: true, success: { 200: ['data{}'] } }

export const MERGE_REFUSALS = ['same_test_case', 'target_archived', 'already_merged', 'too_many_automation_keys', 'too_many_links', 'too_many_attachments', 'too_many_comments'] as const
export type MergeRefusal = (typeof MERGE_REFUSALS)[number]

export interface Merge {
  /** Merge id, to undo the merge. */
  id: string
  /** The test case that is left. */
  test_case_id: string
  /** The test cases that were archived. */
  merged_ids: string[]
  moved: {
    /** Number of automation keys. */
    automation_keys: number
    /** Number of tests whose results now go to the target. */
    tests: number
    /** Number of links. */
    links: number
    /** Number of files, with those of comments. */
    attachments: number
    /** Number of comments. */
    comments: number
  }
}

export interface MergeBody {
  /** Ids of the test cases that become part of the one in the path, 1 to 20. */
  from_ids: string[]
}

export interface MergeTestCases {
  params: TestCaseParams
  body: MergeBody
  success: { 200: { data: Merge } }
}

/** Merge test cases into another one. */
export const mergeTestCases: Endpoint<MergeTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/merge', operationId: 'mergeTestCases', acceptsKey: true, success: { 200: ['data{}'] } }

export interface UndoMerge {
  params: TestCaseParams
  body: { merge_id: string }
  success: {
    200: {
      data: {
        /** The test case in the path. */
        test_case_id: string
        /** The test cases that are of their own again. */
        restored_ids: string[]
      }
    }
  }
}

/** Undo a merge of test cases. */
export const undoMerge: Endpoint<UndoMerge> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/:test_case_id/merge/undo', operationId: 'undoMerge', acceptsKey: true, success: { 200: ['data{}'] } }

export const BLOCKER_PRIORITIES = ['critical', 'high', 'medium', 'low', 'any'] as const
export type BlockerPriority = (typeof BLOCKER_PRIORITIES)[number]

export const BLOCKER_STATUSES = ['failed', 'blocked'] as const
export type BlockerStatus = (typeof BLOCKER_STATUSES)[number]

export interface Blocker {
  /** Run of the result. */
  run_id: string
  run_name: string
  result_id: string
  test_case_id: string | null
  /** Title of the test case. */
  title: string
  /** Priority of the test case; null if the test case was deleted. */
  priority: Priority | null
  /** Status of the result. */
  status: BlockerStatus
  /** First line of the note, up to 200 characters. */
  note_line: string | null
}

export interface BurnUp {
  /** All results of the linked runs, those of sub-milestones included. */
  total: number
  /** Every day from the first result until today, the oldest first: up to 400. */
  days: {
    /** Day in the time zone, `YYYY-MM-DD`. */
    day: string
    /** Results that were tested until the end of the day, by when they were tested last. */
    executed: number
    /** Of these, those that are failed. */
    failed: number
  }[]
}

export interface MilestoneReadiness {
  /** Results that have a status other than `not_tested`. */
  tested: number
  /** All results. */
  total: number
  /** Failed results. */
  failed: number
  /** Failed results of test cases with priority `critical`. */
  failed_critical: number
  /** Blocked results. */
  blocked: number
  /** Results tested per day over the last seven days, or since the first run if that is later, with one decimal. */
  pace_per_day: number
  /** Day (UTC, `YYYY-MM-DD`) on which all results are tested at this pace. */
  expected_on: string | null
}

export interface GetMilestoneBurnUp {
  params: MilestoneParams
  query: {
    /** Time zone of the days, such as `Europe/Berlin`; UTC by default. */
    time_zone?: string
  }
  success: { 200: { data: BurnUp } }
}

export const getMilestoneBurnUp: Endpoint<GetMilestoneBurnUp> = { method: 'GET', url: '/v1/projects/:project_id/milestones/:milestone_id/burn-up', operationId: 'getMilestoneBurnUp', success: { 200: ['data{}'] } }

export interface GetMilestoneReadiness {
  params: MilestoneParams
  success: { 200: { data: MilestoneReadiness } }
}

export const getMilestoneReadiness: Endpoint<GetMilestoneReadiness> = { method: 'GET', url: '/v1/projects/:project_id/milestones/:milestone_id/readiness', operationId: 'getMilestoneReadiness', success: { 200: ['data{}'] } }

export interface ListMilestoneBlockers {
  params: MilestoneParams
  query: {
    status?: BlockerStatus | readonly BlockerStatus[]
    /** Return results of test cases with this priority, or with one of these priorities if the parameter is repeated; `critical` and `high` by default. */
    priority?: BlockerPriority | readonly BlockerPriority[]
    page?: number
    /** Blockers on a page. */
    per_page?: number
  }
  success: { 200: { data: Blocker[]; meta: PageMeta } }
}

export const listMilestoneBlockers: Endpoint<ListMilestoneBlockers> = { method: 'GET', url: '/v1/projects/:project_id/milestones/:milestone_id/blockers', operationId: 'listMilestoneBlockers', success: { 200: ['data[]', 'meta{}'] } }

export const MILESTONE_STATUSES = ['active', 'completed', 'archived'] as const
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number]

export interface CreateMilestoneBody {
  name: string
  description?: string
  /** Start date; null for none. */
  start_date?: string | null
  /** Due date, not before the start date; null for none. */
  due_date?: string | null
  /** Parent milestone, which must not be a sub-milestone itself; null for the top level. */
  parent_id?: string | null
  /** `auto`: derive the dates from sub-milestones, if there are any. `manual`: set the dates explicitly. */
  date_mode?: 'auto' | 'manual'
}

export interface Milestone {
  id: string
  name: string
  /** Description; empty if not set. */
  description: string
  start_date: string | null
  due_date: string | null
  /** Status of the milestone. */
  status: MilestoneStatus
  /** Parent milestone; null at the top level. */
  parent_id: string | null
  /** Progress in percent, a whole number: 100 if the milestone is completed, otherwise the share of tested results in its linked runs. */
  progress: number
  /** When the milestone was created. */
  created_at: string
  /** When a field of the milestone last changed. */
  updated_at: string
  /** `completed` if the status is completed or archived, otherwise `past_due` if the due date has passed, otherwise `upcoming` if the start date is in the future, otherwise `started`. */
  phase: 'upcoming' | 'started' | 'past_due' | 'completed'
  /** `auto`: the dates are derived from sub-milestones, if there are any. `manual`: the dates are set explicitly. */
  date_mode: 'auto' | 'manual'
}

export interface MilestoneDetail {
  id: string
  name: string
  description: string
  start_date: string | null
  due_date: string | null
  status: MilestoneStatus
  parent_id: string | null
  progress: number
  created_at: string
  updated_at: string
  phase: 'upcoming' | 'started' | 'past_due' | 'completed'
  date_mode: 'auto' | 'manual'
  /** Runs linked to this milestone, newest first, without those of sub-milestones. */
  linked_runs: {
    id: string
    /** Display name of the run. */
    name: string
    /** Status of the run. */
    status: RunStatus
    pass_rate: number
  }[]
  /** Sub-milestones in the order of their creation. */
  sub_milestones: { id: string; name: string; status: MilestoneStatus; progress: number }[]
}

export interface MilestoneListItem {
  id: string
  name: string
  description: string
  start_date: string | null
  due_date: string | null
  status: MilestoneStatus
  parent_id: string | null
  progress: number
  created_at: string
  updated_at: string
  phase?: 'upcoming' | 'started' | 'past_due' | 'completed'
  date_mode?: 'auto' | 'manual'
  /** Number of runs linked to the milestone and to its sub-milestones. */
  run_count?: number
  /** Results of these runs by status. */
  stats?: StatusCounts
}

export interface MilestoneParams {
  project_id: string
  milestone_id: string
}

export interface UpdateMilestoneBody {
  name?: string
  description?: string
  start_date?: string | null
  due_date?: string | null
  date_mode?: 'auto' | 'manual'
  /** New status. */
  status?: MilestoneStatus
}

export interface CreateMilestone {
  params: ProjectParams
  body: CreateMilestoneBody
  success: { 201: Milestone }
}

export const createMilestone: Endpoint<CreateMilestone> = { method: 'POST', url: '/v1/projects/:project_id/milestones', operationId: 'createMilestone', acceptsKey: true, success: { 201: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode'] } }

export interface DeleteMilestone {
  params: MilestoneParams
  success: { 204: null }
}

export const deleteMilestone: Endpoint<DeleteMilestone> = { method: 'DELETE', url: '/v1/projects/:project_id/milestones/:milestone_id', operationId: 'deleteMilestone', success: { 204: null } }

export interface GetMilestone {
  params: MilestoneParams
  success: { 200: MilestoneDetail }
}

export const getMilestone: Endpoint<GetMilestone> = { method: 'GET', url: '/v1/projects/:project_id/milestones/:milestone_id', operationId: 'getMilestone', success: { 200: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode', 'linked_runs[]', 'sub_milestones[]'] } }

export interface ListMilestones {
  params: ProjectParams
  query: {
    /** Return only milestones with this status, derived or not. */
    status?: MilestoneStatus
    /** `all` adds the phase, the date mode, the number of runs and their results by status to each item. */
    fields?: 'all'
    /** Return only items after the one with this id, the last of the previous page, in place of `page`: no item is missing or returned twice if others are added meanwhile. */
    after?: string
    page?: number
    per_page?: number
  }
  success: { 200: { data: MilestoneListItem[]; meta: PageMeta } }
}

export const listMilestones: Endpoint<ListMilestones> = { method: 'GET', url: '/v1/projects/:project_id/milestones', operationId: 'listMilestones', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateMilestone {
  params: MilestoneParams
  body: UpdateMilestoneBody
  success: { 200: Milestone }
}

/** Update, complete or archive a milestone. */
export const updateMilestone: Endpoint<UpdateMilestone> = { method: 'PATCH', url: '/v1/projects/:project_id/milestones/:milestone_id', operationId: 'updateMilestone', success: { 200: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode'] } }

export const PROJECT_PERMISSIONS = ['project:view', 'test-cases:edit', 'runs:open-and-close', 'runs:execute', 'files:upload', 'comments:write', 'views:keep', 'members:view', 'members:manage', 'members:change-role', 'milestones:manage', 'quarantine:manage', 'project:settings', 'project:delete'] as const
export type ProjectPermission = (typeof PROJECT_PERMISSIONS)[number]

export interface MyProject {
  id: string
  name: string
  /** Prefix of test case ids. */
  prefix: string
  /** Your role in the project. */
  role: Role
  /** What your role permits. */
  permissions: ProjectPermission[]
  test_case_count: number
  /** Number of test runs. */
  run_count: number
  member_count: number
  /** The run that was created last; null if there is none. */
  last_run: {
    id: string
    name: string
    status: RunStatus
    stats: StatusCounts
    pass_rate: number
    test_stats: TestStats
    created_at: string
  } | null
  /** Pass rates of those of the last 20 runs in which something was tested, oldest first. */
  pass_rates: number[]
  /** What the results of steps do with the status of their result. */
  steps_decide: StepsDecide
  /** Counts changes of the custom fields; absent if the project never had one. */
  fields_version?: number
  /** The template of new test cases; absent for `steps`. */
  default_template?: Template
  /** Whether test cases can be tested with configurations; absent if there are none in use. */
  has_configurations?: boolean
  /** Whether test cases have ids of other tools; absent if none has. */
  has_aliases?: boolean
  /** The pages that open with a view for you; absent if there are none. */
  default_views?: {
    /** The page: test cases, runs, the results of a run, or automated tests. */
    page: ViewPage
    /** The view that the page opens with. */
    view_id: string
  }[]
}

export interface ListMyProjects {
  success: {
    200: {
      data: MyProject[]
      meta: {
        /** Number of your projects. */
        total: number
      }
    }
  }
}

/** List your projects. */
export const listMyProjects: Endpoint<ListMyProjects> = { method: 'GET', url: '/v1/me/projects', operationId: 'listMyProjects', success: { 200: ['data[]', 'meta{}'] } }

export const ACTIVITY_KINDS = ['run.created', 'run.completed', 'test_cases.created', 'milestone.created', 'member.joined'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

export interface ActivityEntry {
  /** When it happened; of several test cases, when the last one was created. */
  at: string
  /** What happened. */
  kind: ActivityKind
  /** Who did it; null for CI, and if it is not known. */
  actor: { id: string; name: string } | null
  subject: {
    /** Id of the run, milestone or user, or of the test case that was created last. */
    id: string
    /** Its name or title. */
    name: string
    /** Number of test cases that one person created within an hour; otherwise 1. */
    count: number
  }
}

export interface UnstableTestCase {
  test_case_id: string
  title: string
  /** Its latest results, up to 10, the oldest first. */
  statuses: ('passed' | 'failed')[]
  /** The number of its latest runs in a row in which it failed. */
  failing_runs: number
  /** How often it changed between passed and failed from one run to the next. */
  changes: number
  /** The number of runs in which one of its automated tests failed and then passed. */
  flaky_runs: number
}

export interface UnstableTestCases {
  /** Test cases that fail, and did not before: in the newest base run of the default branch (insight), if one of their tests ran there; otherwise, when they were tested last. */
  newly_failing: UnstableTestCase[]
  /** Test cases that failed the last two times or more, of any branch or of the default one, the longest first. */
  failing: UnstableTestCase[]
  /** Test cases with a flaky test, those with most evidence first. */
  flaky: UnstableTestCase[]
  /** The length of the whole lists. */
  totals: { newly_failing: number; failing: number; flaky: number }
  /** The number of runs that were looked at. */
  runs: number
}

export interface ListActivity {
  params: ProjectParams
  query: {
    /** The `next_after` of the page before: returns what happened before this time. */
    after?: string
  }
  success: {
    200: {
      data: ActivityEntry[]
      meta: {
        /** The `after` of the next page; null on the last one. */
        next_after: string | null
      }
    }
  }
}

/** List what happened in a project. */
export const listActivity: Endpoint<ListActivity> = { method: 'GET', url: '/v1/projects/:project_id/activity', operationId: 'listActivity', success: { 200: ['data[]', 'meta{}'] } }

export interface ListUnstableTestCases {
  params: ProjectParams
  query: {
    /** Number of runs. */
    runs?: number
    /** Test cases in each list. */
    per_page?: number
  }
  success: { 200: { data: UnstableTestCases } }
}

/** List failing and flaky test cases. */
export const listUnstableTestCases: Endpoint<ListUnstableTestCases> = { method: 'GET', url: '/v1/projects/:project_id/unstable-test-cases', operationId: 'listUnstableTestCases', success: { 200: ['data{}'] } }

export interface PageMeta {
  /** Page number. */
  page: number
  per_page: number
  /** Number of items on all pages. */
  total: number
}

export interface RowPageMeta {
  page: number
  per_page: number
  total: number
  next_after: string | null
}

export interface ActivatePasskeyBody {
  /** Name to recognize it by; by default “Passkey”. */
  name?: string
  /** What `toJSON()` of the created credential returns. */
  credential: {
    id: string
    response: {
      clientDataJSON: string
      /** The public key, and what the authenticator says about it. */
      attestationObject: string
      /** How browsers can reach the authenticator. */
      transports?: string[]
    }
  }
}

export interface SignInWithPasskeyBody {
  /** What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeySignIn`. */
  passkey: {
    id: string
    response: {
      clientDataJSON: string
      authenticatorData: string
      signature: string
      /** Id of the user that the passkey was created for. */
      userHandle: string
    }
  }
}

export interface ActivatePasskey {
  body: ActivatePasskeyBody
  success: { 200: AddedFactorResponse }
}

/** Add a passkey. */
export const activatePasskey: Endpoint<ActivatePasskey> = { method: 'POST', url: '/v1/me/second-factors/passkey/activate', operationId: 'activatePasskey', acceptsKey: true, success: { 200: ['data{}'] } }

export interface SetUpPasskey {
  success: {
    201: {
      data: {
        /** Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`. */
        options: { [k: string]: unknown }
        /** Until when the authenticator must have answered. */
        expires_at: string
      }
    }
  }
}

/** Start to add a passkey. */
export const setUpPasskey: Endpoint<SetUpPasskey> = { method: 'POST', url: '/v1/me/second-factors/passkey', operationId: 'setUpPasskey', acceptsKey: true, success: { 201: ['data{}'] } }

export interface SignInWithPasskey {
  body: SignInWithPasskeyBody
  success: { 201: MeResponse }
}

/** Sign in with a passkey. */
export const signInWithPasskey: Endpoint<SignInWithPasskey> = { method: 'POST', url: '/v1/session/passkey', operationId: 'signInWithPasskey', success: { 201: ['data{}'] } }

export interface StartPasskeyCompletion {
  success: {
    201: {
      data: {
        /** Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
        options: { [k: string]: unknown }
        expires_at: string
      }
    }
  }
}

/** Start to complete a sign-in with a passkey. */
export const startPasskeyCompletion: Endpoint<StartPasskeyCompletion> = { method: 'POST', url: '/v1/session/second-factor/passkey-options', operationId: 'startPasskeyCompletion', success: { 201: ['data{}'] } }

export interface StartPasskeyConfirmation {
  success: { 201: { data: { options: { [k: string]: unknown }; expires_at: string } } }
}

/** Start to confirm with a passkey. */
export const startPasskeyConfirmation: Endpoint<StartPasskeyConfirmation> = { method: 'POST', url: '/v1/session/confirm/passkey-options', operationId: 'startPasskeyConfirmation', acceptsKey: true, success: { 201: ['data{}'] } }

export interface StartPasskeySignIn {
  success: { 201: { data: { options: { [k: string]: unknown }; expires_at: string } } }
}

/** Start to sign in with a passkey. */
export const startPasskeySignIn: Endpoint<StartPasskeySignIn> = { method: 'POST', url: '/v1/session/passkey-options', operationId: 'startPasskeySignIn', success: { 201: ['data{}'] } }

export interface GetPasswordReset {
  params: { secret: string }
  success: {
    200: {
      data: {
        email: string
        /** When the link expires: one hour after it was requested. */
        expires_at: string
      }
    }
  }
}

/** Get the account of a password reset link. */
export const getPasswordReset: Endpoint<GetPasswordReset> = { method: 'GET', url: '/v1/password-resets/:secret', operationId: 'getPasswordReset', success: { 200: ['data{}'] } }

export interface RequestPasswordReset {
  body: {
    /** Email address of the account, case-insensitive. */
    email: string
  }
  success: { 200: Message }
}

/** Request a password reset link. */
export const requestPasswordReset: Endpoint<RequestPasswordReset> = { method: 'POST', url: '/v1/password-resets', operationId: 'requestPasswordReset', success: { 200: ['message'] } }

export interface ResetPassword {
  params: { secret: string }
  body: {
    /** New password, 8 to 1024 characters. */
    password: string
    /** Use this if someone else may have used the account. */
    revoke_tokens?: boolean
  }
  success: { 200: MeResponse }
}

/** Set a new password with a link. */
export const resetPassword: Endpoint<ResetPassword> = { method: 'POST', url: '/v1/password-resets/:secret', operationId: 'resetPassword', success: { 200: ['data{}'] } }

export interface FieldError {
  /** JSON Pointer to the field in the body, or `/` and the name of a query parameter or header. */
  path: string
  /** Why the field is invalid. */
  message: string
}

/** Problem details (RFC 9457) */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /**
   */
  errors?: FieldError[]
  request_id?: string
}

export interface UnknownFieldWarning {
  code: 'unknown_field'
  /** JSON Pointer to the field in the body, cut at 100 characters. */
  field: string
  /** The nearest field that the endpoint knows. */
  did_you_mean?: string
}

export interface CreateProjectBody {
  name: string
  /** 2 to 5 uppercase letters. */
  prefix: string
  description?: string
}

export interface Project {
  id: string
  name: string
  /** 2 to 5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
  prefix: string
  description: string
  test_case_count: number
  run_count: number
  member_count: number
  /** When the project was created. */
  created_at: string
  /** When a field of the project last changed. */
  updated_at: string
}

export interface ProjectListItem {
  id: string
  name: string
  prefix: string
  test_case_count: number
  run_count: number
  created_at: string
  updated_at: string
}

export interface ProjectParams {
  project_id: string
}

export interface UpdateProjectBody {
  name?: string
  description?: string
}

export interface CreateProject {
  body: CreateProjectBody
  success: { 201: { data: Project } }
}

export const createProject: Endpoint<CreateProject> = { method: 'POST', url: '/v1/projects', operationId: 'createProject', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteProject {
  params: ProjectParams
  success: { 200: Message }
}

export const deleteProject: Endpoint<DeleteProject> = { method: 'DELETE', url: '/v1/projects/:project_id', operationId: 'deleteProject', success: { 200: ['message'] } }

export interface GetProject {
  params: ProjectParams
  success: { 200: { data: Project } }
}

export const getProject: Endpoint<GetProject> = { method: 'GET', url: '/v1/projects/:project_id', operationId: 'getProject', success: { 200: ['data{}'] } }

export interface ListProjects {
  query: { page?: number; per_page?: number }
  success: { 200: { data: ProjectListItem[]; meta: PageMeta } }
}

export const listProjects: Endpoint<ListProjects> = { method: 'GET', url: '/v1/projects', operationId: 'listProjects', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateProject {
  params: ProjectParams
  body: UpdateProjectBody
  success: { 200: { data: { id: string; name: string; prefix: string; description: string; updated_at: string } } }
}

export const updateProject: Endpoint<UpdateProject> = { method: 'PATCH', url: '/v1/projects/:project_id', operationId: 'updateProject', success: { 200: ['data{}'] } }

export interface CreateQuarantinesBody {
  /** Test to quarantine. */
  test_id?: string
  /** Tests to quarantine, up to 100: each gets an entry of its own, or none does. */
  test_ids?: string[]
  /** Why failures of the test must not block for now. */
  reason: string
  /** User id of who has to end it: a member of the project. */
  owner_id?: string
  /** Address of an issue or pull request, with http or https. */
  link?: string | null
  /** Branches in which it holds, such as `main` or `release/*`; `*` stands for anything. */
  branches?: string[]
  /** When it ends: up to 30 days from now, and up to 90 days after it began (`expires_too_late`). */
  expires_at?: string
}

export interface Quarantine {
  id: string
  test_id: string
  /** The test; null if it was deleted. */
  test: {
    /** File, class or blocks around the test; empty if unknown. */
    suite: string
    /** Name, with the titles of its blocks joined by ` > ` where the suite is a file. */
    name: string
    /** Browser, project or other variant; empty if there is only one. */
    variant: string
    file: string
    /** Directory of its package, relative to the repository; `.` for the root, empty if unknown. */
    module: string
    /** Test cases that the test is linked to, usually one. */
    test_case_ids: string[]
    /** How reliable it is: `stable` when it can return. */
    stability: Stability
  } | null
  /** Why its failures do not block. */
  reason: string
  /** User id of who has to end it; null if the account was deleted. */
  owner_id: string | null
  owner_name: string | null
  /** Address of an issue or pull request. */
  link: string | null
  /** Patterns of the branches in which it holds; empty for all. */
  branches: string[]
  /** Whether the project quarantined the test when it became flaky. */
  is_automatic: boolean
  /** Whether it is in effect. */
  is_active: boolean
  /** User id; null for an automatic one. */
  created_by: string | null
  /** When it began. */
  created_at: string
  /** When it ends, or would have ended, by itself. */
  expires_at: string
  /** When it ended; null while it is in effect. */
  ended_at: string | null
  /** User id of who ended it; null if it ended by itself. */
  ended_by: string | null
  /** Why it was ended. */
  end_reason: string | null
}

export interface UpdateQuarantineBody {
  /** New reason. */
  reason?: string
  owner_id?: string
  link?: string | null
  /**
   */
  branches?: string[]
  expires_at?: string
}

export interface CreateQuarantines {
  params: ProjectParams
  body: CreateQuarantinesBody
  success: { 201: { data: Quarantine[] } }
}

/** Quarantine tests. */
export const createQuarantines: Endpoint<CreateQuarantines> = { method: 'POST', url: '/v1/projects/:project_id/quarantines', operationId: 'createQuarantines', acceptsKey: true, success: { 201: ['data[]'] } }

export interface EndQuarantine {
  params: { project_id: string; quarantine_id: string }
  body: {
    /** Why. */
    end_reason?: string
  }
  success: { 200: { data: Quarantine } }
}

export const endQuarantine: Endpoint<EndQuarantine> = { method: 'DELETE', url: '/v1/projects/:project_id/quarantines/:quarantine_id', operationId: 'endQuarantine', success: { 200: ['data{}'] } }

export interface ListQuarantines {
  params: ProjectParams
  query: {
    /** `true`: only those in effect. `false`: only ended ones. */
    active?: boolean
    /** Only those of this user. */
    owner_id?: string
    /** Only those of this test. */
    test_id?: string
    /** Only those in effect that end within so many days. */
    ending_within_days?: number
    after?: string
    per_page?: number
  }
  success: { 200: { data: Quarantine[]; meta: { next_after: string | null } } }
}

export const listQuarantines: Endpoint<ListQuarantines> = { method: 'GET', url: '/v1/projects/:project_id/quarantines', operationId: 'listQuarantines', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateQuarantine {
  params: { project_id: string; quarantine_id: string }
  body: UpdateQuarantineBody
  success: { 200: { data: Quarantine } }
}

/** Change a quarantine. */
export const updateQuarantine: Endpoint<UpdateQuarantine> = { method: 'PATCH', url: '/v1/projects/:project_id/quarantines/:quarantine_id', operationId: 'updateQuarantine', success: { 200: ['data{}'] } }

export interface RecentResult {
  run_id: string
  /** Display name of the run. */
  run_name: string
  status: ResultStatus
  tested_at: string | null
}

export interface RecentResults {
  test_case_id: string
  /** The newest run first. */
  results: RecentResult[]
}

export interface ListRecentResults {
  params: ProjectParams
  query: {
    /** Up to 200 test case ids; repeat the parameter. */
    test_case_ids: string | readonly string[]
    /** Number of results per test case. */
    limit?: number
    /** Return only results of runs that were created before this one. */
    before_run?: string
  }
  success: { 200: { data: RecentResults[] } }
}

/** List the recent results of several test cases. */
export const listRecentResults: Endpoint<ListRecentResults> = { method: 'GET', url: '/v1/projects/:project_id/recent-results', operationId: 'listRecentResults', success: { 200: ['data[]'] } }

export interface Report {
  project_name: string
  /** When its first day begins. */
  from: string
  /** When it was written. */
  to: string
  /** Runs that were created in this time. */
  run_count: number
  branch: string | null
  /** Whether the branch was green, by suite. */
  green: {
    /** Suite; empty for runs without one. */
    series: string
    /** 30 parts of the time, the oldest first. */
    cells: ('green' | 'red' | 'excluded' | 'none')[]
    /** Share of the time that it was green, 0 to 1. */
    green_share: number | null
    state: 'green' | 'red' | null
    /** When that began. */
    since: string | null
  }[]
  new_causes: {
    /** Failure groups that were seen for the first time. */
    total: number
    /** Those with most tests. */
    items: {
      signature: string
      title: string
      /** Tests that failed with it. */
      test_count: number
    }[]
  }
  flaky: {
    /** Flaky tests now. */
    total: number
    /** Tests that became flaky, the flakiest first. */
    added: NamedTest[]
    /** All that became flaky. */
    added_count: number
    /** Tests that are not flaky any more. */
    ended_count: number
  }
  /** Quarantines that end in the next 7 days. */
  ending: {
    test_name: string
    owner_name: string | null
    /** When it ends. */
    expires_at: string
  }[]
  /** Tests that became slower. */
  slower: {
    test: NamedTest
    /** Median before. */
    before_ms: number
    /** Median over the newest runs. */
    now_ms: number
  }[]
  /** Linked tests that do not run any more. */
  gone_count: number
  /** The newest runs without a report of CI. */
  by_hand: {
    run_id: string
    name: string
    /** Passed results. */
    passed: number
    /** Failed and blocked results. */
    failed: number
    /** Results that are not tested. */
    not_tested: number
  }[]
  /** Active milestones with results. */
  readiness: {
    milestone_id: string
    name: string
    /** Results that were tested. */
    tested: number
    total: number
    failed: number
    /** Day on which all are tested at this pace. */
    expected_on: string | null
  }[]
}

export interface ReportSubscription {
  /** How often the report comes. */
  every: 'week' | 'day'
  /** Day of the week from 1, Monday; null for every day. */
  weekday: number | null
  /** Hour from which on it comes, in the time zone. */
  hour: number
  /** IANA time zone. */
  time_zone: string
}

export interface ReportSubscriptionBody {
  every: 'week' | 'day'
  weekday?: number | null
  hour: number
  time_zone: string
}

export interface DeleteReportSubscription {
  params: ProjectParams
  success: { 200: { data: ReportSubscription | null } }
}

/** End your subscription of the report. */
export const deleteReportSubscription: Endpoint<DeleteReportSubscription> = { method: 'DELETE', url: '/v1/projects/:project_id/report-subscription', operationId: 'deleteReportSubscription', success: { 200: ['data'] } }

export interface GetReport {
  params: ProjectParams
  query: { days?: number; time_zone?: string }
  success: { 200: { data: Report } }
}

/** Get the report of a project. */
export const getReport: Endpoint<GetReport> = { method: 'GET', url: '/v1/projects/:project_id/report', operationId: 'getReport', success: { 200: ['data{}'] } }

export interface GetReportSubscription {
  params: ProjectParams
  success: {
    200: {
      data: ReportSubscription | null
      meta: {
        /** Whether this server can send emails. */
        has_mail_server: boolean
      }
    }
  }
}

/** Get your subscription of the report. */
export const getReportSubscription: Endpoint<GetReportSubscription> = { method: 'GET', url: '/v1/projects/:project_id/report-subscription', operationId: 'getReportSubscription', success: { 200: ['data', 'meta{}'] } }

export interface SetReportSubscription {
  params: ProjectParams
  body: ReportSubscriptionBody
  success: { 200: { data: ReportSubscription } }
}

/** Subscribe to the report. */
export const setReportSubscription: Endpoint<SetReportSubscription> = { method: 'PUT', url: '/v1/projects/:project_id/report-subscription', operationId: 'setReportSubscription', success: { 200: ['data{}'] } }

export const KEPT_IN_RERUN = ['assignees', 'milestone', 'description'] as const
export type KeptInRerun = (typeof KEPT_IN_RERUN)[number]

export const RERUN_STATUSES = ['failed', 'blocked', 'retest'] as const
export type RerunStatus = (typeof RERUN_STATUSES)[number]

export interface CombinedResult {
  id: string
  test_case_id: string | null
  /** Title of the test case when it was added to the run. */
  test_case_title: string
  /** Folder of the test case; null at the top level. */
  folder_id: string | null
  priority: Priority | null
  /** Type of the test case; null if the test case was deleted. */
  type: TestCaseType | null
  /** Tags of the test case. */
  tags: string[]
  status: ResultStatus
  /** First line of the note that says what happened, up to 200 characters. */
  note_line: string | null
  elapsed: number | null
  /** How long the test takes in seconds; null or absent if it is not estimated. */
  estimate?: number | null
  tested_by: string | null
  tested_at: string | null
  assigned_to: string | null
  /** The status that follows from the steps, as of the last result of a step: `failed` if any failed, else `blocked` or `retest` if any is, else `not_tested` if any has no status, else `passed`; null without results of steps. */
  step_state: ResultStatus | null
  /** Number of attachments of the result, with those of the attempts at its tests. */
  attachment_count: number
  /** Number of comments on the result, without deleted ones. */
  comment_count: number
  /** Number of links of the result. */
  link_count: number
  /** The first link of kind `defect`; null without one. */
  defect: {
    /** Label of the link. */
    label: string
    /** Address of the link. */
    url: string
  } | null
  /** Statuses of its combinations in the order of the configurations, the first 20, each by its first letter, such as `ppfn`; absent without any. */
  combination_statuses?: string
  /** How many combinations it has beyond the first 20; absent for none. */
  more_combinations?: number
  /** Present if a custom field that its status needs (`required_on`) has no value. */
  lacks_fields?: true
  /** The newest run of the chain in which the test case was tested. */
  run_id: string
  /** The status in each run of the chain that has the test case, the oldest run first. */
  statuses: {
    /** Run of the chain. */
    run_id: string
    status: ResultStatus
  }[]
}

export interface Lineage {
  /** Id of the first run of the chain, which may have been deleted. */
  root_run_id: string
  /** The runs of the chain, the oldest first; only the run without reruns. */
  runs: LineageRun[]
  /** Each test case once, with its status in the newest run in which it was tested. */
  combined: { stats: StatusCounts; result_count: number; pass_rate: number }
}

export interface LineageRun {
  id: string
  name: string
  status: RunStatus
  created_at: string
  /** When the run was completed. */
  completed_at: string | null
  pass_rate: number
  stats: StatusCounts
  result_count: number
  /** The run that this one repeats; null for the first run, or after it was deleted. */
  rerun_of: string | null
  /** Which rerun of the first run this is, from 1; null for the first run. */
  rerun_number: number | null
}

export interface CreateRerun {
  params: RunParams
  body: {
    /** Display name; by default the name of the first run, `, rerun` and a number. */
    name?: string
    /** Only test cases with one of these statuses in the run. */
    statuses?: ResultStatus[]
    /** Only these test cases of the run. */
    test_case_ids?: string[]
    /** What the rerun takes over from the run; by default everything. */
    keep?: KeptInRerun[]
  } | null
  success: {
    /** The rerun was created. */
    201: {
      data: Run
      /** Values of custom fields that were not stored. */
      ignored_fields?: IgnoredFields
    }
  }
}

/** Run test cases of a run again. */
export const createRerun: Endpoint<CreateRerun> = { method: 'POST', url: '/v1/runs/:run_id/reruns', operationId: 'createRerun', acceptsKey: true, success: { 201: ['data{}'] } }

export interface GetLineage {
  params: RunParams
  success: { 200: { data: Lineage } }
}

/** Get the chain of a run and its reruns. */
export const getLineage: Endpoint<GetLineage> = { method: 'GET', url: '/v1/runs/:run_id/lineage', operationId: 'getLineage', success: { 200: ['data{}'] } }

export interface ListCombinedResults {
  params: RunParams
  query: {
    /** Only results with one of these statuses. */
    status?: ResultStatus | readonly ResultStatus[]
    after?: string
    per_page?: number
  }
  success: { 200: { data: CombinedResult[]; meta: { next_after: string | null } } }
}

/** List the results of a run and its reruns together. */
export const listCombinedResults: Endpoint<ListCombinedResults> = { method: 'GET', url: '/v1/runs/:run_id/combined-results', operationId: 'listCombinedResults', success: { 200: ['data[]', 'meta{}'] } }

export interface ResultChange {
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  tested_at: string
  /** When it was overwritten. */
  replaced_at: string
  /** Results of its steps, by position; empty without any. */
  steps: StepResult[]
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** The combinations that were overwritten or deleted; absent without any. */
  combinations?: {
    place: number
    status: ResultStatus
    note: string | null
    elapsed: number | null
    tested_by: string | null
    tested_at: string | null
    /** Results of its steps, by position; absent without any. */
    steps?: StepResult[]
  }[]
}

export interface ListResultChanges {
  params: ResultParams
  success: { 200: { data: ResultChange[] } }
}

/** List what a result was before. */
export const listResultChanges: Endpoint<ListResultChanges> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id/changes', operationId: 'listResultChanges', success: { 200: ['data[]'] } }

export interface ResultDetail {
  id: string
  test_case_id: string | null
  test_case_title: string
  folder_id: string | null
  priority: Priority | null
  type: TestCaseType | null
  tags: string[]
  status: ResultStatus
  note_line: string | null
  elapsed: number | null
  estimate?: number | null
  tested_by: string | null
  tested_at: string | null
  assigned_to: string | null
  step_state: ResultStatus | null
  attachment_count: number
  comment_count: number
  link_count: number
  defect: { label: string; url: string } | null
  combination_statuses?: string
  more_combinations?: number
  lacks_fields?: true
  note: string | null
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** How many earlier statuses and notes can be listed. */
  change_count: number
  test_case: TestCase | null
  /** The automated tests of the test case in the run, up to 100. */
  tests: TestOfResult[]
  /** The attachments of the result and of the attempts at its tests, up to 100. */
  attachments: Attachment[]
  /** The links of the result, in the order in which they were added. */
  links: Link[]
  /** Results of the steps that have one, by their position in the test case as it is now. */
  steps: StepResult[]
  /** The version of the test case that was tested, or would have been when the run was completed; null if it was not tested yet. */
  case_version?: number | null
  /** Whether a person has tested `case_version`. */
  is_pinned?: boolean
  /** Whether title, precondition, steps or expected result have changed since then. */
  is_outdated?: boolean
  /** The test case as it was then; null if it says the same now, with the same shared steps, or (with `is_outdated`) if its text is no longer kept. */
  tested_case?: CaseContent | null
  /** The same as `steps`, by their position in `tested_case`; empty without it. */
  tested_steps?: StepResult[]
}

export interface ResultRow {
  id: string
  test_case_id: string | null
  test_case_title: string
  folder_id: string | null
  priority: Priority | null
  type: TestCaseType | null
  tags: string[]
  status: ResultStatus
  note_line: string | null
  elapsed: number | null
  estimate?: number | null
  tested_by: string | null
  tested_at: string | null
  assigned_to: string | null
  step_state: ResultStatus | null
  attachment_count: number
  comment_count: number
  link_count: number
  defect: { label: string; url: string } | null
  combination_statuses?: string
  more_combinations?: number
  lacks_fields?: true
}

export interface GetResult {
  params: ResultParams
  success: { 200: { data: ResultDetail } }
}

/** Get a result with its test case. */
export const getResult: Endpoint<GetResult> = { method: 'GET', url: '/v1/runs/:run_id/results/:result_id', operationId: 'getResult', success: { 200: ['data{}'] } }

export interface ListResultRows {
  params: RunParams
  query: {
    status?: ResultStatus | readonly ResultStatus[]
    /** Return only results whose test case title contains this text, case-insensitive. */
    search?: string
    /** Return only results that are assigned to this user: a user id, `me`, or `nobody` for those that are not assigned. */
    assigned_to?: string
    /** Return only results with a combination of this configuration of the run, by its place. */
    configuration?: number
    /** Return only results with a combination of this status, or of one of these; with `configuration`, one of that configuration. */
    combination_status?: ResultStatus | readonly ResultStatus[]
    /** Return only results with a link of kind `defect` (`any`), without one (`none`), or with one whose label or address contains this text, case-insensitive. */
    defect?: string
    changed_since?: string
    /** Return compact rows. */
    fields: 'row'
    after?: string
    page?: number
    /** Number of rows per page. */
    per_page?: number
  } & FieldFilters
  success: { 200: { data: ResultRow[]; meta: RowPageMeta } }
}

/** List the results of a run as compact rows. */
export const listResultRows: Endpoint<ListResultRows> = { method: 'GET', url: '/v1/runs/:run_id/results', operationId: 'listResultRows', success: { 200: ['data[]', 'meta{}'] } }

export const RESULT_STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
/** `passed`: all assertions were met. `failed`: an assertion was not met. `blocked`: the test could not be run. `retest`: to be tested again. `not_tested`: no result yet. */
export type ResultStatus = (typeof RESULT_STATUSES)[number]

/** Problem details (RFC 9457) with more fields */
export interface NewerResultProblem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /**
   */
  errors?: FieldError[]
  request_id?: string
  /** The newer result, which was kept; only with the code `newer_result`. */
  current?: TestResult
}

export interface ResultItem {
  test_case_id: string
  status: ResultStatus
  note?: string | null
  elapsed?: number | null
}

export interface ResultItemError {
  test_case_id: string
  error: string
  code:
    | 'not_in_run'
    | 'no_test_case_id'
    | 'ambiguous'
    | 'newer_result'
    | 'too_many_ids'
    | 'suite_error'
    | 'invalid_junit_xml'
    | 'unknown_step'
    | 'step_results_too_large'
    | 'no_such_combination'
}

export interface ResultParams {
  run_id: string
  result_id: string
}

export interface RunParams {
  run_id: string
}

export interface TestResult {
  id: string
  test_case_id: string | null
  test_case_title: string
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  tested_at: string | null
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
}

export interface ChangeResult {
  params: ResultParams
  body: {
    /**
     */
    steps?: StepChange[]
    note?: string | null
    elapsed?: number | null
    base_tested_at?: string | null
    case_version?: number
    fields?: {
      /**
       */
      [k: string]: string | number | boolean | string[] | null
    }
  }
  success: { 200: { data: TestResult } }
}

/** Change the steps, note, duration or fields of a result. */
export const changeResult: Endpoint<ChangeResult> = { method: 'PATCH', url: '/v1/runs/:run_id/results/:result_id', operationId: 'changeResult', success: { 200: ['data{}'] } }

export interface ListResults {
  params: RunParams
  query: {
    status?: ResultStatus | readonly ResultStatus[]
    search?: string
    assigned_to?: string
    configuration?: number
    combination_status?: ResultStatus | readonly ResultStatus[]
    defect?: string
    changed_since?: string
    /** `all` adds the values of custom fields to each result that has some. */
    fields?: 'all'
    page?: number
    per_page?: number
  } & FieldFilters
  success: { 200: { data: TestResult[]; meta: PageMeta } }
}

/** List the results of a run. */
export const listResults: Endpoint<ListResults> = { method: 'GET', url: '/v1/runs/:run_id/results', operationId: 'listResults', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateResult {
  params: ResultParams
  body: {
    status: ResultStatus
    /**
     */
    steps?: StepChange[]
    note?: string | null
    elapsed?: number | null
    base_tested_at?: string | null
    case_version?: number
    fields?: {
      /**
       */
      [k: string]: string | number | boolean | string[] | null
    }
  }
  success: { 200: { data: TestResult } }
}

/** Set a result. */
export const updateResult: Endpoint<UpdateResult> = { method: 'PUT', url: '/v1/runs/:run_id/results/:result_id', operationId: 'updateResult', success: { 200: ['data{}'] } }

export const RUN_CHANGES = ['newly_failing', 'still_failing', 'fixed', 'newly_tested', 'no_longer_tested', 'new', 'missing', 'slower', 'same'] as const
export type RunChange = (typeof RUN_CHANGES)[number]

export interface ComparedItem {
  /** `newly_failing`: passed, and fails now; `fixed`: the reverse; `still_failing`: fails in both. `newly_tested`: not tested or skipped before; `no_longer_tested`: the reverse. `new`: only in the newer run; `missing`: only in the older one. `slower`: a test that passed in both, and takes at least 1.5 times as long and 500 ms more. `same`: everything else. */
  change: RunChange
  /** Whether it fails in both in the same way. */
  is_same_failure: boolean
  /** Test case id; null for a test, or after it was deleted. */
  test_case_id: string | null
  /** Test id; null for a test case. */
  test_id: string | null
  /** Title of the test case, or name of the test. */
  title: string
  /** Suite of the test; empty for a test case. */
  suite: string
  /** Variant of the test; empty for a test case. */
  variant: string
  base: {
    /** Result id; null for a test. */
    result_id: string | null
    /** Status of the result, or outcome of the test. */
    status: string
    /** First line of the note, or of the message of the test, up to 200 characters. */
    note_line: string | null
    /** Duration in milliseconds. */
    elapsed_ms: number | null
  } | null
  head: { result_id: string | null; status: string; note_line: string | null; elapsed_ms: number | null } | null
}

export interface CompareRuns {
  params: ProjectParams
  query: {
    /** The older run. */
    base: string
    /** The newer run. */
    head: string
    /** What is compared. */
    by?: 'tests' | 'test_cases'
    change?: RunChange
    after?: string
    per_page?: number
  }
  success: {
    200: {
      data: ComparedItem[]
      meta: {
        /** What was compared. */
        by: 'tests' | 'test_cases'
        totals: {
          /** Number that are `newly_failing`. */
          newly_failing: number
          /** Number that are `still_failing`. */
          still_failing: number
          /** Number that are `fixed`. */
          fixed: number
          /** Number that are `newly_tested`. */
          newly_tested: number
          /** Number that are `no_longer_tested`. */
          no_longer_tested: number
          /** Number that are `new`. */
          new: number
          /** Number that are `missing`. */
          missing: number
          /** Number that are `slower`. */
          slower: number
          /** Number that are `same`. */
          same: number
        } | null
        next_after: string | null
      }
    }
  }
}

/** Compare two runs. */
export const compareRuns: Endpoint<CompareRuns> = { method: 'GET', url: '/v1/projects/:project_id/run-comparison', operationId: 'compareRuns', success: { 200: ['data[]', 'meta{}'] } }

/** What the test cases are tested with: each gets a result per combination, and its own status follows from them. */
export interface NewRunConfigurations {
  /** Keys of configurations by the key of their group. */
  groups?: {
    /**
     */
    [k: string]: string[]
  }
  /** Which configurations of the `groups` are combined: `full`, the default, is each with each; in `pairwise`, every two stand together at least once. */
  mode?: 'full' | 'pairwise'
  /** Instead of `groups`, or beside them: each of these. */
  list?: {
    /** Key of a configuration by the key of its group, such as `{"browser": "chrome", "system": "windows"}`. */
    values: { [k: string]: string }
    /** Which test cases of the run are tested with it. */
    selection?: {
      /** These test cases. */
      test_case_ids?: string[]
      /** The test cases in these folders and their subfolders. */
      folder_ids?: string[]
    }
  }[]
  selection?: {
    /**
     */
    test_case_ids?: string[]
    /**
     */
    folder_ids?: string[]
  }
}

export interface JobSource {
  /** What tells the executions of the job apart; empty if unknown. */
  instance: string
  /** Name of the shard; empty if it has none. */
  shard: string
  /** Variant of the upload; empty if it has none. */
  variant: string
  /** Where the tests ran; empty if unknown. */
  label: string
  build_attempt: number | null
  /** Number of reports. */
  upload_count: number
  /** Number of failed tests over all of its reports. */
  failed_count: number
  /** Number of errors outside of tests that the run has from it. */
  error_count: number
}

export interface RunJob {
  /** Name of the CI job; empty for what came from no CI job. */
  job: string
  /** Number of shards of the job; null if it has none. */
  expected_shards: number | null
  /** Names of the shards that are done. */
  shards_done: string[]
  /** Whether no shard of the job is missing. */
  is_done: boolean
  upload_count: number
  /** When the last report came; null if the job has only begun. */
  last_upload_at: string | null
  /** What in the job has reported. */
  sources: JobSource[]
}

export interface ListRunJobs {
  params: RunParams
  success: { 200: { data: RunJob[] } }
}

/** List the CI jobs of a run. */
export const listRunJobs: Endpoint<ListRunJobs> = { method: 'GET', url: '/v1/runs/:run_id/jobs', operationId: 'listRunJobs', success: { 200: ['data[]'] } }

export interface RunReports {
  /** JUnit reports, which are stored together. */
  reports: UploadedReport[]
  /** Create a test case for each test that matches none, and add it to the run. */
  create_test_cases?: boolean
}

export interface UploadReports {
  params: RunParams
  body: RunReports
  success: {
    200: UploadReceipt
    /** Some results were stored; `errors` lists the others. */
    207: PartialReceipt
  }
}

/** Upload JUnit reports as a user. */
export const uploadReports: Endpoint<UploadReports> = { method: 'POST', url: '/v1/runs/:run_id/reports', operationId: 'uploadReports', acceptsKey: true, success: { 200: ['success', 'uploaded_count', 'failed_count', 'stats{}'], 207: ['success', 'partial_failure', 'uploaded_count', 'failed_count', 'stats{}', 'errors[]'] } }

export const RUN_STATUSES = ['in_progress', 'completed'] as const
/** A completed run does not accept results until it is reopened. */
export type RunStatus = (typeof RUN_STATUSES)[number]

export interface Run {
  id: string
  project_id: string
  name: string
  description: string
  status: RunStatus
  /** Milestone of the run; null for none. */
  milestone_id: string | null
  pass_rate: number
  stats: StatusCounts
  result_count: number
  /** User id; null if the run was created with a CI token. */
  created_by: string | null
  created_at: string
  updated_at: string
  completed_at: string | null
  /** Run key; null for none. */
  run_key: string | null
  /** Metadata such as branch, commit and the URL of the CI build. */
  metadata: { [k: string]: string }
  /** Number of shards after which the run is completed; null if unknown. */
  expected_shards: number | null
  /** Names of the shards that are done, in the order of their reports. */
  shards_done: string[]
  /** Whether test cases that match uploaded tests are added to the run. */
  adds_test_cases: boolean
  test_stats: TestStats
  suite_error_count: number
  /** Number of attachments of the run, its results and tests. */
  attachment_count: number
  /** Number of attachments that an upload declared and whose content has not arrived yet. */
  waiting_file_count: number
  /** Number of comments on the run itself, without deleted ones and those on its results. */
  comment_count: number
  configurations?: RunConfiguration[]
  /** Number of combinations of all results; absent without configurations. */
  combination_count?: number
  /** Values of the custom fields of runs by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  evaluation?: RunEvaluation
}

export interface RunConfiguration {
  /** Place in the run, which never changes. */
  place: number
  /** Names of its configurations, such as `Chrome, Windows`. */
  name: string
  stats: StatusCounts
}

export interface RunEvaluation {
  is_current: boolean
  /** Why the run is no base for others; null if it counts. */
  excluded: Exclusion | null
  counts: EvaluationCounts
  blocking_count: number
}

export interface StatusCounts {
  /** Number of results with the status `passed`. */
  passed: number
  /** Number of results with the status `failed`. */
  failed: number
  /** Number of results with the status `blocked`. */
  blocked: number
  /** Number of results with the status `retest`. */
  retest: number
  /** Number of results with the status `not_tested`. */
  not_tested: number
}

/** Automated tests of the run, counted by their outcome. */
export interface TestStats {
  /** Number of tests that were uploaded to the run. */
  total: number
  /** Number of tests that match no test case. */
  unmatched: number
  /** Number of tests that passed, flaky ones included. */
  passed: number
  /** Number of tests that failed, or could not run because something failed. */
  failed: number
  /** Number of tests that passed after another attempt had failed. */
  flaky: number
  skipped: number
  /** The tests that match no test case by their outcome; null in runs of earlier versions until the next upload. */
  unmatched_stats: {
    /** Number that passed. */
    passed: number
    /** Number that failed, or could not run because something failed. */
    failed: number
    /** Number that were skipped or interrupted. */
    skipped: number
  } | null
  /** Number of errors outside of tests, such as a file that did not load. */
  errors: number
}

export const SHARE_SETTINGS = ['members', 'admins', 'off'] as const
export type ShareSetting = (typeof SHARE_SETTINGS)[number]

export const STEPS_DECIDE = ['suggest', 'derive'] as const
export type StepsDecide = (typeof STEPS_DECIDE)[number]

export interface RunSettings {
  /** Minutes without a report after which a run of CI completes by itself, once its CI jobs are done: up to a week, 0 for at once, null for never. */
  complete_after_minutes: number | null
  /** What several elements with the same class name and name in one `<testsuite>` are, unless an upload says so: several `tests`, or `attempts` at one. */
  equal_names: EqualName
  steps_decide: StepsDecide
  /** Days after which the files of completed runs are removed; their attachments stay and say so. */
  keep_run_files_days: number | null
  /** Who may share reports of runs and milestones with people without an account: `members`, `admins`, or nobody. */
  shares: ShareSetting
}

export interface GetRunSettings {
  params: ProjectParams
  success: { 200: { data: RunSettings } }
}

/** Get how runs take results. */
export const getRunSettings: Endpoint<GetRunSettings> = { method: 'GET', url: '/v1/projects/:project_id/run-settings', operationId: 'getRunSettings', success: { 200: ['data{}'] } }

export interface UpdateRunSettings {
  params: ProjectParams
  body: {
    complete_after_minutes?: number | null
    equal_names?: EqualName
    steps_decide?: StepsDecide
    keep_run_files_days?: number | null
    shares?: ShareSetting
  }
  success: { 200: { data: RunSettings } }
}

/** Change how runs take results. */
export const updateRunSettings: Endpoint<UpdateRunSettings> = { method: 'PATCH', url: '/v1/projects/:project_id/run-settings', operationId: 'updateRunSettings', success: { 200: ['data{}'] } }

export interface AddTestCasesToRun {
  params: RunParams
  body: {
    /** Test cases to add. */
    test_case_ids: string[]
  }
  success: { 200: { data: Run } }
}

/** Add test cases to a run. */
export const addTestCasesToRun: Endpoint<AddTestCasesToRun> = { method: 'POST', url: '/v1/runs/:run_id/test-cases', operationId: 'addTestCasesToRun', acceptsKey: true, success: { 200: ['data{}'] } }

export interface RemoveTestCasesFromRun {
  params: RunParams
  body: {
    /** Test cases to remove. */
    test_case_ids: string[]
  }
  success: { 200: { data: Run } }
}

/** Remove test cases from a run. */
export const removeTestCasesFromRun: Endpoint<RemoveTestCasesFromRun> = { method: 'DELETE', url: '/v1/runs/:run_id/test-cases', operationId: 'removeTestCasesFromRun', success: { 200: ['data{}'] } }

export interface AttemptStep {
  title: string
  /** Status of the step; null if it is unknown. */
  status: AttemptStatus | null
  /** Number of steps around it, 0 to 9: it belongs to the nearest one before it with a smaller depth. */
  depth: number
  elapsed_ms: number | null
  /** Error message; empty for none. */
  message: string
}

export interface OutcomePart {
  /** Number of the source in the run, which its attachments name. */
  source: number
  /** Name of the CI job; empty if unknown, as are the next six fields. */
  job: string
  /** What tells the executions of the job apart. */
  instance: string
  /** Name of the shard. */
  shard: string
  /** Variant that the upload names. */
  variant: string
  /** Path of the report file. */
  report: string
  /** Where the test ran. */
  label: string
  /** Page of the CI job. */
  job_url: string
  /** CI's number of the rerun of the job; null if unknown. */
  build_attempt: number | null
  /** Whether the upload was a rerun of tests of other sources. */
  rerun: boolean
  /** The outcome of the test there. */
  outcome: AttemptStatus
  /** Whether it passed after another attempt had failed. */
  is_flaky: boolean
  /** Duration of all attempts in milliseconds. */
  elapsed_ms: number | null
  /** When the test was uploaded, or the `finished_at` of its upload. */
  tested_at: string
  /** The attempts there. */
  attempts: TestAttempt[]
}

export interface RunTest {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  test_case_ids: string[]
  /** What linked the test: an `id` in the report, an automation `key`, a user (`hand`), or an id of another tool in the report (`alias`); null if it is unmatched. */
  linked_by: LinkSource | null
  /** `passed` if any attempt passed; otherwise the worst of its attempts. */
  outcome: AttemptStatus
  is_flaky: boolean
  elapsed_ms: number | null
  attempt_count: number
  tested_at: string
  /** Status of each attempt, up to 20. */
  attempt_statuses: AttemptStatus[]
  /** Number of attachments of its attempts. */
  attachment_count: number
}

export interface RunTestDetail {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  test_case_ids: string[]
  linked_by: LinkSource | null
  outcome: AttemptStatus
  is_flaky: boolean
  elapsed_ms: number | null
  attempt_count: number
  tested_at: string
  attempt_statuses: AttemptStatus[]
  attachment_count: number
  /** What each source reported of the test: a CI job, a parallel instance of it, a report file, a build attempt. */
  parts: OutcomePart[]
  /** False if a newer report has the file or suite of the test, from the same source, and did not run the test: it may have been deleted or renamed, and can be left out of the run. */
  is_in_newest_report: boolean
  /** All attempts in the order in which they ran; if several sources reported the test, those that decide. */
  attempts: TestAttempt[]
  /** The attachments of its attempts, up to 100. */
  attachments: Attachment[]
}

export interface RunTestParams {
  run_id: string
  test_id: string
}

export interface SuiteErrorInRun {
  id: string
  /** File, suite or hook. */
  where: string
  /** Error message. */
  message: string
  /** Shard that reported it; null if unknown. */
  shard: string | null
  /** When it was uploaded, or the `finished_at` of its upload. */
  at: string
}

export interface TestAttempt {
  status: AttemptStatus
  elapsed_ms: number | null
  /** Error message, or the reason for skipping; empty for none. */
  message: string
  /** Stack trace, difference or output; empty for none. */
  details: string
  /** When the attempt started, if known. */
  started_at: string | null
  /** Steps that the framework reported. */
  steps?: AttemptStep[]
  /** Present if there were more steps than are kept. */
  steps_cut?: true
}

export interface TestOfResult {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  test_case_ids: string[]
  linked_by: LinkSource | null
  outcome: AttemptStatus
  is_flaky: boolean
  elapsed_ms: number | null
  attempt_count: number
  tested_at: string
  attempt_statuses: AttemptStatus[]
  attachment_count: number
  parts: OutcomePart[]
  is_in_newest_report: boolean
}

export interface GetRunTest {
  params: RunTestParams
  success: { 200: { data: RunTestDetail } }
}

export const getRunTest: Endpoint<GetRunTest> = { method: 'GET', url: '/v1/runs/:run_id/tests/:test_id', operationId: 'getRunTest', success: { 200: ['data{}'] } }

export interface ListRunTests {
  params: RunParams
  query: {
    /** `false`: only tests that match no test case. `true`: only the others. */
    matched?: boolean
    /** Return only tests with this outcome. */
    outcome?: AttemptStatus
    /** `true`: only flaky tests. `false`: only the others. */
    flaky?: boolean
    /** Return only the tests of the test case of this result. */
    result_id?: string
    /** Return only tests whose suite, name, variant or file contains this text, case-insensitive. */
    search?: string
    after?: string
    /** Number of tests per page, up to 500. */
    per_page?: number
  }
  success: {
    200: {
      data: RunTest[]
      meta: {
        next_after: string | null
        /** Number of tests on all pages; 10,000 means 10,000 or more. */
        total: number
      }
    }
  }
}

export const listRunTests: Endpoint<ListRunTests> = { method: 'GET', url: '/v1/runs/:run_id/tests', operationId: 'listRunTests', success: { 200: ['data[]', 'meta{}'] } }

export interface ListSuiteErrors {
  params: RunParams
  success: { 200: { data: SuiteErrorInRun[] } }
}

/** List the errors of a run outside of its tests. */
export const listSuiteErrors: Endpoint<ListSuiteErrors> = { method: 'GET', url: '/v1/runs/:run_id/suite-errors', operationId: 'listSuiteErrors', success: { 200: ['data[]'] } }

export const RUN_SORTS = ['name', 'tested', 'failed', 'created'] as const
export type RunSort = (typeof RUN_SORTS)[number]

export interface CreateRunBody {
  name: string
  description?: string
  milestone_id?: string | null
  /** Test cases of the run. */
  test_case_ids?: string[]
  /** Use the test cases in these folders and their subfolders. */
  folder_ids?: string[]
  /** Key that identifies one run of the project, such as the id of a CI build. */
  run_key?: string
  /** Add test cases that match uploaded tests to the run. */
  adds_test_cases?: boolean
  /** Metadata such as branch and commit: up to 50 strings of up to 1,000 characters. */
  metadata?: { [k: string]: string }
  /** Values of the custom fields of runs by their keys. */
  fields?: { [k: string]: unknown }
  /** What the test cases are tested with: each gets a result per combination, and its own status follows from them. */
  configurations?: NewRunConfigurations
  /** Number of shards after which the run is completed, or the CI job in `job` is done. */
  expected_shards?: number
  /** With `run_key`: name of the CI job that begins to report. */
  job?: string
}

/** Problem details (RFC 9457) with more fields */
export interface MissingFieldsProblem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /**
   */
  errors?: FieldError[]
  request_id?: string
  /** Number of results that lack a value; only with the code `required_fields_missing`. */
  missing_count?: number
  /** The first 100 of them. */
  missing?: {
    result_id: string
    test_case_id: string | null
    test_case_title: string
    /** Keys of the fields that lack a value. */
    fields: string[]
  }[]
}

export interface UpdateRunBody {
  name?: string
  description?: string
  milestone_id?: string | null
  status?: RunStatus
  metadata?: { [k: string]: string }
  adds_test_cases?: boolean
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Whether the run is no base for the evaluation of others and makes no test flaky, as after an outage. */
  excluded?: boolean
  /** With the status `completed`: complete the run although results lack values that their statuses need. */
  force?: boolean
}

export interface CreateRun {
  params: ProjectParams
  body: CreateRunBody
  success: {
    /** The existing run with this `run_key`. */
    200: { data: Run; ignored_fields?: IgnoredFields }
    /** The run was created. */
    201: { data: Run; ignored_fields?: IgnoredFields }
  }
}

export const createRun: Endpoint<CreateRun> = { method: 'POST', url: '/v1/projects/:project_id/runs', operationId: 'createRun', acceptsKey: true, success: { 200: ['data{}'], 201: ['data{}'] } }

export interface DeleteRun {
  params: RunParams
  success: { 200: Message }
}

export const deleteRun: Endpoint<DeleteRun> = { method: 'DELETE', url: '/v1/runs/:run_id', operationId: 'deleteRun', success: { 200: ['message'] } }

export interface GetRun {
  params: RunParams
  success: { 200: { data: Run } }
}

export const getRun: Endpoint<GetRun> = { method: 'GET', url: '/v1/runs/:run_id', operationId: 'getRun', success: { 200: ['data{}'] } }

export interface ListRuns {
  params: ProjectParams
  query: {
    /** Return only runs with this status. */
    status?: RunStatus
    /** Return only runs of this milestone. */
    milestone_id?: string
    /** With `milestone_id`: return the runs of its sub-milestones, too. */
    sub_milestones?: boolean
    /** Return only the run with this key. */
    run_key?: string
    /** Return only runs whose name contains this text, case-insensitive. */
    search?: string
    /** Return only runs that were created at this time or later. */
    created_since?: string
    /** Sort by name, share of results that are tested, number of failed results, or time of creation. */
    sort?: RunSort
    /** With `sort`: the largest first. */
    descending?: boolean
    /** `evaluation`: also return `evaluation` of each run whose tests were evaluated. */
    fields?: 'evaluation'
    after?: string
    page?: number
    per_page?: number
  }
  success: { 200: { data: Run[]; meta: PageMeta } }
}

export const listRuns: Endpoint<ListRuns> = { method: 'GET', url: '/v1/projects/:project_id/runs', operationId: 'listRuns', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateRun {
  params: RunParams
  body: UpdateRunBody
  success: { 200: { data: Run } }
}

/** Update, complete or reopen a run. */
export const updateRun: Endpoint<UpdateRun> = { method: 'PATCH', url: '/v1/runs/:run_id', operationId: 'updateRun', success: { 200: ['data{}'] } }

export interface Message {
  /** Confirmation of what was done. */
  message: string
}

export const SEARCH_KINDS = ['test_case', 'run', 'milestone', 'project'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export interface SearchHit {
  /** What was found. */
  kind: SearchKind
  /** Id of the test case, run, milestone or project. */
  id: string
  /** Its project. */
  project_id: string
  /** Title or name. */
  title: string
  /** Status of a run or milestone; prefix of a project. */
  detail: string | null
}

export interface Search {
  query: {
    /** What the id or name contains. */
    q: string
    /** Searches only this project. */
    project_id?: string
    /** Finds only these. */
    kind?: SearchKind
  }
  success: { 200: { data: SearchHit[] } }
}

/** Search all your projects. */
export const search: Endpoint<Search> = { method: 'GET', url: '/v1/search', operationId: 'search', success: { 200: ['data[]'] } }

export const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

export const SECOND_FACTOR_KINDS = ['totp', 'passkey'] as const
export type SecondFactorKind = (typeof SECOND_FACTOR_KINDS)[number]

export interface AddedFactorResponse {
  data: {
    factor: SecondFactor
    /** The recovery codes. */
    recovery_codes: string[] | null
  }
}

export interface CompleteSignInBody {
  totp_code?: string
  passkey?: { id: string; response: { clientDataJSON: string; authenticatorData: string; signature: string } }
  recovery_code?: string
}

export interface SecondFactor {
  /** Id of the factor. */
  id: string
  /** `totp` is an authenticator app, which shows a new code every 30 seconds; `passkey` is a key that a device, a password manager or a security key holds. */
  kind: SecondFactorKind
  /** Name that the user chose. */
  name: string
  /** When it was added. */
  created_at: string
  /** When it was last used; null if never. */
  last_used_at: string | null
}

export interface SecondFactors {
  /** The factors that sign-in accepts, the oldest first. */
  factors: SecondFactor[]
  /** How many recovery codes were not used yet. */
  recovery_code_count: number
}

export interface ActivateTotp {
  params: { factor_id: string }
  body: {
    /** Code that the app shows. */
    code: string
  }
  success: { 200: AddedFactorResponse }
}

/** Take an authenticator app into use. */
export const activateTotp: Endpoint<ActivateTotp> = { method: 'POST', url: '/v1/me/second-factors/totp/:factor_id/activate', operationId: 'activateTotp', acceptsKey: true, success: { 200: ['data{}'] } }

export interface CompleteSignIn {
  body: CompleteSignInBody
  success: { 201: MeResponse }
}

/** Complete a sign-in with the second factor. */
export const completeSignIn: Endpoint<CompleteSignIn> = { method: 'POST', url: '/v1/session/second-factor', operationId: 'completeSignIn', success: { 201: ['data{}'] } }

export interface ListSecondFactors {
  success: { 200: { data: SecondFactors } }
}

/** List your second factors. */
export const listSecondFactors: Endpoint<ListSecondFactors> = { method: 'GET', url: '/v1/me/second-factors', operationId: 'listSecondFactors', success: { 200: ['data{}'] } }

export interface RemoveSecondFactor {
  params: { factor_id: string }
  success: { 204: null }
}

export const removeSecondFactor: Endpoint<RemoveSecondFactor> = { method: 'DELETE', url: '/v1/me/second-factors/:factor_id', operationId: 'removeSecondFactor', success: { 204: null } }

export interface RenewRecoveryCodes {
  success: {
    201: {
      data: {
        /**
         */
        recovery_codes: string[]
      }
    }
  }
}

/** Create new recovery codes. */
export const renewRecoveryCodes: Endpoint<RenewRecoveryCodes> = { method: 'POST', url: '/v1/me/second-factors/recovery-codes', operationId: 'renewRecoveryCodes', acceptsKey: true, success: { 201: ['data{}'] } }

export interface SetUpTotp {
  body: {
    /** Name to recognize it by; by default “Authenticator app”. */
    name?: string
  }
  success: {
    201: {
      data: {
        id: string
        /** The secret in base32, to type into the app. */
        secret: string
        /** URI that authenticator apps read, `otpauth://totp/…`. */
        otpauth_uri: string
        /** A QR code of the URI, as an SVG image. */
        qr_code: string
        /** Until when the first code must have been given. */
        expires_at: string
      }
    }
  }
}

/** Set up an authenticator app. */
export const setUpTotp: Endpoint<SetUpTotp> = { method: 'POST', url: '/v1/me/second-factors/totp', operationId: 'setUpTotp', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteMeBody {
  /** Email address of your account. */
  email: string
}

export interface Me {
  id: string
  /** Email address that the user signs in with. */
  email: string
  name: string
  avatar_url: string | null
  /** False if the user can only sign in with single sign-on. */
  has_password: boolean
  /** Whether sign-in asks for a second factor. */
  has_second_factor: boolean
  /** False if this server accepts only single sign-on: then nobody can sign in with a password, or set one. */
  can_have_password: boolean
  /** Whether the user administers this instance (`/v1/admin`). */
  is_instance_admin: boolean
  /** Since when the user should check what someone else may have left in the account (`GET /v1/me/review`); null when there is nothing to check. */
  review_since: string | null
  /** Other servers whose images in Markdown this server lets browsers show, such as `https://wiki.example.org`; `https:` means every server, after a click. */
  image_sources: string[]
  /** Where this server has a viewer of Playwright traces, on another host name than the app; null if it has none, or browsers would not run it there. */
  trace_viewer_url: string | null
  /** Whether an email says who has mentioned the user in a comment. */
  mention_emails: boolean
  created_at: string
  /** When a field of the account last changed. */
  updated_at: string
}

export interface MeResponse {
  data: Me
}

export interface Session {
  id: string
  /** Whether this request uses the session. */
  current: boolean
  /** User-Agent header of the browser; empty if it sent none. */
  user_agent: string
  /** What the User-Agent header says, for people. */
  browser: string
  /** When the user signed in. */
  created_at: string
  /** When the session was last used, to the minute. */
  last_seen_at: string
  /** When the session ends, even if it is in use. */
  expires_at: string
}

export interface SignInBody {
  /** Email address, case-insensitive. */
  email: string
  password: string
}

export interface UpdateMeBody {
  name?: string
  /** URL of a picture, http:// or https://; null for none. */
  avatar_url?: string | null
  /** Whether an email says who has mentioned you in a comment. */
  mention_emails?: boolean
  password?: string
  current_password?: string
}

export interface DeleteMe {
  body: DeleteMeBody
  success: { 204: null }
}

/** Delete your account. */
export const deleteMe: Endpoint<DeleteMe> = { method: 'DELETE', url: '/v1/me', operationId: 'deleteMe', success: { 204: null } }

export interface EndOtherSessions {
  success: { 204: null }
}

/** End all your other sessions. */
export const endOtherSessions: Endpoint<EndOtherSessions> = { method: 'DELETE', url: '/v1/sessions', operationId: 'endOtherSessions', success: { 204: null } }

export interface GetMe {
  success: { 200: MeResponse }
}

/** Get your account. */
export const getMe: Endpoint<GetMe> = { method: 'GET', url: '/v1/me', operationId: 'getMe', success: { 200: ['data{}'] } }

export interface ListSessions {
  success: { 200: { data: Session[] } }
}

/** List your sessions. */
export const listSessions: Endpoint<ListSessions> = { method: 'GET', url: '/v1/sessions', operationId: 'listSessions', success: { 200: ['data[]'] } }

export interface RevokeSession {
  params: { session_id: string }
  success: { 204: null }
}

/** End one of your sessions. */
export const revokeSession: Endpoint<RevokeSession> = { method: 'DELETE', url: '/v1/sessions/:session_id', operationId: 'revokeSession', success: { 204: null } }

export interface SignIn {
  body: SignInBody
  success: { 201: MeResponse }
}

/** Sign in. */
export const signIn: Endpoint<SignIn> = { method: 'POST', url: '/v1/session', operationId: 'signIn', success: { 201: ['data{}'] } }

export interface SignOut {
  success: { 204: null }
}

export const signOut: Endpoint<SignOut> = { method: 'DELETE', url: '/v1/session', operationId: 'signOut', success: { 204: null } }

export interface UpdateMe {
  body: UpdateMeBody
  success: { 200: MeResponse }
}

/** Update your account. */
export const updateMe: Endpoint<UpdateMe> = { method: 'PATCH', url: '/v1/me', operationId: 'updateMe', success: { 200: ['data{}'] } }

export interface SetupBody {
  /** Display name of the first user. */
  name: string
  /** Email address of the first user, to sign in with. */
  email: string
  /** Password of the first user, 8 to 1024 characters. */
  password?: string
}

export interface CompleteSetup {
  params: {
    /** Last part of the setup link. */
    secret: string
  }
  body: SetupBody
  success: { 201: MeResponse }
}

/** Create the first account. */
export const completeSetup: Endpoint<CompleteSetup> = { method: 'POST', url: '/v1/setup/:secret', operationId: 'completeSetup', success: { 201: ['data{}'] } }

export interface GetSetupLink {
  params: { secret: string }
  success: {
    200: {
      data: {
        /** When the link expires: seven days after it was created. */
        expires_at: string
      }
    }
  }
}

export const getSetupLink: Endpoint<GetSetupLink> = { method: 'GET', url: '/v1/setup/:secret', operationId: 'getSetupLink', success: { 200: ['data{}'] } }

export interface ReportShardDone {
  params: {
    run_id: string
    /** Name of the shard, such as `2` or `chromium-2`. */
    name: string
  }
  body: {
    /** Name of the CI job. */
    job?: string
    /** Number of shards of the job. */
    expected_shards?: number
  } | null
  success: { 200: { data: Run } }
}

/** Report that a shard is done. */
export const reportShardDone: Endpoint<ReportShardDone> = { method: 'POST', url: '/v1/runs/:run_id/shards/:name/done', operationId: 'reportShardDone', acceptsKey: true, success: { 200: ['data{}'] } }

export interface SharedStepUsage {
  /** Number of test cases that use it. */
  test_case_count: number
  /** The folders of the test cases, those with the most first; up to 200. */
  folders: {
    /** Folder id; null for test cases at the top level. */
    folder_id: string | null
    /** Number of test cases directly in it that use the shared step. */
    test_case_count: number
  }[]
  /** Number of folders, the top level included. */
  folder_count: number
  /** The runs in progress that contain such test cases, the newest first. */
  runs: {
    run_id: string
    name: string
    /** Number of its test cases that use the shared step. */
    test_case_count: number
    /** How many of them have no result yet: their text changes with the shared step, that of the others stays. */
    not_tested_count: number
  }[]
  /** Number of runs in progress that were searched: the newest ones, up to 50. */
  searched_run_count: number
  /** Number of runs in progress of the project. */
  open_run_count: number
}

export interface GetSharedStepUsage {
  params: SharedStepParams
  success: { 200: { data: SharedStepUsage } }
}

/** Count where a shared step is used. */
export const getSharedStepUsage: Endpoint<GetSharedStepUsage> = { method: 'GET', url: '/v1/projects/:project_id/shared-steps/:shared_step_id/usage', operationId: 'getSharedStepUsage', success: { 200: ['data{}'] } }

export interface SharedStepUse {
  test_case_id: string
  title: string
  folder_id: string | null
  /** The newest version of the shared step that the test case has. */
  version: number
  /** Whether it changes with the shared step. */
  follows: boolean
}

export interface DetachSharedStep {
  params: SharedStepParams
  body: {
    /** Test cases, up to 10,000. */
    test_case_ids: string[]
  }
  success: {
    200: {
      data: {
        /** Number of test cases that changed. */
        detached: number
      }
    }
  }
}

/** Detach test cases from a shared step. */
export const detachSharedStep: Endpoint<DetachSharedStep> = { method: 'POST', url: '/v1/projects/:project_id/shared-steps/:shared_step_id/detach', operationId: 'detachSharedStep', acceptsKey: true, success: { 200: ['data{}'] } }

export interface ListSharedStepUses {
  params: SharedStepParams
  query: { after?: string }
  success: { 200: { data: SharedStepUse[]; meta: { next_after: string | null } } }
}

/** List the test cases that use a shared step. */
export const listSharedStepUses: Endpoint<ListSharedStepUses> = { method: 'GET', url: '/v1/projects/:project_id/shared-steps/:shared_step_id/uses', operationId: 'listSharedStepUses', success: { 200: ['data[]', 'meta{}'] } }

export interface SharedStepVersion {
  version: number
  title: string
  step_count: number
  /** User id of who made it; null if unknown. */
  changed_by: string | null
  /** When it was made. */
  changed_at: string
}

export interface ListSharedStepVersions {
  params: SharedStepParams
  query: { after?: number }
  success: { 200: { data: SharedStepVersion[]; meta: { next_after: number | null } } }
}

export const listSharedStepVersions: Endpoint<ListSharedStepVersions> = { method: 'GET', url: '/v1/projects/:project_id/shared-steps/:shared_step_id/versions', operationId: 'listSharedStepVersions', success: { 200: ['data[]', 'meta{}'] } }

/** Problem details (RFC 9457) with more fields */
export interface ChangedSharedStepProblem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /**
   */
  errors?: FieldError[]
  request_id?: string
  current: SharedStep
}

export interface CreateSharedStepBody {
  /** Title, different for each shared step of the project. */
  title: string
  /** Steps in order, 1 to 100. */
  steps?: NewStep[]
  /** Steps of a test case, in place of `steps`. */
  from?: {
    /** Test case. */
    test_case_id: string
    /** Position of the first step. */
    first: number
    /** Number of steps. */
    count: number
  }
}

export interface SharedStep {
  id: string
  title: string
  /** Number of changes, from 1. */
  version: number
  step_count: number
  /** Number of test cases that use it. */
  use_count: number
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** User id of who made this version; null if unknown. */
  updated_by: string | null
  /** When this version was made. */
  updated_at: string
  steps: Step[]
}

export interface SharedStepListItem {
  id: string
  title: string
  version: number
  step_count: number
  use_count: number
  created_by: string | null
  created_at: string
  updated_by: string | null
  updated_at: string
}

export interface SharedStepParams {
  project_id: string
  shared_step_id: string
}

export interface UpdateSharedStepBody {
  title?: string
  /**
   */
  steps?: NewStep[]
  /** All test cases that follow the shared step get the new version. */
  apply_to?: 'all'
  /** Only these of the test cases that follow it get the new version; the others stay at the version that they have. */
  test_case_ids?: string[]
}

export interface CreateSharedStep {
  params: ProjectParams
  body: CreateSharedStepBody
  success: { 201: { data: SharedStep } }
}

export const createSharedStep: Endpoint<CreateSharedStep> = { method: 'POST', url: '/v1/projects/:project_id/shared-steps', operationId: 'createSharedStep', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteSharedStep {
  params: SharedStepParams
  query: {
    /** Whether test cases that use it keep its steps as their own. */
    detach?: 'true' | 'false'
  }
  success: { 204: null }
}

export const deleteSharedStep: Endpoint<DeleteSharedStep> = { method: 'DELETE', url: '/v1/projects/:project_id/shared-steps/:shared_step_id', operationId: 'deleteSharedStep', success: { 204: null } }

export interface GetSharedStep {
  params: SharedStepParams
  query: {
    /** Version; the current one without it. */
    version?: number
  }
  success: { 200: { data: SharedStep } }
}

export const getSharedStep: Endpoint<GetSharedStep> = { method: 'GET', url: '/v1/projects/:project_id/shared-steps/:shared_step_id', operationId: 'getSharedStep', success: { 200: ['data{}'] } }

export interface ListSharedSteps {
  params: ProjectParams
  success: {
    200: {
      data: SharedStepListItem[]
      meta: {
        /** Number of shared steps. */
        total: number
      }
    }
  }
}

export const listSharedSteps: Endpoint<ListSharedSteps> = { method: 'GET', url: '/v1/projects/:project_id/shared-steps', operationId: 'listSharedSteps', success: { 200: ['data[]', 'meta{}'] } }

export interface UpdateSharedStep {
  params: SharedStepParams
  body: UpdateSharedStepBody
  success: { 200: { data: SharedStep } }
}

/** Change a shared step. */
export const updateSharedStep: Endpoint<UpdateSharedStep> = { method: 'PATCH', url: '/v1/projects/:project_id/shared-steps/:shared_step_id', operationId: 'updateSharedStep', success: { 200: ['data{}'] } }

export const SHARE_PARTS = ['notes', 'steps', 'people', 'files', 'links', 'comments'] as const
export type SharePart = (typeof SHARE_PARTS)[number]

export const SHARE_REVIEW_REASONS = ['creator_left'] as const
export type ShareReviewReason = (typeof SHARE_REVIEW_REASONS)[number]

export const SHARE_STATES = ['open', 'expired', 'revoked'] as const
export type ShareState = (typeof SHARE_STATES)[number]

export const SHARE_SUBJECT_KINDS = ['run', 'milestone'] as const
export type ShareSubjectKind = (typeof SHARE_SUBJECT_KINDS)[number]

export interface CreateShareBody {
  /** Name, which the report shows. */
  name: string
  /** When the report can no longer be opened: at most 365 days from now. */
  expires_at?: string
  /** What the report shows besides titles, statuses, durations and times. */
  include: SharePart[]
}

export interface NewShare {
  /** Id of the shared report. */
  id: string
  name: string
  /** The run or milestone. */
  subject: {
    /** What the report is about. */
    kind: ShareSubjectKind
    /** Id of the run or milestone. */
    id: string
    /** Name of the run or milestone. */
    name: string
  }
  /** What the report shows besides. */
  include: SharePart[]
  /** `open`: the report can be opened. */
  state: ShareState
  /** User id; null if the account is gone. */
  created_by: string | null
  created_at: string
  /** When it can no longer be opened. */
  expires_at: string
  /** When it was revoked; null if it was not. */
  revoked_at: string | null
  /** How often it was opened, a few seconds late. */
  view_count: number
  /** When it was last opened; null if never. */
  viewed_at: string | null
  /** Why somebody should check whether it is still needed. */
  review_reason: ShareReviewReason | null
  /** The address of the report. */
  url: string
}

export interface Share {
  id: string
  name: string
  subject: { kind: ShareSubjectKind; id: string; name: string }
  /**
   */
  include: SharePart[]
  state: ShareState
  created_by: string | null
  created_at: string
  expires_at: string
  revoked_at: string | null
  view_count: number
  viewed_at: string | null
  review_reason: ShareReviewReason | null
}

export interface CreateMilestoneShare {
  params: MilestoneParams
  body: CreateShareBody
  success: { 201: { data: NewShare } }
}

/** Share a report of a milestone. */
export const createMilestoneShare: Endpoint<CreateMilestoneShare> = { method: 'POST', url: '/v1/projects/:project_id/milestones/:milestone_id/shares', operationId: 'createMilestoneShare', acceptsKey: true, success: { 201: ['data{}'] } }

export interface CreateRunShare {
  params: RunParams
  body: CreateShareBody
  success: { 201: { data: NewShare } }
}

/** Share a report of a run. */
export const createRunShare: Endpoint<CreateRunShare> = { method: 'POST', url: '/v1/runs/:run_id/shares', operationId: 'createRunShare', acceptsKey: true, success: { 201: ['data{}'] } }

export interface ListMilestoneShares {
  params: MilestoneParams
  success: {
    200: {
      data: Share[]
      meta: {
        /** Whether you may share reports in this project now. */
        can_create: boolean
        /** Why not, as a sentence; null if you may. */
        refusal: string | null
      }
    }
  }
}

/** List the shared reports of a milestone. */
export const listMilestoneShares: Endpoint<ListMilestoneShares> = { method: 'GET', url: '/v1/projects/:project_id/milestones/:milestone_id/shares', operationId: 'listMilestoneShares', success: { 200: ['data[]', 'meta{}'] } }

export interface ListRunShares {
  params: RunParams
  success: { 200: { data: Share[]; meta: { can_create: boolean; refusal: string | null } } }
}

/** List the shared reports of a run. */
export const listRunShares: Endpoint<ListRunShares> = { method: 'GET', url: '/v1/runs/:run_id/shares', operationId: 'listRunShares', success: { 200: ['data[]', 'meta{}'] } }

export interface ListShares {
  params: ProjectParams
  success: { 200: { data: Share[]; meta: { can_create: boolean; refusal: string | null } } }
}

/** List the shared reports of a project. */
export const listShares: Endpoint<ListShares> = { method: 'GET', url: '/v1/projects/:project_id/shares', operationId: 'listShares', success: { 200: ['data[]', 'meta{}'] } }

export interface RevokeShare {
  params: {
    project_id: string
    /** Id of the shared report. */
    share_id: string
  }
  success: { 204: null }
}

/** Revoke a shared report. */
export const revokeShare: Endpoint<RevokeShare> = { method: 'DELETE', url: '/v1/projects/:project_id/shares/:share_id', operationId: 'revokeShare', success: { 204: null } }

export interface Identity {
  /** Id of the link. */
  id: string
  /** URL of the sign-in provider, its claim `iss`. */
  issuer: string
  /** When the account was linked. */
  created_at: string
}

export interface ListIdentities {
  success: { 200: { data: Identity[] } }
}

/** List your linked identities. */
export const listIdentities: Endpoint<ListIdentities> = { method: 'GET', url: '/v1/me/identities', operationId: 'listIdentities', success: { 200: ['data[]'] } }

export interface UnlinkIdentity {
  params: {
    /** Id of the link. */
    identity_id: string
  }
  success: { 204: null }
}

/** Remove a linked identity. */
export const unlinkIdentity: Endpoint<UnlinkIdentity> = { method: 'DELETE', url: '/v1/me/identities/:identity_id', operationId: 'unlinkIdentity', success: { 204: null } }

export const SPEED_KINDS = ['slow', 'slower', 'faster'] as const
export type SpeedKind = (typeof SPEED_KINDS)[number]

export interface SlowTest {
  test: NamedTest
  /** Median over all of these runs. */
  median_ms: number
  /** 95th percentile over all of these runs. */
  p95_ms: number
  /** Its share of the time of all tests, 0 to 1. */
  share: number
  /** Median over the newest 5 runs; null if it did not pass in one of them. */
  now_ms: number | null
  /** Median over the runs before these; null if it did not pass in one of them. */
  before_ms: number | null
  /** Runs in which it passed and its time is known. */
  runs: number
}

export interface ListSlowTests {
  params: ProjectParams
  query: {
    branch?: string
    /** Suite of the runs (`suite` in their metadata); that of the newest base run without it. */
    series?: string
    kind?: SpeedKind
  }
  success: {
    200: {
      data: SlowTest[]
      meta: {
        /** Branch of the runs; null if the default branch is unknown. */
        branch: string | null
        /** Suite of the runs; null without a base run. */
        series: string | null
        /** Runs that were looked at. */
        runs: number
        /** When the oldest of them was created; null without one. */
        since: string | null
        /** Whether older ones of them were left out, as they have too many outcomes. */
        is_cut: boolean
        /** Tests of this kind, of which those that come first are returned. */
        total: number
      }
    }
  }
}

export const listSlowTests: Endpoint<ListSlowTests> = { method: 'GET', url: '/v1/projects/:project_id/slow-tests', operationId: 'listSlowTests', success: { 200: ['data[]', 'meta{}'] } }

export const FLAKE_KINDS = ['retry', 'rerun', 'commit'] as const
export type FlakeKind = (typeof FLAKE_KINDS)[number]

export const STABILITIES = ['stable', 'suspect', 'flaky', 'broken'] as const
export type Stability = (typeof STABILITIES)[number]

export interface FlakeEvent {
  /** `retry`: attempts in one execution differed. `rerun`: a later build attempt of the job turned it. `commit`: two runs of one commit ended differently. */
  kind: FlakeKind
  /** The commit; null if the run has none. */
  commit: string | null
  /** The run, or the two runs, that show it. */
  run_ids: string[]
  /** When the run was created. */
  at: string
  /** Failure group of the failure; null if it has none. */
  signature: string | null
}

export interface TestQuarantine {
  id: string
  reason: string
  /** User id of who has to end it. */
  owner_id: string | null
  /** Patterns of the branches; empty for all. */
  branches: string[]
  /** When it ends by itself. */
  expires_at: string
}

/** How reliable the test is; null if nothing is known against it. */
export interface TestStability {
  /** `suspect`: it passed and failed on one commit of the last 30 days. `flaky`: on two, until 30 days without one, or 14 days and 100 executions. `broken`: it failed in its 3 newest base runs of the default branch. */
  state: Stability
  since: string
  /** Commits of the last 30 days on which it flaked. */
  flake_commits: number
  /** Commits of the last 30 days on which it was executed, over the newest 500 runs. */
  commits: number
  /** Order of flaky tests, 0 to 100: a lower bound of the share of commits. */
  score: number
  /** When it flaked last; null if it did not. */
  last_flake_at: string | null
}

export interface TestStabilityDetail {
  state: Stability
  /** When that began; null for a test that nothing is known against. */
  since: string | null
  flake_commits: number
  commits: number
  score: number
  last_flake_at: string | null
  /** How many of its newest base runs of the default branch it failed in, in a row; up to 20. */
  consecutive_failures: number
  /** The first run of these; null if the newest passed. */
  first_failing_run_id: string | null
  quarantine: TestQuarantine | null
  /** Its newest flake events, up to 100. */
  events: FlakeEvent[]
}

export interface GetTestStability {
  params: { project_id: string; test_id: string }
  success: { 200: { data: TestStabilityDetail } }
}

/** Get how reliable a test is. */
export const getTestStability: Endpoint<GetTestStability> = { method: 'GET', url: '/v1/projects/:project_id/tests/:test_id/stability', operationId: 'getTestStability', success: { 200: ['data{}'] } }

export const STEP_STATUSES = ['passed', 'failed', 'blocked', 'retest'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

export interface StepChange {
  /** Position of the step in the test case, from 1. */
  position: number
  /** Status of the step. */
  status?: StepStatus | null
  /** What happened instead of the expected result; null or an empty text removes it. */
  actual?: string | null
}

export interface StepResult {
  position: number
  status: StepStatus | null
  /** What happened instead of the expected result. */
  actual: string | null
}

export interface NewStep {
  /** Action of the step. */
  action: string
  /** Expected result of the step. */
  expected?: string
}

export interface Step {
  /** Position, from 1. */
  position: number
  action: string
  expected: string
}

export interface StepGroup {
  shared_step_id: string
  /** Title of the shared step in this version. */
  title: string
  /** Version of the shared step. */
  version: number
  /** Whether the steps change with the shared step; otherwise, they stay at this version. */
  follows: boolean
  /** Position of its first step. */
  first: number
  /** Number of its steps. */
  count: number
}

export interface StepInput {
  action?: string
  expected?: string
  /** Shared step, whose steps stand here; without `action` and `expected`. */
  shared_step_id?: string
  /** Version of the shared step that stays here; without it, the steps follow changes of the shared step. */
  version?: number
}

export interface DeletedContent {
  /** Number of projects that had the content. */
  project_count: number
  /** Number of attachments that had it. */
  attachment_count: number
  /** Whether it is gone from the file store; `false` while the store is unavailable: the server removes it as soon as it is back. */
  is_removed: boolean
}

export interface ProjectStorage {
  /** Bytes that the files take. */
  byte_count: number
  file_count: number
  /** The files by kind, those that take most first. */
  kinds: {
    /** What the contents are. */
    kind: FileKind
    byte_count: number
    file_count: number
  }[]
  /** Most bytes that they may take; null for no limit. */
  max_file_bytes: number | null
  /** Days that this server keeps files of completed runs at most; null for as long as the run. */
  max_run_files_days: number | null
}

export interface StorageItem {
  project_id: string
  project_name: string
  byte_count: number
  file_count: number
  /** Number of attachments whose content has not arrived. */
  waiting_file_count: number
  kinds: { kind: FileKind; byte_count: number; file_count: number }[]
}

export interface DeleteContent {
  params: { sha256: string }
  success: { 200: { data: DeletedContent } }
}

/** Delete a content everywhere. */
export const deleteContent: Endpoint<DeleteContent> = { method: 'DELETE', url: '/v1/admin/files/:sha256', operationId: 'deleteContent', success: { 200: ['data{}'] } }

export interface GetProjectStorage {
  params: ProjectParams
  success: { 200: { data: ProjectStorage } }
}

/** Get what the files take. */
export const getProjectStorage: Endpoint<GetProjectStorage> = { method: 'GET', url: '/v1/projects/:project_id/storage', operationId: 'getProjectStorage', success: { 200: ['data{}'] } }

export interface ListStorage {
  query: { after?: string; per_page?: number }
  success: { 200: { data: StorageItem[]; meta: { next_after: string | null } } }
}

/** List what the files of each project take. */
export const listStorage: Endpoint<ListStorage> = { method: 'GET', url: '/v1/admin/storage', operationId: 'listStorage', success: { 200: ['data[]', 'meta{}'] } }

export interface ListTags {
  params: ProjectParams
  success: {
    200: {
      data: {
        tag: string
        /** Number of test cases with this tag. */
        test_case_count: number
      }[]
    }
  }
}

/** List the tags of a project. */
export const listTags: Endpoint<ListTags> = { method: 'GET', url: '/v1/projects/:project_id/tags', operationId: 'listTags', success: { 200: ['data[]'] } }

export interface BulkUpdateBody {
  /** Test cases to change, up to 10,000. */
  test_case_ids?: string[]
  /** New values of fields. */
  set?: {
    /** Folder; null for the top level. */
    folder_id?: string | null
    priority?: Priority
    type?: TestCaseType
    template?: Template
    /** User id of the admin or member who keeps the test case up to date; null for nobody. */
    owner_id?: string | null
    /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
    estimate?: number | null
    /** Values of custom fields by their keys. */
    fields?: {
      /**
       */
      [k: string]: string | number | boolean | string[] | null
    }
    /** Whether the test case is archived: an archived one is not in lists, searches, counts and new runs, and keeps its results, versions, comments and files. */
    archived?: boolean
  }
  /** With `set.template`: whether test cases that get another template are rewritten for it, as the web app does. */
  convert_steps?: boolean
  /** Options of multi_select fields to add, by the keys of the fields, unless the test case has them. */
  add_options?: {
    /**
     */
    [k: string]: string[]
  }
  /** Options of multi_select fields to remove, by the keys of the fields. */
  remove_options?: {
    /**
     */
    [k: string]: string[]
  }
  /** Whether options of selects can be named by their labels, and those that a field does not have are added to it, each with a key like its label. */
  create_options?: boolean
  /** Tags to add, unless the test case has them. */
  add_tags?: string[]
  /**
   */
  remove_tags?: string[]
  /** `before` of an earlier response, to undo that request. Do not combine it with other fields. */
  restore?: EarlierTestCase[]
}

export interface ChangedTestCase {
  id: string
  folder_id: string | null
  position: string
  version: number
}

export interface EarlierTestCase {
  id: string
  folder_id?: string | null
  priority?: Priority
  type?: TestCaseType
  template?: Template
  owner_id?: string | null
  estimate?: number | null
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  archived?: boolean
  /** Steps, if the request converts them; those of a shared step are one item with its id. */
  steps?: StepInput[]
  /**
   */
  tags?: string[]
  /** Place in the folder. */
  position?: string
}

export interface BulkDeleteTestCases {
  params: ProjectParams
  body: {
    /** Test cases to delete, up to 10,000. */
    test_case_ids: string[]
    /** Whether to count only, and to delete nothing. */
    dry_run?: boolean
  }
  success: {
    200: {
      data: {
        /** Number of test cases that were deleted; with `dry_run`, of those that would be. */
        deleted: number
        /** With `dry_run`: number of results in runs that would keep only title and note, counted up to 500,001. */
        result_count?: number
      }
    }
  }
}

/** Delete up to 10,000 test cases. */
export const bulkDeleteTestCases: Endpoint<BulkDeleteTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/bulk-delete', operationId: 'bulkDeleteTestCases', acceptsKey: true, success: { 200: ['data{}'] } }

export interface BulkUpdateTestCases {
  params: ProjectParams
  body: BulkUpdateBody
  success: {
    200: {
      data: {
        /** Number of test cases that changed. */
        updated: number
        /** The test cases that changed, each with the earlier values of what the request changes. */
        before: {
          id: string
          folder_id?: string | null
          priority?: Priority
          type?: TestCaseType
          template?: Template
          owner_id?: string | null
          estimate?: number | null
          tags?: string[]
          position?: string
          /** Whether the test case was archived. */
          archived?: boolean
          /** Steps, if the request converts them. */
          steps?: {
            /** What to do. */
            action?: string
            /** What must happen. */
            expected?: string
            /** Shared step whose steps stood here. */
            shared_step_id?: string
            /** Its version, if the test case did not follow it. */
            version?: number
          }[]
          /** Values of the custom fields that the request changes; null for none. */
          fields?: { [k: string]: string | number | boolean | string[] | null }
        }[]
        /** The test cases that changed, with their new place and version. */
        test_cases: ChangedTestCase[]
        /** With `create_options`: the options that were added, or in a dry run would be. */
        options_created?: {
          /** Key of the field. */
          field: string
          /** Key of the option. */
          key: string
          /** Label of the option. */
          label: string
        }[]
      }
    }
  }
}

/** Change up to 10,000 test cases, or undo such a change. */
export const bulkUpdateTestCases: Endpoint<BulkUpdateTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/bulk-update', operationId: 'bulkUpdateTestCases', acceptsKey: true, success: { 200: ['data{}'] } }

export interface MoveTestCases {
  params: ProjectParams
  body: {
    /** Test cases to move, in their new order, up to 10,000. */
    test_case_ids: string[]
    folder_id: string | null
    /** Test case of the folder after which the others are placed, not one of them; null for the start of the folder. */
    after?: string | null
  }
  success: {
    200: {
      data: {
        /** Number of test cases that were moved. */
        moved: number
        before: {
          id: string
          folder_id?: string | null
          priority?: Priority
          type?: TestCaseType
          template?: Template
          owner_id?: string | null
          estimate?: number | null
          tags?: string[]
          position?: string
          archived?: boolean
          steps?: { action?: string; expected?: string; shared_step_id?: string; version?: number }[]
          fields?: { [k: string]: string | number | boolean | string[] | null }
        }[]
        test_cases: ChangedTestCase[]
      }
    }
  }
}

/** Move up to 10,000 test cases to a place in a folder. */
export const moveTestCases: Endpoint<MoveTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/move', operationId: 'moveTestCases', acceptsKey: true, success: { 200: ['data{}'] } }

/** Maximum length of an automation key in characters. */
export const MAX_AUTOMATION_KEY_LENGTH = 2000 as const

/** Longest estimate of a test in seconds. */
export const MAX_ESTIMATE = 8640000 as const

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export const TEMPLATES = ['steps', 'text'] as const
export type Template = (typeof TEMPLATES)[number]

export const TEST_CASE_TYPES = ['functional', 'smoke', 'regression', 'integration', 'end_to_end', 'acceptance', 'performance', 'security', 'usability', 'accessibility', 'compatibility', 'exploratory', 'unit', 'api', 'other'] as const
export type TestCaseType = (typeof TEST_CASE_TYPES)[number]

export interface HistoryItem {
  run_id: string
  run_name: string
  id: string
  test_case_id: string | null
  test_case_title: string
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  /** When the result was set. */
  tested_at: string | null
  /** `branch` of the metadata of the run. */
  branch: string | null
  /** `commit` of the metadata of the run. */
  commit: string | null
  /** `build_url` or `ci_url` of the metadata of the run. */
  build_url: string | null
  /** Milestone of the run. */
  milestone_id: string | null
  /** The run of which it is a rerun; null if it is none. */
  rerun_of: string | null
  /** Number of attachments of the result. */
  attachment_count: number
  link_count: number
}

export interface HistoryMeta {
  /** Cursor of the next page; null when all runs have been searched. */
  next_after: string | null
  /** Number of runs with the test case that this page has searched. */
  searched_runs: number
}

export interface ListTestCaseResults {
  params: TestCaseParams
  query: {
    page?: number
    per_page?: number
    status?: ResultStatus | readonly ResultStatus[]
    /** Return only results of runs of this branch. */
    branch?: string
    /** Return only results of runs older than this one: `next_after`, or the `run_id` of a result. */
    after?: string
  }
  success: {
    200: {
      data: HistoryItem[]
      meta: { page: number; per_page: number; total: number } | { next_after: string | null; searched_runs: number }
    }
  }
}

/** List a test case's results across runs. */
export const listTestCaseResults: Endpoint<ListTestCaseResults> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id/results', operationId: 'listTestCaseResults', success: { 200: ['data[]', 'meta'] } }

export const IMPORT_ACTIONS = ['create', 'update', 'none'] as const
export type ImportAction = (typeof IMPORT_ACTIONS)[number]

/** Maximum number of test cases of one import. */
export const MAX_IMPORT_ROWS = 5000 as const

export interface ImportResult {
  /** Number of new test cases. */
  created: number
  updated: number
  /** Number of new folders. */
  folders_created: number
  /** What happened to each row, in their order. */
  rows: {
    /** Id of the test case; null if a dry run would create it. */
    id: string | null
    title: string
    /** Whether the test case is new (`create`), has changed (`update`) or is the same as before (`none`). */
    action: ImportAction
    /** For an update: the fields whose value is different, as they are named in the request; custom fields as `fields.severity`. */
    changed: string[]
    /** With `similar=true`, of a row that would create a test case: those that exist and are like it, up to 3. */
    similar?: SimilarTestCase[]
  }[]
  options_created?: { field: string; key: string; label: string }[]
  /** With `similar=true`: what was found. */
  similar?: {
    /** Number of rows with similar test cases. */
    count: number
    is_complete: boolean
  }
}

export interface ImportRow {
  /** Id of the test case to update. */
  id?: string
  /** Title; required for a new test case. */
  title?: string
  /** Names of the folders of the test case, from the top level down; empty for the top level. */
  folder_path?: string[]
  priority?: Priority
  type?: TestCaseType
  template?: Template
  precondition?: string
  /**
   */
  steps?: StepInput[]
  expected_result?: string
  /**
   */
  tags?: string[]
  /** All automation keys, up to 20; in place of `automation_key`. */
  automation_keys?: string[]
  estimate?: number | null
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. */
  automation_key?: string | null
  /** Which of `steps` come from shared steps, as a file has them. */
  shared_steps?: {
    /** Title of the shared step. */
    title: string
    /** Position of its first step in `steps`. */
    first: number
    count: number
  }[]
  /** Email address or name of the admin or member who keeps the test case up to date; null for nobody. */
  owner?: string | null
}

export interface ImportTestCases {
  params: ProjectParams
  query: {
    /** Whether to check the rows only. */
    dry_run?: 'true' | 'false'
    /** Whether a dry run also finds test cases that exist and are like those that rows would create. */
    similar?: 'true' | 'false'
  }
  body: {
    /** Up to 5,000 test cases. */
    rows: ImportRow[]
    create_options?: boolean
  }
  success: { 200: { data: ImportResult } }
}

/** Import up to 5,000 test cases. */
export const importTestCases: Endpoint<ImportTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/import', operationId: 'importTestCases', acceptsKey: true, success: { 200: ['data{}'] } }

export interface TestCaseRow {
  id: string
  title: string
  folder_id: string | null
  priority: Priority
  type: TestCaseType
  tags: string[]
  position: string
  automation_key: string | null
  updated_at: string
  version: number
  owner_id?: string | null
  estimate?: number | null
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** When the test case was archived; absent if it is not. */
  archived_at?: string | null
}

export interface ListTestCaseRows {
  params: ProjectParams
  query: {
    /** Return only test cases in this folder; `none` for those at the top level. */
    folder_id?: string
    /** Return only test cases with this priority, or with one of these if the parameter is repeated. */
    priority?: Priority | readonly Priority[]
    /** Return only test cases of this type, or of one of these if the parameter is repeated. */
    type?: TestCaseType | readonly TestCaseType[]
    /** Return only test cases with this tag, or with at least one of these if the parameter is repeated. */
    tag?: string | readonly string[]
    /** Return only test cases of this owner, or of one of these if the parameter is repeated. */
    owner_id?: string | readonly string[]
    /** Return only test cases with an estimate, or only those without one. */
    estimate?: 'any' | 'none'
    /** Return only test cases whose title contains this text, case-insensitive. */
    search?: string
    /** Return only archived test cases (`true`), or archived ones, too (`any`). */
    archived?: 'false' | 'true' | 'any'
    /** Return only test cases that changed since this time (or up to ten seconds before). */
    changed_since?: string
    fields: 'row'
    after?: string
    page?: number
    per_page?: number
    /** Order: `tree` returns the test cases folder by folder in the order of the folder list, each folder by position; those without a folder come last. */
    sort?: string
    /** With `fields=row`: keys of custom fields, separated by commas, up to 30. */
    columns?: string
  } & FieldFilters
  success: { 200: { data: TestCaseRow[]; meta: RowPageMeta } }
}

/** List test cases as compact rows. */
export const listTestCaseRows: Endpoint<ListTestCaseRows> = { method: 'GET', url: '/v1/projects/:project_id/test-cases', operationId: 'listTestCaseRows', success: { 200: ['data[]', 'meta{}'] } }

export interface BulkTestCase {
  /** Title. */
  title: string
  folder_id?: string | null
  priority?: Priority
  type?: TestCaseType
  template?: Template
  precondition?: string
  /**
   */
  steps?: StepInput[]
  expected_result?: string
  /**
   */
  tags?: string[]
  /**
   */
  automation_keys?: string[]
  owner_id?: string | null
  estimate?: number | null
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  automation_key?: string | null
}

export interface CaseContent {
  id: string
  title: string
  folder_id: string | null
  priority: Priority
  type: TestCaseType
  precondition: string
  steps: Step[]
  expected_result: string
  template: Template
  tags: string[]
  automation_keys: string[]
  owner_id: string | null
  estimate: number | null
  automation_key: string | null
  created_by: string | null
  version: number
  created_at: string
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  step_groups?: StepGroup[]
}

/** Problem details (RFC 9457) with more fields */
export interface ChangedTestCaseProblem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /**
   */
  errors?: FieldError[]
  request_id?: string
  current: TestCase
  /** Who changed the test case last; null if unknown. */
  changed_by: { id: string; name: string } | null
}

export interface CreateTestCaseBody {
  title: string
  folder_id?: string | null
  priority?: Priority
  type?: TestCaseType
  template?: Template
  precondition?: string
  /**
   */
  steps?: StepInput[]
  expected_result?: string
  /**
   */
  tags?: string[]
  /**
   */
  automation_keys?: string[]
  owner_id?: string | null
  estimate?: number | null
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  automation_key?: string | null
}

export interface ListedTestCase {
  id: string
  title: string
  folder_id: string | null
  priority: Priority
  type: TestCaseType
  precondition: string
  steps: Step[]
  expected_result: string
  template?: Template
  tags?: string[]
  automation_keys?: string[]
  owner_id?: string | null
  estimate?: number | null
  automation_key?: string | null
  created_by?: string | null
  position?: string
  version?: number
  archived_at?: string | null
  created_at: string
  updated_at: string
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  step_groups?: StepGroup[]
  merged_into?: string
}

export interface TestCase {
  id: string
  title: string
  folder_id: string | null
  priority: Priority
  type: TestCaseType
  precondition: string
  steps: Step[]
  expected_result: string
  template: Template
  tags: string[]
  automation_keys: string[]
  owner_id: string | null
  estimate: number | null
  automation_key: string | null
  created_by: string | null
  position: string
  version: number
  archived_at: string | null
  created_at: string
  updated_at: string
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  step_groups?: StepGroup[]
  merged_into?: string
}

export interface TestCaseListItem {
  id: string
  title: string
  folder_id: string | null
  priority: Priority
  type: TestCaseType
  precondition: string
  steps: Step[]
  expected_result: string
  created_at: string
  updated_at: string
  archived_at?: string | null
}

export interface UpdateTestCaseBody {
  title?: string
  folder_id?: string | null
  priority?: Priority
  type?: TestCaseType
  template?: Template
  precondition?: string
  /**
   */
  steps?: StepInput[]
  expected_result?: string
  /**
   */
  tags?: string[]
  /**
   */
  automation_keys?: string[]
  owner_id?: string | null
  estimate?: number | null
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  automation_key?: string | null
  archived?: boolean
  summary?: string | null
}

export interface UpdatedTestCase {
  id: string
  title: string
  priority: Priority
  updated_at: string
  version: number
  folder_id?: string | null
  type?: TestCaseType
  precondition?: string
  steps?: Step[]
  expected_result?: string
  template?: Template
  tags?: string[]
  automation_keys?: string[]
  owner_id?: string | null
  estimate?: number | null
  automation_key?: string | null
  archived_at?: string | null
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  step_groups?: StepGroup[]
}

export interface IfMatchHeaders {
  /** The version that the change is based on, in double quotes, such as `"7"`. */
  'if-match'?: string
}

export interface TestCaseParams {
  project_id: string
  test_case_id: string
}

export interface BulkCreateTestCases {
  params: ProjectParams
  body: {
    /** Up to 100 test cases. */
    test_cases: BulkTestCase[]
  }
  success: {
    201: {
      data: {
        /** Number of created test cases. */
        created: number
        test_cases: { id: string; title: string }[]
      }
    }
  }
}

/** Create up to 100 test cases. */
export const bulkCreateTestCases: Endpoint<BulkCreateTestCases> = { method: 'POST', url: '/v1/projects/:project_id/test-cases/bulk', operationId: 'bulkCreateTestCases', acceptsKey: true, success: { 201: ['data{}'] } }

export interface CreateTestCase {
  params: ProjectParams
  body: CreateTestCaseBody
  success: { 201: { data: TestCaseListItem } }
}

export const createTestCase: Endpoint<CreateTestCase> = { method: 'POST', url: '/v1/projects/:project_id/test-cases', operationId: 'createTestCase', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteTestCase {
  params: TestCaseParams
  success: { 200: Message }
}

export const deleteTestCase: Endpoint<DeleteTestCase> = { method: 'DELETE', url: '/v1/projects/:project_id/test-cases/:test_case_id', operationId: 'deleteTestCase', success: { 200: ['message'] } }

export interface GetTestCase {
  params: TestCaseParams
  success: { 200: { data: TestCase } }
}

export const getTestCase: Endpoint<GetTestCase> = { method: 'GET', url: '/v1/projects/:project_id/test-cases/:test_case_id', operationId: 'getTestCase', success: { 200: ['data{}'] } }

export interface ListTestCases {
  params: ProjectParams
  query: {
    folder_id?: string
    priority?: Priority | readonly Priority[]
    type?: TestCaseType | readonly TestCaseType[]
    tag?: string | readonly string[]
    owner_id?: string | readonly string[]
    estimate?: 'any' | 'none'
    search?: string
    archived?: 'false' | 'true' | 'any'
    changed_since?: string
    /** `all` adds the tags, the automation keys, the owner, the estimate, the custom fields, the author, the position and the version to each item. */
    fields?: 'all'
    sort?: string
    page?: number
    per_page?: number
  } & FieldFilters
  success: { 200: { data: ListedTestCase[]; meta: PageMeta } }
}

export const listTestCases: Endpoint<ListTestCases> = { method: 'GET', url: '/v1/projects/:project_id/test-cases', operationId: 'listTestCases', success: { 200: ['data[]', 'meta{}'] } }

export interface PutTestCase {
  params: TestCaseParams
  body: UpdateTestCaseBody
  success: { 200: { data: UpdatedTestCase } }
}

/** Update a test case (same as PATCH). */
export const putTestCase: Endpoint<PutTestCase> = { method: 'PUT', url: '/v1/projects/:project_id/test-cases/:test_case_id', operationId: 'putTestCase', success: { 200: ['data{}'] } }

export interface UpdateTestCase {
  params: TestCaseParams
  body: UpdateTestCaseBody
  success: { 200: { data: UpdatedTestCase } }
}

export const updateTestCase: Endpoint<UpdateTestCase> = { method: 'PATCH', url: '/v1/projects/:project_id/test-cases/:test_case_id', operationId: 'updateTestCase', success: { 200: ['data{}'] } }

export const ATTEMPT_STATUSES = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'] as const
/** `blocked`: something before it failed, so that it could not run. `interrupted`: stopped before its end. */
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

export const LINK_SOURCES = ['id', 'key', 'hand', 'alias'] as const
export type LinkSource = (typeof LINK_SOURCES)[number]

export const TEST_SORTS = ['oldest', 'score'] as const
export type TestSort = (typeof TEST_SORTS)[number]

export interface OutcomeInRun {
  run_id: string
  run_name: string
  outcome: AttemptStatus
  is_flaky: boolean
  elapsed_ms: number | null
  attempt_count: number
  tested_at: string
}

export interface ProjectTest {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  test_case_ids: string[]
  linked_by: LinkSource | null
  /** The outcome in the newest run that contains the test; null if there is none. */
  latest: OutcomeInRun | null
  /** When the test was uploaded for the first time. */
  created_at: string
  /** How reliable the test is; null if nothing is known against it. */
  stability?: TestStability | null
  /** With `fields=stability`: the quarantine that is in effect; null if there is none. */
  quarantine?: TestQuarantine | null
}

export interface ProjectTestDetail {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  test_case_ids: string[]
  linked_by: LinkSource | null
  latest: OutcomeInRun | null
  created_at: string
  stability?: TestStability | null
  quarantine?: TestQuarantine | null
  /** Up to 3 test cases with a similar title whose tests were not in the newest run of this test: it may be a renamed test. */
  suggestions: { test_case_id: string; title: string }[]
}

export interface CreateTestCasesForTests {
  params: ProjectParams
  body: {
    /** Tests to create test cases for. */
    test_ids?: string[]
    /** Run id: create test cases for all tests of this run that match no test case. */
    all_unmatched_of_run?: string
    /** Add the test cases to this run, which must be in progress, with their results. */
    run_id?: string
    /** Folder in which the test cases and their folders are created; null for the top level. */
    folder_id?: string | null
  }
  success: {
    200: {
      data: {
        /** Number of test cases created. */
        created: number
        /** Number of tests that have a test case now. */
        linked: number
        /** Number of tests that still have none: send the request again. */
        remaining: number
        /** The first 100 of the test cases. */
        test_cases: { id: string; title: string }[]
      }
    }
  }
}

/** Create test cases for unmatched tests. */
export const createTestCasesForTests: Endpoint<CreateTestCasesForTests> = { method: 'POST', url: '/v1/projects/:project_id/tests/create-test-cases', operationId: 'createTestCasesForTests', acceptsKey: true, success: { 200: ['data{}'] } }

export interface GetTest {
  params: { project_id: string; test_id: string }
  success: { 200: { data: ProjectTestDetail } }
}

export const getTest: Endpoint<GetTest> = { method: 'GET', url: '/v1/projects/:project_id/tests/:test_id', operationId: 'getTest', success: { 200: ['data{}'] } }

export interface LinkTest {
  params: { project_id: string; test_id: string }
  body: {
    /** Test case id, such as `WEB-12`; null removes the link. */
    test_case_id: string | null
  }
  success: { 200: { data: ProjectTest } }
}

/** Link a test to a test case, or remove its link. */
export const linkTest: Endpoint<LinkTest> = { method: 'PATCH', url: '/v1/projects/:project_id/tests/:test_id', operationId: 'linkTest', success: { 200: ['data{}'] } }

export interface ListTestOutcomes {
  params: { project_id: string; test_id: string }
  query: {
    after?: string
    /** Number of outcomes per page. */
    per_page?: number
  }
  success: { 200: { data: OutcomeInRun[]; meta: { next_after: string | null } } }
}

export const listTestOutcomes: Endpoint<ListTestOutcomes> = { method: 'GET', url: '/v1/projects/:project_id/tests/:test_id/outcomes', operationId: 'listTestOutcomes', success: { 200: ['data[]', 'meta{}'] } }

export interface ListTests {
  params: ProjectParams
  query: {
    /** `false`: only tests without a test case. `true`: only the others. */
    linked?: boolean
    /** Return only the tests of this test case. */
    test_case_id?: string
    /** Return only tests that are so reliable. */
    stability?: Stability
    /** `true`: only tests with a quarantine in effect. `false`: only the others. */
    quarantined?: boolean
    /** `stability`: also return `stability` and `quarantine` of each test. */
    fields?: 'stability'
    /** `oldest`: in the order in which the project got to know them. `score`: those with most evidence of being unreliable first; tests that nothing is known against are left out. */
    sort?: TestSort
    search?: string
    after?: string
    per_page?: number
  }
  success: { 200: { data: ProjectTest[]; meta: { next_after: string | null; total: number } } }
}

/** List the tests of a project. */
export const listTests: Endpoint<ListTests> = { method: 'GET', url: '/v1/projects/:project_id/tests', operationId: 'listTests', success: { 200: ['data[]', 'meta{}'] } }

export const REVIEW_REASONS = ['creator_left', 'creator_secured_account'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

export const TOKEN_ACCESS = ['read', 'write'] as const
export type TokenAccess = (typeof TOKEN_ACCESS)[number]

export const TOKEN_GRANTS = ['cases:create'] as const
export type TokenGrant = (typeof TOKEN_GRANTS)[number]

export interface CiToken {
  id: string
  name: string
  /** `read` tokens cannot change anything. */
  access: TokenAccess
  /** When the token expires; null for never. */
  expires_at: string | null
  /** When the token was last used, to the minute; null if never. */
  last_used_at: string | null
  /** User id of the user who created the token; null if the account is gone. */
  created_by: string | null
  /** Id of the token with which this one was created, and with which it is revoked; null if it was created in a browser. */
  created_with: string | null
  /** When the token was created. */
  created_at: string
  /** What the token may do besides. */
  grants: TokenGrant[]
  /** Whether the token is valid although someone who should not may know it: replace it. */
  needs_review: boolean
  /** `creator_left`: the user who created it is no longer an admin of the project. `creator_secured_account`: the user has secured the account since, because someone else may have used it. Null if it needs no review. */
  review_reason: ReviewReason | null
}

export interface CreateCiTokenBody {
  /** Display name, such as what the token is used for. */
  name: string
  access?: TokenAccess
  /** When the token expires; null for never, which is the default. */
  expires_at?: string | null
  /** What the token may do besides; requires write access. */
  grants?: TokenGrant[]
}

export interface CreateTokenBody {
  name: string
  access?: TokenAccess
  expires_at?: string | null
}

export interface NewToken {
  id: string
  name: string
  access: TokenAccess
  expires_at: string | null
  last_used_at: string | null
  created_by: string | null
  created_with: string | null
  created_at: string
  /** What a CI token may do besides. */
  grants?: TokenGrant[]
  /** The token itself. */
  token: string
}

export interface Token {
  id: string
  name: string
  access: TokenAccess
  expires_at: string | null
  last_used_at: string | null
  created_by: string | null
  created_with: string | null
  created_at: string
}

export interface CreateCiToken {
  params: ProjectParams
  body: CreateCiTokenBody
  success: { 201: { data: NewToken } }
}

export const createCiToken: Endpoint<CreateCiToken> = { method: 'POST', url: '/v1/projects/:project_id/tokens', operationId: 'createCiToken', acceptsKey: true, success: { 201: ['data{}'] } }

export interface CreatePersonalToken {
  body: CreateTokenBody
  success: { 201: { data: NewToken } }
}

export const createPersonalToken: Endpoint<CreatePersonalToken> = { method: 'POST', url: '/v1/tokens', operationId: 'createPersonalToken', acceptsKey: true, success: { 201: ['data{}'] } }

export interface KeepCiToken {
  params: { project_id: string; token_id: string }
  body: {
    /** False, because it was reviewed. */
    needs_review: false
  }
  success: { 200: { data: CiToken } }
}

/** Keep a CI token after its review. */
export const keepCiToken: Endpoint<KeepCiToken> = { method: 'PATCH', url: '/v1/projects/:project_id/tokens/:token_id', operationId: 'keepCiToken', success: { 200: ['data{}'] } }

export interface ListCiTokens {
  params: ProjectParams
  query: {
    /** Return only tokens that the user with this id created. */
    created_by?: string
  }
  success: { 200: { data: CiToken[] } }
}

/** List a project's CI tokens. */
export const listCiTokens: Endpoint<ListCiTokens> = { method: 'GET', url: '/v1/projects/:project_id/tokens', operationId: 'listCiTokens', success: { 200: ['data[]'] } }

export interface ListPersonalTokens {
  success: { 200: { data: Token[] } }
}

/** List your personal tokens. */
export const listPersonalTokens: Endpoint<ListPersonalTokens> = { method: 'GET', url: '/v1/tokens', operationId: 'listPersonalTokens', success: { 200: ['data[]'] } }

export interface RevokeCiToken {
  params: { project_id: string; token_id: string }
  success: { 204: null }
}

export const revokeCiToken: Endpoint<RevokeCiToken> = { method: 'DELETE', url: '/v1/projects/:project_id/tokens/:token_id', operationId: 'revokeCiToken', success: { 204: null } }

export interface RevokePersonalToken {
  params: { token_id: string }
  success: { 204: null }
}

export const revokePersonalToken: Endpoint<RevokePersonalToken> = { method: 'DELETE', url: '/v1/tokens/:token_id', operationId: 'revokePersonalToken', success: { 204: null } }

export interface RevokePersonalTokens {
  success: { 204: null }
}

/** Revoke all your personal tokens. */
export const revokePersonalTokens: Endpoint<RevokePersonalTokens> = { method: 'DELETE', url: '/v1/tokens', operationId: 'revokePersonalTokens', success: { 204: null } }

export const EQUAL_NAMES = ['tests', 'attempts'] as const
export type EqualName = (typeof EQUAL_NAMES)[number]

export const UPLOAD_FORMATS = ['json', 'junit', 'tests'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

export interface UploadBody {
  /** Run to upload to. */
  run_id: string
  /** Format of the upload: results by test case (`json`), a report (`junit`), or the tests that ran (`tests`). */
  format?: UploadFormat
  /** Results; required unless `junit_xml` is set. */
  results?: UploadItem[]
  /** JUnit XML document; required if the format is `junit` and `reports` is not set. */
  junit_xml?: string
  /** Several JUnit reports, which are stored together. */
  reports?: UploadedReport[]
  /** The files that the reports name, with the format `junit`. */
  files?: ReportFile[]
  /** The tests that ran; required if the format is `tests`. */
  tests?: UploadedTest[]
  /** Errors outside of tests, with the format `tests`. */
  suite_errors?: UploadedSuiteError[]
  /** Name of the CI job, the same in all builds. */
  job?: string
  /** What tells the executions of the job within one build attempt apart, such as the index of a parallel job. */
  instance?: string
  /** Name of the shard that ran the tests. */
  shard?: string
  /** Name that tells executions of the same tests apart in all builds, such as `windows, node 18`. */
  variant?: string
  /** Path of the report file, relative to the repository, for `junit_xml` and XML bodies: different files are different sources, and the directory is the `module`. */
  report?: string
  /** Where the tests ran, for people: `linux x64, Node 20`. */
  label?: string
  /** Page of the CI job, which the run links to. */
  job_url?: string
  /** CI's number of the rerun of the job. */
  build_attempt?: number
  /** Whether these are further attempts at tests that this build ran already, in whatever job: a pass makes the test passed and flaky. */
  rerun?: boolean
  /** Directory of the checkout in which the tests ran, such as `/home/ci/shop`. */
  root?: string
  /** Directory of the package whose tests ran, relative to the repository, such as `packages/cart`; `.` for the root. */
  module?: string
  /** What several elements with the same class name and name in one `<testsuite>` are. */
  equal_names?: EqualName
  create_test_cases?: boolean
  /** Add test cases that match but are not in the run. */
  add_to_run?: boolean
  /** Validate the upload without storing anything. */
  dry_run?: boolean
  /** When the suite finished, for a late upload. */
  finished_at?: string
}

export interface UploadItem {
  /** Test case id, such as `WEB-12`, or automation key; the test case must be in the run. */
  test_case_id: string
  status: ResultStatus
  note?: string | null
  elapsed?: number | null
  /** Files, whose contents are sent afterwards: `PUT /v1/runs/{run_id}/files/{sha256}` for each that the receipt lists as missing. */
  attachments?: DeclaredAttachment[]
  /** Addresses, such as that of a known defect, which are added to the result. */
  links?: UploadedLink[]
}

export interface UploadQuery {
  run_id?: string
  /** Validate the upload without storing anything, even if the JSON body sets `dry_run` to `false`. */
  dry_run?: boolean
  /** As in a JSON body, even if the JSON body sets it to `false`. */
  create_test_cases?: boolean
  /** As in a JSON body; ignored if the body sets it. */
  add_to_run?: boolean
  job?: string
  instance?: string
  shard?: string
  variant?: string
  report?: string
  label?: string
  job_url?: string
  build_attempt?: number
  rerun?: boolean
  /** As in a JSON body; ignored if the body sets it. */
  finished_at?: string
  root?: string
  module?: string
  equal_names?: EqualName
}

export interface UploadedReport {
  /** Path of the file, relative to the repository, such as `orders/target/surefire-reports/TEST-a.xml`. */
  path: string
  /** JUnit XML document. */
  junit_xml: string
}

export interface UploadedAttempt {
  status: AttemptStatus
  /** Duration in milliseconds; unknown without it. */
  elapsed_ms?: number
  /** Error message, or the reason for skipping. */
  message?: string
  details?: string
  /** When the attempt started. */
  started_at?: string
  /**
   */
  attachments?: DeclaredAttachment[]
  /** Steps in the order in which they began. */
  steps?: UploadedStep[]
}

export interface UploadedLink {
  /** An address that begins with `http://` or `https://`. */
  url: string
  /** What the address is of; by default `defect`. */
  kind?: LinkKind
}

export interface UploadedStep {
  title: string
  status: AttemptStatus | null
  /** Number of steps around it: a step belongs to the nearest one before it with a smaller depth. */
  depth: number
  elapsed_ms?: number
  /** Error message of the step. */
  message?: string
}

export interface UploadedSuiteError {
  where: string
  message: string
}

export interface UploadedTest {
  /** Name: the titles of its blocks and its own, joined by ` > `. */
  name: string
  /** File or class. */
  suite?: string
  /** What tells tests of the same suite and name apart, such as a browser. */
  variant?: string
  /** File. */
  file?: string
  /** Test case ids that the test names in an annotation or a property. */
  test_case_ids?: string[]
  /** Tags, which may contain ids. */
  tags?: string[]
  /**
   */
  links?: UploadedLink[]
  /** Values of custom fields of results by their keys, also as text, with labels or keys of options and several options separated by `;`. */
  fields?: { [k: string]: unknown }
  /** All attempts in the order in which they ran. */
  attempts: UploadedAttempt[]
  /** Whether the test counts only if the run has an outcome of it: for tests that contain others, and are otherwise reported only when they fail by themselves. */
  only_if_reported?: boolean
}

/** The attachments of the upload. */
export interface AttachmentsReceipt {
  /** Number of attachments that the upload declared, or its reports name. */
  declared: number
  /** Number of attachments whose content the project had already. */
  complete: number
  /** Contents to send, each once: `PUT /v1/runs/{run_id}/files/{sha256}`. */
  missing: MissingFile[]
  /** The first 1,000 attachments that were refused. */
  refused: RefusedAttachment[]
}

/** The links of the upload. */
export interface LinksReceipt {
  /** Number of links that were added to results. */
  added: number
  /** Number of links that the results had already. */
  known: number
  /** Number of links that were not added. */
  refused_count: number
  /** The first 1,000 links that were not added. */
  refused: {
    /** Address. */
    url: string
    code: 'invalid_link' | 'result_not_stored' | 'too_many_links'
    /** What happened, and what to do about it. */
    error: string
  }[]
}

export interface PartialReceipt {
  success: false
  partial_failure: true
  /** Number of test cases whose result was stored. */
  uploaded_count: number
  /** Number of results that were not stored. */
  failed_count: number
  stats: StatusCounts
  /** The tests of the upload; only with the formats `tests` and `junit`. */
  tests?: TestCounts
  /** Present if the run had completed by itself and was opened again. */
  reopened?: true
  /** The reports of the upload, in their order; only with `reports`. */
  reports?: ReportReceipt[]
  /** The attachments of the upload. */
  attachments?: AttachmentsReceipt
  /** The links of the upload. */
  links?: LinksReceipt
  ignored_fields?: IgnoredFields
  /** Present if the upload was a dry run and nothing was stored. */
  dry_run?: true
  errors: ResultItemError[]
}

export interface RefusedAttachment {
  /** Name of the file, or its path in the report. */
  name: string
  code: 'result_not_stored' | 'too_many_attachments' | 'file_too_large' | 'file_quota_reached' | 'not_declared'
  error: string
}

export interface ReportReceipt {
  /** Path as it was sent. */
  path: string
  /** Number of tests. */
  tests: number
  /** Why the report could not be read; null if it was. */
  error: string | null
}

/** The tests of the upload; only with the formats `tests` and `junit`. */
export interface TestCounts {
  /** Number of tests. */
  total: number
  /** Number of tests that match a test case, created ones included. */
  matched: number
  /** Number of tests that match by an id of another tool, by tool; missing for none. */
  by_alias?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: number
  }
  unmatched: number
  /** Number of tests without a test case that failed, or could not run because something failed. */
  unmatched_failed?: number
  flaky: number
  /** Number of test cases that were created. */
  created: number
  /** Keys of required custom fields of which the created test cases have no value, because there is no default; missing for none. */
  lacking_fields?: string[]
  /** Number of tests whose names another test of the upload had before, such as the rows of a table. */
  repeated?: number
  /** Tests of a report whose status only an attribute states, with a value that is not known. */
  unknown_status?: {
    /** Number of tests. */
    count: number
    /** Up to 3 of the attributes, such as `status="flagged"`. */
    examples: string[]
  }
  /** Beginning of the text before the XML of a report, which was skipped. */
  skipped_text?: string
}

export interface UploadReceipt {
  success: true
  uploaded_count: number
  failed_count: number
  stats: StatusCounts
  tests?: TestCounts
  reopened?: true
  reports?: ReportReceipt[]
  attachments?: AttachmentsReceipt
  links?: LinksReceipt
  ignored_fields?: IgnoredFields
  dry_run?: true
}

export interface UploadResults {
  query: UploadQuery
  body: UploadBody
  success: { 200: UploadReceipt; 207: PartialReceipt }
}

/** Upload the results of a suite. */
export const uploadResults: Endpoint<UploadResults> = { method: 'POST', url: '/v1/results', operationId: 'uploadResults', acceptsKey: true, success: { 200: ['success', 'uploaded_count', 'failed_count', 'stats{}'], 207: ['success', 'partial_failure', 'uploaded_count', 'failed_count', 'stats{}', 'errors[]'] } }

export const LISTED_VERDICTS = ['flaked', 'fixed', 'quarantined', 'not_run', 'already_red', 'environment', 'changed', 'known_flaky', 'new_test', 'new', 'missing'] as const
export type ListedVerdict = (typeof LISTED_VERDICTS)[number]

export const VERDICTS = ['flaked', 'fixed', 'quarantined', 'not_run', 'already_red', 'environment', 'changed', 'known_flaky', 'new_test', 'new'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface LinkedIssue {
  /** Label, such as `SHOP-41`. */
  label: string
  url: string
  /** Whether it is done; null if that is unknown. */
  is_done: boolean | null
}

export interface TestVerdict {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  test_case_ids: string[]
  linked_by: LinkSource | null
  /** `flaked`: passed after another attempt had failed. `fixed`: passed, and failed in the base run. `quarantined`: an active quarantine entry excuses it. `not_run`: blocked or interrupted, which it was not in the base run. `already_red`: the same failure as in the base run; on the base branch itself it blocks. `environment`: most of the failures, in at least 20 tests, have this one cause. `changed`: failed in the base run with another failure. `known_flaky`: a flaky test with a failure that it had when it flaked; this explains it, and does not excuse it. `new_test`: the test is newer than the base run. `new`: everything else that failed. */
  verdict: ListedVerdict
  /** Whether it blocks the build. */
  blocks: boolean
  /** Whether the test flaked, and was never known to flake before. */
  is_first_flake: boolean
  /** Outcome in the run; null if the test is missing. */
  outcome: AttemptStatus | null
  attempt_count: number
  /** First line of the message of its last failed attempt, up to 200 characters. */
  message_line: string | null
  /** Failure group; null if it did not fail. */
  signature: string | null
  /** The first of the runs in a row, of the same branch and suite, in which it failed. */
  since: {
    run_id: string
    /** Commit of that run; null if unknown. */
    commit: string | null
    /** Number of runs in a row, up to 50, with this one. */
    runs: number
  } | null
  /** Run that the outcome was compared with; null for none. */
  base_run_id: string | null
  quarantine: TestQuarantine | null
  issues: LinkedIssue[]
  stability: TestStability | null
}

export interface ListVerdicts {
  params: RunParams
  query: {
    /** Return only this verdict. */
    verdict?: ListedVerdict
    /** Return only what blocks, or does not. */
    blocks?: boolean
    /** Return only tests whose outcome this CI job reported. */
    job?: string
    /** Return only tests of this shard. */
    shard?: string
    /** Return only this failure group. */
    signature?: string
    /** Return only this test. */
    test_id?: string
    after?: string
    /** Number of tests per page. */
    per_page?: number
  }
  success: { 200: { data: TestVerdict[]; meta: { next_after: string | null } } }
}

/** List the verdicts of a run. */
export const listVerdicts: Endpoint<ListVerdicts> = { method: 'GET', url: '/v1/runs/:run_id/verdicts', operationId: 'listVerdicts', success: { 200: ['data[]', 'meta{}'] } }

export const VIEW_PAGES = ['cases', 'runs', 'run', 'tests'] as const
export type ViewPage = (typeof VIEW_PAGES)[number]

export interface CreateViewBody {
  page: ViewPage
  name: string
  /** The query of the page's address, with or without `?`. */
  query: string
  /** The columns of the list, in their order; null for those of the reader. */
  columns?: string[] | null
  /** Whether all members of the project see it. */
  is_shared?: boolean
}

export interface DefaultView {
  page: ViewPage
  /** The view that the page opens with; null for none. */
  view_id: string | null
}

export interface UpdateViewBody {
  name?: string
  query?: string
  /**
   */
  columns?: string[] | null
  is_shared?: boolean
}

export interface View {
  id: string
  page: ViewPage
  name: string
  /** Filters and order, as the query of the page's address; empty text for the page as it opens. */
  query: string
  columns: string[] | null
  is_shared: boolean
  /** User id of whoever created it. */
  owner_id: string
  /** When it was last changed. */
  updated_at: string
}

export interface CreateView {
  params: ProjectParams
  body: CreateViewBody
  success: { 201: { data: View } }
}

export const createView: Endpoint<CreateView> = { method: 'POST', url: '/v1/projects/:project_id/views', operationId: 'createView', acceptsKey: true, success: { 201: ['data{}'] } }

export interface DeleteView {
  params: { project_id: string; view_id: string }
  success: { 204: null }
}

export const deleteView: Endpoint<DeleteView> = { method: 'DELETE', url: '/v1/projects/:project_id/views/:view_id', operationId: 'deleteView', success: { 204: null } }

export interface ListViews {
  params: ProjectParams
  query: { page?: ViewPage }
  success: {
    200: {
      data: View[]
      meta: {
        /** The pages that open with a view for you. */
        defaults: DefaultView[]
      }
    }
  }
}

export const listViews: Endpoint<ListViews> = { method: 'GET', url: '/v1/projects/:project_id/views', operationId: 'listViews', success: { 200: ['data[]', 'meta{}'] } }

export interface SetDefaultView {
  params: ProjectParams
  body: DefaultView
  success: { 200: { data: DefaultView } }
}

/** Set with which view a page opens for you. */
export const setDefaultView: Endpoint<SetDefaultView> = { method: 'PUT', url: '/v1/projects/:project_id/views/default', operationId: 'setDefaultView', success: { 200: ['data{}'] } }

export interface UpdateView {
  params: { project_id: string; view_id: string }
  body: UpdateViewBody
  success: { 200: { data: View } }
}

/** Change a view. */
export const updateView: Endpoint<UpdateView> = { method: 'PATCH', url: '/v1/projects/:project_id/views/:view_id', operationId: 'updateView', success: { 200: ['data{}'] } }
