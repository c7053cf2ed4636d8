// Generated from packages/contract by packages/client/scripts/generate-endpoints.mjs: `npm run generated`.

import type { Endpoint, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'

/** Filters by custom fields: `field.severity`, and `field.risk.min`, `.max` or `.contains`. */
export interface FieldFilters {
  readonly [name: `field.${string}`]: string | number | boolean | readonly string[] | undefined
}

/* account-reviews */

export const REVIEW_ITEM_KINDS = ['second_factor', 'identity', 'ci_token', 'member', 'instance_admin'] as const
export type ReviewItemKind = (typeof REVIEW_ITEM_KINDS)[number]

export interface AccountReview {
  /** When the account was secured; null when there is nothing to check. */
  since: string | null
  /** What to check, the newest first: second factors, identities and CI tokens of any age, members and administrators of the 30 days before. At most 500. */
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
    /** Project id. */
    id: string
    /** Project name. */
    name: string
  } | null
  /** When it was created, linked, invited or granted. */
  created_at: string
}

/**
 * Parameters and responses of {@link completeAccountReview}.
 *
 * Records that you have checked everything that `GET /v1/me/review` lists. CI tokens stay marked.
 */
export interface CompleteAccountReview {
  success: { 204: null }
}

/** Complete the check of your account. */
export const completeAccountReview: Endpoint<CompleteAccountReview> = {
  method: 'DELETE',
  url: '/v1/me/review',
  operationId: 'completeAccountReview',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getAccountReview}.
 *
 * After a password reset with `revoke_tokens`, or after an administrator has disabled and enabled your account, it lists what someone else may have left behind and nobody but you can judge. Sessions, personal tokens, pending invitations and pending changes of the email address have ended already.
 */
export interface GetAccountReview {
  success: { 200: { data: AccountReview } }
}

/** List what to check after your account was secured. */
export const getAccountReview: Endpoint<GetAccountReview> = {
  method: 'GET',
  url: '/v1/me/review',
  operationId: 'getAccountReview',
  success: { 200: ['data{}'] },
}

/* activity */

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

/**
 * Parameters and responses of {@link listResultActivity}.
 *
 * Returns the statuses and notes that the result has and had, and its comments, attachments and links, the newest first.
 */
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
export const listResultActivity: Endpoint<ListResultActivity> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/activity',
  operationId: 'listResultActivity',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listRunActivity}.
 *
 * Returns when the run was created and completed, and its comments, attachments and reruns, the newest first. What happened to its results is listed with these.
 */
export interface ListRunActivity {
  params: RunParams
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

/** List what happened to a run. */
export const listRunActivity: Endpoint<ListRunActivity> = {
  method: 'GET',
  url: '/v1/runs/:run_id/activity',
  operationId: 'listRunActivity',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listTestCaseActivity}.
 *
 * Returns when the test case was created and last changed, its comments, attachments and links, and the runs that contain it, the newest first. For each page, the last 1,000 runs are searched.
 */
export interface ListTestCaseActivity {
  params: TestCaseParams
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

/** List what happened to a test case. */
export const listTestCaseActivity: Endpoint<ListTestCaseActivity> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/activity',
  operationId: 'listTestCaseActivity',
  success: { 200: ['data[]', 'meta{}'] },
}

/* admin */

export const PROJECT_CREATION = ['everyone', 'instance_admins'] as const
export type ProjectCreation = (typeof PROJECT_CREATION)[number]

export const QUOTAS = ['max_projects_per_user', 'max_members_per_project', 'max_test_cases_per_project', 'max_runs_per_project', 'max_file_bytes_per_project'] as const
export type Quota = (typeof QUOTAS)[number]

export const USER_STATUSES = ['active', 'disabled'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

export interface InstanceSettings {
  /** Who can create projects: every user, or only instance administrators. */
  project_creation: ProjectCreation
  /** Whether the session of a user without a second factor may do nothing but set one up (403 `second_factor_setup_required`). Sessions that began with single sign-on are exempt: the provider asks for a second factor. Tokens are, too. */
  require_second_factor: boolean
  /** Most projects of which a user can be an admin and still create another. Null is no limit. */
  max_projects_per_user: number | null
  /** Most members of a project. Null is no limit. */
  max_members_per_project: number | null
  /** Most test cases of a project. Null is no limit. */
  max_test_cases_per_project: number | null
  /** Most runs of a project. Null is no limit. */
  max_runs_per_project: number | null
  /** Most bytes that the files of a project take, each content once. Null is no limit. */
  max_file_bytes_per_project: number | null
}

export interface InstanceUser {
  /** User id. */
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
  /** Who can create projects: every user, or only instance administrators. */
  project_creation?: ProjectCreation
  /** Whether the session of a user without a second factor may do nothing but set one up (403 `second_factor_setup_required`). Sessions that began with single sign-on are exempt: the provider asks for a second factor. Tokens are, too. */
  require_second_factor?: boolean
  /** Most projects of which a user can be an admin and still create another. Null is no limit. */
  max_projects_per_user?: number | null
  /** Most members of a project. Null is no limit. */
  max_members_per_project?: number | null
  /** Most test cases of a project. Null is no limit. */
  max_test_cases_per_project?: number | null
  /** Most runs of a project. Null is no limit. */
  max_runs_per_project?: number | null
  /** Most bytes that the files of a project take, each content once. Null is no limit. */
  max_file_bytes_per_project?: number | null
}

export interface UpdateUserBody {
  /** Disabling ends the sessions of the user, revokes their personal tokens and pending invitations, and refuses their sign-in. Memberships and everything that the user created are kept. */
  disabled?: boolean
  /** Grants or withdraws the administration. */
  is_instance_admin?: boolean
}

/**
 * Parameters and responses of {@link deleteUser}.
 *
 * Deletes the account of a user, as users can do themselves: everything personal is deleted, and what the user did stays with an anonymous author. A session must have been confirmed recently (403 `confirmation_required`). Returns 422 `last_admin` with `projects` if a project would have no admin, and 422 `last_instance_admin` for the last active instance administrator.
 */
export interface DeleteUser {
  params: {
    /** User id. */
    user_id: string
  }
  success: { 204: null }
}

/** Delete a user. */
export const deleteUser: Endpoint<DeleteUser> = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id',
  operationId: 'deleteUser',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link endUserSessions}.
 *
 * Ends all sessions of the user within one second. The user can sign in again.
 */
export interface EndUserSessions {
  params: {
    /** User id. */
    user_id: string
  }
  success: { 204: null }
}

/** End all sessions of a user. */
export const endUserSessions: Endpoint<EndUserSessions> = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id/sessions',
  operationId: 'endUserSessions',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getInstanceSettings}.
 *
 * Returns the settings that instance administrators can change while the service runs.
 */
export interface GetInstanceSettings {
  success: { 200: { data: InstanceSettings } }
}

/** Get the settings of the instance. */
export const getInstanceSettings: Endpoint<GetInstanceSettings> = {
  method: 'GET',
  url: '/v1/admin/settings',
  operationId: 'getInstanceSettings',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listUsers}.
 *
 * Returns all users of this instance, the newest account first.
 */
export interface ListUsers {
  query: {
    /** Part of a name or email address, case-insensitive. A text without three letters or digits in a row is found only at the start of the email address and of the words of the name. */
    q?: string
    /** Return only users with this status. */
    status?: UserStatus
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: InstanceUser[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List users. */
export const listUsers: Endpoint<ListUsers> = {
  method: 'GET',
  url: '/v1/admin/users',
  operationId: 'listUsers',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link resetSecondFactors}.
 *
 * For a user who has lost them: removes the authenticator apps, passkeys and recovery codes of the user, who can then sign in without a second factor. Make sure that it is the user who asks. A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface ResetSecondFactors {
  params: {
    /** User id. */
    user_id: string
  }
  success: { 204: null }
}

/** Remove all second factors of a user. */
export const resetSecondFactors: Endpoint<ResetSecondFactors> = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id/second-factors',
  operationId: 'resetSecondFactors',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link revokeUserTokens}.
 *
 * Revokes all personal tokens of the user within one second. CI tokens belong to their project and remain valid.
 */
export interface RevokeUserTokens {
  params: {
    /** User id. */
    user_id: string
  }
  success: { 204: null }
}

/** Revoke all personal tokens of a user. */
export const revokeUserTokens: Endpoint<RevokeUserTokens> = {
  method: 'DELETE',
  url: '/v1/admin/users/:user_id/tokens',
  operationId: 'revokeUserTokens',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link updateInstanceSettings}.
 *
 * Updates only the settings in the request, for all servers within a second. Requiring a second factor returns 422 `own_second_factor_required` if you have none. No longer requiring it: A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface UpdateInstanceSettings {
  body: UpdateInstanceSettingsBody
  success: { 200: { data: InstanceSettings } }
}

/** Update the settings of the instance. */
export const updateInstanceSettings: Endpoint<UpdateInstanceSettings> = {
  method: 'PATCH',
  url: '/v1/admin/settings',
  operationId: 'updateInstanceSettings',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateUser}.
 *
 * Disables or enables a user, and grants or withdraws the administration of this instance. Takes effect within one second. Returns 422 `last_instance_admin` if no active instance administrator would remain. Granting: A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface UpdateUser {
  params: {
    /** User id. */
    user_id: string
  }
  body: UpdateUserBody
  success: { 200: { data: InstanceUser } }
}

/** Update a user. */
export const updateUser: Endpoint<UpdateUser> = {
  method: 'PATCH',
  url: '/v1/admin/users/:user_id',
  operationId: 'updateUser',
  success: { 200: ['data{}'] },
}

/* assignments */

export interface WorkRun {
  /** Run id. */
  id: string
  /** Project of the run. */
  project_id: string
  /** Name of the project. */
  project_name: string
  /** Display name. */
  name: string
  /** When the run was created. */
  created_at: string
  /** Number of your results and combinations by status. */
  stats: StatusCounts
}

/**
 * Parameters and responses of {@link assignResults}.
 *
 * Says who is to test these test cases in the run. Several people share them in turn, in the order of the run. The people get an email, at most one in an hour each, unless they assign results to themselves.
 */
export interface AssignResults {
  params: RunParams
  body: {
    /**
     * Up to 10,000 results.
     *
     *
     * Items: Result id, or test case id such as `WEB-12`; it must be in the run.
     */
    result_ids: string[]
    /**
     * Who is to test them. If there is nobody, the results are assigned to nobody.
     *
     *
     * Items: User id of an admin or member of the project.
     */
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
export const assignResults: Endpoint<AssignResults> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/assign',
  operationId: 'assignResults',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listMyWork}.
 *
 * Returns the runs in progress of all your projects that contain results assigned to you, the newest first: up to 200.
 */
export interface ListMyWork {
  success: { 200: { data: WorkRun[] } }
}

/** List the runs with results that are assigned to you. */
export const listMyWork: Endpoint<ListMyWork> = {
  method: 'GET',
  url: '/v1/me/work',
  operationId: 'listMyWork',
  success: { 200: ['data[]'] },
}

/* attachment-schemas */

export const ATTACHMENT_STATES = ['complete', 'waiting', 'never_arrived', 'removed', 'lost'] as const
export type AttachmentState = (typeof ATTACHMENT_STATES)[number]

export const FILE_KINDS = ['other', 'image', 'video', 'audio', 'text', 'trace'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface Attachment {
  /** Attachment id. */
  id: string
  /** Name of the file. Several attachments of a place can have the same one. */
  name: string
  /** What the content is; the server decides it from the first bytes, not from the name. `text` includes HTML, SVG and scripts. `other` can only be downloaded, and stands for a content that is not there. */
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

/* attachments */

export interface AttachFileBody {
  /** Id of a file of the same project, from an attachment. */
  file_id?: string
  /** Name at this place. */
  name?: string
}

export interface PlacedAttachment {
  /** Attachment id. */
  id: string
  /** Name of the file. Several attachments of a place can have the same one. */
  name: string
  /** What the content is; the server decides it from the first bytes, not from the name. `text` includes HTML, SVG and scripts. `other` can only be downloaded, and stands for a content that is not there. */
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
  /** The test case that it is attached to. */
  test_case_id: string | null
  /** The run that it is attached to, itself or one of its results. */
  run_id: string | null
  /** The result that it is attached to. */
  result_id: string | null
}

/**
 * Parameters and responses of {@link attachToResult}.
 *
 * Attaches a file. The body is its bytes, of up to 32 MB and with any `Content-Type` but JSON and multipart: `curl --data-binary @shot.png …?name=shot.png`. With JSON, it attaches a file of the project that is stored already, `{"file_id", "name"}`. The type is decided by the content. A result can have up to 100. With `step`, it belongs to a step of the test case.
 */
export interface AttachToResult {
  params: ResultParams
  query: {
    /** Name of the file, required with a file as body. Control characters and characters that change the direction of text are removed. */
    name?: string
    /** Position of the step, from 1, to attach it to. */
    step?: number
  }
  body: AttachFileBody
  success: { 201: { data: Attachment } }
}

/** Attach a file to a result. */
export const attachToResult: Endpoint<AttachToResult> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/:result_id/attachments',
  operationId: 'attachToResult',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link attachToRun}.
 *
 * Attaches a file. The body is its bytes, of up to 32 MB and with any `Content-Type` but JSON and multipart: `curl --data-binary @shot.png …?name=shot.png`. With JSON, it attaches a file of the project that is stored already, `{"file_id", "name"}`. The type is decided by the content. A run can have up to 100,000, with those of its results.
 */
export interface AttachToRun {
  params: RunParams
  query: {
    /** Name of the file, required with a file as body. Control characters and characters that change the direction of text are removed. */
    name?: string
  }
  body: AttachFileBody
  success: { 201: { data: Attachment } }
}

/** Attach a file to a run. */
export const attachToRun: Endpoint<AttachToRun> = {
  method: 'POST',
  url: '/v1/runs/:run_id/attachments',
  operationId: 'attachToRun',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link attachToTestCase}.
 *
 * Attaches a file. The body is its bytes, of up to 32 MB and with any `Content-Type` but JSON and multipart: `curl --data-binary @shot.png …?name=shot.png`. With JSON, it attaches a file of the project that is stored already, `{"file_id", "name"}`. The type is decided by the content. A test case can have up to 50. With `step`, it belongs to one of its steps.
 */
export interface AttachToTestCase {
  params: TestCaseParams
  query: {
    /** Name of the file, required with a file as body. Control characters and characters that change the direction of text are removed. */
    name?: string
    /** Position of the step, from 1, to attach it to. */
    step?: number
  }
  body: AttachFileBody
  success: { 201: { data: Attachment } }
}

/** Attach a file to a test case. */
export const attachToTestCase: Endpoint<AttachToTestCase> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/attachments',
  operationId: 'attachToTestCase',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteAttachment}.
 *
 * Deletes the attachment. Its content is deleted later, unless it is attached elsewhere. Members can change what they have attached themselves and what CI tokens have attached, admins everything; a CI token changes what CI tokens have attached to runs and results.
 */
export interface DeleteAttachment {
  params: {
    /** Project id. */
    project_id: string
    /** Attachment id. */
    attachment_id: string
  }
  success: { 204: null }
}

/** Delete an attachment. */
export const deleteAttachment: Endpoint<DeleteAttachment> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/attachments/:attachment_id',
  operationId: 'deleteAttachment',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getAttachment}.
 *
 * Returns one attachment, with the place that it is attached to.
 */
export interface GetAttachment {
  params: {
    /** Project id. */
    project_id: string
    /** Attachment id. */
    attachment_id: string
  }
  success: { 200: { data: PlacedAttachment } }
}

/** Get an attachment. */
export const getAttachment: Endpoint<GetAttachment> = {
  method: 'GET',
  url: '/v1/projects/:project_id/attachments/:attachment_id',
  operationId: 'getAttachment',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listResultAttachments}.
 *
 * Returns what is attached to the result and its steps, in the order in which it was attached.
 */
export interface ListResultAttachments {
  params: ResultParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: Attachment[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the files of a result. */
export const listResultAttachments: Endpoint<ListResultAttachments> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/attachments',
  operationId: 'listResultAttachments',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listRunAttachments}.
 *
 * Returns what is attached to the run itself, not to its results, in the order in which it was attached.
 */
export interface ListRunAttachments {
  params: RunParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: Attachment[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the files of a run. */
export const listRunAttachments: Endpoint<ListRunAttachments> = {
  method: 'GET',
  url: '/v1/runs/:run_id/attachments',
  operationId: 'listRunAttachments',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listTestCaseAttachments}.
 *
 * Returns what is attached to the test case and its steps, in the order in which it was attached.
 */
export interface ListTestCaseAttachments {
  params: TestCaseParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: Attachment[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the files of a test case. */
export const listTestCaseAttachments: Endpoint<ListTestCaseAttachments> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/attachments',
  operationId: 'listTestCaseAttachments',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateAttachment}.
 *
 * Changes the name. Members can change what they have attached themselves and what CI tokens have attached, admins everything; a CI token changes what CI tokens have attached to runs and results.
 */
export interface UpdateAttachment {
  params: {
    /** Project id. */
    project_id: string
    /** Attachment id. */
    attachment_id: string
  }
  body: {
    /** The new name. */
    name: string
  }
  success: { 200: { data: Attachment } }
}

/** Rename an attachment. */
export const updateAttachment: Endpoint<UpdateAttachment> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/attachments/:attachment_id',
  operationId: 'updateAttachment',
  success: { 200: ['data{}'] },
}

/* audit */

export const AUDIT_ACTIONS = ['attachment.delete', 'comment.delete', 'configuration.create', 'configuration.delete', 'configuration.update', 'field.create', 'field.delete', 'field.restore', 'field.retire', 'field.update', 'file.delete', 'folder.delete', 'instance.back_up', 'instance.distribute', 'instance.restore', 'instance.update_settings', 'invitation.accept', 'invitation.create', 'invitation.resend', 'invitation.revoke', 'member.add', 'member.change_role', 'member.keep_last_admin', 'member.remove', 'member.skip_full_project', 'milestone.delete', 'password.change', 'password.reset', 'project.create', 'project.delete', 'project.delete_old_runs', 'project.delete_old_tests', 'project.remove_old_files', 'project.update', 'project.update_group_roles', 'recovery_code.use', 'recovery_codes.create', 'run.delete', 'run.leave_out', 'run.put_back', 'run.remove_configurations', 'run.remove_test_cases', 'second_factor.add', 'second_factor.reject', 'second_factor.remove', 'session.confirm', 'session.create', 'session.end', 'session.end_by_provider', 'session.end_others', 'session.end_password_sessions', 'session.reject', 'share.create', 'share.revoke', 'shared_step.create', 'shared_step.delete', 'shared_step.update', 'single_sign_on.link', 'single_sign_on.unlink', 'test_case.archive', 'test_case.delete', 'test_case.restore', 'token.create', 'token.keep', 'token.revoke', 'user.cancel_email_change', 'user.change_email', 'user.complete_review', 'user.create', 'user.create_reset_link', 'user.create_sign_in_link', 'user.delete', 'user.disable', 'user.enable', 'user.end_sessions', 'user.grant_instance_admin', 'user.keep_last_instance_admin', 'user.request_email_change', 'user.reset_second_factors', 'user.revoke_tokens', 'user.update', 'user.withdraw_instance_admin'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_ACTOR_KINDS = ['user', 'token', 'system'] as const
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number]

export const AUDIT_SUBJECT_KINDS = ['attachment', 'comment', 'configuration', 'field', 'folder', 'instance', 'invitation', 'milestone', 'project', 'run', 'session', 'share', 'shared_step', 'test_case', 'token', 'user'] as const
export type AuditSubjectKind = (typeof AUDIT_SUBJECT_KINDS)[number]

export interface AuditEntry {
  /** Entry id. */
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
    /** Name at that time. */
    name: string
    /** Email address at that time, if the subject is a user. */
    email: string | null
  }
  /** The project of the change; null outside of projects. */
  project: {
    /** Project id. The project may be deleted. */
    id: string
    /** Name at that time. */
    name: string
  } | null
  /** IP address that the request came from; null for the system. */
  address: string | null
  /** More about the change, such as `from` and `to`. Its fields depend on the action. */
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
  /** `next_after` of the previous page; the first page without it. */
  after?: string
  /** Number of items per page. */
  per_page?: number
}

/**
 * Parameters and responses of {@link listAuditLog}.
 *
 * Returns the changes in all projects, deleted ones too, and those outside of projects: accounts, sign-ins, personal tokens and the administration of the instance. Newest first. As CSV, it returns up to 100,000 changes at once, whatever `per_page` is; to continue, send the last `id` as `after`.
 */
export interface ListAuditLog {
  query: AuditQuery
  success: {
    200: {
      data: AuditEntry[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the instance's audit log. */
export const listAuditLog: Endpoint<ListAuditLog> = {
  method: 'GET',
  url: '/v1/admin/audit-log',
  operationId: 'listAuditLog',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listProjectAuditLog}.
 *
 * Returns who changed members, roles, invitations, CI tokens and settings of the project, and who deleted something in it, newest first. As CSV, it returns up to 100,000 changes at once, whatever `per_page` is; to continue, send the last `id` as `after`.
 */
export interface ListProjectAuditLog {
  params: ProjectParams
  query: AuditQuery
  success: {
    200: {
      data: AuditEntry[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List a project's audit log. */
export const listProjectAuditLog: Endpoint<ListProjectAuditLog> = {
  method: 'GET',
  url: '/v1/projects/:project_id/audit-log',
  operationId: 'listProjectAuditLog',
  success: { 200: ['data[]', 'meta{}'] },
}

/* case-settings */

export interface CaseSettings {
  /** The template of new test cases that do not say theirs: a list of `steps`, or one `text`. Those with more steps than fit into one text get `steps`. */
  default_template: Template
}

/**
 * Parameters and responses of {@link getCaseSettings}.
 *
 * Returns the settings of the project for its test cases.
 */
export interface GetCaseSettings {
  params: ProjectParams
  success: { 200: { data: CaseSettings } }
}

/** Get how test cases are written. */
export const getCaseSettings: Endpoint<GetCaseSettings> = {
  method: 'GET',
  url: '/v1/projects/:project_id/case-settings',
  operationId: 'getCaseSettings',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateCaseSettings}.
 *
 * Changes only the fields in the request. Test cases that exist stay as they are.
 */
export interface UpdateCaseSettings {
  params: ProjectParams
  body: {
    /** The template of new test cases that do not say theirs: a list of `steps`, or one `text`. Those with more steps than fit into one text get `steps`. */
    default_template?: Template
  }
  success: { 200: { data: CaseSettings } }
}

/** Change how test cases are written. */
export const updateCaseSettings: Endpoint<UpdateCaseSettings> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/case-settings',
  operationId: 'updateCaseSettings',
  success: { 200: ['data{}'] },
}

/* case-versions */

export const SKIP_REASONS = ['not_found', 'not_a_member', 'retired', 'in_use', 'required', 'invalid'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const VERSION_SOURCES = ['web', 'api', 'import', 'bulk', 'restore', 'shared_step', 'review', 'merge'] as const
export type VersionSource = (typeof VERSION_SOURCES)[number]

export interface CaseVersion {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
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
  /** Tags. */
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
  /** How it was saved: in the browser (`web`), by the API with a token (`api`), by an import, with many test cases at once (`bulk`), by a change of a shared step, or by restoring an earlier version. Null for a new test case, or if unknown. */
  via: VersionSource | null
  /** Names of the fields that differ from the version before, such as `title`, or `fields.severity` for a custom field; those of deleted fields are `fields`. Empty for the oldest version that is kept. */
  changed: string[]
  /** What the author said about the change. */
  summary: string | null
}

export interface CaseVersionEntry {
  /** Number of the version. */
  version: number
  /** When it was saved, of several saves the last one; null if it is from before versions were kept. */
  changed_at: string | null
  /** User id of the author; null if unknown. */
  changed_by: string | null
  /** How it was saved: in the browser (`web`), by the API with a token (`api`), by an import, with many test cases at once (`bulk`), by a change of a shared step, or by restoring an earlier version. Null for a new test case, or if unknown. */
  via: VersionSource | null
  /** Names of the fields that differ from the version before, such as `title`, or `fields.severity` for a custom field; those of deleted fields are `fields`. Empty for the oldest version that is kept. */
  changed: string[]
  /** What the author said about the change. */
  summary: string | null
}

export interface RestoredTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
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
  /** Tags. */
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
  /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
  position: string
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
  version: number
  /** When the test case was archived; null if it is not. */
  archived_at: string | null
  /** When the test case was created. */
  created_at: string
  /** When the test case last changed. */
  updated_at: string
  /** Values of the custom fields by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** Which of the steps come from shared steps, in order; absent if none do. */
  step_groups?: StepGroup[]
  /** What could not be restored, and stays as it is. */
  skipped: {
    /** Name of the field, such as `folder_id` or `fields.severity`. */
    field: string
    /** `not_found`: the folder, option or shared step was deleted; steps of a shared step (`step_groups`) are restored as the test case's own. `not_a_member`: the person left. `retired`: the field or option is retired. `in_use`: another test case has the automation key. `required`: the field must have a value now. `invalid`: the field has other limits now. */
    reason: SkipReason
  }[]
}

export interface VersionParams {
  /** Project id. */
  project_id: string
  /** Test case id, such as `WEB-12`. */
  test_case_id: string
  /** Number of the version. */
  version: string
}

/**
 * Parameters and responses of {@link getCaseVersion}.
 *
 * Returns the test case as it was. Folders, people and options may not exist any more. A version that is not kept, or that later saves have become part of, is 404; the detail names the version that can be read instead.
 */
export interface GetCaseVersion {
  params: VersionParams
  success: { 200: { data: CaseVersion } }
}

/** Get a version of a test case. */
export const getCaseVersion: Endpoint<GetCaseVersion> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/versions/:version',
  operationId: 'getCaseVersion',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listCaseVersions}.
 *
 * Returns the versions that can be read, the newest first, 50 on a page. Every change of a field is a version. What one person saves in the browser within ten minutes, up to thirty in all, is one version with the number of the last save, unless someone has tested the test case in between. 1,000 earlier versions are kept.
 */
export interface ListCaseVersions {
  params: TestCaseParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: number
  }
  success: {
    200: {
      data: CaseVersionEntry[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: number | null
      }
    }
  }
}

/** List the versions of a test case. */
export const listCaseVersions: Endpoint<ListCaseVersions> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/versions',
  operationId: 'listCaseVersions',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link restoreCaseVersion}.
 *
 * Gives the test case the fields that it had, as a new version. What does not exist any more stays as it is, and is listed in `skipped`.
 */
export interface RestoreCaseVersion {
  params: VersionParams
  body: {
    /** What was changed and why, for the list of versions; up to 500 characters. */
    summary?: string | null
  }
  success: { 200: { data: RestoredTestCase } }
}

/** Restore a version of a test case. */
export const restoreCaseVersion: Endpoint<RestoreCaseVersion> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/versions/:version/restore',
  operationId: 'restoreCaseVersion',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/* combinations */

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
}

/**
 * Parameters and responses of {@link changeRunConfigurations}.
 *
 * Adds and removes configurations. The status of every result concerned follows from its combinations again. What a result was before it gets its first combinations stays as a combination `Other tests`. The results of a configuration that is removed are deleted, and kept as earlier values of their results.
 */
export interface ChangeRunConfigurations {
  params: RunParams
  body: {
    /** What the test cases are tested with: each gets a result per combination, and its own status follows from them. At most 100 configurations and 200,000 combinations: 422 `too_many_combinations`. */
    add?: NewRunConfigurations
    /** Places of configurations of the run. */
    remove?: number[]
  }
  success: { 200: { data: Run } }
}

/** Add or remove configurations of a run. */
export const changeRunConfigurations: Endpoint<ChangeRunConfigurations> = {
  method: 'PATCH',
  url: '/v1/runs/:run_id/configurations',
  operationId: 'changeRunConfigurations',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteCombination}.
 *
 * Deletes this combination only. The status of the result follows from the others; without any, it keeps its status.
 */
export interface DeleteCombination {
  params: {
    /** Run id. */
    run_id: string
    /** Result id, or test case id such as `WEB-12`. */
    result_id: string
    /** Place of the combination. */
    place: string
  }
  success: { 200: Message }
}

/** Delete a combination of a result. */
export const deleteCombination: Endpoint<DeleteCombination> = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/results/:result_id/combinations/:place',
  operationId: 'deleteCombination',
  success: { 200: ['message'] },
}

/**
 * Parameters and responses of {@link listCombinations}.
 *
 * Returns combinations of all results in the order of the run, up to 500 at a time. `next_after` is the cursor of the next ones; null if there are no more.
 */
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
export const listCombinations: Endpoint<ListCombinations> = {
  method: 'GET',
  url: '/v1/runs/:run_id/combinations',
  operationId: 'listCombinations',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listResultCombinations}.
 *
 * Returns what the test case is tested with in the run, in the order of the configurations; empty without any.
 */
export interface ListResultCombinations {
  params: ResultParams
  success: { 200: { data: Combination[] } }
}

/** List the combinations of a result. */
export const listResultCombinations: Endpoint<ListResultCombinations> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/combinations',
  operationId: 'listResultCombinations',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link setCombination}.
 *
 * Sets one combination. The status of the result follows from all of them: `failed` if any failed, else `blocked` or `retest` if any is, else `not_tested` if any is, else `passed`. The caller becomes `tested_by`. Fields that are not in the request keep their value.
 */
export interface SetCombination {
  params: {
    /** Run id. */
    run_id: string
    /** Result id, or test case id such as `WEB-12`. */
    result_id: string
    /** Place of the combination. */
    place: string
  }
  body: {
    status: ResultStatus
    /** Comment or error message; truncated to 65,536 characters. */
    note?: string | null
    /** Duration in whole seconds. */
    elapsed?: number | null
    /** `tested_at` of the result that the caller has seen; null if it was not set. If the result is newer, it is kept. Without it, the result is overwritten. A request that is repeated with the same values is stored again. */
    base_tested_at?: string | null
  }
  success: { 200: { data: Combination } }
}

/** Set a combination of a result. */
export const setCombination: Endpoint<SetCombination> = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id/combinations/:place',
  operationId: 'setCombination',
  success: { 200: ['data{}'] },
}

/* comment-schemas */

export interface Comment {
  /** Comment id. */
  id: string
  /** The text, in Markdown; null if the comment was deleted. `@[Ada Lovelace](user:<id>)` mentions a user, and `![shot](attachment:<id>)` shows a picture that is attached to the same test case, run or result. */
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

/* comments */

export interface CommentBody {
  /** The text, in Markdown. `@[Ada Lovelace](user:<id>)` mentions a member of the project, up to 20 of them. */
  body: string
  /**
   * What the caller has attached to the same test case, run or result for this comment. It is deleted with the comment.
   *
   *
   * Items: Attachment id.
   */
  attachment_ids?: string[]
}

export interface CommentVersion {
  /** The text, in Markdown. */
  body: string
  /** When the author changed it. */
  replaced_at: string
}

/**
 * Parameters and responses of {@link createResultComment}.
 *
 * Adds a comment, up to 10,000. Mentioned members find it in `GET /v1/me/mentions`, and get an email, at most one in five minutes with all that is new. The run may be completed.
 */
export interface CreateResultComment {
  params: ResultParams
  body: CommentBody
  success: { 201: { data: Comment } }
}

/** Comment on a result. */
export const createResultComment: Endpoint<CreateResultComment> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/:result_id/comments',
  operationId: 'createResultComment',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link createRunComment}.
 *
 * Adds a comment, up to 10,000. Mentioned members find it in `GET /v1/me/mentions`, and get an email, at most one in five minutes with all that is new. The run may be completed.
 */
export interface CreateRunComment {
  params: RunParams
  body: CommentBody
  success: { 201: { data: Comment } }
}

/** Comment on a run. */
export const createRunComment: Endpoint<CreateRunComment> = {
  method: 'POST',
  url: '/v1/runs/:run_id/comments',
  operationId: 'createRunComment',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link createTestCaseComment}.
 *
 * Adds a comment, up to 10,000. Mentioned members find it in `GET /v1/me/mentions`, and get an email, at most one in five minutes with all that is new.
 */
export interface CreateTestCaseComment {
  params: TestCaseParams
  body: CommentBody
  success: { 201: { data: Comment } }
}

/** Comment on a test case. */
export const createTestCaseComment: Endpoint<CreateTestCaseComment> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/comments',
  operationId: 'createTestCaseComment',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteComment}.
 *
 * Deletes the text of a comment, its earlier texts and what was attached for it. That there was one, and who deleted it, stays in the list. Only its author and admins of the project may: for others, the response is 403 `not_yours`.
 */
export interface DeleteComment {
  params: {
    /** Project id. */
    project_id: string
    /** Comment id. */
    comment_id: string
  }
  success: { 204: null }
}

/** Delete a comment. */
export const deleteComment: Endpoint<DeleteComment> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/comments/:comment_id',
  operationId: 'deleteComment',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link listCommentVersions}.
 *
 * Returns what the comment was before its author changed it, the newest first, up to 20.
 */
export interface ListCommentVersions {
  params: {
    /** Project id. */
    project_id: string
    /** Comment id. */
    comment_id: string
  }
  success: { 200: { data: CommentVersion[] } }
}

/** List the earlier texts of a comment. */
export const listCommentVersions: Endpoint<ListCommentVersions> = {
  method: 'GET',
  url: '/v1/projects/:project_id/comments/:comment_id/versions',
  operationId: 'listCommentVersions',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link listResultComments}.
 *
 * Returns the comments, the newest first. Deleted ones stay in the list without a text.
 */
export interface ListResultComments {
  params: ResultParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: Comment[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the comments on a result. */
export const listResultComments: Endpoint<ListResultComments> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/comments',
  operationId: 'listResultComments',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listRunComments}.
 *
 * Returns the comments, the newest first. Deleted ones stay in the list without a text. Those on its results are not among them.
 */
export interface ListRunComments {
  params: RunParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: Comment[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the comments on a run. */
export const listRunComments: Endpoint<ListRunComments> = {
  method: 'GET',
  url: '/v1/runs/:run_id/comments',
  operationId: 'listRunComments',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listTestCaseComments}.
 *
 * Returns the comments, the newest first. Deleted ones stay in the list without a text.
 */
export interface ListTestCaseComments {
  params: TestCaseParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: Comment[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the comments on a test case. */
export const listTestCaseComments: Endpoint<ListTestCaseComments> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/comments',
  operationId: 'listTestCaseComments',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateComment}.
 *
 * Changes the text of your own comment; the one of someone else returns 403 `not_yours`. The earlier text can still be read, as up to 20 of them. Members whom only the new text mentions are told.
 */
export interface UpdateComment {
  params: {
    /** Project id. */
    project_id: string
    /** Comment id. */
    comment_id: string
  }
  body: CommentBody
  success: { 200: { data: Comment } }
}

/** Change a comment. */
export const updateComment: Endpoint<UpdateComment> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/comments/:comment_id',
  operationId: 'updateComment',
  success: { 200: ['data{}'] },
}

/* configurations */

export interface Configuration {
  /** Configuration id. */
  id: string
  /** Key of its group. */
  group_key: string
  /** Name of its group, such as Browser. */
  group_name: string
  /** Key within its group. It never changes. */
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
  /** Project id. */
  project_id: string
  /** Configuration id. */
  configuration_id: string
}

export interface CreateConfigurationBody {
  /** Key of the group, which is created with its first configuration. Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes. */
  group_key: string
  /** Name of the group: required for its first configuration. Of a group that exists, it is renamed. */
  group_name?: string
  /** Key, different for each configuration of the group. Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes. */
  key: string
  /** Name, different for each configuration of the group. */
  name: string
  /** Up to 20 variants of automated tests, such as the name of a Playwright project: their results are results of this configuration. Case and white space do not matter, and `*` at the end stands for anything. */
  variants?: string[]
}

export interface UpdateConfigurationBody {
  /** Name, different for each configuration of the group. */
  name?: string
  /** Name of the group, which all its configurations share. */
  group_name?: string
  /** Up to 20 variants of automated tests, such as the name of a Playwright project: their results are results of this configuration. Case and white space do not matter, and `*` at the end stands for anything. */
  variants?: string[]
  /** New place within its group, from 1; the others make room. A larger one than the last is the last. */
  position?: number
  /** Whether it is taken out of use: new runs cannot have it. Runs that have it keep it. */
  retired?: boolean
}

/**
 * Parameters and responses of {@link createConfiguration}.
 *
 * Adds a configuration at the end of its group. A project has up to 20 groups of 50 configurations in use: 422 `too_many_configurations`. A key in use is 409 `key_taken`.
 */
export interface CreateConfiguration {
  params: ProjectParams
  body: CreateConfigurationBody
  success: { 201: { data: Configuration } }
}

/** Add a configuration. */
export const createConfiguration: Endpoint<CreateConfiguration> = {
  method: 'POST',
  url: '/v1/projects/:project_id/configurations',
  operationId: 'createConfiguration',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteConfiguration}.
 *
 * Deletes a configuration. Runs have copies: theirs and their results stay.
 */
export interface DeleteConfiguration {
  params: ConfigurationParams
  success: { 204: null }
}

/** Delete a configuration. */
export const deleteConfiguration: Endpoint<DeleteConfiguration> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/configurations/:configuration_id',
  operationId: 'deleteConfiguration',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link listConfigurations}.
 *
 * Returns what test cases can be tested with, such as browsers and systems: group by group, each in its order. Retired ones come last.
 */
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
export const listConfigurations: Endpoint<ListConfigurations> = {
  method: 'GET',
  url: '/v1/projects/:project_id/configurations',
  operationId: 'listConfigurations',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateConfiguration}.
 *
 * Changes only what is in the request. Runs have copies: theirs do not change. A project has up to 20 groups of 50 configurations in use: 422 `too_many_configurations`.
 */
export interface UpdateConfiguration {
  params: ConfigurationParams
  body: UpdateConfigurationBody
  success: { 200: { data: Configuration } }
}

/** Change a configuration. */
export const updateConfiguration: Endpoint<UpdateConfiguration> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/configurations/:configuration_id',
  operationId: 'updateConfiguration',
  success: { 200: ['data{}'] },
}

/* confirmation */

export const CONFIRMATION_METHODS = ['password', 'totp', 'passkey', 'recovery_code', 'single_sign_on'] as const
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number]

export interface ConfirmBody {
  /** Password of the account. */
  password?: string
  /** Code that the authenticator app shows, 6 digits. Each code is accepted once. */
  totp_code?: string
  /** What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeyCompletion` or `startPasskeyConfirmation`. Other fields of it are ignored. */
  passkey?: {
    /** Id of the credential. In base64url. */
    id: string
    response: {
      /** What the browser signed. In base64url. */
      clientDataJSON: string
      /** What the authenticator signed. In base64url. */
      authenticatorData: string
      /** The signature. In base64url. */
      signature: string
    }
  }
  /** A recovery code, which is used up. */
  recovery_code?: string
}

/**
 * Parameters and responses of {@link confirmSession}.
 *
 * Confirms the session of the cookie for 10 minutes, as a sign-in does. The body has exactly one field. With a second factor, the password alone is not enough (400 `password_not_enough`). Endpoints that create access or change how the user signs in require it of sessions. Limited to 10 wrong attempts per minute for each session, and to 100 per hour for each account. With a token, the response is 403 `session_required`.
 */
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
export const confirmSession: Endpoint<ConfirmSession> = {
  method: 'POST',
  url: '/v1/session/confirm',
  operationId: 'confirmSession',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/* demo */

/**
 * Parameters and responses of {@link createDemoProject}.
 *
 * Creates a project with 300 test cases, milestones, and runs of six weeks, whose first admin is the caller, to try the product. Returns 409 `demo_exists` if the caller has one, and 409 `demo_in_progress` while another request of the caller creates it. The project appears once it is complete.
 */
export interface CreateDemoProject {
  success: { 201: { data: Project } }
}

/** Create a demo project. */
export const createDemoProject: Endpoint<CreateDemoProject> = {
  method: 'POST',
  url: '/v1/projects/demo',
  operationId: 'createDemoProject',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/* duplicates */

export const SIMILARITY_KINDS = ['content', 'title', 'similar'] as const
export type SimilarityKind = (typeof SIMILARITY_KINDS)[number]

export interface DuplicateGroup {
  /** Number of test cases with this title. */
  count: number
  /** The test cases, up to 20. */
  test_cases: DuplicateTestCase[]
}

export interface DuplicateTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** When the test case last changed. */
  updated_at: string
  /** Those of a group with the same number have the same title and steps; the others only the same title. */
  content: number
}

export interface SimilarBody {
  /** Title. */
  title: string
  /** Steps in order; an item with `shared_step_id` stands for the steps of a shared step. Of a test case that exists, steps that equal those of a shared step stay a part of it, so that a request which knows nothing of shared steps keeps them. With them, a test case has at most 500 steps. */
  steps?: StepInput[]
}

export interface SimilarTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** What is the same: title and steps (`content`), the `title`, or most of it (`similar`). Capitals and white space make no difference, nor do quotation marks in titles. */
  same: SimilarityKind
  /** Similarity of the titles by the groups of three letters in them, 0 to 1. */
  similarity: number
}

/**
 * Parameters and responses of {@link findSimilarTestCases}.
 *
 * Returns up to 5 test cases with the same title, or one whose similarity is at least 0.6, the most similar first. In a project with more than 1,000 test cases, those with the same title are looked at, and those with two of the three longest words, up to 200 and for 50 milliseconds. `is_complete` says whether that was all. Changes nothing.
 */
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
export const findSimilarTestCases: Endpoint<FindSimilarTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/similar',
  operationId: 'findSimilarTestCases',
  acceptsKey: true,
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listDuplicates}.
 *
 * Returns groups of test cases with the same title, and says which of them have the same steps, too. Capitals and white space make no difference, nor do quotation marks in titles. Up to 50 groups on a page, in no particular order; in a large project a page can have fewer, or none, and still a `next_after`.
 */
export interface ListDuplicates {
  params: ProjectParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
  }
  success: {
    200: {
      data: DuplicateGroup[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
        /** Whether all test cases are compared. False for some time after the update to a version of the service that compares them. */
        is_complete: boolean
      }
    }
  }
}

/** List test cases with the same title. */
export const listDuplicates: Endpoint<ListDuplicates> = {
  method: 'GET',
  url: '/v1/projects/:project_id/duplicates',
  operationId: 'listDuplicates',
  success: { 200: ['data[]', 'meta{}'] },
}

/* email-changes */

/**
 * Parameters and responses of {@link cancelEmailChange}.
 *
 * The link in the email is no longer valid. Returns 404 if no change is pending.
 */
export interface CancelEmailChange {
  success: { 204: null }
}

/** Cancel the change of your email address. */
export const cancelEmailChange: Endpoint<CancelEmailChange> = {
  method: 'DELETE',
  url: '/v1/me/email',
  operationId: 'cancelEmailChange',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getEmail}.
 *
 * Returns the email address of your account, and the change of it that waits for a confirmation.
 */
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
export const getEmail: Endpoint<GetEmail> = {
  method: 'GET',
  url: '/v1/me/email',
  operationId: 'getEmail',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link requestEmailChange}.
 *
 * Sends a link to the new address, which changes the address of your account when it is confirmed within an hour, and a notice to the former address. A new request replaces the former one. The response is the same whether or not another account has the address. Requires a session (403 `session_required`) that was confirmed recently (403 `confirmation_required`). At most one email is sent to an address in five minutes, and 50 in an hour for each user (429 `mail_limit`).
 */
export interface RequestEmailChange {
  body: {
    /** New email address. */
    email: string
  }
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

/** Request a change of your email address. */
export const requestEmailChange: Endpoint<RequestEmailChange> = {
  method: 'POST',
  url: '/v1/me/email',
  operationId: 'requestEmailChange',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/* endpoint */

/** Size limits of request bodies in bytes. */
export const BODY_LIMIT = { standard: 1048576, upload: 10485760 } as const

/** Size limit of a file in one request. */
export const MAX_FILE_BYTES = 33554432 as const

/* events */

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

export interface MilestonesEvent {
  /** Ids of milestones that were created, changed or deleted; none if `more` is true. */
  ids: string[]
  /** Whether more milestones changed than the event contains: fetch them again. */
  more: boolean
}

export interface ResultsEvent {
  /** Run id. */
  run_id: string
  /** Up to 200 results; none if `more` is true. */
  results: ResultRow[]
  /** Whether more results changed than the event contains: fetch them again. */
  more: boolean
}

export interface RunEvent {
  /** Run id. */
  id: string
  /** A completed run does not accept results until it is reopened. */
  status: RunStatus
  stats: StatusCounts
  /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
  pass_rate: number
  /** Number of test cases in the run. */
  result_count: number
  /** Automated tests of the run, counted by their outcome. */
  test_stats: TestStats
  /** Number of errors outside of tests. */
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

/** Fetch what has changed since `at`, or everything if nothing was fetched before. */
export interface SyncEvent {
  /** All changes up to this time were sent or could be fetched before. Later ones may be missing. */
  at: string
  /** For so many milliseconds before this event, nothing has changed in the project. What was requested later than that is current. */
  quiet_ms: number
}

export interface TestCasesEvent {
  /** Ids of test cases that were created, changed or deleted, such as `WEB-12`; none if `more` is true. */
  ids: string[]
  /** Whether more test cases changed than the event contains: fetch them again. */
  more: boolean
}

/** Parameters of {@link streamProjectEvents}. */
export interface StreamProjectEvents {
  params: ProjectParams
}

/**
 * Receive the changes of a project.
 *
 * Sends changes of the project and of all its runs when they are stored. The response is a stream of events (`text/event-stream`, as `EventSource` reads it) that stays open.
 *
 * - `sync` `{at, quiet_ms}` is the first event, and follows every gap, for example after a lost connection to the database: changes since `at` may be missing. Fetch them, except what was requested within the last `quiet_ms` milliseconds, in which nothing has changed.
 * - `run` `{id, status, stats, pass_rate, result_count, updated_at}`: a run changed.
 * - `results` `{run_id, results, more}`: results changed. With `more`, there are too many for an event, or some were added or removed: fetch the run's results.
 * - `test_cases`, `milestones` and `runs` `{ids, more}`: these were created, changed or deleted. With `more`, there are too many for an event: fetch the list.
 * - `folders`, `fields`, `configurations` and `members` `{}`: the folders or their counts changed; the custom fields changed; the configurations changed; the members or their roles changed.
 * - `comments` `{run_id, result_ids, test_case_ids, more}`: comments on the run, on these results or on these test cases were written, changed or deleted; at most twice a second.
 *
 * The `id` of an event is a time shortly before the last change that was sent. With the header `Last-Event-ID`, `sync` names that time. A comment is sent every 25 seconds. The stream ends when the caller's session, token or membership ends, when its run or project is deleted, and when the server stops. A client that does not read is disconnected. 503 `too_many_event_streams` is returned if there are too many: 30 of a user, 30 of all CI tokens of a project, or those of the server. A full server ends the oldest stream of whoever has the most for a caller with fewer.
 */
export const streamProjectEvents: EventStreamEndpoint<StreamProjectEvents> = { method: 'GET', url: '/v1/projects/:project_id/events', operationId: 'streamProjectEvents' }

/** Parameters of {@link streamRunEvents}. */
export interface StreamRunEvents {
  params: RunParams
}

/**
 * Receive the changes of a run.
 *
 * Sends changes of the run and of its results when they are stored. The response is a stream of events (`text/event-stream`, as `EventSource` reads it) that stays open.
 *
 * - `sync` `{at, quiet_ms}` is the first event, and follows every gap, for example after a lost connection to the database: changes since `at` may be missing. Fetch them, except what was requested within the last `quiet_ms` milliseconds, in which nothing has changed.
 * - `run` `{id, status, stats, pass_rate, result_count, updated_at}`: a run changed.
 * - `results` `{run_id, results, more}`: results changed. With `more`, there are too many for an event, or some were added or removed: fetch the run's results.
 * - `attachments` `{result_ids, test_ids, more, waiting_file_count}`: attachments of the run, of these results or of attempts at these tests were added, changed or removed, or their contents have arrived; at most twice a second.
 * - `comments` `{run_id, result_ids, test_case_ids, more}`: comments on the run, on these results or on these test cases were written, changed or deleted; at most twice a second.
 *
 * The `id` of an event is a time shortly before the last change that was sent. With the header `Last-Event-ID`, `sync` names that time. A comment is sent every 25 seconds. The stream ends when the caller's session, token or membership ends, when its run or project is deleted, and when the server stops. A client that does not read is disconnected. 503 `too_many_event_streams` is returned if there are too many: 30 of a user, 30 of all CI tokens of a project, or those of the server. A full server ends the oldest stream of whoever has the most for a caller with fewer.
 */
export const streamRunEvents: EventStreamEndpoint<StreamRunEvents> = { method: 'GET', url: '/v1/runs/:run_id/events', operationId: 'streamRunEvents' }

/* exports */

export const EXPORT_FIELDS = ['folder', 'test_case_id', 'title', 'status', 'note', 'elapsed', 'tested_by', 'tested_at', 'defects', 'links', 'files'] as const
export type ExportField = (typeof EXPORT_FIELDS)[number]

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
/** `csv` for any number of results, or `xlsx`, an Excel file, for up to 10,000. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Parameters of {@link exportResults}. */
export interface ExportResults {
  params: RunParams
  query: {
    format?: ExportFormat
    /**
     * Only these columns. Their order stays. By default all.
     *
     *
     * Items: A column. `folder`: names of the folders, separated by slashes. `elapsed`: in seconds. `tested_by`: name of the user. `defects` and `links`: addresses of defects and of everything else. `files`: names of attached files.
     */
    fields?: ExportField[]
  }
}

/**
 * Export the results of a run.
 *
 * Returns a file with one row for each result. CSV follows RFC 4180, begins with a byte order mark, and has an apostrophe before texts that a spreadsheet would run as a formula. Several links or file names in a cell are in lines of their own. Excel files are written one at a time, with up to 10,000 results: a larger run gets 422 `too_many_rows`.
 */
export const exportResults: FileEndpoint<ExportResults> = {
  method: 'GET',
  url: '/v1/runs/:run_id/export',
  operationId: 'exportResults',
  sendsFile: true,
}

/* field-values */

export const FIELD_TYPES = ['text', 'long_text', 'number', 'date', 'checkbox', 'select', 'multi_select', 'user', 'url'] as const
/** Type of the values: `text` (one line of up to 1,000 characters), `long_text` (Markdown, up to 65,536), `number`, `date` (`"2026-11-21"`), `checkbox` (true or false; absent is not false), `select` (key of an option), `multi_select` (list of keys), `user` (id of an admin or member) or `url` (http or https, up to 2,048 characters). */
export type FieldType = (typeof FIELD_TYPES)[number]

/* fields */

export const FIELD_SUBJECTS = ['case'] as const
export type FieldSubject = (typeof FIELD_SUBJECTS)[number]

export interface CreateFieldBody {
  /** What has the field. `case` by default. */
  subject?: FieldSubject
  /** Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes. */
  key: string
  /** Name, which people read. */
  name: string
  type: FieldType
  /** What the field is for. */
  description?: string
  /** Whether a new test case must have a value. Test cases without one can still be changed; those that automation creates may lack it. */
  is_required?: boolean
  /** The value of new test cases whose request does not contain the field; null for none. A field of type `user` has none. */
  default?: string | number | boolean | string[] | null
  /** Of a select: 1 to 200 options in their order. A change must contain every option that exists; retire those that are no longer needed. */
  options?: {
    /** Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes. */
    key: string
    /** What people read, different for each option. */
    label: string
    /** Whether it can no longer be chosen. False by default. */
    is_retired?: boolean
  }[]
  /** Smallest value of a number; null for any. */
  min?: number | null
  /** Largest value of a number; null for any. */
  max?: number | null
  /** Most decimal places of a number; null for any up to 6. */
  decimals?: number | null
}

export interface Field {
  /** Field id. */
  id: string
  /** What has the field: `case` for test cases. */
  subject: FieldSubject
  /** Key, by which requests and responses name the field. It never changes. */
  key: string
  /** Name, which people read. */
  name: string
  /** What the field is for; may be empty. */
  description: string
  type: FieldType
  /** Whether a new test case must have a value. */
  is_required: boolean
  /** The value of new test cases whose request does not contain the field; null for none. */
  default: (string | number | boolean | string[]) | null
  /** The options of a select, in their order; null for other types. */
  options:
    | {
        /** Key, which values contain. It never changes. */
        key: string
        /** What people read. */
        label: string
        /** Whether it can no longer be chosen. Values that have it stay. */
        is_retired: boolean
      }[]
    | null
  /** Smallest value of a number; null for any. */
  min: number | null
  /** Largest value of a number; null for any. */
  max: number | null
  /** Most decimal places of a number; null for any up to 6. */
  decimals: number | null
  /** Place among the fields, from 1. */
  position: number
  /** When the field was retired; null if it is in use. */
  retired_at: string | null
}

export interface FieldParams {
  /** Project id. */
  project_id: string
  /** Field id. */
  field_id: string
}

export interface UpdateFieldBody {
  /** Name, which people read. */
  name?: string
  /** Only `text` can become `long_text`, and `select` can become `multi_select`. No value has to change for it. */
  type?: FieldType
  /** New place among the fields, from 1; the others make room. A larger one than the last is the last. */
  position?: number
  /** What the field is for. */
  description?: string
  /** Whether a new test case must have a value. Test cases without one can still be changed; those that automation creates may lack it. */
  is_required?: boolean
  /** The value of new test cases whose request does not contain the field; null for none. A field of type `user` has none. */
  default?: string | number | boolean | string[] | null
  /** Of a select: 1 to 200 options in their order. A change must contain every option that exists; retire those that are no longer needed. */
  options?: {
    /** Up to 40 lower-case letters, digits and underscores, beginning with a letter. It never changes. */
    key: string
    /** What people read, different for each option. */
    label: string
    /** Whether it can no longer be chosen. False by default. */
    is_retired?: boolean
  }[]
  /** Smallest value of a number; null for any. */
  min?: number | null
  /** Largest value of a number; null for any. */
  max?: number | null
  /** Most decimal places of a number; null for any up to 6. */
  decimals?: number | null
}

/**
 * Parameters and responses of {@link createField}.
 *
 * Adds a custom field after the others. A project has up to 30 fields in use and 200 with retired ones: 422 `too_many_fields`. Another field with the key is 409 `key_taken`. Test cases that exist have no value; set it with a bulk update.
 */
export interface CreateField {
  params: ProjectParams
  body: CreateFieldBody
  success: { 201: { data: Field } }
}

/** Add a field. */
export const createField: Endpoint<CreateField> = {
  method: 'POST',
  url: '/v1/projects/:project_id/fields',
  operationId: 'createField',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteField}.
 *
 * Deletes a retired field and the values that test cases have. This cannot be undone. A field that is not retired is 409 `field_in_use`.
 */
export interface DeleteField {
  params: FieldParams
  success: { 204: null }
}

/** Delete a retired field. */
export const deleteField: Endpoint<DeleteField> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/fields/:field_id',
  operationId: 'deleteField',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link listFields}.
 *
 * Returns the custom fields in their order, at most 200. Retired ones come last.
 */
export interface ListFields {
  params: ProjectParams
  query: {
    /** Return only fields of this. `case` by default. */
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
export const listFields: Endpoint<ListFields> = {
  method: 'GET',
  url: '/v1/projects/:project_id/fields',
  operationId: 'listFields',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link restoreField}.
 *
 * Brings a retired field back into use, after the others. 422 `too_many_fields` if 30 are in use.
 */
export interface RestoreField {
  params: FieldParams
  success: { 200: { data: Field } }
}

/** Restore a retired field. */
export const restoreField: Endpoint<RestoreField> = {
  method: 'POST',
  url: '/v1/projects/:project_id/fields/:field_id/restore',
  operationId: 'restoreField',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link retireField}.
 *
 * Takes a field out of use: new test cases do not have it. The values that test cases have stay and are returned. Retiring it again changes nothing.
 */
export interface RetireField {
  params: FieldParams
  success: { 200: { data: Field } }
}

/** Retire a field. */
export const retireField: Endpoint<RetireField> = {
  method: 'POST',
  url: '/v1/projects/:project_id/fields/:field_id/retire',
  operationId: 'retireField',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateField}.
 *
 * Changes only what is in the request. No value of a test case changes: a new name of a field or option is shown everywhere at once, and values that new limits do not allow stay until they are changed.
 */
export interface UpdateField {
  params: FieldParams
  body: UpdateFieldBody
  success: { 200: { data: Field } }
}

/** Change a field. */
export const updateField: Endpoint<UpdateField> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/fields/:field_id',
  operationId: 'updateField',
  success: { 200: ['data{}'] },
}

/* file-uploads */

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
  /** Size of the content in bytes. */
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
  /** Number of bytes that were received. */
  received: number
  /** Size of the whole content. */
  byte_count: number
}

/**
 * Parameters and responses of {@link createFileUpload}.
 *
 * For files of more than 32 MB, and for weak connections. Its parts follow; then attach it by its `file_id` within 24 hours.
 */
export interface CreateFileUpload {
  params: ProjectParams
  body: {
    /** Size of the whole file in bytes. */
    byte_count: number
    /** Name of the file. Only an ending of `trace.zip` makes a difference: a ZIP file is a trace. */
    name?: string
  }
  success: { 201: { data: FileUpload } }
}

/** Begin to send a file in parts. */
export const createFileUpload: Endpoint<CreateFileUpload> = {
  method: 'POST',
  url: '/v1/projects/:project_id/file-uploads',
  operationId: 'createFileUpload',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteFileUpload}.
 *
 * Deletes what was received. A file that is complete stays where it is attached.
 */
export interface DeleteFileUpload {
  params: {
    /** Project id. */
    project_id: string
    /** Id of the upload. */
    file_upload_id: string
  }
  success: { 204: null }
}

/** Cancel a file that is sent in parts. */
export const deleteFileUpload: Endpoint<DeleteFileUpload> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/file-uploads/:file_upload_id',
  operationId: 'deleteFileUpload',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getDeclaredFileProgress}.
 *
 * The header `Upload-Received` is the number of bytes: all, if the content is there.
 */
export interface GetDeclaredFileProgress {
  params: {
    /** Run id. */
    run_id: string
    /** SHA-256 of the content in hexadecimal. */
    sha256: string
  }
  success: { 200: null }
}

/** Find out how much of a declared content was received. */
export const getDeclaredFileProgress: Endpoint<GetDeclaredFileProgress> = {
  method: 'HEAD',
  url: '/v1/runs/:run_id/files/:sha256',
  operationId: 'getDeclaredFileProgress',
  success: { 200: null },
}

/**
 * Parameters and responses of {@link getFileUploadProgress}.
 *
 * The header `Upload-Received` is the number of bytes.
 */
export interface GetFileUploadProgress {
  params: {
    /** Project id. */
    project_id: string
    /** Id of the upload. */
    file_upload_id: string
  }
  success: { 200: null }
}

/** Find out how much of a file was received. */
export const getFileUploadProgress: Endpoint<GetFileUploadProgress> = {
  method: 'HEAD',
  url: '/v1/projects/:project_id/file-uploads/:file_upload_id',
  operationId: 'getFileUploadProgress',
  success: { 200: null },
}

/**
 * Parameters and responses of {@link listMissingFiles}.
 *
 * Returns what uploads declared and nobody has sent, in the order of the digests: a client that has only the files finds out what to send.
 */
export interface ListMissingFiles {
  params: RunParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: MissingFile[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the contents that a run waits for. */
export const listMissingFiles: Endpoint<ListMissingFiles> = {
  method: 'GET',
  url: '/v1/runs/:run_id/files/missing',
  operationId: 'listMissingFiles',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link sendDeclaredFile}.
 *
 * The body is the content, of up to 32 MB and with a `Content-Length`, or a part of it. All attachments of the run that wait for it become complete. Sending it again is safe: the response is 200 if the project has it. Parts have 8 MB, and the last one less; a store in a directory takes smaller ones. They are sent one after another, each with a `Content-Range`. The response to a part is 202 with the number of bytes that were received. A part at another offset is 409 `wrong_offset` with `received`, so that a client can go on where it stopped, on any server. What is not complete after 24 hours is deleted.
 */
export interface SendDeclaredFile {
  params: {
    /** Run id. */
    run_id: string
    /** SHA-256 of the content in hexadecimal. */
    sha256: string
  }
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
export const sendDeclaredFile: Endpoint<SendDeclaredFile> = {
  method: 'PUT',
  url: '/v1/runs/:run_id/files/:sha256',
  operationId: 'sendDeclaredFile',
  success: { 200: ['data{}'], 201: ['data{}'], 202: ['data{}'] },
}

/**
 * Parameters and responses of {@link sendFilePart}.
 *
 * The body is a part, with a `Content-Length` and a `Content-Range`. The response to the last one has the id of the file. Parts have 8 MB, and the last one less; a store in a directory takes smaller ones. They are sent one after another, each with a `Content-Range`. The response to a part is 202 with the number of bytes that were received. A part at another offset is 409 `wrong_offset` with `received`, so that a client can go on where it stopped, on any server. What is not complete after 24 hours is deleted.
 */
export interface SendFilePart {
  params: {
    /** Project id. */
    project_id: string
    /** Id of the upload. */
    file_upload_id: string
  }
  success: {
    /** The file is complete already. */
    200: { data: FileUploadProgress }
    /** The file is complete. */
    201: { data: FileUploadProgress }
    /** The part was received, and others follow. */
    202: { data: FileUploadProgress }
  }
}

/** Send a part of a file. */
export const sendFilePart: Endpoint<SendFilePart> = {
  method: 'PUT',
  url: '/v1/projects/:project_id/file-uploads/:file_upload_id',
  operationId: 'sendFilePart',
  success: { 200: ['data{}'], 201: ['data{}'], 202: ['data{}'] },
}

/* files */

export interface FileText {
  /** The text from `from` to `to`, without a byte order mark. */
  text: string
  /** Where the text begins, in bytes: where it was requested, or at the end of the character that is there. */
  from: number
  /** Where the text ends, in bytes: the next part begins here. */
  to: number
  /** Size of the whole file in bytes. */
  byte_count: number
}

/** Parameters of {@link getFileContent}. */
export interface GetFileContent {
  params: {
    /** Project id. */
    project_id: string
    /** File id. */
    file_id: string
  }
  query: {
    /** Name under which a browser saves the file. */
    name?: string
    /** `1` makes a browser save the file and not show it. */
    download?: number
  }
}

/**
 * Get the content of a file.
 *
 * Returns the bytes of a file as they were sent, with the media type that the server found in them. A `Range` header selects one range of bytes. The `ETag` is the SHA-256 of the content; with `If-None-Match`, the response is 304 if the client has it.
 */
export const getFileContent: FileEndpoint<GetFileContent> = {
  method: 'GET',
  url: '/v1/projects/:project_id/files/:file_id/content',
  operationId: 'getFileContent',
  sendsFile: true,
}

/**
 * Parameters and responses of {@link getFileText}.
 *
 * Returns up to 256 KB of a file of the kind `text`, decoded from UTF-8 or UTF-16. It ends at the end of the last line, unless one line fills it, and never within a character.
 */
export interface GetFileText {
  params: {
    /** Project id. */
    project_id: string
    /** File id. */
    file_id: string
  }
  query: {
    /** Where to begin, in bytes; by default 0. */
    from?: number
    /** Where to end, in bytes; by default 256 KB after `from`. */
    to?: number
  }
  success: { 200: { data: FileText } }
}

/** Get a part of a text. */
export const getFileText: Endpoint<GetFileText> = {
  method: 'GET',
  url: '/v1/projects/:project_id/files/:file_id/text',
  operationId: 'getFileText',
  success: { 200: ['data{}'] },
}

/* folders */

export interface CreateFolderBody {
  /** Display name. */
  name: string
  /** Parent folder; null for the top level. */
  parent_id?: string | null
  /** Position among its siblings, from 0. A position after the last sibling means the end. */
  position?: number
}

export interface Folder {
  /** Folder id. */
  id: string
  /** Display name. */
  name: string
  /** Parent folder; null at the top level. */
  parent_id: string | null
  /** Position among its siblings, from 0. */
  position: number
  /** Number of test cases in the folder, without subfolders. */
  test_case_count: number
  /** When the folder was created. */
  created_at: string
  /** When a field of the folder last changed. */
  updated_at: string
}

export interface UpdateFolderBody {
  /** Display name. */
  name?: string
  /** Parent folder; null for the top level. */
  parent_id?: string | null
  /** Position among its siblings, from 0. A position after the last sibling means the end. */
  position?: number
}

/**
 * Parameters and responses of {@link createFolder}.
 *
 * Creates a folder. Without a position, it is added after its siblings. Folders can be nested up to 10 levels deep.
 */
export interface CreateFolder {
  params: ProjectParams
  body: CreateFolderBody
  success: { 201: { data: Folder } }
}

/** Create a folder. */
export const createFolder: Endpoint<CreateFolder> = {
  method: 'POST',
  url: '/v1/projects/:project_id/folders',
  operationId: 'createFolder',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteFolder}.
 *
 * Deletes the folder and moves its test cases and subfolders to its parent.
 */
export interface DeleteFolder {
  params: {
    /** Project id. */
    project_id: string
    /** Folder id. */
    folder_id: string
  }
  success: { 200: Message }
}

/** Delete a folder. */
export const deleteFolder: Endpoint<DeleteFolder> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/folders/:folder_id',
  operationId: 'deleteFolder',
  success: { 200: ['message'] },
}

/**
 * Parameters and responses of {@link listFolders}.
 *
 * Returns all folders of the project as a flat list: parents before their subfolders, siblings by position.
 */
export interface ListFolders {
  params: ProjectParams
  success: { 200: { data: Folder[] } }
}

/** List folders. */
export const listFolders: Endpoint<ListFolders> = {
  method: 'GET',
  url: '/v1/projects/:project_id/folders',
  operationId: 'listFolders',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link updateFolder}.
 *
 * Updates only the fields in the request. A folder cannot be moved into itself or one of its subfolders.
 */
export interface UpdateFolder {
  params: {
    /** Project id. */
    project_id: string
    /** Folder id. */
    folder_id: string
  }
  body: UpdateFolderBody
  success: { 200: { data: Folder } }
}

/** Rename or move a folder. */
export const updateFolder: Endpoint<UpdateFolder> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/folders/:folder_id',
  operationId: 'updateFolder',
  success: { 200: ['data{}'] },
}

/* group-roles */

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
  /** Role of the members of the group. */
  role: Role
}

/**
 * Parameters and responses of {@link listGroupRoles}.
 *
 * Returns the groups of the sign-in provider that have a role in the project, by name.
 */
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

/** List roles of groups. */
export const listGroupRoles: Endpoint<ListGroupRoles> = {
  method: 'GET',
  url: '/v1/projects/:project_id/group-roles',
  operationId: 'listGroupRoles',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link replaceGroupRoles}.
 *
 * Replaces the groups that have a role in the project. A user gets the role at the next sign-on, and the strongest of several roles counts; a role that a person gave is never lowered. Members who have a group already change at once: when a group is removed, those whom only it made a member are removed. Returns 422 `groups_not_configured` if the server reads no groups, so that groups can only be removed, and `last_admin` if the project would have no admin.
 */
export interface ReplaceGroupRoles {
  params: ProjectParams
  body: {
    /** All groups with a role. */
    group_roles: GroupRoleInput[]
  }
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

/** Set roles of groups. */
export const replaceGroupRoles: Endpoint<ReplaceGroupRoles> = {
  method: 'PUT',
  url: '/v1/projects/:project_id/group-roles',
  operationId: 'replaceGroupRoles',
  success: { 200: ['data[]', 'meta{}'] },
}

/* invitations */

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

export interface AcceptedInvitation {
  project: {
    /** Project id. */
    id: string
    /** Display name. */
    name: string
  }
  member: Member
}

export interface Invitation {
  /** Invitation id. */
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
  project: {
    /** Project id. */
    id: string
    /** Display name. */
    name: string
  }
  /** Email address of the invited person. */
  email: string
  /** Role of the new member. */
  role: Role
  invited_by: {
    /** Name of the member who sent the invitation. */
    name: string
  }
  /** When the invitation expires: seven days after the last link was sent. */
  expires_at: string
}

export interface SentInvitation {
  /** Invitation id. */
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
  /** Link to accept the invitation. Only present if no mail server is configured to send it. */
  join_url?: string
}

/**
 * Parameters and responses of {@link acceptInvitation}.
 *
 * Adds a member to the project. If you are signed in, you join the project; the invitation must be for your email address, or the response is 403 `other_email`. If you are not signed in, a user is created with `name` and `password`; if the email address has an account already, the response is 409 `account_exists`: sign in first. Where only single sign-on is accepted, only signed-in users can accept (403 `single_sign_on_required`).
 */
export interface AcceptInvitation {
  params: {
    /** Last part of the link in the email. */
    secret: string
  }
  body: {
    /** Name of the new user. Required unless you are signed in. */
    name?: string
    /** Password of the new user, 8 to 1024 characters. Required unless you are signed in. Refused with the code `weak_password` if it is a common password, or contains the email address or name of the user or the name of the product and little else. */
    password?: string
  } | null
  success: { 200: AcceptedInvitation }
}

/** Accept an invitation. */
export const acceptInvitation: Endpoint<AcceptInvitation> = {
  method: 'POST',
  url: '/v1/invitations/:secret/accept',
  operationId: 'acceptInvitation',
  success: { 200: ['project{}', 'member{}'] },
}

/**
 * Parameters and responses of {@link getInvitationPreview}.
 *
 * Returns the invitation for a link. Does not require a token. Returns 410 if the link was used or replaced, or if the invitation was revoked or expired.
 */
export interface GetInvitationPreview {
  params: {
    /** Last part of the link in the email. */
    secret: string
  }
  success: { 200: InvitationPreview }
}

/** Get the invitation of a link. */
export const getInvitationPreview: Endpoint<GetInvitationPreview> = {
  method: 'GET',
  url: '/v1/invitations/:secret',
  operationId: 'getInvitationPreview',
  success: { 200: ['project{}', 'email', 'role', 'invited_by{}', 'expires_at'] },
}

/**
 * Parameters and responses of {@link inviteMember}.
 *
 * Sends an email with an invitation link that is valid for seven days. Email addresses are compared case-insensitively. Returns 409 if the address belongs to a member or has a pending invitation; revoked and expired invitations do not count. Returns 429 `mail_limit` if the address got an invitation within the last five minutes, or if you have sent 50 emails within an hour.
 */
export interface InviteMember {
  params: ProjectParams
  body: {
    /** Email address to invite. */
    email: string
    /** Role of the new member. */
    role: Role
  }
  success: { 201: SentInvitation }
}

/** Invite a member. */
export const inviteMember: Endpoint<InviteMember> = {
  method: 'POST',
  url: '/v1/projects/:project_id/members/invite',
  operationId: 'inviteMember',
  acceptsKey: true,
  success: { 201: ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'] },
}

/**
 * Parameters and responses of {@link listInvitations}.
 *
 * Returns the invitations of the project, newest first.
 */
export interface ListInvitations {
  params: ProjectParams
  query: {
    /** Return only invitations with this status. */
    status?: InvitationStatus
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: Invitation[]; meta: PageMeta } }
}

/** List invitations. */
export const listInvitations: Endpoint<ListInvitations> = {
  method: 'GET',
  url: '/v1/projects/:project_id/invitations',
  operationId: 'listInvitations',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link resendInvitation}.
 *
 * Sends a new link that is valid for seven days; earlier links stop working. Returns 409 unless the invitation is pending or expired. Returns 429 `mail_limit` if the address got an invitation within the last five minutes, or if you have sent 50 emails within an hour. Then nothing is changed, and earlier links still work.
 */
export interface ResendInvitation {
  params: {
    /** Project id. */
    project_id: string
    /** Invitation id. */
    invitation_id: string
  }
  success: { 200: SentInvitation }
}

/** Send an invitation again. */
export const resendInvitation: Endpoint<ResendInvitation> = {
  method: 'POST',
  url: '/v1/projects/:project_id/invitations/:invitation_id/resend',
  operationId: 'resendInvitation',
  acceptsKey: true,
  success: { 200: ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'] },
}

/**
 * Parameters and responses of {@link revokeInvitation}.
 *
 * Revokes the invitation and its links immediately. Returns 409 if it was accepted: remove the member instead.
 */
export interface RevokeInvitation {
  params: {
    /** Project id. */
    project_id: string
    /** Invitation id. */
    invitation_id: string
  }
  success: { 204: null }
}

/** Revoke an invitation. */
export const revokeInvitation: Endpoint<RevokeInvitation> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/invitations/:invitation_id',
  operationId: 'revokeInvitation',
  success: { 204: null },
}

/* left-out */

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

/**
 * Parameters and responses of {@link leaveOutSuiteError}.
 *
 * Sets an error outside of tests aside, which the run no longer counts. It comes back if it is reported again.
 */
export interface LeaveOutSuiteError {
  params: {
    /** Run id. */
    run_id: string
    /** Error id. */
    error_id: string
  }
  success: { 200: { data: LeftOut } }
}

/** Leave an error outside of tests out of a run. */
export const leaveOutSuiteError: Endpoint<LeaveOutSuiteError> = {
  method: 'POST',
  url: '/v1/runs/:run_id/suite-errors/:error_id/leave-out',
  operationId: 'leaveOutSuiteError',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link leaveOutTest}.
 *
 * Sets the outcome of a test in the run aside, such as that of a test that was deleted or renamed (`is_in_newest_report`). The run no longer counts it, and the results of its test cases are derived from their other tests; without one, they are not tested. Results that a user has set stay. An upload that contains the test brings it back.
 */
export interface LeaveOutTest {
  params: RunTestParams
  success: { 200: { data: LeftOut } }
}

/** Leave a test out of a run. */
export const leaveOutTest: Endpoint<LeaveOutTest> = {
  method: 'POST',
  url: '/v1/runs/:run_id/tests/:test_id/leave-out',
  operationId: 'leaveOutTest',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listLeftOut}.
 *
 * Returns up to 1,000 outcomes of tests and errors outside of tests that users have left out of the run and that were not reported again, the newest first.
 */
export interface ListLeftOut {
  params: RunParams
  success: { 200: { data: LeftOut[] } }
}

/** List what was left out of a run. */
export const listLeftOut: Endpoint<ListLeftOut> = {
  method: 'GET',
  url: '/v1/runs/:run_id/left-out',
  operationId: 'listLeftOut',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link putBackLeftOut}.
 *
 * Puts an outcome or an error back that was left out. If it was reported again meanwhile, the newer report stays.
 */
export interface PutBackLeftOut {
  params: {
    /** Run id. */
    run_id: string
    /** Id of the test, or of the error. */
    id: string
  }
  success: { 200: { data: LeftOut } }
}

/** Put back what was left out of a run. */
export const putBackLeftOut: Endpoint<PutBackLeftOut> = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/left-out/:id',
  operationId: 'putBackLeftOut',
  success: { 200: ['data{}'] },
}

/* link-schemas */

export const LINK_KINDS = ['defect', 'requirement', 'other'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export interface Link {
  /** Link id. */
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

/* links */

export interface CreateLinkBody {
  /** An address that begins with `http://` or `https://`, without a user name or password. The server never opens it. */
  url: string
  /** What the address is of. By default `defect` at a result and `requirement` at a test case. */
  kind?: LinkKind
  /** What to show instead of the address. */
  label?: string
}

/**
 * Parameters and responses of {@link createResultLink}.
 *
 * Adds a link, up to 50. Equal addresses are one link: an address that is already there is returned with 200 and does not change. Links can be added after the run was completed: defects are often filed later.
 */
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
export const createResultLink: Endpoint<CreateResultLink> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/:result_id/links',
  operationId: 'createResultLink',
  acceptsKey: true,
  success: { 200: ['data{}'], 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link createTestCaseLink}.
 *
 * Adds a link, up to 50. Equal addresses are one link: an address that is already there is returned with 200 and does not change.
 */
export interface CreateTestCaseLink {
  params: TestCaseParams
  body: CreateLinkBody
  success: {
    /** The place has a link to this address already, which is returned. */
    200: { data: Link }
    201: { data: Link }
  }
}

/** Add a link to a test case. */
export const createTestCaseLink: Endpoint<CreateTestCaseLink> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/links',
  operationId: 'createTestCaseLink',
  acceptsKey: true,
  success: { 200: ['data{}'], 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteResultLink}.
 *
 * Removes the link. Nothing changes at its address.
 */
export interface DeleteResultLink {
  params: {
    /** Run id. */
    run_id: string
    /** Result id, or test case id such as `WEB-12`. */
    result_id: string
    /** Link id. */
    link_id: string
  }
  success: { 204: null }
}

/** Remove a link from a result. */
export const deleteResultLink: Endpoint<DeleteResultLink> = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/results/:result_id/links/:link_id',
  operationId: 'deleteResultLink',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link deleteTestCaseLink}.
 *
 * Removes the link. Nothing changes at its address.
 */
export interface DeleteTestCaseLink {
  params: {
    /** Project id. */
    project_id: string
    /** Test case id, such as `WEB-12`. */
    test_case_id: string
    /** Link id. */
    link_id: string
  }
  success: { 204: null }
}

/** Remove a link from a test case. */
export const deleteTestCaseLink: Endpoint<DeleteTestCaseLink> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/links/:link_id',
  operationId: 'deleteTestCaseLink',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link listResultLinks}.
 *
 * Returns all links of the result, in the order in which they were added.
 */
export interface ListResultLinks {
  params: ResultParams
  success: { 200: { data: Link[] } }
}

/** List the links of a result. */
export const listResultLinks: Endpoint<ListResultLinks> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/links',
  operationId: 'listResultLinks',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link listTestCaseLinks}.
 *
 * Returns all links of the test case, in the order in which they were added.
 */
export interface ListTestCaseLinks {
  params: TestCaseParams
  success: { 200: { data: Link[] } }
}

/** List the links of a test case. */
export const listTestCaseLinks: Endpoint<ListTestCaseLinks> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/links',
  operationId: 'listTestCaseLinks',
  success: { 200: ['data[]'] },
}

/* members */

export const ROLES = ['admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export interface ChangedMember {
  /** User id. */
  id: string
  /** Email address. */
  email: string
  /** Display name. */
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
  /** User id. */
  id: string
  /** Email address. */
  email: string
  /** Display name. */
  name: string
  /** URL of a picture; null for none. */
  avatar_url: string | null
  /** Role in the project. */
  role: Role
  /** When the user joined the project. */
  joined_at: string
}

export interface Person {
  /** User id. */
  id: string
  /** Display name. */
  name: string
  /** URL of a picture; null for none. */
  avatar_url: string | null
  /** Whether the user is a member now. */
  is_member: boolean
  /** Role in the project; null for a former member. */
  role: Role | null
}

/**
 * Parameters and responses of {@link changeMemberRole}.
 *
 * Changes the role of a member. If the member was an admin, their pending invitations to the project are revoked, and if they created CI tokens of the project that are still valid, the header `Link` contains the URL of a list of them: review these tokens. Returns 422 `last_admin` for the only admin of the project: make another member an admin first. Returns 422 `role_from_group` for a role weaker than the one that a group of the sign-in provider gives the member.
 */
export interface ChangeMemberRole {
  params: {
    /** Project id. */
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
export const changeMemberRole: Endpoint<ChangeMemberRole> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/members/:user_id',
  operationId: 'changeMemberRole',
  success: { 200: ['id', 'email', 'name', 'avatar_url', 'role', 'joined_at', 'updated_at'] },
}

/**
 * Parameters and responses of {@link leaveProject}.
 *
 * Ends your own membership, whatever your role. Everything that you created is kept, except for your pending invitations, which are revoked. CI tokens that you created stay valid and are marked for review by the admins. The only admin of a project cannot leave (422 `last_admin`): make another member an admin first.
 */
export interface LeaveProject {
  params: ProjectParams
  success: { 204: null }
}

/** Leave a project. */
export const leaveProject: Endpoint<LeaveProject> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/members/me',
  operationId: 'leaveProject',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link listMembers}.
 *
 * Returns the members of the project in the order in which they joined.
 */
export interface ListMembers {
  params: ProjectParams
  query: {
    /** Return only members with this role. */
    role?: Role
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: Member[]; meta: PageMeta } }
}

/** List members. */
export const listMembers: Endpoint<ListMembers> = {
  method: 'GET',
  url: '/v1/projects/:project_id/members',
  operationId: 'listMembers',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listPeople}.
 *
 * Returns everybody who is or was a member of the project, to show the names of those who set results. Up to 5,000: members first, then by name.
 */
export interface ListPeople {
  params: ProjectParams
  success: { 200: { data: Person[] } }
}

/** List members and former members. */
export const listPeople: Endpoint<ListPeople> = {
  method: 'GET',
  url: '/v1/projects/:project_id/people',
  operationId: 'listPeople',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link removeMember}.
 *
 * Removes the member from the project. Everything that the member created is kept, except for pending invitations, which are revoked. If the member created CI tokens of the project that are still valid, the header `Link` contains the URL of a list of them: review these tokens. Admins can remove themselves; the only admin of the project cannot be removed (422 `last_admin`). A member by a group of the sign-in provider is added again at the next sign-on.
 */
export interface RemoveMember {
  params: {
    /** Project id. */
    project_id: string
    /** User id of the member. */
    user_id: string
  }
  success: { 204: null }
}

/** Remove a member. */
export const removeMember: Endpoint<RemoveMember> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/members/:user_id',
  operationId: 'removeMember',
  success: { 204: null },
}

/* mentions */

export interface Mention {
  /** Id of the mention. */
  id: string
  /** Project of the comment. */
  project_id: string
  /** Name of the project. */
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
  /** Name of the author. */
  author_name: string
  /** First line of the comment, up to 200 characters. */
  text: string
  /** When the comment mentioned you. */
  created_at: string
  /** When you marked it as read; null if it is unread. */
  read_at: string | null
}

/**
 * Parameters and responses of {@link listMyMentions}.
 *
 * Returns the mentions of you in all your projects, the newest first. Those of projects that you leave end.
 */
export interface ListMyMentions {
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
    /** `true`: only those that are not read. */
    unread?: 'true' | 'false'
  }
  success: {
    200: {
      data: Mention[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
        /** Number of all mentions that are not read. */
        unread_count: number
      }
    }
  }
}

/** List the comments that mention you. */
export const listMyMentions: Endpoint<ListMyMentions> = {
  method: 'GET',
  url: '/v1/me/mentions',
  operationId: 'listMyMentions',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link readMyMentions}.
 *
 * Marks these mentions of you as read, or all. What is read already, or is not yours, stays as it is.
 */
export interface ReadMyMentions {
  body: {
    /**
     * Up to 100 mentions.
     *
     *
     * Items: Id of a mention.
     */
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
export const readMyMentions: Endpoint<ReadMyMentions> = {
  method: 'POST',
  url: '/v1/me/mentions/read',
  operationId: 'readMyMentions',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/* milestone-readiness */

export const BLOCKER_PRIORITIES = ['critical', 'high', 'medium', 'low', 'any'] as const
export type BlockerPriority = (typeof BLOCKER_PRIORITIES)[number]

export const BLOCKER_STATUSES = ['failed', 'blocked'] as const
export type BlockerStatus = (typeof BLOCKER_STATUSES)[number]

export interface Blocker {
  /** Run of the result. */
  run_id: string
  /** Name of the run. */
  run_name: string
  /** Result id. */
  result_id: string
  /** Test case id; null if the test case was deleted. */
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
  /** Day (UTC, `YYYY-MM-DD`) on which all results are tested at this pace. Null if nothing is left, if there is no pace, or if it is more than ten years away. */
  expected_on: string | null
}

/**
 * Parameters and responses of {@link getMilestoneBurnUp}.
 *
 * Returns how many results were tested until the end of each day.
 */
export interface GetMilestoneBurnUp {
  params: MilestoneParams
  query: {
    /** Time zone of the days, such as `Europe/Berlin`; UTC by default. */
    time_zone?: string
  }
  success: { 200: { data: BurnUp } }
}

/** Get the burn-up of a milestone. */
export const getMilestoneBurnUp: Endpoint<GetMilestoneBurnUp> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/burn-up',
  operationId: 'getMilestoneBurnUp',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link getMilestoneReadiness}.
 *
 * Returns how far the linked runs of the milestone and of its sub-milestones are, and their pace.
 */
export interface GetMilestoneReadiness {
  params: MilestoneParams
  success: { 200: { data: MilestoneReadiness } }
}

/** Get the readiness of a milestone. */
export const getMilestoneReadiness: Endpoint<GetMilestoneReadiness> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/readiness',
  operationId: 'getMilestoneReadiness',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listMilestoneBlockers}.
 *
 * Returns the failed and blocked results of test cases with critical or high priority in the linked runs of the milestone and of its sub-milestones, critical ones first. With `status` and `priority`, it returns exactly the results that the readiness counts.
 */
export interface ListMilestoneBlockers {
  params: MilestoneParams
  query: {
    /** Return only results with this status, or with one of these statuses if the parameter is repeated. */
    status?: BlockerStatus | readonly BlockerStatus[]
    /** Return results of test cases with this priority, or with one of these priorities if the parameter is repeated; `critical` and `high` by default. `any` returns all, also those whose test case was deleted. */
    priority?: BlockerPriority | readonly BlockerPriority[]
    /** Page number, from 1. */
    page?: number
    /** Blockers on a page. */
    per_page?: number
  }
  success: { 200: { data: Blocker[]; meta: PageMeta } }
}

/** List the blockers of a milestone. */
export const listMilestoneBlockers: Endpoint<ListMilestoneBlockers> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/blockers',
  operationId: 'listMilestoneBlockers',
  success: { 200: ['data[]', 'meta{}'] },
}

/* milestones */

export const MILESTONE_STATUSES = ['active', 'completed', 'archived'] as const
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number]

export interface CreateMilestoneBody {
  /** Display name. */
  name: string
  /** Description. */
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
  /** Milestone id. */
  id: string
  /** Display name. */
  name: string
  /** Description; empty if not set. */
  description: string
  /** Start date. */
  start_date: string | null
  /** Due date. */
  due_date: string | null
  /** Status of the milestone. With sub-milestones, it is derived from them: `archived` if all are archived, `completed` if all are completed or archived, otherwise `active`. */
  status: MilestoneStatus
  /** Parent milestone; null at the top level. */
  parent_id: string | null
  /** Progress in percent, a whole number: 100 if the milestone is completed, otherwise the share of tested results in its linked runs. With sub-milestones, it is the mean of their progress. */
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
  /** Milestone id. */
  id: string
  /** Display name. */
  name: string
  /** Description; empty if not set. */
  description: string
  /** Start date. */
  start_date: string | null
  /** Due date. */
  due_date: string | null
  /** Status of the milestone. With sub-milestones, it is derived from them: `archived` if all are archived, `completed` if all are completed or archived, otherwise `active`. */
  status: MilestoneStatus
  /** Parent milestone; null at the top level. */
  parent_id: string | null
  /** Progress in percent, a whole number: 100 if the milestone is completed, otherwise the share of tested results in its linked runs. With sub-milestones, it is the mean of their progress. */
  progress: number
  /** When the milestone was created. */
  created_at: string
  /** When a field of the milestone last changed. */
  updated_at: string
  /** `completed` if the status is completed or archived, otherwise `past_due` if the due date has passed, otherwise `upcoming` if the start date is in the future, otherwise `started`. */
  phase: 'upcoming' | 'started' | 'past_due' | 'completed'
  /** `auto`: the dates are derived from sub-milestones, if there are any. `manual`: the dates are set explicitly. */
  date_mode: 'auto' | 'manual'
  /** Runs linked to this milestone, newest first, without those of sub-milestones. */
  linked_runs: {
    /** Run id. */
    id: string
    /** Display name of the run. */
    name: string
    /** Status of the run. */
    status: RunStatus
    /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
    pass_rate: number
  }[]
  /** Sub-milestones in the order of their creation. */
  sub_milestones: {
    /** Milestone id. */
    id: string
    /** Display name. */
    name: string
    /** Status of the milestone. With sub-milestones, it is derived from them: `archived` if all are archived, `completed` if all are completed or archived, otherwise `active`. */
    status: MilestoneStatus
    /** Progress in percent, a whole number: 100 if the milestone is completed, otherwise the share of tested results in its linked runs. With sub-milestones, it is the mean of their progress. */
    progress: number
  }[]
}

export interface MilestoneListItem {
  /** Milestone id. */
  id: string
  /** Display name. */
  name: string
  /** Description; empty if not set. */
  description: string
  /** Start date. */
  start_date: string | null
  /** Due date. */
  due_date: string | null
  /** Status of the milestone. With sub-milestones, it is derived from them: `archived` if all are archived, `completed` if all are completed or archived, otherwise `active`. */
  status: MilestoneStatus
  /** Parent milestone; null at the top level. */
  parent_id: string | null
  /** Progress in percent, a whole number: 100 if the milestone is completed, otherwise the share of tested results in its linked runs. With sub-milestones, it is the mean of their progress. */
  progress: number
  /** When the milestone was created. */
  created_at: string
  /** When a field of the milestone last changed. */
  updated_at: string
  /** `completed` if the status is completed or archived, otherwise `past_due` if the due date has passed, otherwise `upcoming` if the start date is in the future, otherwise `started`. */
  phase?: 'upcoming' | 'started' | 'past_due' | 'completed'
  /** `auto`: the dates are derived from sub-milestones, if there are any. `manual`: the dates are set explicitly. */
  date_mode?: 'auto' | 'manual'
  /** Number of runs linked to the milestone and to its sub-milestones. */
  run_count?: number
  /** Results of these runs by status. */
  stats?: StatusCounts
}

export interface MilestoneParams {
  /** Project id. */
  project_id: string
  /** Milestone id. */
  milestone_id: string
}

export interface UpdateMilestoneBody {
  /** Display name. */
  name?: string
  /** Description. */
  description?: string
  /** Start date; null for none. */
  start_date?: string | null
  /** Due date, not before the start date; null for none. */
  due_date?: string | null
  /** `auto`: derive the dates from sub-milestones, if there are any. `manual`: set the dates explicitly. */
  date_mode?: 'auto' | 'manual'
  /** New status. Not allowed for a milestone with sub-milestones. */
  status?: MilestoneStatus
}

/**
 * Parameters and responses of {@link createMilestone}.
 *
 * Creates an active milestone. With a `parent_id`, it is a sub-milestone: the parent then derives its status and progress from its sub-milestones and, with `date_mode: "auto"`, also its dates: the earliest start date and the latest due date. A date that no sub-milestone has keeps its own value.
 */
export interface CreateMilestone {
  params: ProjectParams
  body: CreateMilestoneBody
  success: { 201: Milestone }
}

/** Create a milestone. */
export const createMilestone: Endpoint<CreateMilestone> = {
  method: 'POST',
  url: '/v1/projects/:project_id/milestones',
  operationId: 'createMilestone',
  acceptsKey: true,
  success: { 201: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode'] },
}

/**
 * Parameters and responses of {@link deleteMilestone}.
 *
 * Deletes the milestone. Its runs are kept without a milestone. Its sub-milestones move to the top level and keep their status, dates and runs. A milestone whose last sub-milestone is deleted has its own status, dates and runs again.
 */
export interface DeleteMilestone {
  params: MilestoneParams
  success: { 204: null }
}

/** Delete a milestone. */
export const deleteMilestone: Endpoint<DeleteMilestone> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  operationId: 'deleteMilestone',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getMilestone}.
 *
 * Returns the milestone with its linked runs and its sub-milestones.
 */
export interface GetMilestone {
  params: MilestoneParams
  success: { 200: MilestoneDetail }
}

/** Get a milestone. */
export const getMilestone: Endpoint<GetMilestone> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  operationId: 'getMilestone',
  success: { 200: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode', 'linked_runs[]', 'sub_milestones[]'] },
}

/**
 * Parameters and responses of {@link listMilestones}.
 *
 * Returns milestones and sub-milestones in one list, newest first.
 */
export interface ListMilestones {
  params: ProjectParams
  query: {
    /** Return only milestones with this status, derived or not. */
    status?: MilestoneStatus
    /** `all` adds the phase, the date mode, the number of runs and their results by status to each item. */
    fields?: 'all'
    /** Return only items after the one with this id, the last of the previous page, in place of `page`: no item is missing or returned twice if others are added meanwhile. */
    after?: string
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: MilestoneListItem[]; meta: PageMeta } }
}

/** List milestones. */
export const listMilestones: Endpoint<ListMilestones> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones',
  operationId: 'listMilestones',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateMilestone}.
 *
 * Updates only the fields in the request. The status of a milestone with sub-milestones cannot be set (`status_is_derived`). Setting a date of such a milestone changes its `date_mode` to `manual`, and the other date keeps its derived value; `date_mode: "auto"` derives both again.
 */
export interface UpdateMilestone {
  params: MilestoneParams
  body: UpdateMilestoneBody
  success: { 200: Milestone }
}

/** Update, complete or archive a milestone. */
export const updateMilestone: Endpoint<UpdateMilestone> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  operationId: 'updateMilestone',
  success: { 200: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode'] },
}

/* my-projects */

export const PROJECT_PERMISSIONS = ['project:view', 'test-cases:edit', 'runs:open-and-close', 'runs:execute', 'files:upload', 'comments:write', 'views:keep', 'members:view', 'members:manage', 'members:change-role', 'milestones:manage', 'project:settings', 'project:delete'] as const
export type ProjectPermission = (typeof PROJECT_PERMISSIONS)[number]

export interface MyProject {
  /** Project id. */
  id: string
  /** Display name. */
  name: string
  /** Prefix of test case ids. */
  prefix: string
  /** Your role in the project. */
  role: Role
  /**
   * What your role permits. A read-only token cannot use those that change data.
   *
   * Items: A permission.
   */
  permissions: ProjectPermission[]
  /** Number of test cases. */
  test_case_count: number
  /** Number of test runs. */
  run_count: number
  /** Number of members. */
  member_count: number
  /** The run that was created last; null if there is none. */
  last_run: {
    /** Run id. */
    id: string
    /** Display name. */
    name: string
    /** A completed run does not accept results until it is reopened. */
    status: RunStatus
    stats: StatusCounts
    /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
    pass_rate: number
    /** Automated tests of the run, counted by their outcome. */
    test_stats: TestStats
    /** When the run was created. */
    created_at: string
  } | null
  /** Pass rates of those of the last 20 runs in which something was tested, oldest first. */
  pass_rates: number[]
  /** What the results of steps do with the status of their result. `suggest`: people decide, and the app suggests the status that follows. `derive`: it becomes the status, until somebody sets another. */
  steps_decide: StepsDecide
  /** Counts changes of the custom fields; absent if the project never had one. */
  fields_version?: number
  /** The template of new test cases; absent for `steps`. */
  default_template?: Template
  /** Whether test cases can be tested with configurations; absent if there are none in use. */
  has_configurations?: boolean
  /** The pages that open with a view for you; absent if there are none. */
  default_views?: {
    /** The page: test cases, runs, the results of a run, or automated tests. */
    page: ViewPage
    /** The view that the page opens with. */
    view_id: string
  }[]
}

/**
 * Parameters and responses of {@link listMyProjects}.
 *
 * Returns all your projects with your role and permissions, most recently updated first: at most 1,000, of the `total` in `meta`. `GET /v1/projects` lists any number in pages.
 */
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
export const listMyProjects: Endpoint<ListMyProjects> = {
  method: 'GET',
  url: '/v1/me/projects',
  operationId: 'listMyProjects',
  success: { 200: ['data[]', 'meta{}'] },
}

/* overview */

export const ACTIVITY_KINDS = ['run.created', 'run.completed', 'test_cases.created', 'milestone.created', 'member.joined'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

export interface ActivityEntry {
  /** When it happened; of several test cases, when the last one was created. */
  at: string
  /** What happened. */
  kind: ActivityKind
  /** Who did it; null for CI, and if it is not known. */
  actor: {
    /** User id. */
    id: string
    /** Name. */
    name: string
  } | null
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
  /** Test case id. */
  test_case_id: string
  /** Title of the test case. */
  title: string
  /**
   * Its latest results, up to 10, the oldest first. Other statuses are left out.
   *
   * Items: Passed or failed.
   */
  statuses: ('passed' | 'failed')[]
  /** The number of its latest runs in a row in which it failed. */
  failing_runs: number
  /** How often it changed between passed and failed from one run to the next. */
  changes: number
  /** The number of runs in which one of its automated tests failed and then passed. */
  flaky_runs: number
}

export interface UnstableTestCases {
  /** Test cases that failed when they were tested last, and not the time before. */
  newly_failing: UnstableTestCase[]
  /** Test cases that failed the last two times or more, the longest first. */
  failing: UnstableTestCase[]
  /** Test cases that changed at least twice, or have a flaky test; the most unstable first. */
  flaky: UnstableTestCase[]
  /** The length of the whole lists. */
  totals: {
    /** All newly failing. */
    newly_failing: number
    /** All failing. */
    failing: number
    /** All flaky. */
    flaky: number
  }
  /** The number of runs that were looked at. */
  runs: number
}

/**
 * Parameters and responses of {@link listActivity}.
 *
 * Returns runs, milestones and test cases that were created, runs that were completed, and members who joined, the newest first. The audit log has what matters for security.
 */
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
export const listActivity: Endpoint<ListActivity> = {
  method: 'GET',
  url: '/v1/projects/:project_id/activity',
  operationId: 'listActivity',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listUnstableTestCases}.
 *
 * Looks at the newest runs in which something was tested, with up to 50,000 results and tests together.
 */
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
export const listUnstableTestCases: Endpoint<ListUnstableTestCases> = {
  method: 'GET',
  url: '/v1/projects/:project_id/unstable-test-cases',
  operationId: 'listUnstableTestCases',
  success: { 200: ['data{}'] },
}

/* pagination */

export interface PageMeta {
  /** Page number. */
  page: number
  /** Number of items per page. */
  per_page: number
  /** Number of items on all pages. */
  total: number
}

export interface RowPageMeta {
  /** Page number. */
  page: number
  /** Number of items per page. */
  per_page: number
  /** Number of items on all pages. */
  total: number
  /** Cursor of the next page; null on the last. */
  next_after: string | null
}

/* passkeys */

export interface ActivatePasskeyBody {
  /** Name to recognize it by; by default “Passkey”. */
  name?: string
  /** What `toJSON()` of the created credential returns. Other fields of it are ignored. */
  credential: {
    /** Id of the credential. In base64url. */
    id: string
    response: {
      /** What the browser signed. In base64url. */
      clientDataJSON: string
      /** The public key, and what the authenticator says about it. In base64url. */
      attestationObject: string
      /**
       * How browsers can reach the authenticator.
       *
       *
       * Items: Such as `internal` or `usb`.
       */
      transports?: string[]
    }
  }
}

export interface SignInWithPasskeyBody {
  /** What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeySignIn`. Other fields of it are ignored. */
  passkey: {
    /** Id of the credential. In base64url. */
    id: string
    response: {
      /** What the browser signed. In base64url. */
      clientDataJSON: string
      /** What the authenticator signed. In base64url. */
      authenticatorData: string
      /** The signature. In base64url. */
      signature: string
      /** Id of the user that the passkey was created for. In base64url. */
      userHandle: string
    }
  }
}

/**
 * Parameters and responses of {@link activatePasskey}.
 *
 * Stores the passkey that a browser created with the options of `setUpPasskey`. From now on, sign-in asks for a second factor. The first factor of an account brings 10 recovery codes; for a further one, `recovery_codes` is null. A passkey that does not fit the options is refused with 400 `wrong_second_factor`; then start again. A token cannot send this request (403 `session_required`).
 */
export interface ActivatePasskey {
  body: ActivatePasskeyBody
  success: { 200: AddedFactorResponse }
}

/** Add a passkey. */
export const activatePasskey: Endpoint<ActivatePasskey> = {
  method: 'POST',
  url: '/v1/me/second-factors/passkey/activate',
  operationId: 'activatePasskey',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link setUpPasskey}.
 *
 * Returns the options with which a browser creates a passkey, within 5 minutes. Pass what the authenticator answers to `activatePasskey`, in the same session; each challenge is accepted once. Returns 422 `second_factor_limit` for more than 10 factors. A token cannot send this request (403 `session_required`). A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
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
export const setUpPasskey: Endpoint<SetUpPasskey> = {
  method: 'POST',
  url: '/v1/me/second-factors/passkey',
  operationId: 'setUpPasskey',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link signInWithPasskey}.
 *
 * Creates a session and sets its HttpOnly cookie, as `signIn` does. The passkey replaces the password and the second factor, so the authenticator must have verified the user (a fingerprint, a face or a PIN). The session counts as confirmed with a second factor. Every wrong answer is 401 `wrong_passkey`, which does not reveal whether the account exists; it uses the challenge up. With the right one, a disabled account gets 403 `account_disabled`. Where only single sign-on is accepted, the response is 403 `single_sign_on_required`. Limited to 10 requests per minute for each IP address, together with `signIn`.
 */
export interface SignInWithPasskey {
  body: SignInWithPasskeyBody
  success: { 201: MeResponse }
}

/** Sign in with a passkey. */
export const signInWithPasskey: Endpoint<SignInWithPasskey> = {
  method: 'POST',
  url: '/v1/session/passkey',
  operationId: 'signInWithPasskey',
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link startPasskeyCompletion}.
 *
 * Returns the options with which a browser proves a passkey, for the sign-in that waits for it in this browser. Pass what the authenticator answers to `completeSignIn` within 5 minutes; each challenge is accepted once. Returns 401 `sign_in_expired` without a sign-in that waits, and 422 `no_passkey` if the account has no passkey.
 */
export interface StartPasskeyCompletion {
  success: {
    201: {
      data: {
        /** Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
        options: { [k: string]: unknown }
        /** Until when the authenticator must have answered. */
        expires_at: string
      }
    }
  }
}

/** Start to complete a sign-in with a passkey. */
export const startPasskeyCompletion: Endpoint<StartPasskeyCompletion> = {
  method: 'POST',
  url: '/v1/session/second-factor/passkey-options',
  operationId: 'startPasskeyCompletion',
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link startPasskeyConfirmation}.
 *
 * Returns the options with which a browser proves a passkey. Pass what the authenticator answers to `confirmSession` within 5 minutes, in the same session; each challenge is accepted once. Returns 422 `no_passkey` if you have no passkey. A token cannot send this request (403 `session_required`).
 */
export interface StartPasskeyConfirmation {
  success: {
    201: {
      data: {
        /** Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
        options: { [k: string]: unknown }
        /** Until when the authenticator must have answered. */
        expires_at: string
      }
    }
  }
}

/** Start to confirm with a passkey. */
export const startPasskeyConfirmation: Endpoint<StartPasskeyConfirmation> = {
  method: 'POST',
  url: '/v1/session/confirm/passkey-options',
  operationId: 'startPasskeyConfirmation',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link startPasskeySignIn}.
 *
 * Returns the options with which a browser signs in with a passkey alone, without email address and password. Pass what the authenticator answers to `signInWithPasskey` within 5 minutes; each challenge is accepted once. Where only single sign-on is accepted, the response is 403 `single_sign_on_required`. Limited to 10 requests per minute for each IP address.
 */
export interface StartPasskeySignIn {
  success: {
    201: {
      data: {
        /** Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
        options: { [k: string]: unknown }
        /** Until when the authenticator must have answered. */
        expires_at: string
      }
    }
  }
}

/** Start to sign in with a passkey. */
export const startPasskeySignIn: Endpoint<StartPasskeySignIn> = {
  method: 'POST',
  url: '/v1/session/passkey-options',
  operationId: 'startPasskeySignIn',
  success: { 201: ['data{}'] },
}

/* password-resets */

/**
 * Parameters and responses of {@link getPasswordReset}.
 *
 * Returns the account of a password reset link. Does not require a token. Returns 410 if the link is unknown or expired, or if it or another link of the account was used; 403 `single_sign_on_required` where only single sign-on is accepted.
 */
export interface GetPasswordReset {
  params: {
    /** Last part of the link in the email. */
    secret: string
  }
  success: {
    200: {
      data: {
        /** Email address of the account. */
        email: string
        /** When the link expires: one hour after it was requested. */
        expires_at: string
      }
    }
  }
}

/** Get the account of a password reset link. */
export const getPasswordReset: Endpoint<GetPasswordReset> = {
  method: 'GET',
  url: '/v1/password-resets/:secret',
  operationId: 'getPasswordReset',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link requestPasswordReset}.
 *
 * Sends an email with a link that can be used once and expires after one hour. Earlier links remain valid until one of them is used. At most one email is sent to an address in five minutes. The response and its timing are the same whether or not an account exists. Limited to 10 requests per minute for each IP address, separately from sign-in. Where only single sign-on is accepted, this and the next requests return 403 `single_sign_on_required`.
 */
export interface RequestPasswordReset {
  body: {
    /** Email address of the account, case-insensitive. */
    email: string
  }
  success: { 200: Message }
}

/** Request a password reset link. */
export const requestPasswordReset: Endpoint<RequestPasswordReset> = {
  method: 'POST',
  url: '/v1/password-resets',
  operationId: 'requestPasswordReset',
  success: { 200: ['message'] },
}

/**
 * Parameters and responses of {@link resetPassword}.
 *
 * Sets the password of the account, ends all of its links and sessions, and signs in like `POST /v1/session`: for an account with a second factor, the response is 401 `second_factor_required`, and the password is set. Tokens and invitations remain valid, unless `revoke_tokens` is true or the email address was never confirmed: then the personal tokens and the pending invitations end, the CI tokens that the user created are marked for review, and `GET /v1/me/review` lists what else another person may have left. Returns 403 `single_sign_on_required` where only single sign-on is accepted.
 */
export interface ResetPassword {
  params: {
    /** Last part of the link in the email. */
    secret: string
  }
  body: {
    /** New password, 8 to 1024 characters. Refused with the code `weak_password` if it is a common password, or contains the email address or name of the user or the name of the product and little else. */
    password: string
    /** Use this if someone else may have used the account. Also revokes all personal tokens of the account with all tokens that were created with them, and its pending invitations, and marks the CI tokens that it created for review. */
    revoke_tokens?: boolean
  }
  success: { 200: MeResponse }
}

/** Set a new password with a link. */
export const resetPassword: Endpoint<ResetPassword> = {
  method: 'POST',
  url: '/v1/password-resets/:secret',
  operationId: 'resetPassword',
  success: { 200: ['data{}'] },
}

/* problem */

export interface FieldError {
  /** JSON Pointer to the field in the body, or `/` and the name of a query parameter or header. */
  path: string
  /** Why the field is invalid. */
  message: string
}

/** Problem details (RFC 9457) */
export interface Problem {
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
}

export interface UnknownFieldWarning {
  code: 'unknown_field'
  /** JSON Pointer to the field in the body, cut at 100 characters. */
  field: string
  /** The nearest field that the endpoint knows. */
  did_you_mean?: string
}

/* projects */

export interface CreateProjectBody {
  /** Display name. */
  name: string
  /** 2 to 5 uppercase letters. Cannot be changed later. */
  prefix: string
  /** Description. */
  description?: string
}

export interface Project {
  /** Project id. */
  id: string
  /** Display name. */
  name: string
  /** 2 to 5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
  prefix: string
  /** Description; empty if not set. */
  description: string
  /** Number of test cases. */
  test_case_count: number
  /** Number of test runs. */
  run_count: number
  /** Number of members. */
  member_count: number
  /** When the project was created. */
  created_at: string
  /** When a field of the project last changed. */
  updated_at: string
}

export interface ProjectListItem {
  /** Project id. */
  id: string
  /** Display name. */
  name: string
  /** 2 to 5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
  prefix: string
  /** Number of test cases. */
  test_case_count: number
  /** Number of test runs. */
  run_count: number
  /** When the project was created. */
  created_at: string
  /** When a field of the project last changed. */
  updated_at: string
}

export interface ProjectParams {
  /** Project id. */
  project_id: string
}

export interface UpdateProjectBody {
  /** Display name. */
  name?: string
  /** Description. */
  description?: string
}

/**
 * Parameters and responses of {@link createProject}.
 *
 * Creates a project, whose first admin is the caller. Every user can create projects, unless the instance administrators have restricted it to themselves (403 `project_creation_restricted`). Prefixes do not have to be unique.
 */
export interface CreateProject {
  body: CreateProjectBody
  success: { 201: { data: Project } }
}

/** Create a project. */
export const createProject: Endpoint<CreateProject> = {
  method: 'POST',
  url: '/v1/projects',
  operationId: 'createProject',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteProject}.
 *
 * Permanently deletes the project with all of its test cases, runs and results.
 */
export interface DeleteProject {
  params: ProjectParams
  success: { 200: Message }
}

/** Delete a project. */
export const deleteProject: Endpoint<DeleteProject> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id',
  operationId: 'deleteProject',
  success: { 200: ['message'] },
}

/**
 * Parameters and responses of {@link getProject}.
 *
 * Returns the project with its description and counts.
 */
export interface GetProject {
  params: ProjectParams
  success: { 200: { data: Project } }
}

/** Get a project. */
export const getProject: Endpoint<GetProject> = {
  method: 'GET',
  url: '/v1/projects/:project_id',
  operationId: 'getProject',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listProjects}.
 *
 * Returns the projects that the caller has access to, most recently updated first.
 */
export interface ListProjects {
  query: {
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: ProjectListItem[]; meta: PageMeta } }
}

/** List projects. */
export const listProjects: Endpoint<ListProjects> = {
  method: 'GET',
  url: '/v1/projects',
  operationId: 'listProjects',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateProject}.
 *
 * Updates only the fields in the request. The prefix cannot be changed.
 */
export interface UpdateProject {
  params: ProjectParams
  body: UpdateProjectBody
  success: {
    200: {
      data: {
        /** Project id. */
        id: string
        /** Display name. */
        name: string
        /** 2 to 5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
        prefix: string
        /** Description; empty if not set. */
        description: string
        /** When a field of the project last changed. */
        updated_at: string
      }
    }
  }
}

/** Update a project. */
export const updateProject: Endpoint<UpdateProject> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id',
  operationId: 'updateProject',
  success: { 200: ['data{}'] },
}

/* recent-results */

export interface RecentResult {
  /** Run id. */
  run_id: string
  /** Display name of the run. */
  run_name: string
  status: ResultStatus
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string | null
}

export interface RecentResults {
  /** Test case id. */
  test_case_id: string
  /** The newest run first. */
  results: RecentResult[]
}

/**
 * Parameters and responses of {@link listRecentResults}.
 *
 * Returns the results of each test case in the newest runs that contain it, among the last 1,000 runs of the project. There is one item for each different test case id in the request, in the same order; it has no results if no such run contains the test case, and if there is no such test case. For a test case that was in none of them, it has what its automated tests did in the last 30 runs with tests, before they had a test case.
 */
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
export const listRecentResults: Endpoint<ListRecentResults> = {
  method: 'GET',
  url: '/v1/projects/:project_id/recent-results',
  operationId: 'listRecentResults',
  success: { 200: ['data[]'] },
}

/* reruns */

export const KEPT_IN_RERUN = ['assignees', 'milestone', 'description'] as const
export type KeptInRerun = (typeof KEPT_IN_RERUN)[number]

export const RERUN_STATUSES = ['failed', 'blocked', 'retest'] as const
export type RerunStatus = (typeof RERUN_STATUSES)[number]

export interface CombinedResult {
  /** Result id. */
  id: string
  /** Test case id; null if the test case was deleted. */
  test_case_id: string | null
  /** Title of the test case when it was added to the run. */
  test_case_title: string
  /** Folder of the test case; null at the top level. */
  folder_id: string | null
  /** Priority of the test case; null if the test case was deleted. */
  priority: Priority | null
  /** Type of the test case; null if the test case was deleted. */
  type: TestCaseType | null
  /** Tags of the test case. */
  tags: string[]
  status: ResultStatus
  /** First line of the note, up to 200 characters. */
  note_line: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** How long the test takes in seconds; null or absent if it is not estimated. */
  estimate?: number | null
  /** User id; null if the result was set with a CI token. */
  tested_by: string | null
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string | null
  /** User id of the person who is to test it; null if it is nobody in particular. */
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
  /** Statuses of its combinations in the order of the configurations, the first 20; absent without any. */
  combination_statuses?: ResultStatus[]
  /** How many combinations it has beyond the first 20; absent for none. */
  more_combinations?: number
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
  combined: {
    stats: StatusCounts
    /** Number of test cases in the run. */
    result_count: number
    /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
    pass_rate: number
  }
}

export interface LineageRun {
  /** Run id. */
  id: string
  /** Display name. */
  name: string
  /** A completed run does not accept results until it is reopened. */
  status: RunStatus
  /** When the run was created. */
  created_at: string
  /** When the run was completed. */
  completed_at: string | null
  /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
  pass_rate: number
  stats: StatusCounts
  /** Number of test cases in the run. */
  result_count: number
  /** The run that this one repeats; null for the first run, or after it was deleted. */
  rerun_of: string | null
  /** Which rerun of the first run this is, from 1; null for the first run. */
  rerun_number: number | null
}

/**
 * Parameters and responses of {@link createRerun}.
 *
 * Creates a run with test cases of this one, by default those that failed, are blocked or are to be retested. The run itself does not change, and may be completed. Results, steps, comments and files are not copied; deleted test cases are left out. A run and its reruns form a chain, of up to 100 reruns. The body can be left out.
 */
export interface CreateRerun {
  params: RunParams
  body: {
    /** Display name; by default the name of the first run, `, rerun` and a number. */
    name?: string
    /** Only test cases with one of these statuses in the run. The default is failed, blocked and retest, or every status with `test_case_ids`. */
    statuses?: ResultStatus[]
    /**
     * Only these test cases of the run.
     *
     *
     * Items: Test case id.
     */
    test_case_ids?: string[]
    /**
     * What the rerun takes over from the run; by default everything.
     *
     *
     * Items: What is taken over.
     */
    keep?: KeptInRerun[]
  } | null
  success: {
    /** The rerun was created. */
    201: { data: Run }
  }
}

/** Run test cases of a run again. */
export const createRerun: Endpoint<CreateRerun> = {
  method: 'POST',
  url: '/v1/runs/:run_id/reruns',
  operationId: 'createRerun',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link getLineage}.
 *
 * Returns the runs of the chain that the run belongs to, and their counts together: each test case counts once, with its status in the newest run in which it was tested.
 */
export interface GetLineage {
  params: RunParams
  success: { 200: { data: Lineage } }
}

/** Get the chain of a run and its reruns. */
export const getLineage: Endpoint<GetLineage> = {
  method: 'GET',
  url: '/v1/runs/:run_id/lineage',
  operationId: 'getLineage',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listCombinedResults}.
 *
 * Returns each test case of the chain once, with its result in the newest run in which it was tested, in the order of the first run. Test cases that were not tested in any run are `not_tested`.
 */
export interface ListCombinedResults {
  params: RunParams
  query: {
    /** Only results with one of these statuses. */
    status?: ResultStatus | readonly ResultStatus[]
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of results per page. */
    per_page?: number
  }
  success: {
    200: {
      data: CombinedResult[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the results of a run and its reruns together. */
export const listCombinedResults: Endpoint<ListCombinedResults> = {
  method: 'GET',
  url: '/v1/runs/:run_id/combined-results',
  operationId: 'listCombinedResults',
  success: { 200: ['data[]', 'meta{}'] },
}

/* result-changes */

export interface ResultChange {
  status: ResultStatus
  /** Comment or error message. */
  note: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** User id; null if the result was set with a CI token. */
  tested_by: string | null
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string
  /** When it was overwritten. */
  replaced_at: string
  /** Results of its steps, by position; empty without any. */
  steps: StepResult[]
  /** The combinations that were overwritten or deleted; absent without any. */
  combinations?: {
    /** Place of the combination. */
    place: number
    status: ResultStatus
    /** Comment or error message. */
    note: string | null
    /** Duration in seconds. */
    elapsed: number | null
    /** User id; null if the result was set with a CI token. */
    tested_by: string | null
    /** When the result was set, or the `finished_at` of its upload. */
    tested_at: string | null
  }[]
}

/**
 * Parameters and responses of {@link listResultChanges}.
 *
 * Returns the statuses and notes that the result had before they were overwritten, the newest first, up to 50. A write that changes neither status nor note, and replaces no results of steps, is not listed.
 */
export interface ListResultChanges {
  params: ResultParams
  success: { 200: { data: ResultChange[] } }
}

/** List what a result was before. */
export const listResultChanges: Endpoint<ListResultChanges> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/changes',
  operationId: 'listResultChanges',
  success: { 200: ['data[]'] },
}

/* result-rows */

export interface ResultDetail {
  /** Result id. */
  id: string
  /** Test case id; null if the test case was deleted. */
  test_case_id: string | null
  /** Title of the test case when it was added to the run. */
  test_case_title: string
  /** Folder of the test case; null at the top level. */
  folder_id: string | null
  /** Priority of the test case; null if the test case was deleted. */
  priority: Priority | null
  /** Type of the test case; null if the test case was deleted. */
  type: TestCaseType | null
  /** Tags of the test case. */
  tags: string[]
  status: ResultStatus
  /** First line of the note, up to 200 characters. */
  note_line: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** How long the test takes in seconds; null or absent if it is not estimated. */
  estimate?: number | null
  /** User id; null if the result was set with a CI token. */
  tested_by: string | null
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string | null
  /** User id of the person who is to test it; null if it is nobody in particular. */
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
  /** Statuses of its combinations in the order of the configurations, the first 20; absent without any. */
  combination_statuses?: ResultStatus[]
  /** How many combinations it has beyond the first 20; absent for none. */
  more_combinations?: number
  /** Comment or error message. */
  note: string | null
  /** How many earlier statuses and notes can be listed. */
  change_count: number
  test_case: TestCase | null
  /** The automated tests of the test case in the run, up to 100. List the tests of the run for more. */
  tests: TestOfResult[]
  /** The attachments of the result and of the attempts at its tests, up to 100. List those of the result for more. */
  attachments: Attachment[]
  /** The links of the result, in the order in which they were added. */
  links: Link[]
  /** Results of the steps that have one, by their position in the test case as it is now. */
  steps: StepResult[]
  /** The version of the test case that was tested, or would have been when the run was completed; null if it was not tested yet. This and the next four are absent if the test case was never changed. */
  case_version?: number | null
  /** Whether a person has tested `case_version`. Otherwise it is the version at the time of the result or of the end of the run, which is only about right for automated tests. */
  is_pinned?: boolean
  /** Whether title, precondition, steps or expected result have changed since then. */
  is_outdated?: boolean
  /** The test case as it was then; null if it says the same now, or (with `is_outdated`) if its text is no longer kept. */
  tested_case?: CaseContent | null
  /** The same as `steps`, by their position in `tested_case`; empty without it. */
  tested_steps?: StepResult[]
}

export interface ResultRow {
  /** Result id. */
  id: string
  /** Test case id; null if the test case was deleted. */
  test_case_id: string | null
  /** Title of the test case when it was added to the run. */
  test_case_title: string
  /** Folder of the test case; null at the top level. */
  folder_id: string | null
  /** Priority of the test case; null if the test case was deleted. */
  priority: Priority | null
  /** Type of the test case; null if the test case was deleted. */
  type: TestCaseType | null
  /** Tags of the test case. */
  tags: string[]
  status: ResultStatus
  /** First line of the note, up to 200 characters. */
  note_line: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** How long the test takes in seconds; null or absent if it is not estimated. */
  estimate?: number | null
  /** User id; null if the result was set with a CI token. */
  tested_by: string | null
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string | null
  /** User id of the person who is to test it; null if it is nobody in particular. */
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
  /** Statuses of its combinations in the order of the configurations, the first 20; absent without any. */
  combination_statuses?: ResultStatus[]
  /** How many combinations it has beyond the first 20; absent for none. */
  more_combinations?: number
}

/**
 * Parameters and responses of {@link getResult}.
 *
 * Returns the result with its whole note, and the test case as it is now, with precondition, steps and expected result, and the automated tests behind the result. `test_case` is null if the test case was deleted.
 */
export interface GetResult {
  params: ResultParams
  success: { 200: { data: ResultDetail } }
}

/** Get a result with its test case. */
export const getResult: Endpoint<GetResult> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id',
  operationId: 'getResult',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listResultRows}.
 *
 * Returns the fields that a table of results needs, up to 2,000 results per page.
 */
export interface ListResultRows {
  params: RunParams
  query: {
    /** Return only results with this status, or with one of these statuses if the parameter is repeated. */
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
    /** Return only results that changed since this time (or up to ten seconds before). Removed results are not returned: if the number of results a client has differs from `result_count` of the run, it reads all again. */
    changed_since?: string
    /** Return compact rows. */
    fields: 'row'
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Page number, from 1. */
    page?: number
    /** Number of rows per page. */
    per_page?: number
  }
  success: { 200: { data: ResultRow[]; meta: RowPageMeta } }
}

/** List the results of a run as compact rows. */
export const listResultRows: Endpoint<ListResultRows> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results',
  operationId: 'listResultRows',
  success: { 200: ['data[]', 'meta{}'] },
}

/* results */

export const RESULT_STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
/** `passed`: all assertions were met. `failed`: an assertion was not met. `blocked`: the test could not be run. `retest`: to be tested again. `not_tested`: no result yet. */
export type ResultStatus = (typeof RESULT_STATUSES)[number]

export interface BulkResultError {
  /** Test case id in the request, or the name of a test without an id. */
  test_case_id: string
  /** Why the result was not stored. */
  error: string
  /** The reason as a stable code, for programs. `not_in_run`: the run does not contain the test case. `no_test_case_id`: no test case has this id or automation key. `ambiguous`: an automation key matches several tests, or a test without a file may be one of several. `newer_result`: a newer result was kept. `too_many_ids`: the test has more than 200 test case ids, and only the first 200 were used. `suite_error`: a suite failed outside of its tests. `invalid_junit_xml`: one of several reports cannot be read; `test_case_id` is its path. `unknown_step`: the test case has no step with a position that was sent. `step_results_too_large`: the results of the steps would take more than 256 KB. `no_such_combination`: the result has no combination at the `place`. */
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
  /** Results of steps. Steps that are not sent keep theirs, as do fields that are not sent; a status of null removes it. Items are applied in their order. An unknown position is refused with the code `unknown_step`; together they can take 256 KB (`step_results_too_large`). */
  steps?: StepChange[]
  /** `tested_at` of the result that the caller has seen; null if it was not set. If the result is newer, it is kept. Without it, the result is overwritten. A request that is repeated with the same values is stored again. */
  base_tested_at?: string | null
  /** Sets only this combination of the result, and its status follows from all of them. Without it, all combinations get the status. */
  place?: number
  /** The version of the test case that was tested. Without it, the first status is that of the current version, and later ones stay with the version of the first. `steps` are by their positions in it. */
  case_version?: number
}

/** Problem details (RFC 9457) with more fields */
export interface NewerResultProblem {
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
  /** The newer result, which was kept; only with the code `newer_result`. */
  current?: TestResult
}

export interface ResultItem {
  /** Test case id, such as `WEB-12`; it must be in the run. */
  test_case_id: string
  status: ResultStatus
  /** Comment or error message; truncated to 65,536 characters. */
  note?: string | null
  /** Duration in whole seconds. */
  elapsed?: number | null
}

export interface ResultItemError {
  /** Test case id in the request, or the name of a test without an id. */
  test_case_id: string
  /** Why the result was not stored. */
  error: string
  /** The reason as a stable code, for programs. `not_in_run`: the run does not contain the test case. `no_test_case_id`: no test case has this id or automation key. `ambiguous`: an automation key matches several tests, or a test without a file may be one of several. `newer_result`: a newer result was kept. `too_many_ids`: the test has more than 200 test case ids, and only the first 200 were used. `suite_error`: a suite failed outside of its tests. `invalid_junit_xml`: one of several reports cannot be read; `test_case_id` is its path. `unknown_step`: the test case has no step with a position that was sent. `step_results_too_large`: the results of the steps would take more than 256 KB. `no_such_combination`: the result has no combination at the `place`. */
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
  /** Run id. */
  run_id: string
  /** Result id, or test case id such as `WEB-12`. */
  result_id: string
}

export interface RunParams {
  /** Run id. */
  run_id: string
}

export interface TestResult {
  /** Result id. */
  id: string
  /** Test case id; null if the test case was deleted. */
  test_case_id: string | null
  /** Title of the test case when it was added to the run. */
  test_case_title: string
  status: ResultStatus
  /** Comment or error message. */
  note: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** User id; null if the result was set with a CI token. */
  tested_by: string | null
  /** When the result was set, or the `finished_at` of its upload. */
  tested_at: string | null
}

/**
 * Parameters and responses of {@link bulkUpdateResults}.
 *
 * Sets several results. If a test case is not in the run, or its result is newer than `base_tested_at`, the response is 207: its item is listed in `errors`, and the other results are stored.
 */
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
        results: {
          /** Test case id. */
          test_case_id: string
          status: ResultStatus
        }[]
      }
    }
    /** Some results were not stored; `errors` lists them with the reasons. */
    207: {
      data: {
        /** Number of test cases whose result was stored. */
        updated: number
        results: {
          /** Test case id. */
          test_case_id: string
          status: ResultStatus
        }[]
        errors: BulkResultError[]
      }
    }
  }
}

/** Set up to 10,000 results. */
export const bulkUpdateResults: Endpoint<BulkUpdateResults> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/bulk',
  operationId: 'bulkUpdateResults',
  acceptsKey: true,
  success: { 200: ['data{}'], 207: ['data{}'] },
}

/**
 * Parameters and responses of {@link changeResult}.
 *
 * Changes a result without a status, identified by its id or by the id of its test case. The caller becomes `tested_by`. Fields that are not in the request keep their value. If the project derives statuses from steps (`steps_decide`), `steps` set the status of the result, too.
 */
export interface ChangeResult {
  params: ResultParams
  body: {
    /** Results of steps. Steps that are not sent keep theirs, as do fields that are not sent; a status of null removes it. Items are applied in their order. An unknown position is refused with the code `unknown_step`; together they can take 256 KB (`step_results_too_large`). */
    steps?: StepChange[]
    /** Comment or error message; truncated to 65,536 characters. */
    note?: string | null
    /** Duration in whole seconds. */
    elapsed?: number | null
    /** `tested_at` of the result that the caller has seen; null if it was not set. If the result is newer, it is kept. Without it, the result is overwritten. A request that is repeated with the same values is stored again. */
    base_tested_at?: string | null
    /** The version of the test case that was tested. Without it, the first status is that of the current version, and later ones stay with the version of the first. `steps` are by their positions in it. */
    case_version?: number
  }
  success: { 200: { data: TestResult } }
}

/** Change the steps, note or duration of a result. */
export const changeResult: Endpoint<ChangeResult> = {
  method: 'PATCH',
  url: '/v1/runs/:run_id/results/:result_id',
  operationId: 'changeResult',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listResults}.
 *
 * Returns one result for each test case of the run, in the order in which the test cases were added.
 */
export interface ListResults {
  params: RunParams
  query: {
    /** Return only results with this status, or with one of these statuses if the parameter is repeated. */
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
    /** Return only results that changed since this time (or up to ten seconds before). Removed results are not returned: if the number of results a client has differs from `result_count` of the run, it reads all again. */
    changed_since?: string
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: TestResult[]; meta: PageMeta } }
}

/** List the results of a run. */
export const listResults: Endpoint<ListResults> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results',
  operationId: 'listResults',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateResult}.
 *
 * Sets a result, identified by its id or by the id of its test case. The caller becomes `tested_by`. Fields that are not in the request keep their value. The status counts, whatever the steps are. With `base_tested_at`, a result that someone else has set meanwhile is kept, and the response is 409 with the code `newer_result`.
 */
export interface UpdateResult {
  params: ResultParams
  body: {
    status: ResultStatus
    /** Comment or error message; truncated to 65,536 characters. */
    note?: string | null
    /** Duration in whole seconds. */
    elapsed?: number | null
    /** Results of steps. Steps that are not sent keep theirs, as do fields that are not sent; a status of null removes it. Items are applied in their order. An unknown position is refused with the code `unknown_step`; together they can take 256 KB (`step_results_too_large`). */
    steps?: StepChange[]
    /** `tested_at` of the result that the caller has seen; null if it was not set. If the result is newer, it is kept. Without it, the result is overwritten. A request that is repeated with the same values is stored again. */
    base_tested_at?: string | null
    /** The version of the test case that was tested. Without it, the first status is that of the current version, and later ones stay with the version of the first. `steps` are by their positions in it. */
    case_version?: number
  }
  success: { 200: { data: TestResult } }
}

/** Set a result. */
export const updateResult: Endpoint<UpdateResult> = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id',
  operationId: 'updateResult',
  success: { 200: ['data{}'] },
}

/* run-comparison */

export const RUN_CHANGES = ['newly_failing', 'still_failing', 'fixed', 'newly_tested', 'no_longer_tested', 'new', 'missing', 'slower', 'same'] as const
export type RunChange = (typeof RUN_CHANGES)[number]

export interface ComparedItem {
  /** `newly_failing`: passed, and fails now; `fixed`: the reverse; `still_failing`: fails in both. `newly_tested`: not tested or skipped before; `no_longer_tested`: the reverse. `new`: only in the newer run; `missing`: only in the older one. `slower`: a test that passed in both, and takes at least 1.5 times as long and 500 ms more. `same`: everything else. */
  change: RunChange
  /** Whether it fails in both with the same status and the same first line of the note or message. */
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
  head: {
    /** Result id; null for a test. */
    result_id: string | null
    /** Status of the result, or outcome of the test. */
    status: string
    /** First line of the note, or of the message of the test, up to 200 characters. */
    note_line: string | null
    /** Duration in milliseconds. */
    elapsed_ms: number | null
  } | null
}

/**
 * Parameters and responses of {@link compareRuns}.
 *
 * Compares two runs of the project test by test, or test case by test case. `meta.totals` counts everything that is in either of them, and is null on pages after the first. Deleted test cases are compared by their title.
 */
export interface CompareRuns {
  params: ProjectParams
  query: {
    /** The older run. */
    base: string
    /** The newer run. */
    head: string
    /** What is compared. The default is `tests` if both runs have some. */
    by?: 'tests' | 'test_cases'
    /** `newly_failing`: passed, and fails now; `fixed`: the reverse; `still_failing`: fails in both. `newly_tested`: not tested or skipped before; `no_longer_tested`: the reverse. `new`: only in the newer run; `missing`: only in the older one. `slower`: a test that passed in both, and takes at least 1.5 times as long and 500 ms more. `same`: everything else. */
    change?: RunChange
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
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
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** Compare two runs. */
export const compareRuns: Endpoint<CompareRuns> = {
  method: 'GET',
  url: '/v1/projects/:project_id/run-comparison',
  operationId: 'compareRuns',
  success: { 200: ['data[]', 'meta{}'] },
}

/* run-configurations */

/** What the test cases are tested with: each gets a result per combination, and its own status follows from them. At most 100 configurations and 200,000 combinations: 422 `too_many_combinations`. */
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
    /** Which test cases of the run are tested with it. All by default, also those that are added later. */
    selection?: {
      /**
       * These test cases.
       *
       *
       * Items: Test case id.
       */
      test_case_ids?: string[]
      /**
       * The test cases in these folders and their subfolders.
       *
       *
       * Items: Folder id.
       */
      folder_ids?: string[]
    }
  }[]
  /** Which test cases of the run are tested with it. All by default, also those that are added later. */
  selection?: {
    /**
     * These test cases.
     *
     *
     * Items: Test case id.
     */
    test_case_ids?: string[]
    /**
     * The test cases in these folders and their subfolders.
     *
     *
     * Items: Folder id.
     */
    folder_ids?: string[]
  }
}

/* run-jobs */

export interface JobSource {
  /** What tells the executions of the job apart; empty if unknown. */
  instance: string
  /** Name of the shard; empty if it has none. */
  shard: string
  /** Variant of the upload; empty if it has none. */
  variant: string
  /** Where the tests ran; empty if unknown. */
  label: string
  /** Build attempt; null if unknown. */
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
  /** Number of reports. */
  upload_count: number
  /** When the last report came; null if the job has only begun. */
  last_upload_at: string | null
  /** What in the job has reported. */
  sources: JobSource[]
}

/**
 * Parameters and responses of {@link listRunJobs}.
 *
 * Returns the CI jobs that have begun to report to the run, and which of their shards are done. A run that was found by its key completes by itself when all of them are done and no report has come for as long as the project says (`complete_after_minutes`).
 */
export interface ListRunJobs {
  params: RunParams
  success: { 200: { data: RunJob[] } }
}

/** List the CI jobs of a run. */
export const listRunJobs: Endpoint<ListRunJobs> = {
  method: 'GET',
  url: '/v1/runs/:run_id/jobs',
  operationId: 'listRunJobs',
  success: { 200: ['data[]'] },
}

/* run-settings */

export const SHARE_SETTINGS = ['members', 'admins', 'off'] as const
export type ShareSetting = (typeof SHARE_SETTINGS)[number]

export const STEPS_DECIDE = ['suggest', 'derive'] as const
export type StepsDecide = (typeof STEPS_DECIDE)[number]

export interface RunSettings {
  /** Minutes without a report after which a run of CI completes by itself, once its CI jobs are done: up to a week, 0 for at once, null for never. */
  complete_after_minutes: number | null
  /** What several elements with the same class name and name in one `<testsuite>` are, unless an upload says so: several `tests`, or `attempts` at one. */
  equal_names: EqualName
  /** What the results of steps do with the status of their result. `suggest`: people decide, and the app suggests the status that follows. `derive`: it becomes the status, until somebody sets another. */
  steps_decide: StepsDecide
  /** Days after which the files of completed runs are removed; their attachments stay and say so. Null for as long as the server keeps them, which it can limit. */
  keep_run_files_days: number | null
  /** Who may share reports of runs and milestones with people without an account: `members`, `admins`, or nobody. With `off`, reports that are shared already cannot be opened. */
  shares: ShareSetting
}

/**
 * Parameters and responses of {@link getRunSettings}.
 *
 * Returns the settings of the project for reports from CI, results of steps and files.
 */
export interface GetRunSettings {
  params: ProjectParams
  success: { 200: { data: RunSettings } }
}

/** Get how runs take results. */
export const getRunSettings: Endpoint<GetRunSettings> = {
  method: 'GET',
  url: '/v1/projects/:project_id/run-settings',
  operationId: 'getRunSettings',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateRunSettings}.
 *
 * Changes only the fields in the request.
 */
export interface UpdateRunSettings {
  params: ProjectParams
  body: {
    /** Minutes without a report after which a run of CI completes by itself, once its CI jobs are done: up to a week, 0 for at once, null for never. */
    complete_after_minutes?: number | null
    /** What several elements with the same class name and name in one `<testsuite>` are, unless an upload says so: several `tests`, or `attempts` at one. */
    equal_names?: EqualName
    /** What the results of steps do with the status of their result. `suggest`: people decide, and the app suggests the status that follows. `derive`: it becomes the status, until somebody sets another. */
    steps_decide?: StepsDecide
    /** Days after which the files of completed runs are removed; their attachments stay and say so. Null for as long as the server keeps them, which it can limit. */
    keep_run_files_days?: number | null
    /** Who may share reports of runs and milestones with people without an account: `members`, `admins`, or nobody. With `off`, reports that are shared already cannot be opened. */
    shares?: ShareSetting
  }
  success: { 200: { data: RunSettings } }
}

/** Change how runs take results. */
export const updateRunSettings: Endpoint<UpdateRunSettings> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/run-settings',
  operationId: 'updateRunSettings',
  success: { 200: ['data{}'] },
}

/* run-tests */

export interface AttemptStep {
  /** Title. */
  title: string
  /** Status of the step; null if it is unknown. */
  status: AttemptStatus | null
  /** Number of steps around it, 0 to 9: it belongs to the nearest one before it with a smaller depth. */
  depth: number
  /** Duration in milliseconds. */
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
  /** Test id. */
  id: string
  /** File, class or blocks around the test; empty if unknown. */
  suite: string
  /** Name, with the titles of its blocks joined by ` > ` where the suite is a file. */
  name: string
  /** Browser, project or other variant; empty if there is only one. */
  variant: string
  /** File; empty if unknown. */
  file: string
  /** Directory of its package, relative to the repository; `.` for the root, empty if unknown. */
  module: string
  /** Test cases that the test is linked to, usually one. Empty: the test is unmatched. */
  test_case_ids: string[]
  /** What linked the test: an `id` in the report, an automation `key`, or a user (`hand`); null if it is unmatched. */
  linked_by: LinkSource | null
  /** `passed` if any attempt passed; otherwise the worst of its attempts. */
  outcome: AttemptStatus
  /** Whether it passed after another attempt had failed. */
  is_flaky: boolean
  /** Duration of all attempts in milliseconds. */
  elapsed_ms: number | null
  /** Number of attempts. */
  attempt_count: number
  /** When the test was uploaded, or the `finished_at` of its upload. */
  tested_at: string
  /** Status of each attempt, up to 20. */
  attempt_statuses: AttemptStatus[]
  /** Number of attachments of its attempts. */
  attachment_count: number
}

export interface RunTestDetail {
  /** Test id. */
  id: string
  /** File, class or blocks around the test; empty if unknown. */
  suite: string
  /** Name, with the titles of its blocks joined by ` > ` where the suite is a file. */
  name: string
  /** Browser, project or other variant; empty if there is only one. */
  variant: string
  /** File; empty if unknown. */
  file: string
  /** Directory of its package, relative to the repository; `.` for the root, empty if unknown. */
  module: string
  /** Test cases that the test is linked to, usually one. Empty: the test is unmatched. */
  test_case_ids: string[]
  /** What linked the test: an `id` in the report, an automation `key`, or a user (`hand`); null if it is unmatched. */
  linked_by: LinkSource | null
  /** `passed` if any attempt passed; otherwise the worst of its attempts. */
  outcome: AttemptStatus
  /** Whether it passed after another attempt had failed. */
  is_flaky: boolean
  /** Duration of all attempts in milliseconds. */
  elapsed_ms: number | null
  /** Number of attempts. */
  attempt_count: number
  /** When the test was uploaded, or the `finished_at` of its upload. */
  tested_at: string
  /** Status of each attempt, up to 20. */
  attempt_statuses: AttemptStatus[]
  /** Number of attachments of its attempts. */
  attachment_count: number
  /** What each source reported of the test: a CI job, a parallel instance of it, a report file, a build attempt. The worst counts; a later build attempt of a job repeats the earlier ones. */
  parts: OutcomePart[]
  /** False if a newer report has the file or suite of the test, from the same source, and did not run the test: it may have been deleted or renamed, and can be left out of the run. */
  is_in_newest_report: boolean
  /** All attempts in the order in which they ran; if several sources reported the test, those that decide. */
  attempts: TestAttempt[]
  /** The attachments of its attempts, up to 100. */
  attachments: Attachment[]
}

export interface RunTestParams {
  /** Run id. */
  run_id: string
  /** Test id. */
  test_id: string
}

export interface SuiteErrorInRun {
  /** Error id. */
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
  /** Duration in milliseconds. */
  elapsed_ms: number | null
  /** Error message, or the reason for skipping; empty for none. */
  message: string
  /** Stack trace, difference or output; empty for none. */
  details: string
  /** When the attempt started, if known. */
  started_at: string | null
  /** Steps that the framework reported. Absent if there are none. */
  steps?: AttemptStep[]
  /** Present if there were more steps than are kept. */
  steps_cut?: true
}

export interface TestOfResult {
  /** Test id. */
  id: string
  /** File, class or blocks around the test; empty if unknown. */
  suite: string
  /** Name, with the titles of its blocks joined by ` > ` where the suite is a file. */
  name: string
  /** Browser, project or other variant; empty if there is only one. */
  variant: string
  /** File; empty if unknown. */
  file: string
  /** Directory of its package, relative to the repository; `.` for the root, empty if unknown. */
  module: string
  /** Test cases that the test is linked to, usually one. Empty: the test is unmatched. */
  test_case_ids: string[]
  /** What linked the test: an `id` in the report, an automation `key`, or a user (`hand`); null if it is unmatched. */
  linked_by: LinkSource | null
  /** `passed` if any attempt passed; otherwise the worst of its attempts. */
  outcome: AttemptStatus
  /** Whether it passed after another attempt had failed. */
  is_flaky: boolean
  /** Duration of all attempts in milliseconds. */
  elapsed_ms: number | null
  /** Number of attempts. */
  attempt_count: number
  /** When the test was uploaded, or the `finished_at` of its upload. */
  tested_at: string
  /** Status of each attempt, up to 20. */
  attempt_statuses: AttemptStatus[]
  /** Number of attachments of its attempts. */
  attachment_count: number
  /** What each source reported of the test: a CI job, a parallel instance of it, a report file, a build attempt. The worst counts; a later build attempt of a job repeats the earlier ones. */
  parts: OutcomePart[]
  /** False if a newer report has the file or suite of the test, from the same source, and did not run the test: it may have been deleted or renamed, and can be left out of the run. */
  is_in_newest_report: boolean
}

/**
 * Parameters and responses of {@link getRunTest}.
 *
 * Returns the test with all its attempts and their messages.
 */
export interface GetRunTest {
  params: RunTestParams
  success: { 200: { data: RunTestDetail } }
}

/** Get a test of a run. */
export const getRunTest: Endpoint<GetRunTest> = {
  method: 'GET',
  url: '/v1/runs/:run_id/tests/:test_id',
  operationId: 'getRunTest',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listRunTests}.
 *
 * Returns the tests that were uploaded to the run, in the order in which the project got to know them.
 */
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
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of tests per page, up to 500. */
    per_page?: number
  }
  success: {
    200: {
      data: RunTest[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
        /** Number of tests on all pages; 10,000 means 10,000 or more. */
        total: number
      }
    }
  }
}

/** List the tests of a run. */
export const listRunTests: Endpoint<ListRunTests> = {
  method: 'GET',
  url: '/v1/runs/:run_id/tests',
  operationId: 'listRunTests',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listSuiteErrors}.
 *
 * Returns up to 1,000 errors that belong to no test, such as a file that did not load or a suite that was killed, the newest first.
 */
export interface ListSuiteErrors {
  params: RunParams
  success: { 200: { data: SuiteErrorInRun[] } }
}

/** List the errors of a run outside of its tests. */
export const listSuiteErrors: Endpoint<ListSuiteErrors> = {
  method: 'GET',
  url: '/v1/runs/:run_id/suite-errors',
  operationId: 'listSuiteErrors',
  success: { 200: ['data[]'] },
}

/* runs */

export const RUN_SORTS = ['name', 'tested', 'failed', 'created'] as const
export type RunSort = (typeof RUN_SORTS)[number]

export const RUN_STATUSES = ['in_progress', 'completed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export interface CreateRunBody {
  /** Display name. Control characters and invisible characters are removed. */
  name: string
  /** Description. */
  description?: string
  /** Milestone of the run; null for none. */
  milestone_id?: string | null
  /**
   * Test cases of the run.
   *
   *
   * Items: Test case id.
   */
  test_case_ids?: string[]
  /**
   * Use the test cases in these folders and their subfolders.
   *
   *
   * Items: Folder id.
   */
  folder_ids?: string[]
  /** Key that identifies one run of the project, such as the id of a CI build. A request with the same key returns the same run. */
  run_key?: string
  /** Add test cases that match uploaded tests to the run. The default is true for a run with a `run_key` and without `test_case_ids` and `folder_ids`, otherwise false. */
  adds_test_cases?: boolean
  /** Metadata such as branch and commit: up to 50 strings of up to 1,000 characters. */
  metadata?: { [k: string]: string }
  /** What the test cases are tested with: each gets a result per combination, and its own status follows from them. At most 100 configurations and 200,000 combinations: 422 `too_many_combinations`. */
  configurations?: NewRunConfigurations
  /** Number of shards after which the run is completed, or the CI job in `job` is done. */
  expected_shards?: number
  /** With `run_key`: name of the CI job that begins to report. Its shards are counted apart from those of other jobs. Truncated to 255 characters. */
  job?: string
}

export interface Run {
  /** Run id. */
  id: string
  /** Project of the run. */
  project_id: string
  /** Display name. */
  name: string
  /** Description. */
  description: string
  /** A completed run does not accept results until it is reopened. */
  status: RunStatus
  /** Milestone of the run; null for none. */
  milestone_id: string | null
  /** Share of passed results among all tested results in percent, with one decimal; 0 if nothing was tested. */
  pass_rate: number
  stats: StatusCounts
  /** Number of test cases in the run. */
  result_count: number
  /** User id; null if the run was created with a CI token. */
  created_by: string | null
  /** When the run was created. */
  created_at: string
  /** When the run or one of its results last changed. */
  updated_at: string
  /** When the run was completed. */
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
  /** Automated tests of the run, counted by their outcome. */
  test_stats: TestStats
  /** Number of errors outside of tests. */
  suite_error_count: number
  /** Number of attachments of the run, its results and tests. */
  attachment_count: number
  /** Number of attachments that an upload declared and whose content has not arrived yet. */
  waiting_file_count: number
  /** Number of comments on the run itself, without deleted ones and those on its results. */
  comment_count: number
  /** What the test cases are tested with, with the number of combinations by status; absent without any. */
  configurations?: RunConfiguration[]
  /** Number of combinations of all results; absent without configurations. */
  combination_count?: number
}

export interface RunConfiguration {
  /** Place in the run, which never changes. It names the configuration in other requests. */
  place: number
  /** Names of its configurations, such as `Chrome, Windows`. */
  name: string
  stats: StatusCounts
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
  /** Number of tests that were skipped or interrupted. */
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
  /** Number of errors outside of tests, such as a file that did not load. A run with errors is not green, whatever its pass rate. */
  errors: number
}

export interface UpdateRunBody {
  /** Display name. Control characters and invisible characters are removed. */
  name?: string
  /** Description. */
  description?: string
  /** Milestone of the run; null for none. */
  milestone_id?: string | null
  /** A completed run does not accept results until it is reopened. */
  status?: RunStatus
  /** Metadata such as branch and commit: up to 50 strings of up to 1,000 characters. */
  metadata?: { [k: string]: string }
  /** Whether test cases that match uploaded tests are added to the run. */
  adds_test_cases?: boolean
}

/**
 * Parameters and responses of {@link addTestCasesToRun}.
 *
 * Adds test cases to the end of the run with the status `not_tested`, in the order of the folder tree. Test cases that are in the run already do not change.
 */
export interface AddTestCasesToRun {
  params: RunParams
  body: {
    /**
     * Test cases to add.
     *
     *
     * Items: Test case id.
     */
    test_case_ids: string[]
  }
  success: { 200: { data: Run } }
}

/** Add test cases to a run. */
export const addTestCasesToRun: Endpoint<AddTestCasesToRun> = {
  method: 'POST',
  url: '/v1/runs/:run_id/test-cases',
  operationId: 'addTestCasesToRun',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link createRun}.
 *
 * Creates a run with the test cases in `test_case_ids`, those in `folder_ids` and their subfolders, or all test cases of the project if neither is set. A run with a `run_key` and without these starts empty and takes what is reported (`adds_test_cases`). Its results are in the order of the folder tree: folder by folder, each by position. If a run of the project has the same `run_key`, that run is returned with 200 instead: its name, test cases and metadata do not change, and `expected_shards` is set only if the run has none. Concurrent requests with the same key create one run.
 */
export interface CreateRun {
  params: ProjectParams
  body: CreateRunBody
  success: {
    /** The existing run with this `run_key`. */
    200: { data: Run }
    /** The run was created. */
    201: { data: Run }
  }
}

/** Create a run. */
export const createRun: Endpoint<CreateRun> = {
  method: 'POST',
  url: '/v1/projects/:project_id/runs',
  operationId: 'createRun',
  acceptsKey: true,
  success: { 200: ['data{}'], 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteRun}.
 *
 * Deletes the run and its results.
 */
export interface DeleteRun {
  params: RunParams
  success: { 200: Message }
}

/** Delete a run. */
export const deleteRun: Endpoint<DeleteRun> = {
  method: 'DELETE',
  url: '/v1/runs/:run_id',
  operationId: 'deleteRun',
  success: { 200: ['message'] },
}

/**
 * Parameters and responses of {@link getRun}.
 *
 * Returns the run with its number of results by status and its pass rate.
 */
export interface GetRun {
  params: RunParams
  success: { 200: { data: Run } }
}

/** Get a run. */
export const getRun: Endpoint<GetRun> = {
  method: 'GET',
  url: '/v1/runs/:run_id',
  operationId: 'getRun',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listRuns}.
 *
 * Returns the runs of the project, newest first.
 */
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
    /** Sort by name, share of results that are tested, number of failed results, or time of creation. Without it, the newest come first. Not with `after`. */
    sort?: RunSort
    /** With `sort`: the largest first. */
    descending?: boolean
    /** Return only items after the one with this id, the last of the previous page, in place of `page`: no item is missing or returned twice if others are added meanwhile. */
    after?: string
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  }
  success: { 200: { data: Run[]; meta: PageMeta } }
}

/** List runs. */
export const listRuns: Endpoint<ListRuns> = {
  method: 'GET',
  url: '/v1/projects/:project_id/runs',
  operationId: 'listRuns',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link removeTestCasesFromRun}.
 *
 * Removes test cases with their results from the run. Test cases that are not in the run are ignored, so that the request can be repeated.
 */
export interface RemoveTestCasesFromRun {
  params: RunParams
  body: {
    /**
     * Test cases to remove.
     *
     *
     * Items: Test case id.
     */
    test_case_ids: string[]
  }
  success: { 200: { data: Run } }
}

/** Remove test cases from a run. */
export const removeTestCasesFromRun: Endpoint<RemoveTestCasesFromRun> = {
  method: 'DELETE',
  url: '/v1/runs/:run_id/test-cases',
  operationId: 'removeTestCasesFromRun',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link reportShardDone}.
 *
 * Marks a shard of the run as done; repeating the request has no effect. When `expected_shards` different shards are done, the run is completed. For a completed run, only the name of the shard is added. If the run was reopened after its last shard, the next report completes it again. With `job`, the shards of each CI job are counted apart, and the run completes by itself once all jobs that have begun are done and no report has come for as long as the project says (`complete_after_minutes`). The body can be left out.
 */
export interface ReportShardDone {
  params: {
    /** Run id. */
    run_id: string
    /** Name of the shard, such as `2` or `chromium-2`. */
    name: string
  }
  body: {
    /** Name of the CI job. Truncated to 255 characters. */
    job?: string
    /** Number of shards of the job. */
    expected_shards?: number
  } | null
  success: { 200: { data: Run } }
}

/** Report that a shard is done. */
export const reportShardDone: Endpoint<ReportShardDone> = {
  method: 'POST',
  url: '/v1/runs/:run_id/shards/:name/done',
  operationId: 'reportShardDone',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateRun}.
 *
 * Updates only the fields in the request.
 */
export interface UpdateRun {
  params: RunParams
  body: UpdateRunBody
  success: { 200: { data: Run } }
}

/** Update, complete or reopen a run. */
export const updateRun: Endpoint<UpdateRun> = {
  method: 'PATCH',
  url: '/v1/runs/:run_id',
  operationId: 'updateRun',
  success: { 200: ['data{}'] },
}

/* schemas */

export interface Message {
  /** Confirmation of what was done. */
  message: string
}

/* search */

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

/**
 * Parameters and responses of {@link search}.
 *
 * Finds test cases by id and title, and runs, milestones and projects by name, in your 100 most recently updated projects: up to 20 hits, the test case with the searched id first. Titles of test cases are searched for three letters or digits in a row, or more. Of each project, the 500 newest runs are searched.
 */
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
export const search: Endpoint<Search> = {
  method: 'GET',
  url: '/v1/search',
  operationId: 'search',
  success: { 200: ['data[]'] },
}

/* second-factor-proofs */

export const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

/* second-factors */

export const SECOND_FACTOR_KINDS = ['totp', 'passkey'] as const
export type SecondFactorKind = (typeof SECOND_FACTOR_KINDS)[number]

export interface AddedFactorResponse {
  data: {
    factor: SecondFactor
    /** The recovery codes. They are shown only in this response; earlier ones are no longer valid. */
    recovery_codes: string[] | null
  }
}

export interface CompleteSignInBody {
  /** Code that the authenticator app shows, 6 digits. Each code is accepted once. */
  totp_code?: string
  /** What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeyCompletion` or `startPasskeyConfirmation`. Other fields of it are ignored. */
  passkey?: {
    /** Id of the credential. In base64url. */
    id: string
    response: {
      /** What the browser signed. In base64url. */
      clientDataJSON: string
      /** What the authenticator signed. In base64url. */
      authenticatorData: string
      /** The signature. In base64url. */
      signature: string
    }
  }
  /** A recovery code, which is used up. */
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

/**
 * Parameters and responses of {@link activateTotp}.
 *
 * From now on, sign-in asks for a second factor. The first factor of an account brings 10 recovery codes; for a further one, `recovery_codes` is null. A token cannot send this request (403 `session_required`).
 */
export interface ActivateTotp {
  params: {
    /** Id of the factor. */
    factor_id: string
  }
  body: {
    /** Code that the app shows. */
    code: string
  }
  success: { 200: AddedFactorResponse }
}

/** Take an authenticator app into use. */
export const activateTotp: Endpoint<ActivateTotp> = {
  method: 'POST',
  url: '/v1/me/second-factors/totp/:factor_id/activate',
  operationId: 'activateTotp',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link completeSignIn}.
 *
 * Completes a sign-in that returned 401 `second_factor_required`, in the browser that has its cookie, within 10 minutes and 5 attempts; after that, the response is 401 `sign_in_expired`. The body has exactly one proof. A wrong one counts as a failed sign-in.
 */
export interface CompleteSignIn {
  body: CompleteSignInBody
  success: { 201: MeResponse }
}

/** Complete a sign-in with the second factor. */
export const completeSignIn: Endpoint<CompleteSignIn> = {
  method: 'POST',
  url: '/v1/session/second-factor',
  operationId: 'completeSignIn',
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link listSecondFactors}.
 *
 * Returns the second factors of your account, and how many recovery codes are left.
 */
export interface ListSecondFactors {
  success: { 200: { data: SecondFactors } }
}

/** List your second factors. */
export const listSecondFactors: Endpoint<ListSecondFactors> = {
  method: 'GET',
  url: '/v1/me/second-factors',
  operationId: 'listSecondFactors',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link removeSecondFactor}.
 *
 * Removes the factor. With the last one, the recovery codes end, and sign-in no longer asks for a second factor; where the server requires one, the response is 422 `last_second_factor`. A token cannot send this request (403 `session_required`). A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface RemoveSecondFactor {
  params: {
    /** Id of the factor. */
    factor_id: string
  }
  success: { 204: null }
}

/** Remove a second factor. */
export const removeSecondFactor: Endpoint<RemoveSecondFactor> = {
  method: 'DELETE',
  url: '/v1/me/second-factors/:factor_id',
  operationId: 'removeSecondFactor',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link renewRecoveryCodes}.
 *
 * Creates 10 new recovery codes; the earlier ones end. Returns 422 `no_second_factor` if you have no second factor. A token cannot send this request (403 `session_required`). A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface RenewRecoveryCodes {
  success: {
    201: {
      data: {
        /**
         * The recovery codes. They are shown only in this response; earlier ones are no longer valid.
         *
         * Items: A code that works once in place of a second factor.
         */
        recovery_codes: string[]
      }
    }
  }
}

/** Create new recovery codes. */
export const renewRecoveryCodes: Endpoint<RenewRecoveryCodes> = {
  method: 'POST',
  url: '/v1/me/second-factors/recovery-codes',
  operationId: 'renewRecoveryCodes',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link setUpTotp}.
 *
 * Creates the secret of an authenticator app. Sign-in asks for it only after the app has given a right code (`activateTotp`); an earlier setup that has not come so far ends. Returns 422 `secret_key_missing` if the server has no key to encrypt the secret, and 422 `second_factor_limit` for more than 10 factors. A token cannot send this request (403 `session_required`). A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface SetUpTotp {
  body: {
    /** Name to recognize it by; by default “Authenticator app”. */
    name?: string
  }
  success: {
    201: {
      data: {
        /** Id of the factor. */
        id: string
        /** The secret in base32, to type into the app. It is shown only in this response. */
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
export const setUpTotp: Endpoint<SetUpTotp> = {
  method: 'POST',
  url: '/v1/me/second-factors/totp',
  operationId: 'setUpTotp',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/* session */

export interface DeleteMeBody {
  /** Email address of your account. */
  email: string
}

export interface Me {
  /** User id. */
  id: string
  /** Email address that the user signs in with. */
  email: string
  /** Display name. */
  name: string
  /** URL of a picture; null for none. */
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
  /** When the account was created. */
  created_at: string
  /** When a field of the account last changed. */
  updated_at: string
}

export interface MeResponse {
  data: Me
}

export interface Session {
  /** Session id. */
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
  /** Password. */
  password: string
}

export interface UpdateMeBody {
  /** Display name. */
  name?: string
  /** URL of a picture, http:// or https://; null for none. */
  avatar_url?: string | null
  /** Whether an email says who has mentioned you in a comment. */
  mention_emails?: boolean
  /** New password, 8 to 1024 characters. Requires `current_password`. Refused with the code `weak_password` if it is a common password, or contains the email address or name of the user or the name of the product and little else. */
  password?: string
  /** Current password. */
  current_password?: string
}

/**
 * Parameters and responses of {@link deleteMe}.
 *
 * Deletes your account: name, email address, picture, password, sign-in methods, sessions, personal tokens, memberships and pending invitations. What you did stays with an anonymous author. Requires a session (403 `session_required`) that was confirmed recently (403 `confirmation_required`), and the email address of the account as a safeguard. Returns 422 `last_admin` with `projects` if a project would have no admin, and 422 `last_instance_admin` if the instance would have no administrator.
 */
export interface DeleteMe {
  body: DeleteMeBody
  success: { 204: null }
}

/** Delete your account. */
export const deleteMe: Endpoint<DeleteMe> = {
  method: 'DELETE',
  url: '/v1/me',
  operationId: 'deleteMe',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link endOtherSessions}.
 *
 * Ends all your sessions within one second, except the one of this request. With a token, which has no session, it ends all.
 */
export interface EndOtherSessions {
  success: { 204: null }
}

/** End all your other sessions. */
export const endOtherSessions: Endpoint<EndOtherSessions> = {
  method: 'DELETE',
  url: '/v1/sessions',
  operationId: 'endOtherSessions',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link getMe}.
 *
 * Returns the user that the token or session belongs to.
 */
export interface GetMe {
  success: { 200: MeResponse }
}

/** Get your account. */
export const getMe: Endpoint<GetMe> = {
  method: 'GET',
  url: '/v1/me',
  operationId: 'getMe',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listSessions}.
 *
 * Returns your sessions, newest first.
 */
export interface ListSessions {
  success: { 200: { data: Session[] } }
}

/** List your sessions. */
export const listSessions: Endpoint<ListSessions> = {
  method: 'GET',
  url: '/v1/sessions',
  operationId: 'listSessions',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link revokeSession}.
 *
 * Ends the session within one second.
 */
export interface RevokeSession {
  params: {
    /** Session id. */
    session_id: string
  }
  success: { 204: null }
}

/** End one of your sessions. */
export const revokeSession: Endpoint<RevokeSession> = {
  method: 'DELETE',
  url: '/v1/sessions/:session_id',
  operationId: 'revokeSession',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link signIn}.
 *
 * Creates a session and sets its HttpOnly cookie, which replaces the token in requests from pages of this service. An earlier session of the cookie ends. The response does not reveal whether the email address or the password is wrong. With the right password, a disabled account gets 403 `account_disabled`, and an account with a second factor 401 `second_factor_required` with a cookie for `POST /v1/session/second-factor`. Where only single sign-on is accepted, the response is 403 `single_sign_on_required`, which names where to sign in. Limited to 10 requests per minute for each IP address, and to 100 wrong passwords per hour for each account; the latter does not count for a browser in which the user has signed in before.
 */
export interface SignIn {
  body: SignInBody
  success: { 201: MeResponse }
}

/** Sign in. */
export const signIn: Endpoint<SignIn> = {
  method: 'POST',
  url: '/v1/session',
  operationId: 'signIn',
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link signOut}.
 *
 * Ends the session of the cookie. Returns 404 if the request uses a token, which has no session.
 */
export interface SignOut {
  success: { 204: null }
}

/** Sign out. */
export const signOut: Endpoint<SignOut> = {
  method: 'DELETE',
  url: '/v1/session',
  operationId: 'signOut',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link updateMe}.
 *
 * Updates only the fields in the request. A new password requires the current password and ends all other sessions; tokens remain valid. Where only single sign-on is accepted, a new password is 403 `single_sign_on_required`. Limited to 10 wrong passwords per minute for each session or token, and to 100 per hour for each account, separately from sign-in. A new password of an account with a second factor: A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface UpdateMe {
  body: UpdateMeBody
  success: { 200: MeResponse }
}

/** Update your account. */
export const updateMe: Endpoint<UpdateMe> = {
  method: 'PATCH',
  url: '/v1/me',
  operationId: 'updateMe',
  success: { 200: ['data{}'] },
}

/* setup */

export interface SetupBody {
  /** Display name of the first user. */
  name: string
  /** Email address of the first user, to sign in with. */
  email: string
  /** Password of the first user, 8 to 1024 characters. Required, unless the server accepts only single sign-on. Refused with the code `weak_password` if it is a common password, or contains the email address or name of the user or the name of the product and little else. */
  password?: string
}

/**
 * Parameters and responses of {@link completeSetup}.
 *
 * Creates the first account and signs in like `POST /v1/session`. All setup links end: later requests return 410. Where only single sign-on is accepted, send no `password` (403 `single_sign_on_required`); the session lasts twelve hours, and the user then signs in at the provider with the same email address.
 */
export interface CompleteSetup {
  params: {
    /** Last part of the setup link. */
    secret: string
  }
  body: SetupBody
  success: { 201: MeResponse }
}

/** Create the first account. */
export const completeSetup: Endpoint<CompleteSetup> = {
  method: 'POST',
  url: '/v1/setup/:secret',
  operationId: 'completeSetup',
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link getSetupLink}.
 *
 * Checks a setup link, which the service prints on start until the first account exists. Does not require a token. Returns 410 if an account exists, or if the link is unknown or expired.
 */
export interface GetSetupLink {
  params: {
    /** Last part of the setup link. */
    secret: string
  }
  success: {
    200: {
      data: {
        /** When the link expires: seven days after it was created. */
        expires_at: string
      }
    }
  }
}

/** Get a setup link. */
export const getSetupLink: Endpoint<GetSetupLink> = {
  method: 'GET',
  url: '/v1/setup/:secret',
  operationId: 'getSetupLink',
  success: { 200: ['data{}'] },
}

/* shared-steps */

/** Problem details (RFC 9457) with more fields */
export interface ChangedSharedStepProblem {
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
  current: SharedStep
}

export interface CreateSharedStepBody {
  /** Title, different for each shared step of the project. */
  title: string
  /** Steps in order, 1 to 100. */
  steps?: NewStep[]
  /** Steps of a test case, in place of `steps`. They become the shared step, which the test case uses from then on. */
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
  /** Shared step id. */
  id: string
  /** Title. */
  title: string
  /** Number of changes, from 1. Send it as `If-Match: "3"` with an update, so that it fails if the shared step has changed meanwhile. */
  version: number
  /** Number of its steps. */
  step_count: number
  /** Number of test cases that use it. */
  use_count: number
  /** User id of the author; null if unknown. */
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** User id of who made this version; null if unknown. */
  updated_by: string | null
  /** When this version was made. */
  updated_at: string
  /** Steps in order. */
  steps: Step[]
}

export interface SharedStepListItem {
  /** Shared step id. */
  id: string
  /** Title. */
  title: string
  /** Number of changes, from 1. Send it as `If-Match: "3"` with an update, so that it fails if the shared step has changed meanwhile. */
  version: number
  /** Number of its steps. */
  step_count: number
  /** Number of test cases that use it. */
  use_count: number
  /** User id of the author; null if unknown. */
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** User id of who made this version; null if unknown. */
  updated_by: string | null
  /** When this version was made. */
  updated_at: string
}

export interface SharedStepParams {
  /** Project id. */
  project_id: string
  /** Shared step id. */
  shared_step_id: string
}

export interface SharedStepUse {
  /** Test case id. */
  test_case_id: string
  /** Title of the test case. */
  title: string
  /** Folder of the test case; null at the top level. */
  folder_id: string | null
  /** The newest version of the shared step that the test case has. */
  version: number
  /** Whether it changes with the shared step. */
  follows: boolean
}

export interface SharedStepVersion {
  /** Number of the version. */
  version: number
  /** Title. */
  title: string
  /** Number of its steps. */
  step_count: number
  /** User id of who made it; null if unknown. */
  changed_by: string | null
  /** When it was made. */
  changed_at: string
}

export interface UpdateSharedStepBody {
  /** Title, different for each shared step of the project. */
  title?: string
  /** Steps in order, 1 to 100. */
  steps?: NewStep[]
  /** All test cases that follow the shared step get the new version. This or `test_case_ids` is required. */
  apply_to?: 'all'
  /**
   * Only these of the test cases that follow it get the new version; the others stay at the version that they have.
   *
   *
   * Items: Test case id.
   */
  test_case_ids?: string[]
}

/**
 * Parameters and responses of {@link createSharedStep}.
 *
 * Creates a shared step from `steps`, or from steps that a test case has. A project can have 2,000 (422 `too_many_shared_steps`).
 */
export interface CreateSharedStep {
  params: ProjectParams
  body: CreateSharedStepBody
  success: { 201: { data: SharedStep } }
}

/** Create a shared step. */
export const createSharedStep: Endpoint<CreateSharedStep> = {
  method: 'POST',
  url: '/v1/projects/:project_id/shared-steps',
  operationId: 'createSharedStep',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteSharedStep}.
 *
 * Deletes a shared step that no test case uses; otherwise, the response is 409 `shared_step_in_use`. With `detach=true`, the test cases keep its steps as their own.
 */
export interface DeleteSharedStep {
  params: SharedStepParams
  query: {
    /** Whether test cases that use it keep its steps as their own. */
    detach?: 'true' | 'false'
  }
  success: { 204: null }
}

/** Delete a shared step. */
export const deleteSharedStep: Endpoint<DeleteSharedStep> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id',
  operationId: 'deleteSharedStep',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link detachSharedStep}.
 *
 * The test cases keep the steps as their own and no longer change with the shared step. Each of them gets a new version. Those that do not use it stay as they are.
 */
export interface DetachSharedStep {
  params: SharedStepParams
  body: {
    /**
     * Test cases, up to 10,000.
     *
     *
     * Items: Test case id.
     */
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
export const detachSharedStep: Endpoint<DetachSharedStep> = {
  method: 'POST',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id/detach',
  operationId: 'detachSharedStep',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link getSharedStep}.
 *
 * Returns the shared step with its steps, as it is or as it was in an earlier version.
 */
export interface GetSharedStep {
  params: SharedStepParams
  query: {
    /** Version; the current one without it. */
    version?: number
  }
  success: { 200: { data: SharedStep } }
}

/** Get a shared step. */
export const getSharedStep: Endpoint<GetSharedStep> = {
  method: 'GET',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id',
  operationId: 'getSharedStep',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listSharedStepUses}.
 *
 * Returns the test cases by number, 100 on a page.
 */
export interface ListSharedStepUses {
  params: SharedStepParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
  }
  success: {
    200: {
      data: SharedStepUse[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the test cases that use a shared step. */
export const listSharedStepUses: Endpoint<ListSharedStepUses> = {
  method: 'GET',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id/uses',
  operationId: 'listSharedStepUses',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listSharedStepVersions}.
 *
 * Returns the versions, the newest first, 50 on a page. 1,000 earlier versions are kept.
 */
export interface ListSharedStepVersions {
  params: SharedStepParams
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: number
  }
  success: {
    200: {
      data: SharedStepVersion[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: number | null
      }
    }
  }
}

/** List the versions of a shared step. */
export const listSharedStepVersions: Endpoint<ListSharedStepVersions> = {
  method: 'GET',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id/versions',
  operationId: 'listSharedStepVersions',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listSharedSteps}.
 *
 * Returns all shared steps of the project by title, without their steps; up to 2,000.
 */
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

/** List shared steps. */
export const listSharedSteps: Endpoint<ListSharedSteps> = {
  method: 'GET',
  url: '/v1/projects/:project_id/shared-steps',
  operationId: 'listSharedSteps',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link updateSharedStep}.
 *
 * Changes the shared step and the test cases that follow it, all or none; each of them gets a new version. A test case that would have more than 500 steps is 422 `too_many_steps`, and a change of too much text at once is 422 `change_too_large`.
 */
export interface UpdateSharedStep {
  params: SharedStepParams
  body: UpdateSharedStepBody
  success: { 200: { data: SharedStep } }
}

/** Change a shared step. */
export const updateSharedStep: Endpoint<UpdateSharedStep> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/shared-steps/:shared_step_id',
  operationId: 'updateSharedStep',
  success: { 200: ['data{}'] },
}

/* shares */

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
  /** When the report can no longer be opened: at most 365 days from now. 30 days by default. */
  expires_at?: string
  /**
   * What the report shows besides titles, statuses, durations and times.
   *
   *
   * Items: `notes`: of results. `steps`: their statuses and actual results. `people`: who tested; without it, no name and no email address of a user is shown. `files`: attached to results. `links`: to defects and requirements. `comments`: on results that did not pass and on runs, without their authors unless `people` is included.
   */
  include: SharePart[]
}

export interface NewShare {
  /** Id of the shared report. */
  id: string
  /** Name, which the report shows. */
  name: string
  /** The run or milestone. The report ends with it. */
  subject: {
    /** What the report is about. */
    kind: ShareSubjectKind
    /** Id of the run or milestone. */
    id: string
    /** Name of the run or milestone. */
    name: string
  }
  /**
   * What the report shows besides.
   *
   * Items: `notes`: of results. `steps`: their statuses and actual results. `people`: who tested; without it, no name and no email address of a user is shown. `files`: attached to results. `links`: to defects and requirements. `comments`: on results that did not pass and on runs, without their authors unless `people` is included.
   */
  include: SharePart[]
  /** `open`: the report can be opened. */
  state: ShareState
  /** User id; null if the account is gone. */
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** When it can no longer be opened. */
  expires_at: string
  /** When it was revoked; null if it was not. */
  revoked_at: string | null
  /** How often it was opened, a few seconds late. */
  view_count: number
  /** When it was last opened; null if never. */
  viewed_at: string | null
  /** Why somebody should check whether it is still needed. `creator_left`: the user who created it may not do so any more. Null if it needs no review. */
  review_reason: ShareReviewReason | null
  /** The address of the report. It is returned only once. */
  url: string
}

export interface Share {
  /** Id of the shared report. */
  id: string
  /** Name, which the report shows. */
  name: string
  /** The run or milestone. The report ends with it. */
  subject: {
    /** What the report is about. */
    kind: ShareSubjectKind
    /** Id of the run or milestone. */
    id: string
    /** Name of the run or milestone. */
    name: string
  }
  /**
   * What the report shows besides.
   *
   * Items: `notes`: of results. `steps`: their statuses and actual results. `people`: who tested; without it, no name and no email address of a user is shown. `files`: attached to results. `links`: to defects and requirements. `comments`: on results that did not pass and on runs, without their authors unless `people` is included.
   */
  include: SharePart[]
  /** `open`: the report can be opened. */
  state: ShareState
  /** User id; null if the account is gone. */
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** When it can no longer be opened. */
  expires_at: string
  /** When it was revoked; null if it was not. */
  revoked_at: string | null
  /** How often it was opened, a few seconds late. */
  view_count: number
  /** When it was last opened; null if never. */
  viewed_at: string | null
  /** Why somebody should check whether it is still needed. `creator_left`: the user who created it may not do so any more. Null if it needs no review. */
  review_reason: ShareReviewReason | null
}

/**
 * Parameters and responses of {@link createMilestoneShare}.
 *
 * Creates an address at which anyone who has it reads the report, without an account, until it expires, is revoked, or what it is about is deleted. It shows the state of the moment in which it is opened. The address is returned only once. Returns 403 `shares_disabled` if the project or the instance does not allow it, and 422 `too_many_shares` if 100 reports of the project can be opened. It is about the runs of the milestone and of its sub-milestones.
 */
export interface CreateMilestoneShare {
  params: MilestoneParams
  body: CreateShareBody
  success: { 201: { data: NewShare } }
}

/** Share a report of a milestone. */
export const createMilestoneShare: Endpoint<CreateMilestoneShare> = {
  method: 'POST',
  url: '/v1/projects/:project_id/milestones/:milestone_id/shares',
  operationId: 'createMilestoneShare',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link createRunShare}.
 *
 * Creates an address at which anyone who has it reads the report, without an account, until it expires, is revoked, or what it is about is deleted. It shows the state of the moment in which it is opened. The address is returned only once. Returns 403 `shares_disabled` if the project or the instance does not allow it, and 422 `too_many_shares` if 100 reports of the project can be opened. With its reruns, a test case counts once, with its newest result.
 */
export interface CreateRunShare {
  params: RunParams
  body: CreateShareBody
  success: { 201: { data: NewShare } }
}

/** Share a report of a run. */
export const createRunShare: Endpoint<CreateRunShare> = {
  method: 'POST',
  url: '/v1/runs/:run_id/shares',
  operationId: 'createRunShare',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link listMilestoneShares}.
 *
 * Returns those that can be opened and the last ones that have ended, the newest first.
 */
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
export const listMilestoneShares: Endpoint<ListMilestoneShares> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id/shares',
  operationId: 'listMilestoneShares',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listRunShares}.
 *
 * Returns those that can be opened and the last ones that have ended, the newest first.
 */
export interface ListRunShares {
  params: RunParams
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

/** List the shared reports of a run. */
export const listRunShares: Endpoint<ListRunShares> = {
  method: 'GET',
  url: '/v1/runs/:run_id/shares',
  operationId: 'listRunShares',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listShares}.
 *
 * Returns those that can be opened and the last ones that have ended, the newest first.
 */
export interface ListShares {
  params: ProjectParams
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

/** List the shared reports of a project. */
export const listShares: Endpoint<ListShares> = {
  method: 'GET',
  url: '/v1/projects/:project_id/shares',
  operationId: 'listShares',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link revokeShare}.
 *
 * From then on, the report can no longer be opened. Every member may revoke a report, whoever has shared it, also when sharing was turned off since.
 */
export interface RevokeShare {
  params: {
    /** Project id. */
    project_id: string
    /** Id of the shared report. */
    share_id: string
  }
  success: { 204: null }
}

/** Revoke a shared report. */
export const revokeShare: Endpoint<RevokeShare> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/shares/:share_id',
  operationId: 'revokeShare',
  success: { 204: null },
}

/* single-sign-on */

export interface Identity {
  /** Id of the link. */
  id: string
  /** URL of the sign-in provider, its claim `iss`. */
  issuer: string
  /** When the account was linked. */
  created_at: string
}

/**
 * Parameters and responses of {@link listIdentities}.
 *
 * Returns the users of sign-in providers that your account is linked with, at most one for each provider. Each of them can sign in to your account.
 */
export interface ListIdentities {
  success: { 200: { data: Identity[] } }
}

/** List your linked identities. */
export const listIdentities: Endpoint<ListIdentities> = {
  method: 'GET',
  url: '/v1/me/identities',
  operationId: 'listIdentities',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link unlinkIdentity}.
 *
 * Removes the link, so that this user of the provider can no longer sign in to your account. Your sessions stay valid. Returns 422 `last_sign_in_method` if your account has no password, or if this server accepts only single sign-on. A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface UnlinkIdentity {
  params: {
    /** Id of the link. */
    identity_id: string
  }
  success: { 204: null }
}

/** Remove a linked identity. */
export const unlinkIdentity: Endpoint<UnlinkIdentity> = {
  method: 'DELETE',
  url: '/v1/me/identities/:identity_id',
  operationId: 'unlinkIdentity',
  success: { 204: null },
}

/* step-results */

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
  /** Position of the step in the test case, from 1. */
  position: number
  /** Status of the step. */
  status: StepStatus | null
  /** What happened instead of the expected result. */
  actual: string | null
}

/* steps */

export interface NewStep {
  /** Action of the step. */
  action: string
  /** Expected result of the step. */
  expected?: string
}

export interface Step {
  /** Position, from 1. */
  position: number
  /** Action of the step. */
  action: string
  /** Expected result of the step. */
  expected: string
}

export interface StepGroup {
  /** Shared step id. */
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
  /** Action of the step. */
  action?: string
  /** Expected result of the step. */
  expected?: string
  /** Shared step, whose steps stand here; without `action` and `expected`. */
  shared_step_id?: string
  /** Version of the shared step that stays here; without it, the steps follow changes of the shared step. */
  version?: number
}

/* storage */

export interface DeletedContent {
  /** Number of projects that had the content. */
  project_count: number
  /** Number of attachments that had it. */
  attachment_count: number
  /** Whether it is gone from the file store; `false` while the store is unavailable: the server removes it as soon as it is back. */
  is_removed: boolean
}

export interface ProjectStorage {
  /** Bytes that the files take. Each content counts once in a project. */
  byte_count: number
  /** Number of files. */
  file_count: number
  /** The files by kind, those that take most first. Kinds without files are left out. */
  kinds: {
    /** What the contents are. */
    kind: FileKind
    /** Bytes that the files take. Each content counts once in a project. */
    byte_count: number
    /** Number of files. */
    file_count: number
  }[]
  /** Most bytes that they may take; null for no limit. */
  max_file_bytes: number | null
  /** Days that this server keeps files of completed runs at most; null for as long as the run. */
  max_run_files_days: number | null
}

export interface StorageItem {
  /** Project id. */
  project_id: string
  /** Name of the project. */
  project_name: string
  /** Bytes that the files take. Each content counts once in a project. */
  byte_count: number
  /** Number of files. */
  file_count: number
  /** Number of attachments whose content has not arrived. */
  waiting_file_count: number
  /** The files by kind, those that take most first. Kinds without files are left out. */
  kinds: {
    /** What the contents are. */
    kind: FileKind
    /** Bytes that the files take. Each content counts once in a project. */
    byte_count: number
    /** Number of files. */
    file_count: number
  }[]
}

/**
 * Parameters and responses of {@link deleteContent}.
 *
 * For a content that must not be on this server: deletes it from the file store at once, in all projects. Attachments of runs and results stay with the state `removed`; those of test cases are deleted. Each project gets an entry in its audit log. Backups keep the content, and it can be attached again.
 */
export interface DeleteContent {
  params: {
    /** SHA-256 of the content in hexadecimal. */
    sha256: string
  }
  success: { 200: { data: DeletedContent } }
}

/** Delete a content everywhere. */
export const deleteContent: Endpoint<DeleteContent> = {
  method: 'DELETE',
  url: '/v1/admin/files/:sha256',
  operationId: 'deleteContent',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link getProjectStorage}.
 *
 * Returns what the files of the project take, by kind, and how long the server keeps those of runs.
 */
export interface GetProjectStorage {
  params: ProjectParams
  success: { 200: { data: ProjectStorage } }
}

/** Get what the files take. */
export const getProjectStorage: Endpoint<GetProjectStorage> = {
  method: 'GET',
  url: '/v1/projects/:project_id/storage',
  operationId: 'getProjectStorage',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listStorage}.
 *
 * Returns the projects that have files, by project id.
 */
export interface ListStorage {
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of items per page. */
    per_page?: number
  }
  success: {
    200: {
      data: StorageItem[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List what the files of each project take. */
export const listStorage: Endpoint<ListStorage> = {
  method: 'GET',
  url: '/v1/admin/storage',
  operationId: 'listStorage',
  success: { 200: ['data[]', 'meta{}'] },
}

/* test-case-batches */

export interface BulkUpdateBody {
  /**
   * Test cases to change, up to 10,000.
   *
   *
   * Items: Test case id.
   */
  test_case_ids?: string[]
  /** New values of fields. Test cases that come into another folder are placed at its end, in the order of `test_case_ids`. */
  set?: {
    /** Folder; null for the top level. */
    folder_id?: string | null
    /** Priority. */
    priority?: Priority
    /** Type of test. */
    type?: TestCaseType
    /** How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text. */
    template?: Template
    /** User id of the admin or member who keeps the test case up to date; null for nobody. */
    owner_id?: string | null
    /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
    estimate?: number | null
    /** Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent. */
    fields?: {
      /**
       */
      [k: string]: string | number | boolean | string[] | null
    }
    /** Whether the test case is archived: an archived one is not in lists, searches, counts and new runs, and keeps its results, versions, comments and files. */
    archived?: boolean
  }
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
  /** Whether options of selects can be named by their labels, and those that a field does not have are added to it, each with a key like its label. Only for admins of the project. False by default. */
  create_options?: boolean
  /** Tags to add, unless the test case has them. */
  add_tags?: string[]
  /** Tags to remove. */
  remove_tags?: string[]
  /** `before` of an earlier response, to undo that request. Do not combine it with other fields. */
  restore?: EarlierTestCase[]
}

export interface ChangedTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
  position: string
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
  version: number
}

export interface EarlierTestCase {
  /** Test case id. */
  id: string
  /** Folder; null for the top level. */
  folder_id?: string | null
  /** Priority. */
  priority?: Priority
  /** Type of test. */
  type?: TestCaseType
  /** How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text. */
  template?: Template
  /** User id of the admin or member who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
  estimate?: number | null
  /** Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent. */
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Whether the test case is archived: an archived one is not in lists, searches, counts and new runs, and keeps its results, versions, comments and files. */
  archived?: boolean
  /** Tags. */
  tags?: string[]
  /** Place in the folder. */
  position?: string
}

/**
 * Parameters and responses of {@link bulkDeleteTestCases}.
 *
 * Deletes the test cases. Their results are kept with their titles; their `test_case_id` becomes null. Ids without a test case are ignored, so that the request can be repeated. If the test cases have more than 500,000 results in all runs, the response is 422 and nothing is deleted. With `dry_run`, nothing is deleted, and the response counts what would be. To keep the versions, comments and files, too, archive them instead: `set.archived` of a bulk update.
 */
export interface BulkDeleteTestCases {
  params: ProjectParams
  body: {
    /**
     * Test cases to delete, up to 10,000.
     *
     *
     * Items: Test case id.
     */
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
export const bulkDeleteTestCases: Endpoint<BulkDeleteTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk-delete',
  operationId: 'bulkDeleteTestCases',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link bulkUpdateTestCases}.
 *
 * Changes all test cases in `test_case_ids` in the same way, or none if one of them is unknown or would have more than 50 tags or options of a field. `updated` counts those that are different afterwards; the others keep their version. The earlier values are in `before`: send them as `restore` to undo the change, which overwrites later changes of the same fields. If custom fields that would change have texts of more than 8 million characters in all, the response is 422 `change_too_large`.
 */
export interface BulkUpdateTestCases {
  params: ProjectParams
  body: BulkUpdateBody
  success: {
    200: {
      data: {
        /** Number of test cases that changed. */
        updated: number
        /** The test cases that changed, each with the earlier values of what the request changes. Send it as `restore` of a bulk update to undo the request. */
        before: {
          /** Test case id, `<PREFIX>-<number>`. */
          id: string
          /** Folder; null at the top level. */
          folder_id?: string | null
          /** Priority. */
          priority?: Priority
          /** Type of test. */
          type?: TestCaseType
          /** How it is written and shown: as a list of `steps`, or as one `text`. */
          template?: Template
          /** User id of who keeps the test case up to date; null for nobody. */
          owner_id?: string | null
          /** How long the test takes in seconds; null if it is not estimated. */
          estimate?: number | null
          /** Tags. */
          tags?: string[]
          /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
          position?: string
          /** Whether the test case was archived. */
          archived?: boolean
          /** Values of the custom fields that the request changes; null for none. */
          fields?: { [k: string]: string | number | boolean | string[] | null }
        }[]
        /** The test cases that changed, with their new place and version. Rarely, a move also changes the positions of test cases around the new place; these are listed, too. */
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
export const bulkUpdateTestCases: Endpoint<BulkUpdateTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk-update',
  operationId: 'bulkUpdateTestCases',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link moveTestCases}.
 *
 * Puts the test cases into the folder, next to each other in the order of `test_case_ids`, or moves none if one of them is unknown. To undo the move, send `before` as `restore` of a bulk update.
 */
export interface MoveTestCases {
  params: ProjectParams
  body: {
    /**
     * Test cases to move, in their new order, up to 10,000.
     *
     *
     * Items: Test case id.
     */
    test_case_ids: string[]
    /** Folder; null for the top level. */
    folder_id: string | null
    /** Test case of the folder after which the others are placed, not one of them; null for the start of the folder. Without it, they are placed at the end. */
    after?: string | null
  }
  success: {
    200: {
      data: {
        /** Number of test cases that were moved. */
        moved: number
        /** The test cases that changed, each with the earlier values of what the request changes. Send it as `restore` of a bulk update to undo the request. */
        before: {
          /** Test case id, `<PREFIX>-<number>`. */
          id: string
          /** Folder; null at the top level. */
          folder_id?: string | null
          /** Priority. */
          priority?: Priority
          /** Type of test. */
          type?: TestCaseType
          /** How it is written and shown: as a list of `steps`, or as one `text`. */
          template?: Template
          /** User id of who keeps the test case up to date; null for nobody. */
          owner_id?: string | null
          /** How long the test takes in seconds; null if it is not estimated. */
          estimate?: number | null
          /** Tags. */
          tags?: string[]
          /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
          position?: string
          /** Whether the test case was archived. */
          archived?: boolean
          /** Values of the custom fields that the request changes; null for none. */
          fields?: { [k: string]: string | number | boolean | string[] | null }
        }[]
        /** The test cases that changed, with their new place and version. Rarely, a move also changes the positions of test cases around the new place; these are listed, too. */
        test_cases: ChangedTestCase[]
      }
    }
  }
}

/** Move up to 10,000 test cases to a place in a folder. */
export const moveTestCases: Endpoint<MoveTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/move',
  operationId: 'moveTestCases',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/* test-case-fields */

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

/* test-case-imports */

export const IMPORT_ACTIONS = ['create', 'update', 'none'] as const
export type ImportAction = (typeof IMPORT_ACTIONS)[number]

/** Maximum number of test cases of one import. */
export const MAX_IMPORT_ROWS = 5000 as const

export interface ImportResult {
  /** Number of new test cases. */
  created: number
  /** Number of test cases that changed. Those that are the same do not count. */
  updated: number
  /** Number of new folders. */
  folders_created: number
  /** What happened to each row, in their order. */
  rows: {
    /** Id of the test case; null if a dry run would create it. */
    id: string | null
    /** Title. */
    title: string
    /** Whether the test case is new (`create`), has changed (`update`) or is the same as before (`none`). */
    action: ImportAction
    /** For an update: the fields whose value is different, as they are named in the request; custom fields as `fields.severity`. */
    changed: string[]
  }[]
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

export interface ImportRow {
  /** Id of the test case to update. Without an id, the row creates a test case. */
  id?: string
  /** Title; required for a new test case. Control characters and invisible characters are removed. */
  title?: string
  /**
   * Names of the folders of the test case, from the top level down; empty for the top level. Missing folders are created.
   *
   *
   * Items: Name of a folder.
   */
  folder_path?: string[]
  /** Priority. */
  priority?: Priority
  /** Type of test. */
  type?: TestCaseType
  /** How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text. */
  template?: Template
  /** Conditions that must be met before the test. */
  precondition?: string
  /** Steps in order; an item with `shared_step_id` stands for the steps of a shared step. Of a test case that exists, steps that equal those of a shared step stay a part of it, so that a request which knows nothing of shared steps keeps them. With them, a test case has at most 500 steps. */
  steps?: StepInput[]
  /** Expected result of the whole test case. */
  expected_result?: string
  /** Tags. */
  tags?: string[]
  /**
   * All automation keys, up to 20; in place of `automation_key`.
   *
   *
   * Items: Automation key.
   */
  automation_keys?: string[]
  /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
  estimate?: number | null
  /** Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent. */
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. It must be unique in the project, where white space and the separators `. > › » : / \` are all the same. It becomes the first of the automation keys; null removes all of them. */
  automation_key?: string | null
  /** Which of `steps` come from shared steps, as a file has them. The steps must be those of the shared step with the title. */
  shared_steps?: {
    /** Title of the shared step. */
    title: string
    /** Position of its first step in `steps`. */
    first: number
    /** Number of its steps. */
    count: number
  }[]
  /** Email address or name of the admin or member who keeps the test case up to date; null for nobody. */
  owner?: string | null
}

/**
 * Parameters and responses of {@link importTestCases}.
 *
 * Creates a test case for each row without an id, and updates the test case of each row with one: only the fields that the row contains. Folders are found or created by their names. Everything is stored or nothing: if rows have errors, the response lists them. With `dry_run=true`, nothing is stored and the response is what the import would return.
 */
export interface ImportTestCases {
  params: ProjectParams
  query: {
    /** Whether to check the rows only. */
    dry_run?: 'true' | 'false'
  }
  body: {
    /** Up to 5,000 test cases. */
    rows: ImportRow[]
    /** Whether options of selects can be named by their labels, and those that a field does not have are added to it, each with a key like its label. Only for admins of the project. False by default. */
    create_options?: boolean
  }
  success: { 200: { data: ImportResult } }
}

/** Import up to 5,000 test cases. */
export const importTestCases: Endpoint<ImportTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/import',
  operationId: 'importTestCases',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/* test-case-rows */

export interface TestCaseRow {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
  priority: Priority
  /** Type of test. */
  type: TestCaseType
  /** Tags. */
  tags: string[]
  /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
  position: string
  /** Key that matches automated tests to the test case if they have no test case id; null for none. */
  automation_key: string | null
  /** When the test case last changed. */
  updated_at: string
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
  version: number
  /** User id of who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds; null if it is not estimated. */
  estimate?: number | null
  /** Values of the custom fields by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** When the test case was archived; absent if it is not. */
  archived_at?: string | null
}

/**
 * Parameters and responses of {@link listTestCaseRows}.
 *
 * Returns the fields that a table of test cases needs, up to 2,000 test cases per page.
 */
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
    /** Return only archived test cases (`true`), or archived ones, too (`any`). Without it, or with `false`, none of them. */
    archived?: 'false' | 'true' | 'any'
    /** Return only test cases that changed since this time (or up to ten seconds before). Add `archived=any` to learn of those that were archived. Deleted ones are not returned: if the number of test cases a client has differs from `test_case_count` of the project, it reads all again. */
    changed_since?: string
    /** Return compact rows. */
    fields: 'row'
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Page number, from 1. */
    page?: number
    /** Number of rows per page. */
    per_page?: number
    /** `tree` returns the test cases folder by folder in the order of the folder list, each folder by position; those without a folder come last. `field.<key>` and, from the largest, `-field.<key>` sort by a custom field that is a number, a date or a select, the last in the order of its options; test cases without a value come last. */
    sort?: string
    /** With `fields=row`: keys of custom fields, separated by commas, up to 30. Rows have these of `fields`; none by default. */
    columns?: string
  } & FieldFilters
  success: { 200: { data: TestCaseRow[]; meta: RowPageMeta } }
}

/** List test cases as compact rows. */
export const listTestCaseRows: Endpoint<ListTestCaseRows> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases',
  operationId: 'listTestCaseRows',
  success: { 200: ['data[]', 'meta{}'] },
}

/* test-case-schemas */

export interface BulkTestCase {
  /** Title. Control characters and invisible characters are removed. */
  title: string
  /** Folder; null for the top level. */
  folder_id?: string | null
  /** Priority. */
  priority?: Priority
  /** Type of test. */
  type?: TestCaseType
  /** How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text. */
  template?: Template
  /** Conditions that must be met before the test. */
  precondition?: string
  /** Steps in order; an item with `shared_step_id` stands for the steps of a shared step. Of a test case that exists, steps that equal those of a shared step stay a part of it, so that a request which knows nothing of shared steps keeps them. With them, a test case has at most 500 steps. */
  steps?: StepInput[]
  /** Expected result of the whole test case. */
  expected_result?: string
  /** Tags. */
  tags?: string[]
  /**
   * All automation keys, up to 20; in place of `automation_key`.
   *
   *
   * Items: Automation key.
   */
  automation_keys?: string[]
  /** User id of the admin or member who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
  estimate?: number | null
  /** Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent. */
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. It must be unique in the project, where white space and the separators `. > › » : / \` are all the same. It becomes the first of the automation keys; null removes all of them. */
  automation_key?: string | null
}

export interface CaseContent {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
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
  /** Tags. */
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
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
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
}

/** Problem details (RFC 9457) with more fields */
export interface ChangedTestCaseProblem {
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
  current: TestCase
  /** Who changed the test case last; null if unknown. */
  changed_by: {
    /** User id. */
    id: string
    /** Display name. */
    name: string
  } | null
}

export interface CreateTestCaseBody {
  /** Title. */
  title: string
  /** Folder; null for the top level. */
  folder_id?: string | null
  /** Priority. */
  priority?: Priority
  /** Type of test. */
  type?: TestCaseType
  /** How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text. */
  template?: Template
  /** Conditions that must be met before the test. */
  precondition?: string
  /** Steps in order; an item with `shared_step_id` stands for the steps of a shared step. Of a test case that exists, steps that equal those of a shared step stay a part of it, so that a request which knows nothing of shared steps keeps them. With them, a test case has at most 500 steps. */
  steps?: StepInput[]
  /** Expected result of the whole test case. */
  expected_result?: string
  /** Tags. */
  tags?: string[]
  /**
   * All automation keys, up to 20; in place of `automation_key`.
   *
   *
   * Items: Automation key.
   */
  automation_keys?: string[]
  /** User id of the admin or member who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
  estimate?: number | null
  /** Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent. */
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. It must be unique in the project, where white space and the separators `. > › » : / \` are all the same. It becomes the first of the automation keys; null removes all of them. */
  automation_key?: string | null
}

export interface ListedTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
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
  template?: Template
  /** Tags. */
  tags?: string[]
  /** All keys that match automated tests to the test case; `automation_key` is the first. */
  automation_keys?: string[]
  /** User id of who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds; null if it is not estimated. */
  estimate?: number | null
  /** Key that matches automated tests to the test case if they have no test case id; null for none. */
  automation_key?: string | null
  /** User id of the author; null if unknown. */
  created_by?: string | null
  /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
  position?: string
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
  version?: number
  /** When the test case was archived; null if it is not. */
  archived_at?: string | null
  /** When the test case was created. */
  created_at: string
  /** When the test case last changed. */
  updated_at: string
  /** Values of the custom fields by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** Which of the steps come from shared steps, in order; absent if none do. */
  step_groups?: StepGroup[]
}

export interface TestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
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
  /** Tags. */
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
  /** Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved. */
  position: string
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
  version: number
  /** When the test case was archived; null if it is not. */
  archived_at: string | null
  /** When the test case was created. */
  created_at: string
  /** When the test case last changed. */
  updated_at: string
  /** Values of the custom fields by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** Which of the steps come from shared steps, in order; absent if none do. */
  step_groups?: StepGroup[]
}

export interface TestCaseListItem {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Folder; null at the top level. */
  folder_id: string | null
  /** Priority. */
  priority: Priority
  /** Type of test. */
  type: TestCaseType
  /** Conditions that must be met before the test. */
  precondition: string
  /** Steps in order. */
  steps: Step[]
  /** Expected result of the whole test case. */
  expected_result: string
  /** When the test case was created. */
  created_at: string
  /** When the test case last changed. */
  updated_at: string
  /** When the test case was archived; absent if it is not. */
  archived_at?: string | null
}

export interface UpdateTestCaseBody {
  /** Title. */
  title?: string
  /** Folder; null for the top level. */
  folder_id?: string | null
  /** Priority. */
  priority?: Priority
  /** Type of test. */
  type?: TestCaseType
  /** How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text. */
  template?: Template
  /** Conditions that must be met before the test. */
  precondition?: string
  /** Steps in order; an item with `shared_step_id` stands for the steps of a shared step. Of a test case that exists, steps that equal those of a shared step stay a part of it, so that a request which knows nothing of shared steps keeps them. With them, a test case has at most 500 steps. */
  steps?: StepInput[]
  /** Expected result of the whole test case. */
  expected_result?: string
  /** Tags. */
  tags?: string[]
  /**
   * All automation keys, up to 20; in place of `automation_key`.
   *
   *
   * Items: Automation key.
   */
  automation_keys?: string[]
  /** User id of the admin or member who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate. */
  estimate?: number | null
  /** Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent. */
  fields?: {
    /**
     */
    [k: string]: string | number | boolean | string[] | null
  }
  /** Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. It must be unique in the project, where white space and the separators `. > › » : / \` are all the same. It becomes the first of the automation keys; null removes all of them. */
  automation_key?: string | null
  /** Whether the test case is archived: an archived one is not in lists, searches, counts and new runs, and keeps its results, versions, comments and files. */
  archived?: boolean
  /** What was changed and why, for the list of versions; up to 500 characters. */
  summary?: string | null
}

export interface UpdatedTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** Title. */
  title: string
  /** Priority. */
  priority: Priority
  /** When the test case last changed. */
  updated_at: string
  /** Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count. */
  version: number
  /** Folder; null at the top level. */
  folder_id?: string | null
  /** Type of test. */
  type?: TestCaseType
  /** Conditions that must be met before the test. */
  precondition?: string
  /** Steps in order. */
  steps?: Step[]
  /** Expected result of the whole test case. */
  expected_result?: string
  /** How it is written and shown: as a list of `steps`, or as one `text`. */
  template?: Template
  /** Tags. */
  tags?: string[]
  /** All keys that match automated tests to the test case; `automation_key` is the first. */
  automation_keys?: string[]
  /** User id of who keeps the test case up to date; null for nobody. */
  owner_id?: string | null
  /** How long the test takes in seconds; null if it is not estimated. */
  estimate?: number | null
  /** Key that matches automated tests to the test case if they have no test case id; null for none. */
  automation_key?: string | null
  /** When the test case was archived; null if it is not. */
  archived_at?: string | null
  /** Values of the custom fields by their keys; absent if there are none. */
  fields?: {
    /** A value, as the type of the field says. */
    [k: string]: string | number | boolean | string[]
  }
  /** Which of the steps come from shared steps, in order; absent if none do. */
  step_groups?: StepGroup[]
}

/* test-cases */

export interface HistoryItem {
  /** Run id. */
  run_id: string
  /** Display name of the run. */
  run_name: string
  /** Result id. */
  id: string
  /** Test case id. */
  test_case_id: string | null
  /** Title of the test case when it was added to the run. */
  test_case_title: string
  status: ResultStatus
  /** Comment or error message. */
  note: string | null
  /** Duration in seconds. */
  elapsed: number | null
  /** User id; null if the result was set with a CI token. */
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
  /** Number of links of the result. */
  link_count: number
}

export interface HistoryMeta {
  /** Cursor of the next page; null when all runs have been searched. */
  next_after: string | null
  /** Number of runs with the test case that this page has searched. */
  searched_runs: number
}

export interface IfMatchHeaders {
  /** The version that the change is based on, in double quotes, such as `"7"`. If the test case has another version, nothing changes and the response is 412. Without it, or with `*`, the change is always made. */
  'if-match'?: string
}

export interface TestCaseParams {
  /** Project id. */
  project_id: string
  /** Test case id, such as `WEB-12`. */
  test_case_id: string
}

/**
 * Parameters and responses of {@link bulkCreateTestCases}.
 *
 * Creates all test cases, or none if one of them is invalid.
 */
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
        test_cases: {
          /** Test case id, `<PREFIX>-<number>`. */
          id: string
          /** Title. */
          title: string
        }[]
      }
    }
  }
}

/** Create up to 100 test cases. */
export const bulkCreateTestCases: Endpoint<BulkCreateTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk',
  operationId: 'bulkCreateTestCases',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link createTestCase}.
 *
 * Creates a test case with the next number of the project, at the end of its folder; numbers are never reused. The response does not contain the tags, the automation key and the author: get the test case to read them.
 */
export interface CreateTestCase {
  params: ProjectParams
  body: CreateTestCaseBody
  success: { 201: { data: TestCaseListItem } }
}

/** Create a test case. */
export const createTestCase: Endpoint<CreateTestCase> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases',
  operationId: 'createTestCase',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteTestCase}.
 *
 * Deletes the test case. Its results are kept with its title; their `test_case_id` becomes null. To keep its versions, comments and files, too, archive it instead: `archived: true` of an update.
 */
export interface DeleteTestCase {
  params: TestCaseParams
  success: { 200: Message }
}

/** Delete a test case. */
export const deleteTestCase: Endpoint<DeleteTestCase> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'deleteTestCase',
  success: { 200: ['message'] },
}

/**
 * Parameters and responses of {@link getTestCase}.
 *
 * Returns the test case with its steps, tags, automation key, custom fields and author.
 */
export interface GetTestCase {
  params: TestCaseParams
  success: { 200: { data: TestCase } }
}

/** Get a test case. */
export const getTestCase: Endpoint<GetTestCase> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'getTestCase',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listTags}.
 *
 * Returns the tags of the test cases with the number of test cases that have each, in alphabetical order. If there are more than 10,000 tags, the most used ones are returned.
 */
export interface ListTags {
  params: ProjectParams
  success: {
    200: {
      data: {
        /** Tag. */
        tag: string
        /** Number of test cases with this tag. */
        test_case_count: number
      }[]
    }
  }
}

/** List the tags of a project. */
export const listTags: Endpoint<ListTags> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tags',
  operationId: 'listTags',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link listTestCaseResults}.
 *
 * Returns one result for each run that contains the test case, newest run first. With a filter or `after`, it searches up to 1,000 of these runs for each page, and has no total: a page can have fewer results than `per_page`, or none, and `next_after` continues.
 */
export interface ListTestCaseResults {
  params: TestCaseParams
  query: {
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
    /** Return only results with this status, or with one of these statuses if the parameter is repeated. */
    status?: ResultStatus | readonly ResultStatus[]
    /** Return only results of runs of this branch. */
    branch?: string
    /** Return only results of runs older than this one: `next_after`, or the `run_id` of a result. */
    after?: string
  }
  success: {
    200: {
      data: HistoryItem[]
      meta:
        | {
            /** Page number. */
            page: number
            /** Number of items per page. */
            per_page: number
            /** Number of items on all pages. */
            total: number
          }
        | {
            /** Cursor of the next page; null when all runs have been searched. */
            next_after: string | null
            /** Number of runs with the test case that this page has searched. */
            searched_runs: number
          }
    }
  }
}

/** List a test case's results across runs. */
export const listTestCaseResults: Endpoint<ListTestCaseResults> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/results',
  operationId: 'listTestCaseResults',
  success: { 200: ['data[]', 'meta'] },
}

/**
 * Parameters and responses of {@link listTestCases}.
 *
 * Returns the test cases of the project, by number unless `sort` is set. Filters can be combined. Use `fields=all` for an export. Up to ten filters are by custom fields: `field.severity=blocker` (repeatable; `none` for no value, `any` for some), `field.risk.min=3` and `field.risk.max=5` for numbers and dates, `field.notes.contains=card` for texts. An unknown key is 400 `unknown_field`. With more than 100,000 test cases in the project or the folder, `.contains` is 422 `filter_too_broad`.
 */
export interface ListTestCases {
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
    /** Return only archived test cases (`true`), or archived ones, too (`any`). Without it, or with `false`, none of them. */
    archived?: 'false' | 'true' | 'any'
    /** Return only test cases that changed since this time (or up to ten seconds before). Add `archived=any` to learn of those that were archived. Deleted ones are not returned: if the number of test cases a client has differs from `test_case_count` of the project, it reads all again. */
    changed_since?: string
    /** `all` adds the tags, the automation keys, the owner, the estimate, the custom fields, the author, the position and the version to each item. */
    fields?: 'all'
    /** `tree` returns the test cases folder by folder in the order of the folder list, each folder by position; those without a folder come last. `field.<key>` and, from the largest, `-field.<key>` sort by a custom field that is a number, a date or a select, the last in the order of its options; test cases without a value come last. */
    sort?: string
    /** Page number, from 1. */
    page?: number
    /** Number of items per page. */
    per_page?: number
  } & FieldFilters
  success: { 200: { data: ListedTestCase[]; meta: PageMeta } }
}

/** List test cases. */
export const listTestCases: Endpoint<ListTestCases> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases',
  operationId: 'listTestCases',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link putTestCase}.
 *
 * Updates only the fields in the request. A `steps` array replaces all steps. A test case that comes into another folder is placed at its end. `archived: true` archives it, and `false` restores it: it keeps its place, its automation keys, its results and everything else.
 */
export interface PutTestCase {
  params: TestCaseParams
  body: UpdateTestCaseBody
  success: { 200: { data: UpdatedTestCase } }
}

/** Update a test case (same as PATCH). */
export const putTestCase: Endpoint<PutTestCase> = {
  method: 'PUT',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'putTestCase',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateTestCase}.
 *
 * Updates only the fields in the request. A `steps` array replaces all steps. A test case that comes into another folder is placed at its end. `archived: true` archives it, and `false` restores it: it keeps its place, its automation keys, its results and everything else.
 */
export interface UpdateTestCase {
  params: TestCaseParams
  body: UpdateTestCaseBody
  success: { 200: { data: UpdatedTestCase } }
}

/** Update a test case. */
export const updateTestCase: Endpoint<UpdateTestCase> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'updateTestCase',
  success: { 200: ['data{}'] },
}

/* test-fields */

export const ATTEMPT_STATUSES = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'] as const
/** `blocked`: something before it failed, so that it could not run. `interrupted`: stopped before its end. */
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

export const LINK_SOURCES = ['id', 'key', 'hand'] as const
export type LinkSource = (typeof LINK_SOURCES)[number]

/* tests */

export interface OutcomeInRun {
  /** Run id. */
  run_id: string
  /** Name of the run. */
  run_name: string
  /** `passed` if any attempt passed; otherwise the worst of its attempts. */
  outcome: AttemptStatus
  /** Whether it passed after another attempt had failed. */
  is_flaky: boolean
  /** Duration of all attempts in milliseconds. */
  elapsed_ms: number | null
  /** Number of attempts. */
  attempt_count: number
  /** When the test was uploaded, or the `finished_at` of its upload. */
  tested_at: string
}

export interface ProjectTest {
  /** Test id. */
  id: string
  /** File, class or blocks around the test; empty if unknown. */
  suite: string
  /** Name, with the titles of its blocks joined by ` > ` where the suite is a file. */
  name: string
  /** Browser, project or other variant; empty if there is only one. */
  variant: string
  /** File; empty if unknown. */
  file: string
  /** Directory of its package, relative to the repository; `.` for the root, empty if unknown. */
  module: string
  /** Test cases that the test is linked to, usually one. Empty: the test is unmatched. */
  test_case_ids: string[]
  /** What linked the test: an `id` in the report, an automation `key`, or a user (`hand`); null if it is unmatched. */
  linked_by: LinkSource | null
  /** The outcome in the newest run that contains the test; null if there is none. */
  latest: OutcomeInRun | null
  /** When the test was uploaded for the first time. */
  created_at: string
}

export interface ProjectTestDetail {
  /** Test id. */
  id: string
  /** File, class or blocks around the test; empty if unknown. */
  suite: string
  /** Name, with the titles of its blocks joined by ` > ` where the suite is a file. */
  name: string
  /** Browser, project or other variant; empty if there is only one. */
  variant: string
  /** File; empty if unknown. */
  file: string
  /** Directory of its package, relative to the repository; `.` for the root, empty if unknown. */
  module: string
  /** Test cases that the test is linked to, usually one. Empty: the test is unmatched. */
  test_case_ids: string[]
  /** What linked the test: an `id` in the report, an automation `key`, or a user (`hand`); null if it is unmatched. */
  linked_by: LinkSource | null
  /** The outcome in the newest run that contains the test; null if there is none. */
  latest: OutcomeInRun | null
  /** When the test was uploaded for the first time. */
  created_at: string
  /** Up to 3 test cases with a similar title whose tests were not in the newest run of this test: it may be a renamed test. Empty if the test is linked. */
  suggestions: {
    /** Test case id. */
    test_case_id: string
    /** Title of the test case. */
    title: string
  }[]
}

/**
 * Parameters and responses of {@link createTestCasesForTests}.
 *
 * Creates a test case for each of the tests that has none: its title is the last part of the name, its folders are the suite and the other titles, and its automation keys match the test from now on. Tests that differ only in their variant share a test case. Tests that are linked already, and unknown ones, are skipped. Up to 10,000 test cases are created; `remaining` says how many tests are left. The test cases join the runs in progress that contain the tests, if these runs take what is reported (`adds_test_cases`), and the run in `run_id`.
 */
export interface CreateTestCasesForTests {
  params: ProjectParams
  /** Either `test_ids` or `all_unmatched_of_run` is required. */
  body: {
    /**
     * Tests to create test cases for.
     *
     *
     * Items: Test id.
     */
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
        test_cases: {
          /** Test case id. */
          id: string
          /** Title. */
          title: string
        }[]
      }
    }
  }
}

/** Create test cases for unmatched tests. */
export const createTestCasesForTests: Endpoint<CreateTestCasesForTests> = {
  method: 'POST',
  url: '/v1/projects/:project_id/tests/create-test-cases',
  operationId: 'createTestCasesForTests',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link getTest}.
 *
 * Returns the test, and test cases that it may belong to if it is unmatched.
 */
export interface GetTest {
  params: {
    /** Project id. */
    project_id: string
    /** Test id. */
    test_id: string
  }
  success: { 200: { data: ProjectTestDetail } }
}

/** Get a test. */
export const getTest: Endpoint<GetTest> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests/:test_id',
  operationId: 'getTest',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link linkTest}.
 *
 * The link stays until it is changed, or an id in a report names another test case. In runs in progress that contain both, the result of the test case is derived from its tests again. Removing a link does not change results.
 */
export interface LinkTest {
  params: {
    /** Project id. */
    project_id: string
    /** Test id. */
    test_id: string
  }
  body: {
    /** Test case id, such as `WEB-12`; null removes the link. */
    test_case_id: string | null
  }
  success: { 200: { data: ProjectTest } }
}

/** Link a test to a test case, or remove its link. */
export const linkTest: Endpoint<LinkTest> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/tests/:test_id',
  operationId: 'linkTest',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listTestOutcomes}.
 *
 * Returns the outcome of the test in each run, the newest run first.
 */
export interface ListTestOutcomes {
  params: {
    /** Project id. */
    project_id: string
    /** Test id. */
    test_id: string
  }
  query: {
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of outcomes per page. */
    per_page?: number
  }
  success: {
    200: {
      data: OutcomeInRun[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
      }
    }
  }
}

/** List the outcomes of a test. */
export const listTestOutcomes: Endpoint<ListTestOutcomes> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests/:test_id/outcomes',
  operationId: 'listTestOutcomes',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link listTests}.
 *
 * Returns all tests that were ever uploaded to the project, the oldest first.
 */
export interface ListTests {
  params: ProjectParams
  query: {
    /** `false`: only tests without a test case. `true`: only the others. */
    linked?: boolean
    /** Return only the tests of this test case. */
    test_case_id?: string
    /** Return only tests whose suite, name, variant or file contains this text, case-insensitive. */
    search?: string
    /** `next_after` of the previous page; the first page without it. */
    after?: string
    /** Number of tests per page, up to 500. */
    per_page?: number
  }
  success: {
    200: {
      data: ProjectTest[]
      meta: {
        /** Cursor of the next page; null on the last. */
        next_after: string | null
        /** Number of tests on all pages; 10,000 means 10,000 or more. */
        total: number
      }
    }
  }
}

/** List the tests of a project. */
export const listTests: Endpoint<ListTests> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests',
  operationId: 'listTests',
  success: { 200: ['data[]', 'meta{}'] },
}

/* tokens */

export const REVIEW_REASONS = ['creator_left', 'creator_secured_account'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

export const TOKEN_ACCESS = ['read', 'write'] as const
export type TokenAccess = (typeof TOKEN_ACCESS)[number]

export const TOKEN_GRANTS = ['cases:create'] as const
export type TokenGrant = (typeof TOKEN_GRANTS)[number]

export interface CiToken {
  /** Token id. */
  id: string
  /** Display name. */
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
  /**
   * What the token may do besides.
   *
   * Items: `cases:create`: uploads may create test cases.
   */
  grants: TokenGrant[]
  /** Whether the token is valid although someone who should not may know it: replace it. */
  needs_review: boolean
  /** `creator_left`: the user who created it is no longer an admin of the project. `creator_secured_account`: the user has secured the account since, because someone else may have used it. Null if it needs no review. */
  review_reason: ReviewReason | null
}

export interface CreateCiTokenBody {
  /** Display name, such as what the token is used for. */
  name: string
  /** `read` tokens cannot change anything. */
  access?: TokenAccess
  /** When the token expires; null for never, which is the default. A token that is created with a token expires with it at the latest. */
  expires_at?: string | null
  /**
   * What the token may do besides; requires write access.
   *
   *
   * Items: `cases:create`: uploads may create test cases.
   */
  grants?: TokenGrant[]
}

export interface CreateTokenBody {
  /** Display name, such as what the token is used for. */
  name: string
  /** `read` tokens cannot change anything. */
  access?: TokenAccess
  /** When the token expires; null for never, which is the default. A token that is created with a token expires with it at the latest. */
  expires_at?: string | null
}

export interface NewToken {
  /** Token id. */
  id: string
  /** Display name. */
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
  /**
   * What a CI token may do besides.
   *
   * Items: `cases:create`: uploads may create test cases.
   */
  grants?: TokenGrant[]
  /** The token itself. It is returned only once. */
  token: string
}

export interface Token {
  /** Token id. */
  id: string
  /** Display name. */
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
}

/**
 * Parameters and responses of {@link createCiToken}.
 *
 * Creates a token for this project that can read everything and, with write access, create and close runs and upload results. The token is returned only once. If you send this request with a token, the new token expires with that token at the latest, and is revoked with it. Returns 422 `token_limit` if the project has 100 valid tokens. A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface CreateCiToken {
  params: ProjectParams
  body: CreateCiTokenBody
  success: { 201: { data: NewToken } }
}

/** Create a CI token. */
export const createCiToken: Endpoint<CreateCiToken> = {
  method: 'POST',
  url: '/v1/projects/:project_id/tokens',
  operationId: 'createCiToken',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link createPersonalToken}.
 *
 * Creates a token that has your access to all of your projects. The token is returned only once. If you send this request with a token, the new token expires with that token at the latest, and is revoked with it. Returns 422 `token_limit` if you have 100 valid tokens. A session must have signed in or confirmed in the last 10 minutes (`POST /v1/session/confirm`); otherwise the response is 403 `confirmation_required`.
 */
export interface CreatePersonalToken {
  body: CreateTokenBody
  success: { 201: { data: NewToken } }
}

/** Create a personal token. */
export const createPersonalToken: Endpoint<CreatePersonalToken> = {
  method: 'POST',
  url: '/v1/tokens',
  operationId: 'createPersonalToken',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link keepCiToken}.
 *
 * Records that an admin knows what uses the token, so that it no longer needs review because its creator has secured the account. Returns 422 `creator_left` if the creator is no longer an admin of the project: replace the token then. Does nothing for a token that needs no review.
 */
export interface KeepCiToken {
  params: {
    /** Project id. */
    project_id: string
    /** Token id. */
    token_id: string
  }
  body: {
    /** False, because it was reviewed. */
    needs_review: false
  }
  success: { 200: { data: CiToken } }
}

/** Keep a CI token after its review. */
export const keepCiToken: Endpoint<KeepCiToken> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/tokens/:token_id',
  operationId: 'keepCiToken',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link listCiTokens}.
 *
 * Returns the CI tokens of the project without the tokens themselves, newest first. Tokens that should be replaced have `needs_review: true`, with the reason.
 */
export interface ListCiTokens {
  params: ProjectParams
  query: {
    /** Return only tokens that the user with this id created. */
    created_by?: string
  }
  success: { 200: { data: CiToken[] } }
}

/** List a project's CI tokens. */
export const listCiTokens: Endpoint<ListCiTokens> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tokens',
  operationId: 'listCiTokens',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link listPersonalTokens}.
 *
 * Returns your personal tokens without the tokens themselves, newest first.
 */
export interface ListPersonalTokens {
  success: { 200: { data: Token[] } }
}

/** List your personal tokens. */
export const listPersonalTokens: Endpoint<ListPersonalTokens> = {
  method: 'GET',
  url: '/v1/tokens',
  operationId: 'listPersonalTokens',
  success: { 200: ['data[]'] },
}

/**
 * Parameters and responses of {@link revokeCiToken}.
 *
 * Revokes the token, and all tokens that were created with it, within one second.
 */
export interface RevokeCiToken {
  params: {
    /** Project id. */
    project_id: string
    /** Token id. */
    token_id: string
  }
  success: { 204: null }
}

/** Revoke a CI token. */
export const revokeCiToken: Endpoint<RevokeCiToken> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/tokens/:token_id',
  operationId: 'revokeCiToken',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link revokePersonalToken}.
 *
 * Revokes the token, and all tokens that were created with it, within one second.
 */
export interface RevokePersonalToken {
  params: {
    /** Token id. */
    token_id: string
  }
  success: { 204: null }
}

/** Revoke a personal token. */
export const revokePersonalToken: Endpoint<RevokePersonalToken> = {
  method: 'DELETE',
  url: '/v1/tokens/:token_id',
  operationId: 'revokePersonalToken',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link revokePersonalTokens}.
 *
 * Revokes all your personal tokens, and all tokens that were created with them, within one second. A token that sends this request is one of them.
 */
export interface RevokePersonalTokens {
  success: { 204: null }
}

/** Revoke all your personal tokens. */
export const revokePersonalTokens: Endpoint<RevokePersonalTokens> = {
  method: 'DELETE',
  url: '/v1/tokens',
  operationId: 'revokePersonalTokens',
  success: { 204: null },
}

/* upload-body */

export const EQUAL_NAMES = ['tests', 'attempts'] as const
export type EqualName = (typeof EQUAL_NAMES)[number]

export const UPLOAD_FORMATS = ['json', 'junit', 'tests'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

export interface DeclaredAttachment {
  /** Name of the file. Truncated to 255 characters. */
  name: string
  /** SHA-256 of the content: 64 hexadecimal digits. */
  sha256: string
  /** Size of the content in bytes. */
  byte_count: number
  /** What the client takes it for. Only `trace` makes a difference: a ZIP file is shown as a trace. Otherwise, the content decides. */
  kind?: FileKind
}

export interface ReportFile {
  /** Path or name as the report writes it. */
  path: string
  /** SHA-256 of the content: 64 hexadecimal digits. */
  sha256: string
  /** Size of the content in bytes. */
  byte_count: number
  /** Path of the report that names it, as in `reports`; without it, all reports of the upload. */
  report?: string
}

export interface UploadBody {
  /** Run to upload to. */
  run_id: string
  /** Format of the upload: results by test case (`json`), a report (`junit`), or the tests that ran (`tests`). The default is that of the only one of `results`, `junit_xml` or `reports`, and `tests` that is set, otherwise `json`. */
  format?: UploadFormat
  /** Results; required unless `junit_xml` is set. */
  results?: UploadItem[]
  /** JUnit XML document; required if the format is `junit` and `reports` is not set. */
  junit_xml?: string
  /** Several JUnit reports, which are stored together. A report that cannot be read is listed as an error; the others are stored. */
  reports?: UploadedReport[]
  /** The files that the reports name, with the format `junit`. What a report names and this does not list is refused with the code `not_declared`. */
  files?: ReportFile[]
  /** The tests that ran; required if the format is `tests`. */
  tests?: UploadedTest[]
  /** Errors outside of tests, with the format `tests`. They replace those of an earlier upload of the same source. */
  suite_errors?: UploadedSuiteError[]
  /** Name of the CI job, the same in all builds. Truncated to 255 characters, as are the next five fields. */
  job?: string
  /** What tells the executions of the job within one build attempt apart, such as the index of a parallel job. The default is `label`. */
  instance?: string
  /** Name of the shard that ran the tests. */
  shard?: string
  /** Name that tells executions of the same tests apart in all builds, such as `windows, node 18`. It is put before the variant of each test, so that each has a history of its own. */
  variant?: string
  /** Path of the report file, relative to the repository, for `junit_xml` and XML bodies: different files are different sources, and the directory is the `module`. */
  report?: string
  /** Where the tests ran, for people: `linux x64, Node 20`. */
  label?: string
  /** Page of the CI job, which the run links to. Ignored unless it begins with http: or https:. */
  job_url?: string
  /** CI's number of the rerun of the job. What a later build attempt of a job reports are further attempts at its tests; the newest decides. */
  build_attempt?: number
  /** Whether these are further attempts at tests that this build ran already, in whatever job: a pass makes the test passed and flaky. */
  rerun?: boolean
  /** Directory of the checkout in which the tests ran, such as `/home/ci/shop`. It is removed from files, classes, suites and names, so that a test is the same on all machines. Without it, the longest directory that all absolute paths of a report share is removed. */
  root?: string
  /** Directory of the package whose tests ran, relative to the repository, such as `packages/cart`; `.` for the root. Tests of the same names in different modules are different tests. With `reports`, the module of each report follows from its path. */
  module?: string
  /** What several elements with the same class name and name in one `<testsuite>` are. `tests`: several tests, unless the report says that one is another attempt. `attempts`: attempts at one test, for tools that write retries like that. Without it, as the project says (`run-settings`). */
  equal_names?: EqualName
  /** Create a test case for each test that matches none, and add it to the run. Requires a CI token with the grant `cases:create`; otherwise the response is 403 `grant_required`. */
  create_test_cases?: boolean
  /** Add test cases that match but are not in the run. The default is `adds_test_cases` of the run. Applies to tests and reports. */
  add_to_run?: boolean
  /** Validate the upload without storing anything. The response is that of a real upload. */
  dry_run?: boolean
  /** When the suite finished, for a late upload. It is stored as `tested_at`. Newer results of the run are kept and listed as errors with the code `newer_result`. A time in the future is replaced by the current time. Without `finished_at`, all results are overwritten. */
  finished_at?: string
}

export interface UploadItem {
  /** Test case id, such as `WEB-12`, or automation key; the test case must be in the run. */
  test_case_id: string
  status: ResultStatus
  /** Comment or error message; truncated to 65,536 characters. */
  note?: string | null
  /** Duration in whole seconds. */
  elapsed?: number | null
  /** Files, whose contents are sent afterwards: `PUT /v1/runs/{run_id}/files/{sha256}` for each that the receipt lists as missing. Up to 20, and 10,000 in one upload; further ones are refused, and the results are stored nevertheless. */
  attachments?: DeclaredAttachment[]
  /** Addresses, such as that of a known defect, which are added to the result. A result keeps up to 50. A later upload without them removes none. */
  links?: UploadedLink[]
}

export interface UploadQuery {
  /** Run to upload to. Required with an XML body; ignored if the JSON body sets `run_id`. */
  run_id?: string
  /** Validate the upload without storing anything, even if the JSON body sets `dry_run` to `false`. */
  dry_run?: boolean
  /** As in a JSON body, even if the JSON body sets it to `false`. */
  create_test_cases?: boolean
  /** As in a JSON body; ignored if the body sets it. */
  add_to_run?: boolean
  /** Name of the CI job, the same in all builds. Truncated to 255 characters, as are the next five fields. */
  job?: string
  /** What tells the executions of the job within one build attempt apart, such as the index of a parallel job. The default is `label`. */
  instance?: string
  /** Name of the shard that ran the tests. */
  shard?: string
  /** Name that tells executions of the same tests apart in all builds, such as `windows, node 18`. It is put before the variant of each test, so that each has a history of its own. */
  variant?: string
  /** Path of the report file, relative to the repository, for `junit_xml` and XML bodies: different files are different sources, and the directory is the `module`. */
  report?: string
  /** Where the tests ran, for people: `linux x64, Node 20`. */
  label?: string
  /** Page of the CI job, which the run links to. Ignored unless it begins with http: or https:. */
  job_url?: string
  /** CI's number of the rerun of the job. What a later build attempt of a job reports are further attempts at its tests; the newest decides. */
  build_attempt?: number
  /** Whether these are further attempts at tests that this build ran already, in whatever job: a pass makes the test passed and flaky. */
  rerun?: boolean
  /** As in a JSON body; ignored if the body sets it. Encode the `+` of an offset as `%2B`. */
  finished_at?: string
  /** Directory of the checkout in which the tests ran, such as `/home/ci/shop`. It is removed from files, classes, suites and names, so that a test is the same on all machines. Without it, the longest directory that all absolute paths of a report share is removed. */
  root?: string
  /** Directory of the package whose tests ran, relative to the repository, such as `packages/cart`; `.` for the root. Tests of the same names in different modules are different tests. With `reports`, the module of each report follows from its path. */
  module?: string
  /** What several elements with the same class name and name in one `<testsuite>` are. `tests`: several tests, unless the report says that one is another attempt. `attempts`: attempts at one test, for tools that write retries like that. Without it, as the project says (`run-settings`). */
  equal_names?: EqualName
}

export interface UploadedAttempt {
  status: AttemptStatus
  /** Duration in milliseconds; unknown without it. */
  elapsed_ms?: number
  /** Error message, or the reason for skipping. */
  message?: string
  /** Stack trace, difference or output. */
  details?: string
  /** When the attempt started. */
  started_at?: string
  /** Files, whose contents are sent afterwards: `PUT /v1/runs/{run_id}/files/{sha256}` for each that the receipt lists as missing. Up to 20, and 10,000 in one upload; further ones are refused, and the results are stored nevertheless. */
  attachments?: DeclaredAttachment[]
  /** Steps in the order in which they began. Of more than 200, or 64 KB, steps that passed are left out first, and the way to an error last. */
  steps?: UploadedStep[]
}

export interface UploadedLink {
  /** An address that begins with `http://` or `https://`. */
  url: string
  /** What the address is of; by default `defect`. */
  kind?: LinkKind
}

export interface UploadedReport {
  /** Path of the file, relative to the repository, such as `orders/target/surefire-reports/TEST-a.xml`. */
  path: string
  /** JUnit XML document. */
  junit_xml: string
}

export interface UploadedStep {
  /** Title. Truncated to 1,000 characters. */
  title: string
  /** Status of the step; null if it is unknown. It never changes the status of the attempt. */
  status: AttemptStatus | null
  /** Number of steps around it: a step belongs to the nearest one before it with a smaller depth. */
  depth: number
  /** Duration in milliseconds; unknown without it. */
  elapsed_ms?: number
  /** Error message of the step. Truncated to 10,000 characters. */
  message?: string
}

export interface UploadedSuiteError {
  /** File, suite or hook. */
  where: string
  /** Error message. */
  message: string
}

export interface UploadedTest {
  /** Name: the titles of its blocks and its own, joined by ` > `. Truncated to 2,000 characters. */
  name: string
  /** File or class. Truncated to 2,000 characters. */
  suite?: string
  /** What tells tests of the same suite and name apart, such as a browser. Truncated to 255 characters. */
  variant?: string
  /** File. Truncated to 1,000 characters. */
  file?: string
  /** Test case ids that the test names in an annotation or a property. Only the first 200 are used. */
  test_case_ids?: string[]
  /** Tags, which may contain ids. */
  tags?: string[]
  /** Addresses, such as that of a known defect, which are added to the result. A result keeps up to 50. A later upload without them removes none. */
  links?: UploadedLink[]
  /** All attempts in the order in which they ran. */
  attempts: UploadedAttempt[]
  /** Whether the test counts only if the run has an outcome of it: for tests that contain others, and are otherwise reported only when they fail by themselves. */
  only_if_reported?: boolean
}

/* uploads */

/** The attachments of the upload. Absent if it declared none. */
export interface AttachmentsReceipt {
  /** Number of attachments that the upload declared, or its reports name. */
  declared: number
  /** Number of attachments whose content the project had already. */
  complete: number
  /** Contents to send, each once: `PUT /v1/runs/{run_id}/files/{sha256}`. */
  missing: MissingFile[]
  /** The first 1,000 attachments that were refused. Their results are stored nevertheless. */
  refused: RefusedAttachment[]
}

/** The links of the upload. Absent if it named none. */
export interface LinksReceipt {
  /** Number of links that were added to results. */
  added: number
  /** Number of links that the results had already. */
  known: number
  /** Number of links that were not added. */
  refused_count: number
  /** The first 1,000 links that were not added. Their results are stored nevertheless. */
  refused: {
    /** Address. Truncated to 2,048 characters. */
    url: string
    /** The reason, for programs. `invalid_link`: it is no address of a web page, or has a user name or password. `result_not_stored`: the test has no test case, or its result was not stored. `too_many_links`: the result has as many as it can have. */
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
  /** The attachments of the upload. Absent if it declared none. */
  attachments?: AttachmentsReceipt
  /** The links of the upload. Absent if it named none. */
  links?: LinksReceipt
  /** Present if the upload was a dry run and nothing was stored. */
  dry_run?: true
  errors: ResultItemError[]
}

export interface RefusedAttachment {
  /** Name of the file, or its path in the report. */
  name: string
  /** The reason, for programs. `result_not_stored`: the result or the outcome of the test was not stored. `too_many_attachments`: the attempt, the upload or the run has too many. `file_too_large`: the file is larger than the server accepts. `file_quota_reached`: the files of the project take as much as they may. `not_declared`: a report names the file, and `files` does not list it. */
  code: 'result_not_stored' | 'too_many_attachments' | 'file_too_large' | 'file_quota_reached' | 'not_declared'
  /** What happened, and what to do about it. */
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
  /** Number of tests that match no test case. They are stored with the run. */
  unmatched: number
  /** Number of tests without a test case that failed, or could not run because something failed. */
  unmatched_failed?: number
  /** Number of tests that passed after another attempt had failed. */
  flaky: number
  /** Number of test cases that were created. */
  created: number
  /** Number of tests whose names another test of the upload had before, such as the rows of a table. They have a number as variant, such as `#2`. */
  repeated?: number
  /** Tests of a report whose status only an attribute states, with a value that is not known. They count as passed. */
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
  /** The attachments of the upload. Absent if it declared none. */
  attachments?: AttachmentsReceipt
  /** The links of the upload. Absent if it named none. */
  links?: LinksReceipt
  /** Present if the upload was a dry run and nothing was stored. */
  dry_run?: true
}

/**
 * Parameters and responses of {@link uploadResults}.
 *
 * Stores results in a run. The request body is JSON, JUnit XML in a field of JSON, or JUnit XML itself (`Content-Type: application/xml`) with the parameters in the query string. JSON uploads accept the parameters in the body or in the query string; the body takes precedence, except that either one can request a dry run. Each upload is one transaction. It overwrites earlier results of the same test cases; with `finished_at`, newer results are kept. If JSON results contain a test case several times, by its id or its automation key, the last one counts. In JUnit XML, elements with the same class name and name in the same `<testsuite>` are several tests, unless the report says that they are attempts at one (`equal_names`). A test has passed if any attempt has; of several tests of a test case, the worst outcome counts, whichever upload contained it. Tests that match no test case are stored with the run and are no error. A report can have up to 250,000 tests. Requires a CI token with write access.
 */
export interface UploadResults {
  query: UploadQuery
  body: UploadBody
  success: {
    /** All results were stored. */
    200: UploadReceipt
    /** Some results were not stored; `errors` lists them with the reasons. */
    207: PartialReceipt
  }
}

/** Upload the results of a suite. */
export const uploadResults: Endpoint<UploadResults> = {
  method: 'POST',
  url: '/v1/results',
  operationId: 'uploadResults',
  acceptsKey: true,
  success: { 200: ['success', 'uploaded_count', 'failed_count', 'stats{}'], 207: ['success', 'partial_failure', 'uploaded_count', 'failed_count', 'stats{}', 'errors[]'] },
}

/* view-parameters */

export const VIEW_PAGES = ['cases', 'runs', 'run', 'tests'] as const
export type ViewPage = (typeof VIEW_PAGES)[number]

/* views */

export interface CreateViewBody {
  /** The page: test cases, runs, the results of a run, or automated tests. */
  page: ViewPage
  /** Name. */
  name: string
  /** The query of the page's address, with or without `?`. It is stored in one form, without values that the page has by itself. A parameter that is not a filter or an order of the page is refused. What it names may be deleted later: the view stays. */
  query: string
  /** The columns of the list, in their order; null for those of the reader. */
  columns?: string[] | null
  /** Whether all members of the project see it. It requires `test-cases:edit`. */
  is_shared?: boolean
}

export interface DefaultView {
  /** The page: test cases, runs, the results of a run, or automated tests. */
  page: ViewPage
  /** The view that the page opens with; null for none. */
  view_id: string | null
}

export interface UpdateViewBody {
  /** Name. */
  name?: string
  /** The query of the page's address, with or without `?`. It is stored in one form, without values that the page has by itself. A parameter that is not a filter or an order of the page is refused. What it names may be deleted later: the view stays. */
  query?: string
  /** The columns of the list, in their order; null for those of the reader. */
  columns?: string[] | null
  /** Whether all members of the project see it. It requires `test-cases:edit`. */
  is_shared?: boolean
}

export interface View {
  /** View id. */
  id: string
  /** The page: test cases, runs, the results of a run, or automated tests. */
  page: ViewPage
  /** Name. */
  name: string
  /** Filters and order, as the query of the page's address; empty text for the page as it opens. */
  query: string
  /** The columns of the list, in their order; null for those of the reader. */
  columns: string[] | null
  /** Whether all members of the project see it. */
  is_shared: boolean
  /** User id of whoever created it. A shared view stays when they leave. */
  owner_id: string
  /** When it was last changed. */
  updated_at: string
}

/**
 * Parameters and responses of {@link createView}.
 *
 * Keeps the filters, the order and the columns of a list under a name, for yourself or for all members. You can have 100 views in a project, and a project 200 shared ones (422 `too_many_views`).
 */
export interface CreateView {
  params: ProjectParams
  body: CreateViewBody
  success: { 201: { data: View } }
}

/** Create a view. */
export const createView: Endpoint<CreateView> = {
  method: 'POST',
  url: '/v1/projects/:project_id/views',
  operationId: 'createView',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

/**
 * Parameters and responses of {@link deleteView}.
 *
 * Deletes the view; the lists that it showed do not change. Only whoever created a view, and admins of the project if it is shared, may do so: for others, the response is 403 `not_yours`.
 */
export interface DeleteView {
  params: {
    /** Project id. */
    project_id: string
    /** View id. */
    view_id: string
  }
  success: { 204: null }
}

/** Delete a view. */
export const deleteView: Endpoint<DeleteView> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/views/:view_id',
  operationId: 'deleteView',
  success: { 204: null },
}

/**
 * Parameters and responses of {@link listViews}.
 *
 * Returns your own views and the shared ones, by name, and with which ones your pages open.
 */
export interface ListViews {
  params: ProjectParams
  query: {
    /** The page: test cases, runs, the results of a run, or automated tests. */
    page?: ViewPage
  }
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

/** List views. */
export const listViews: Endpoint<ListViews> = {
  method: 'GET',
  url: '/v1/projects/:project_id/views',
  operationId: 'listViews',
  success: { 200: ['data[]', 'meta{}'] },
}

/**
 * Parameters and responses of {@link setDefaultView}.
 *
 * It applies to you only, until the view is deleted or is no longer shared with you.
 */
export interface SetDefaultView {
  params: ProjectParams
  body: DefaultView
  success: { 200: { data: DefaultView } }
}

/** Set with which view a page opens for you. */
export const setDefaultView: Endpoint<SetDefaultView> = {
  method: 'PUT',
  url: '/v1/projects/:project_id/views/default',
  operationId: 'setDefaultView',
  success: { 200: ['data{}'] },
}

/**
 * Parameters and responses of {@link updateView}.
 *
 * Changes what is sent. Only whoever created a view, and admins of the project if it is shared, may do so: for others, the response is 403 `not_yours`. An admin cannot make the shared view of someone else private.
 */
export interface UpdateView {
  params: {
    /** Project id. */
    project_id: string
    /** View id. */
    view_id: string
  }
  body: UpdateViewBody
  success: { 200: { data: View } }
}

/** Change a view. */
export const updateView: Endpoint<UpdateView> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/views/:view_id',
  operationId: 'updateView',
  success: { 200: ['data{}'] },
}
