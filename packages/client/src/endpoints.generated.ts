// Made from packages/contract by packages/client/scripts/generate-endpoints.mjs: `npm run generated`.

import type { Endpoint } from './endpoint.ts'

/* endpoint */

/** The largest body that is taken, in bytes. */
export const BODY_LIMIT = { standard: 1048576, upload: 10485760 } as const

/* folders */

export interface CreateFolderBody {
  /** Display name. */
  name: string
  /** The folder to put it in; null for the top. */
  parent_id?: string | null
  /** Its place among its siblings, from 0; past the last of them it goes last. */
  position?: number
}

export interface Folder {
  /** Folder id. */
  id: string
  /** Display name. */
  name: string
  /** The folder it lies in; null at the top. */
  parent_id: string | null
  /** Its place among its siblings, from 0. */
  position: number
  /** Test cases that lie in it directly. */
  test_case_count: number
  /** When it was created. */
  created_at: string
  /** When its own fields last changed. */
  updated_at: string
}

export interface UpdateFolderBody {
  /** Display name. */
  name?: string
  /** The folder to put it in; null for the top. */
  parent_id?: string | null
  /** Its place among its siblings, from 0; past the last of them it goes last. */
  position?: number
}

/** What {@link createFolder} takes and answers. */
export interface CreateFolder {
  params: ProjectParams
  body: CreateFolderBody
  success: { 201: { data: Folder } }
}

/**
 * Create a folder.
 *
 * Without a position it goes last among its siblings. A tree is at most 10 levels deep.
 */
export const createFolder: Endpoint<CreateFolder> = {
  method: 'POST',
  url: '/v1/projects/:project_id/folders',
  operationId: 'createFolder',
  success: { 201: ['data{}'] },
}

/** What {@link deleteFolder} takes and answers. */
export interface DeleteFolder {
  params: {
    /** Project id. */
    project_id: string
    /** Folder id. */
    folder_id: string
  }
  success: { 200: Message }
}

/**
 * Delete a folder.
 *
 * Its test cases and subfolders move up to its parent: nothing is lost.
 */
export const deleteFolder: Endpoint<DeleteFolder> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/folders/:folder_id',
  operationId: 'deleteFolder',
  success: { 200: ['message'] },
}

/** What {@link listFolders} takes and answers. */
export interface ListFolders {
  params: ProjectParams
  success: { 200: { data: Folder[] } }
}

/**
 * List folders.
 *
 * The whole tree, flat, each folder before what lies in it, siblings by position.
 */
export const listFolders: Endpoint<ListFolders> = {
  method: 'GET',
  url: '/v1/projects/:project_id/folders',
  operationId: 'listFolders',
  success: { 200: ['data[]'] },
}

/** What {@link updateFolder} takes and answers. */
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

/**
 * Rename or move a folder.
 *
 * Changes only the fields sent. A folder cannot be moved into itself or below itself.
 */
export const updateFolder: Endpoint<UpdateFolder> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/folders/:folder_id',
  operationId: 'updateFolder',
  success: { 200: ['data{}'] },
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
  /** Whom it is for. */
  email: string
  /** The role in the project that it gives. */
  role: Role
  /** Pending until it is accepted, revoked or expired. */
  status: InvitationStatus
  /** User id of the inviter. */
  invited_by: string
  /** Until when it can be accepted: seven days from the last link that was sent. */
  expires_at: string
  /** When it was made. */
  created_at: string
}

export interface InvitationPreview {
  project: {
    /** Project id. */
    id: string
    /** Display name. */
    name: string
  }
  /** Whom it is for. */
  email: string
  /** The role in the project that it gives. */
  role: Role
  invited_by: {
    /** What the inviter is called. */
    name: string
  }
  /** Until when it can be accepted: seven days from the last link that was sent. */
  expires_at: string
}

export interface SentInvitation {
  /** Invitation id. */
  id: string
  /** Whom it is for. */
  email: string
  /** The role in the project that it gives. */
  role: Role
  /** Pending until it is accepted, revoked or expired. */
  status: InvitationStatus
  /** User id of the inviter. */
  invited_by: string
  /** Until when it can be accepted: seven days from the last link that was sent. */
  expires_at: string
  /** When it was made. */
  created_at: string
  /** The link to join by. Only there when the service has no mail server to send it with. */
  join_url?: string
}

/** What {@link acceptInvitation} takes and answers. */
export interface AcceptInvitation {
  params: {
    /** The last part of the link in the mail. */
    secret: string
  }
  body: {
    /** What the new user is called. For those who are not signed in. */
    name?: string
    /** Password of the new user, 8 characters or more. For those who are not signed in. */
    password?: string
  } | null
  success: { 200: AcceptedInvitation }
}

/**
 * Accept an invitation.
 *
 * Signed in: joins the project, if the invitation is for your e-mail address (403 `other_email` if not). Not signed in: `name` and `password` make a new user, who joins; 409 `account_exists` when the address has an account, which must sign in first.
 */
export const acceptInvitation: Endpoint<AcceptInvitation> = {
  method: 'POST',
  url: '/v1/invitations/:secret/accept',
  operationId: 'acceptInvitation',
  success: { 200: ['project{}', 'member{}'] },
}

/** What {@link getInvitationPreview} takes and answers. */
export interface GetInvitationPreview {
  params: {
    /** The last part of the link in the mail. */
    secret: string
  }
  success: { 200: InvitationPreview }
}

/**
 * Read what a link invites to.
 *
 * For whoever has the link. 410 once it was used or replaced, or the invitation revoked or expired.
 */
export const getInvitationPreview: Endpoint<GetInvitationPreview> = {
  method: 'GET',
  url: '/v1/invitations/:secret',
  operationId: 'getInvitationPreview',
  success: { 200: ['project{}', 'email', 'role', 'invited_by{}', 'expires_at'] },
}

/** What {@link inviteMember} takes and answers. */
export interface InviteMember {
  params: ProjectParams
  body: {
    /** Whom to invite. */
    email: string
    /** The role in the project that it gives. */
    role: Role
  }
  success: { 201: SentInvitation }
}

/**
 * Invite somebody.
 *
 * Sends a mail with a link to join, valid for seven days. Addresses compare without regard to case. 409 for a member and for whom an invitation is pending; one that is revoked or expired does not stand in the way.
 */
export const inviteMember: Endpoint<InviteMember> = {
  method: 'POST',
  url: '/v1/projects/:project_id/members/invite',
  operationId: 'inviteMember',
  success: { 201: ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'] },
}

/** What {@link listInvitations} takes and answers. */
export interface ListInvitations {
  params: ProjectParams
  query: {
    /** Only invitations of this status. */
    status?: InvitationStatus
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: Invitation[]; meta: PageMeta } }
}

/**
 * List invitations.
 *
 * The newest first.
 */
export const listInvitations: Endpoint<ListInvitations> = {
  method: 'GET',
  url: '/v1/projects/:project_id/invitations',
  operationId: 'listInvitations',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link resendInvitation} takes and answers. */
export interface ResendInvitation {
  params: {
    /** Project id. */
    project_id: string
    /** Invitation id. */
    invitation_id: string
  }
  success: { 200: SentInvitation }
}

/**
 * Send an invitation again.
 *
 * Sends a new link, valid for seven days from now; earlier links stop working. For pending and expired invitations: 409 for others.
 */
export const resendInvitation: Endpoint<ResendInvitation> = {
  method: 'POST',
  url: '/v1/projects/:project_id/invitations/:invitation_id/resend',
  operationId: 'resendInvitation',
  success: { 200: ['id', 'email', 'role', 'status', 'invited_by', 'expires_at', 'created_at'] },
}

/** What {@link revokeInvitation} takes and answers. */
export interface RevokeInvitation {
  params: {
    /** Project id. */
    project_id: string
    /** Invitation id. */
    invitation_id: string
  }
  success: { 204: null }
}

/**
 * Revoke an invitation.
 *
 * Its links stop working at once. 409 when it has been accepted: remove the member instead.
 */
export const revokeInvitation: Endpoint<RevokeInvitation> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/invitations/:invitation_id',
  operationId: 'revokeInvitation',
  success: { 204: null },
}

/* members */

export const ROLES = ['admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export interface ChangedMember {
  /** User id. */
  id: string
  /** E-mail address. */
  email: string
  /** What they are called. */
  name: string
  /** Address of a picture of them; null without one. */
  avatar_url: string | null
  /** What they may do in this project. */
  role: Role
  /** When they joined the project. */
  joined_at: string
  /** When the role last changed. */
  updated_at: string
}

export interface Member {
  /** User id. */
  id: string
  /** E-mail address. */
  email: string
  /** What they are called. */
  name: string
  /** Address of a picture of them; null without one. */
  avatar_url: string | null
  /** What they may do in this project. */
  role: Role
  /** When they joined the project. */
  joined_at: string
}

/** What {@link changeMemberRole} takes and answers. */
export interface ChangeMemberRole {
  params: {
    /** Project id. */
    project_id: string
    /** User id of the member. */
    user_id: string
  }
  body: {
    /** The role from now on. */
    role: Role
  }
  success: { 200: ChangedMember }
}

/**
 * Change a member's role.
 *
 * The last admin of a project keeps the role: 422 `last_admin`. Make somebody else an admin first.
 */
export const changeMemberRole: Endpoint<ChangeMemberRole> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/members/:user_id',
  operationId: 'changeMemberRole',
  success: { 200: ['id', 'email', 'name', 'avatar_url', 'role', 'joined_at', 'updated_at'] },
}

/** What {@link listMembers} takes and answers. */
export interface ListMembers {
  params: ProjectParams
  query: {
    /** Only members with this role. */
    role?: Role
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: Member[]; meta: PageMeta } }
}

/**
 * List members.
 *
 * The members of a project, in the order in which they joined.
 */
export const listMembers: Endpoint<ListMembers> = {
  method: 'GET',
  url: '/v1/projects/:project_id/members',
  operationId: 'listMembers',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link removeMember} takes and answers. */
export interface RemoveMember {
  params: {
    /** Project id. */
    project_id: string
    /** User id of the member. */
    user_id: string
  }
  success: { 204: null }
}

/**
 * Remove a member.
 *
 * What they made stays. An admin may remove themselves, but not the last admin of a project: 422 `last_admin`.
 */
export const removeMember: Endpoint<RemoveMember> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/members/:user_id',
  operationId: 'removeMember',
  success: { 204: null },
}

/* milestones */

export const MILESTONE_STATUSES = ['active', 'completed', 'archived'] as const
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number]

export interface CreateMilestoneBody {
  /** Display name. */
  name: string
  /** What it is about. */
  description?: string
  /** When work on it starts; null for no date. */
  start_date?: string | null
  /** When it is due, not before it starts; null for no date. */
  due_date?: string | null
  /** Makes it a sub-milestone of this one, which must not be a sub-milestone itself. */
  parent_id?: string | null
  /** Whether dates are derived from sub-milestones, once there are any. */
  date_mode?: 'auto' | 'manual'
}

export interface Milestone {
  /** Milestone id. */
  id: string
  /** Display name. */
  name: string
  /** What it is about; empty when not given. */
  description: string
  /** When work on it starts. */
  start_date: string | null
  /** When it is due. */
  due_date: string | null
  /** Its own; with sub-milestones derived from them: `archived` when all are, `completed` when each is completed or archived, else `active`. */
  status: MilestoneStatus
  /** The milestone that it is a part of; null at the top. */
  parent_id: string | null
  /** Percent, a whole number: 100 when completed, else the share of the results in its linked runs that are tested; with sub-milestones the mean of theirs. */
  progress: number
  /** When it was created. */
  created_at: string
  /** When its own fields last changed. */
  updated_at: string
  /** `completed` when the status is completed or archived, else `past_due` when the due date has gone by, else `upcoming` when the start date lies ahead, else `started`. */
  phase: 'upcoming' | 'started' | 'past_due' | 'completed'
  /** `auto`: with sub-milestones, dates are derived from them. `manual`: dates are set by hand. */
  date_mode: 'auto' | 'manual'
}

export interface MilestoneDetail {
  /** Milestone id. */
  id: string
  /** Display name. */
  name: string
  /** What it is about; empty when not given. */
  description: string
  /** When work on it starts. */
  start_date: string | null
  /** When it is due. */
  due_date: string | null
  /** Its own; with sub-milestones derived from them: `archived` when all are, `completed` when each is completed or archived, else `active`. */
  status: MilestoneStatus
  /** The milestone that it is a part of; null at the top. */
  parent_id: string | null
  /** Percent, a whole number: 100 when completed, else the share of the results in its linked runs that are tested; with sub-milestones the mean of theirs. */
  progress: number
  /** When it was created. */
  created_at: string
  /** When its own fields last changed. */
  updated_at: string
  /** `completed` when the status is completed or archived, else `past_due` when the due date has gone by, else `upcoming` when the start date lies ahead, else `started`. */
  phase: 'upcoming' | 'started' | 'past_due' | 'completed'
  /** `auto`: with sub-milestones, dates are derived from them. `manual`: dates are set by hand. */
  date_mode: 'auto' | 'manual'
  /** The runs linked to this milestone itself, the newest first. */
  linked_runs: {
    /** Run id. */
    id: string
    /** The run's name. */
    name: string
    /** Whether it is still open. */
    status: RunStatus
    /** passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested. */
    pass_rate: number
  }[]
  /** Its sub-milestones in the order in which they were created. */
  sub_milestones: {
    /** Milestone id. */
    id: string
    /** Display name. */
    name: string
    /** Its own; with sub-milestones derived from them: `archived` when all are, `completed` when each is completed or archived, else `active`. */
    status: MilestoneStatus
    /** Percent, a whole number: 100 when completed, else the share of the results in its linked runs that are tested; with sub-milestones the mean of theirs. */
    progress: number
  }[]
}

export interface MilestoneListItem {
  /** Milestone id. */
  id: string
  /** Display name. */
  name: string
  /** What it is about; empty when not given. */
  description: string
  /** When work on it starts. */
  start_date: string | null
  /** When it is due. */
  due_date: string | null
  /** Its own; with sub-milestones derived from them: `archived` when all are, `completed` when each is completed or archived, else `active`. */
  status: MilestoneStatus
  /** The milestone that it is a part of; null at the top. */
  parent_id: string | null
  /** Percent, a whole number: 100 when completed, else the share of the results in its linked runs that are tested; with sub-milestones the mean of theirs. */
  progress: number
  /** When it was created. */
  created_at: string
  /** When its own fields last changed. */
  updated_at: string
}

export interface UpdateMilestoneBody {
  /** Display name. */
  name?: string
  /** What it is about. */
  description?: string
  /** When work on it starts; null for no date. */
  start_date?: string | null
  /** When it is due, not before it starts; null for no date. */
  due_date?: string | null
  /** Whether dates are derived from sub-milestones, once there are any. */
  date_mode?: 'auto' | 'manual'
  /** Not for a milestone with sub-milestones. */
  status?: MilestoneStatus
}

/** What {@link createMilestone} takes and answers. */
export interface CreateMilestone {
  params: ProjectParams
  body: CreateMilestoneBody
  success: { 201: Milestone }
}

/**
 * Create a milestone.
 *
 * A new milestone is active. With a `parent_id` it is a sub-milestone, from which the other then derives its status, its progress and, unless its dates are set by hand, its dates: the earliest start and the latest due. A date that no sub-milestone has stays as it was sent.
 */
export const createMilestone: Endpoint<CreateMilestone> = {
  method: 'POST',
  url: '/v1/projects/:project_id/milestones',
  operationId: 'createMilestone',
  success: { 201: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode'] },
}

/** What {@link deleteMilestone} takes and answers. */
export interface DeleteMilestone {
  params: {
    /** Project id. */
    project_id: string
    /** Milestone id. */
    milestone_id: string
  }
  success: { 204: null }
}

/**
 * Delete a milestone.
 *
 * Its runs stay without a milestone. Its sub-milestones move to the top and keep their own status, dates and runs. A milestone that loses its last sub-milestone has its own status, dates and runs again.
 */
export const deleteMilestone: Endpoint<DeleteMilestone> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  operationId: 'deleteMilestone',
  success: { 204: null },
}

/** What {@link getMilestone} takes and answers. */
export interface GetMilestone {
  params: {
    /** Project id. */
    project_id: string
    /** Milestone id. */
    milestone_id: string
  }
  success: { 200: MilestoneDetail }
}

/**
 * Read a milestone.
 *
 * One milestone with the runs linked to it and its sub-milestones.
 */
export const getMilestone: Endpoint<GetMilestone> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  operationId: 'getMilestone',
  success: { 200: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode', 'linked_runs[]', 'sub_milestones[]'] },
}

/** What {@link listMilestones} takes and answers. */
export interface ListMilestones {
  params: ProjectParams
  query: {
    /** Only those of this status. */
    status?: MilestoneStatus
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: MilestoneListItem[]; meta: PageMeta } }
}

/**
 * List milestones.
 *
 * Milestones and sub-milestones in one list, the newest first. The filter goes by the status shown.
 */
export const listMilestones: Endpoint<ListMilestones> = {
  method: 'GET',
  url: '/v1/projects/:project_id/milestones',
  operationId: 'listMilestones',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link updateMilestone} takes and answers. */
export interface UpdateMilestone {
  params: {
    /** Project id. */
    project_id: string
    /** Milestone id. */
    milestone_id: string
  }
  body: UpdateMilestoneBody
  success: { 200: Milestone }
}

/**
 * Update, complete or archive a milestone.
 *
 * Changes only the fields sent. A milestone with sub-milestones takes no status (`status_is_derived`). A date sent for one turns its `date_mode` to manual, and a date not sent then stays as it was shown; `date_mode: "auto"` derives them again.
 */
export const updateMilestone: Endpoint<UpdateMilestone> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/milestones/:milestone_id',
  operationId: 'updateMilestone',
  success: { 200: ['id', 'name', 'description', 'start_date', 'due_date', 'status', 'parent_id', 'progress', 'created_at', 'updated_at', 'phase', 'date_mode'] },
}

/* pagination */

export interface PageMeta {
  /** This page. */
  page: number
  /** Items on a page. */
  per_page: number
  /** Items in the whole list. */
  total: number
}

/* password-resets */

/** What {@link getPasswordReset} takes and answers. */
export interface GetPasswordReset {
  params: {
    /** The last part of the link in the mail. */
    secret: string
  }
  success: {
    200: {
      data: {
        /** Whose password it sets. */
        email: string
        /** Until when the link works: an hour from when it was asked for. */
        expires_at: string
      }
    }
  }
}

/**
 * Read whose password a link resets.
 *
 * For whoever has the link. 410 once it or another one of the account was used, it has expired, or never was.
 */
export const getPasswordReset: Endpoint<GetPasswordReset> = {
  method: 'GET',
  url: '/v1/password-resets/:secret',
  operationId: 'getPasswordReset',
  success: { 200: ['data{}'] },
}

/** What {@link requestPasswordReset} takes and answers. */
export interface RequestPasswordReset {
  body: {
    /** E-mail address of the account, in upper or lower case. */
    email: string
  }
  success: { 200: Message }
}

/**
 * Ask for a link to reset a password.
 *
 * Sends a mail with a link that works once, for an hour. Links sent before go on until one of them is used. The answer, and the time that it takes, is the same whether or not there is an account of this address. Ten tries a minute for each address and account.
 */
export const requestPasswordReset: Endpoint<RequestPasswordReset> = {
  method: 'POST',
  url: '/v1/password-resets',
  operationId: 'requestPasswordReset',
  success: { 200: ['message'] },
}

/** What {@link resetPassword} takes and answers. */
export interface ResetPassword {
  params: {
    /** The last part of the link in the mail. */
    secret: string
  }
  body: {
    /** The new password, 8 to 1024 characters. */
    password: string
  }
  success: { 200: MeResponse }
}

/**
 * Set a new password by a link.
 *
 * All links end, and so do all sessions of the account; then it signs in, as `POST /v1/session` does. Tokens stay.
 */
export const resetPassword: Endpoint<ResetPassword> = {
  method: 'POST',
  url: '/v1/password-resets/:secret',
  operationId: 'resetPassword',
  success: { 200: ['data{}'] },
}

/* problem */

export interface FieldError {
  /** JSON Pointer to the field in the body, or `/name` of a query parameter. */
  path: string
  /** What is wrong with it. */
  message: string
}

/** Problem details (RFC 9457) */
export interface Problem {
  /** A URI reference that names the kind of problem. */
  type: string
  /** The kind of problem in a few words. */
  title: string
  /** The HTTP status. */
  status: number
  /** What happened here, and what to do about it. */
  detail: string
  /** A stable snake_case word that programs may switch on. */
  code: string
  /** Every field that is wrong; the first 1,000 where there are more, which `detail` then says. */
  errors?: FieldError[]
  /** Given with a 500, to find the failure in the log. */
  request_id?: string
}

/* projects */

export interface CreateProjectBody {
  /** Display name. */
  name: string
  /** 2-5 uppercase letters. It never changes. */
  prefix: string
  /** What the project is about. */
  description?: string
}

export interface Project {
  /** Project id. */
  id: string
  /** Display name. */
  name: string
  /** 2-5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
  prefix: string
  /** What the project is about; empty when not given. */
  description: string
  /** Test cases in it. */
  test_case_count: number
  /** Test runs in it. */
  run_count: number
  /** Members of it. */
  member_count: number
  /** When it was created. */
  created_at: string
  /** When its own fields last changed. */
  updated_at: string
}

export interface ProjectListItem {
  /** Project id. */
  id: string
  /** Display name. */
  name: string
  /** 2-5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
  prefix: string
  /** Test cases in it. */
  test_case_count: number
  /** Test runs in it. */
  run_count: number
  /** When it was created. */
  created_at: string
  /** When its own fields last changed. */
  updated_at: string
}

export interface ProjectParams {
  /** Project id. */
  project_id: string
}

export interface UpdateProjectBody {
  /** Display name. */
  name?: string
  /** What the project is about. */
  description?: string
}

/** What {@link createProject} takes and answers. */
export interface CreateProject {
  body: CreateProjectBody
  success: { 201: { data: Project } }
}

/**
 * Create a project.
 *
 * Any signed-in person may create a project and becomes its admin. A prefix need not be unique.
 */
export const createProject: Endpoint<CreateProject> = {
  method: 'POST',
  url: '/v1/projects',
  operationId: 'createProject',
  success: { 201: ['data{}'] },
}

/** What {@link deleteProject} takes and answers. */
export interface DeleteProject {
  params: ProjectParams
  success: { 200: Message }
}

/**
 * Delete a project.
 *
 * Permanently deletes the project with all its test cases, runs and results.
 */
export const deleteProject: Endpoint<DeleteProject> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id',
  operationId: 'deleteProject',
  success: { 200: ['message'] },
}

/** What {@link getProject} takes and answers. */
export interface GetProject {
  params: ProjectParams
  success: { 200: { data: Project } }
}

/**
 * Read a project.
 *
 * One project with its description and counts.
 */
export const getProject: Endpoint<GetProject> = {
  method: 'GET',
  url: '/v1/projects/:project_id',
  operationId: 'getProject',
  success: { 200: ['data{}'] },
}

/** What {@link listProjects} takes and answers. */
export interface ListProjects {
  query: {
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: ProjectListItem[]; meta: PageMeta } }
}

/**
 * List projects.
 *
 * The projects that the caller can reach, the most recently updated first.
 */
export const listProjects: Endpoint<ListProjects> = {
  method: 'GET',
  url: '/v1/projects',
  operationId: 'listProjects',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link updateProject} takes and answers. */
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
        /** 2-5 uppercase letters; test case ids are `<PREFIX>-<number>`. */
        prefix: string
        /** What the project is about; empty when not given. */
        description: string
        /** When its own fields last changed. */
        updated_at: string
      }
    }
  }
}

/**
 * Update a project.
 *
 * Changes only the fields sent. The prefix never changes.
 */
export const updateProject: Endpoint<UpdateProject> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id',
  operationId: 'updateProject',
  success: { 200: ['data{}'] },
}

/* results */

export const RESULT_STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
export type ResultStatus = (typeof RESULT_STATUSES)[number]

export interface ResultItem {
  /** Test case id, such as `WEB-12`; matched inside the run. */
  test_case_id: string
  /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
  status: ResultStatus
  /** Note or error message; cut at 65,536 characters. */
  note?: string | null
  /** Whole seconds. */
  elapsed?: number | null
}

export interface ResultItemError {
  /** The id that was given, or the name of a test that carries none. */
  test_case_id: string
  /** Why it could not be stored, in a sentence. */
  error: string
  /** The same, for programs. */
  code: 'not_in_run' | 'no_test_case_id' | 'ambiguous' | 'newer_result'
}

export interface RunParams {
  /** Run id. */
  run_id: string
}

export interface TestResult {
  /** Result id. */
  id: string
  /** Test case id; null once the case was deleted. */
  test_case_id: string | null
  /** The title that the case had when it joined the run. */
  test_case_title: string
  /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
  status: ResultStatus
  /** Note or error message. */
  note: string | null
  /** Seconds. */
  elapsed: number | null
  /** User id; null when a CI token wrote it. */
  tested_by: string | null
  /** When the result was written, or the `finished_at` of the upload that wrote it. */
  tested_at: string | null
}

/** What {@link bulkUpdateResults} takes and answers. */
export interface BulkUpdateResults {
  params: RunParams
  body: {
    /** Up to 10,000 results. */
    results: ResultItem[]
  }
  success: {
    /** All were stored. */
    200: {
      data: {
        /** Distinct test cases stored. */
        updated: number
        results: {
          /** Test case id. */
          test_case_id: string
          /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
          status: ResultStatus
        }[]
      }
    }
    /** Some could not be stored; `errors` says which and why. */
    207: {
      data: {
        /** Distinct test cases stored. */
        updated: number
        results: {
          /** Test case id. */
          test_case_id: string
          /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
          status: ResultStatus
        }[]
        errors: ResultItemError[]
      }
    }
  }
}

/**
 * Set up to 10,000 results.
 *
 * Each item is what a single update would be. Items whose test case is not in the run are listed in `errors` with status 207; the others are stored.
 */
export const bulkUpdateResults: Endpoint<BulkUpdateResults> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/bulk',
  operationId: 'bulkUpdateResults',
  success: { 200: ['data{}'], 207: ['data{}'] },
}

/** What {@link listResults} takes and answers. */
export interface ListResults {
  params: RunParams
  query: {
    /** Only those of this status. */
    status?: ResultStatus
    /** Part of the title, in upper or lower case. */
    search?: string
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: TestResult[]; meta: PageMeta } }
}

/**
 * List the results of a run.
 *
 * One result for each test case of the run, in the order in which the cases joined it.
 */
export const listResults: Endpoint<ListResults> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results',
  operationId: 'listResults',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link updateResult} takes and answers. */
export interface UpdateResult {
  params: {
    /** Run id. */
    run_id: string
    /** Result id, or the id of its test case. */
    result_id: string
  }
  body: {
    /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
    status: ResultStatus
    /** Note or error message; cut at 65,536 characters. */
    note?: string | null
    /** Whole seconds. */
    elapsed?: number | null
  }
  success: { 200: { data: TestResult } }
}

/**
 * Set a result.
 *
 * Takes the result's id or the test case's id. The caller becomes `tested_by`. Fields not sent stay.
 */
export const updateResult: Endpoint<UpdateResult> = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id',
  operationId: 'updateResult',
  success: { 200: ['data{}'] },
}

/* runs */

export const RUN_STATUSES = ['in_progress', 'completed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export interface CreateRunBody {
  /** Display name. */
  name: string
  /** What the run is for. */
  description?: string
  /** The milestone it counts towards. */
  milestone_id?: string | null
  /**
   * The test cases to run.
   *
   *
   * Items: Test case id.
   */
  test_case_ids?: string[]
  /**
   * Run what lies in these folders and below them.
   *
   *
   * Items: Folder id.
   */
  folder_ids?: string[]
  /** Names one run of the project, such as the id of a CI build: whoever sends it again gets that run. */
  run_key?: string
  /** What is known of where it comes from: up to 50 texts of up to 1,000 characters, such as branch and commit. */
  metadata?: { [k: string]: string }
  /** The run is completed when so many shards have reported. */
  expected_shards?: number
}

export interface Run {
  /** Run id. */
  id: string
  /** Display name. */
  name: string
  /** What the run is for. */
  description: string
  /** A completed run is a record: it takes no results until reopened. */
  status: RunStatus
  /** The milestone it counts towards. */
  milestone_id: string | null
  /** passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested. */
  pass_rate: number
  stats: StatusCounts
  /** Test cases in the run. */
  result_count: number
  /** User id; null when a CI token created it. */
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** When it or one of its results last changed. */
  updated_at: string
  /** When it was completed. */
  completed_at: string | null
  /** The key that it was asked for by; null when there was none. */
  run_key: string | null
  /** What is known of where it comes from: branch, commit, the address of the build. */
  metadata: { [k: string]: string }
  /** After how many shards it is complete; null when unknown. */
  expected_shards: number | null
  /** The shards that have reported, in that order. */
  shards_done: string[]
}

export interface StatusCounts {
  /** Results that are passed. */
  passed: number
  /** Results that are failed. */
  failed: number
  /** Results that are blocked. */
  blocked: number
  /** Results that are to be retested. */
  retest: number
  /** Results that are not tested. */
  not_tested: number
}

export interface UpdateRunBody {
  /** Display name. */
  name?: string
  /** What the run is for. */
  description?: string
  /** The milestone it counts towards. */
  milestone_id?: string | null
  /** A completed run is a record: it takes no results until reopened. */
  status?: RunStatus
  /** What is known of where it comes from: up to 50 texts of up to 1,000 characters, such as branch and commit. */
  metadata?: { [k: string]: string }
}

/** What {@link addTestCasesToRun} takes and answers. */
export interface AddTestCasesToRun {
  params: RunParams
  body: {
    /**
     * The test cases to add.
     *
     *
     * Items: Test case id.
     */
    test_case_ids: string[]
  }
  success: { 200: { data: Run } }
}

/**
 * Add test cases to a run.
 *
 * They join at the end, untested. Those already in the run stay as they are.
 */
export const addTestCasesToRun: Endpoint<AddTestCasesToRun> = {
  method: 'POST',
  url: '/v1/runs/:run_id/test-cases',
  operationId: 'addTestCasesToRun',
  success: { 200: ['data{}'] },
}

/** What {@link createRun} takes and answers. */
export interface CreateRun {
  params: ProjectParams
  body: CreateRunBody
  success: {
    /** The run that has this `run_key` already. */
    200: { data: Run }
    /** The run that was made. */
    201: { data: Run }
  }
}

/**
 * Create a run.
 *
 * Over the test cases named, or over those in the folders named and below them, or over all of the project when neither is sent. With a `run_key` that a run of the project has, it answers that run with 200 and creates none: its name, cases and metadata stay as they are, and only `expected_shards` is filled in where the run has none. However many ask for the same key at once, one run is made.
 */
export const createRun: Endpoint<CreateRun> = {
  method: 'POST',
  url: '/v1/projects/:project_id/runs',
  operationId: 'createRun',
  success: { 200: ['data{}'], 201: ['data{}'] },
}

/** What {@link deleteRun} takes and answers. */
export interface DeleteRun {
  params: RunParams
  success: { 200: Message }
}

/**
 * Delete a run.
 *
 * Deletes the run with its results.
 */
export const deleteRun: Endpoint<DeleteRun> = {
  method: 'DELETE',
  url: '/v1/runs/:run_id',
  operationId: 'deleteRun',
  success: { 200: ['message'] },
}

/** What {@link getRun} takes and answers. */
export interface GetRun {
  params: RunParams
  success: { 200: { data: Run } }
}

/**
 * Read a run.
 *
 * One run with its counts by status and its pass rate.
 */
export const getRun: Endpoint<GetRun> = {
  method: 'GET',
  url: '/v1/runs/:run_id',
  operationId: 'getRun',
  success: { 200: ['data{}'] },
}

/** What {@link listRuns} takes and answers. */
export interface ListRuns {
  params: ProjectParams
  query: {
    /** Only those of this status. */
    status?: RunStatus
    /** Only those of this milestone. */
    milestone_id?: string
    /** Only the one of this key. */
    run_key?: string
    /** Part of the name, in upper or lower case. */
    search?: string
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: Run[]; meta: PageMeta } }
}

/**
 * List runs.
 *
 * Test runs, the newest first.
 */
export const listRuns: Endpoint<ListRuns> = {
  method: 'GET',
  url: '/v1/projects/:project_id/runs',
  operationId: 'listRuns',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link reportShardDone} takes and answers. */
export interface ReportShardDone {
  params: {
    /** Run id. */
    run_id: string
    /** What the shard calls itself, such as `2` or `chromium-2`. */
    name: string
  }
  success: { 200: { data: Run } }
}

/**
 * Report that a shard is done.
 *
 * Remembers that a shard of the suite has reported; once is as good as often. When `expected_shards` different ones have, the run is completed with that. A completed run stays as it is, but for the name; one that was reopened after its last shard is completed again by the next report. Takes no body.
 */
export const reportShardDone: Endpoint<ReportShardDone> = {
  method: 'POST',
  url: '/v1/runs/:run_id/shards/:name/done',
  operationId: 'reportShardDone',
  success: { 200: ['data{}'] },
}

/** What {@link updateRun} takes and answers. */
export interface UpdateRun {
  params: RunParams
  body: UpdateRunBody
  success: { 200: { data: Run } }
}

/**
 * Update, complete or reopen a run.
 *
 * Changes only the fields sent.
 */
export const updateRun: Endpoint<UpdateRun> = {
  method: 'PATCH',
  url: '/v1/runs/:run_id',
  operationId: 'updateRun',
  success: { 200: ['data{}'] },
}

/* schemas */

export interface Message {
  /** What was done. */
  message: string
}

/* session */

export interface Me {
  /** User id. */
  id: string
  /** E-mail address, by which you sign in. */
  email: string
  /** Name that others see. */
  name: string
  /** Address of a picture; null for none. */
  avatar_url: string | null
  /** False for who has only ever signed in by single sign-on. */
  has_password: boolean
  /** When the account was made. */
  created_at: string
  /** When your fields last changed. */
  updated_at: string
}

export interface MeResponse {
  data: Me
}

export interface Session {
  /** Session id. */
  id: string
  /** Whether this very request comes from it. */
  current: boolean
  /** What the browser said of itself; empty when it said nothing. */
  user_agent: string
  /** When it was signed in. */
  created_at: string
  /** When it was last used, to the minute. */
  last_seen_at: string
  /** When it ends, even if it is used. */
  expires_at: string
}

export interface SignInBody {
  /** E-mail address, in upper or lower case. */
  email: string
  /** Password. */
  password: string
}

export interface UpdateMeBody {
  /** Name that others see. */
  name?: string
  /** An http:// or https:// address of a picture; null for none. */
  avatar_url?: string | null
  /** A new password, 8 to 1024 characters. Needs `current_password`. */
  password?: string
  /** Your password as it is now. */
  current_password?: string
}

/** What {@link getMe} takes and answers. */
export interface GetMe {
  success: { 200: MeResponse }
}

/**
 * Read your account.
 *
 * Whom this token or session belongs to.
 */
export const getMe: Endpoint<GetMe> = {
  method: 'GET',
  url: '/v1/me',
  operationId: 'getMe',
  success: { 200: ['data{}'] },
}

/** What {@link listSessions} takes and answers. */
export interface ListSessions {
  success: { 200: { data: Session[] } }
}

/**
 * List your sessions.
 *
 * Where you are signed in, the newest first.
 */
export const listSessions: Endpoint<ListSessions> = {
  method: 'GET',
  url: '/v1/sessions',
  operationId: 'listSessions',
  success: { 200: ['data[]'] },
}

/** What {@link revokeSession} takes and answers. */
export interface RevokeSession {
  params: {
    /** Session id. */
    session_id: string
  }
  success: { 204: null }
}

/**
 * End one of your sessions.
 *
 * It stops working within a second.
 */
export const revokeSession: Endpoint<RevokeSession> = {
  method: 'DELETE',
  url: '/v1/sessions/:session_id',
  operationId: 'revokeSession',
  success: { 204: null },
}

/** What {@link signIn} takes and answers. */
export interface SignIn {
  body: SignInBody
  success: { 201: MeResponse }
}

/**
 * Sign in.
 *
 * Sets an HttpOnly session cookie, which takes the place of a token in requests from the service’s own pages. A session that the cookie held before ends. A wrong address and a wrong password are answered alike. Ten tries a minute for each address and account.
 */
export const signIn: Endpoint<SignIn> = {
  method: 'POST',
  url: '/v1/session',
  operationId: 'signIn',
  success: { 201: ['data{}'] },
}

/** What {@link signOut} takes and answers. */
export interface SignOut {
  success: { 204: null }
}

/**
 * Sign out.
 *
 * Ends the session of the cookie. A token has none: 404.
 */
export const signOut: Endpoint<SignOut> = {
  method: 'DELETE',
  url: '/v1/session',
  operationId: 'signOut',
  success: { 204: null },
}

/** What {@link updateMe} takes and answers. */
export interface UpdateMe {
  body: UpdateMeBody
  success: { 200: MeResponse }
}

/**
 * Change your account.
 *
 * Only the fields sent change. A new password needs the current one, and ends all other sessions; tokens stay.
 */
export const updateMe: Endpoint<UpdateMe> = {
  method: 'PATCH',
  url: '/v1/me',
  operationId: 'updateMe',
  success: { 200: ['data{}'] },
}

/* setup */

export interface SetupBody {
  /** What the first user is called. */
  name: string
  /** Their e-mail address, by which they sign in. */
  email: string
  /** Their password, 8 to 1024 characters. */
  password: string
}

/** What {@link completeSetup} takes and answers. */
export interface CompleteSetup {
  params: {
    /** The last part of the link that was printed. */
    secret: string
  }
  body: SetupBody
  success: { 201: MeResponse }
}

/**
 * Set the service up.
 *
 * Makes the first account and signs in, as `POST /v1/session` does. All setup links end with it: 410 from then on.
 */
export const completeSetup: Endpoint<CompleteSetup> = {
  method: 'POST',
  url: '/v1/setup/:secret',
  operationId: 'completeSetup',
  success: { 201: ['data{}'] },
}

/** What {@link getSetupLink} takes and answers. */
export interface GetSetupLink {
  params: {
    /** The last part of the link that was printed. */
    secret: string
  }
  success: {
    200: {
      data: {
        /** Until when the link works: seven days from its making. */
        expires_at: string
      }
    }
  }
}

/**
 * Read whether a setup link works.
 *
 * For whoever has the link that the service prints as long as nobody has an account. 410 once somebody has one, or the link is too old or never was.
 */
export const getSetupLink: Endpoint<GetSetupLink> = {
  method: 'GET',
  url: '/v1/setup/:secret',
  operationId: 'getSetupLink',
  success: { 200: ['data{}'] },
}

/* test-case-schemas */

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export const TEST_CASE_TYPES = ['functional', 'smoke', 'regression', 'integration', 'end_to_end', 'acceptance', 'performance', 'security', 'usability', 'accessibility', 'compatibility', 'exploratory', 'unit', 'api', 'other'] as const
export type TestCaseType = (typeof TEST_CASE_TYPES)[number]

export interface CreateTestCaseBody {
  /** What is tested. */
  title: string
  /** The folder to put it in; null for the top. */
  folder_id?: string | null
  /** How much it matters. */
  priority?: Priority
  /** What kind of test it is. */
  type?: TestCaseType
  /** What must hold before. */
  precondition?: string
  /** Numbered from 1 in the order sent. */
  steps?: {
    /** What to do. */
    action: string
    /** What should happen. */
    expected?: string
  }[]
  /** The overall expected result. */
  expected_result?: string
  /** Free words to find it by. */
  tags?: string[]
  /** The name by which automation knows the case: unique in the project. */
  automation_key?: string | null
}

export interface ListedTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** What is tested. */
  title: string
  /** The folder it lies in; null at the top. */
  folder_id: string | null
  /** How much it matters. */
  priority: Priority
  /** What kind of test it is. */
  type: TestCaseType
  /** What must hold before. */
  precondition: string
  /** The steps, in order. */
  steps: {
    /** Its place, from 1. */
    position: number
    /** What to do. */
    action: string
    /** What should happen. */
    expected: string
  }[]
  /** The overall expected result. */
  expected_result: string
  /** Free words to find it by. */
  tags?: string[]
  /** The name by which automation knows the case when no id is in reach. */
  automation_key?: string | null
  /** User id of its author. */
  created_by?: string | null
  /** When it was created. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export interface TestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** What is tested. */
  title: string
  /** The folder it lies in; null at the top. */
  folder_id: string | null
  /** How much it matters. */
  priority: Priority
  /** What kind of test it is. */
  type: TestCaseType
  /** What must hold before. */
  precondition: string
  /** The steps, in order. */
  steps: {
    /** Its place, from 1. */
    position: number
    /** What to do. */
    action: string
    /** What should happen. */
    expected: string
  }[]
  /** The overall expected result. */
  expected_result: string
  /** Free words to find it by. */
  tags: string[]
  /** The name by which automation knows the case when no id is in reach. */
  automation_key: string | null
  /** User id of its author. */
  created_by: string | null
  /** When it was created. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export interface TestCaseListItem {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** What is tested. */
  title: string
  /** The folder it lies in; null at the top. */
  folder_id: string | null
  /** How much it matters. */
  priority: Priority
  /** What kind of test it is. */
  type: TestCaseType
  /** What must hold before. */
  precondition: string
  /** The steps, in order. */
  steps: {
    /** Its place, from 1. */
    position: number
    /** What to do. */
    action: string
    /** What should happen. */
    expected: string
  }[]
  /** The overall expected result. */
  expected_result: string
  /** When it was created. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export interface UpdateTestCaseBody {
  /** What is tested. */
  title?: string
  /** The folder to put it in; null for the top. */
  folder_id?: string | null
  /** How much it matters. */
  priority?: Priority
  /** What kind of test it is. */
  type?: TestCaseType
  /** What must hold before. */
  precondition?: string
  /** Numbered from 1 in the order sent. */
  steps?: {
    /** What to do. */
    action: string
    /** What should happen. */
    expected?: string
  }[]
  /** The overall expected result. */
  expected_result?: string
  /** Free words to find it by. */
  tags?: string[]
  /** The name by which automation knows the case: unique in the project. */
  automation_key?: string | null
}

export interface UpdatedTestCase {
  /** Test case id, `<PREFIX>-<number>`. */
  id: string
  /** What is tested. */
  title: string
  /** How much it matters. */
  priority: Priority
  /** When it last changed. */
  updated_at: string
  /** The folder it lies in; null at the top. */
  folder_id?: string | null
  /** What kind of test it is. */
  type?: TestCaseType
  /** What must hold before. */
  precondition?: string
  /** The steps, in order. */
  steps?: {
    /** Its place, from 1. */
    position: number
    /** What to do. */
    action: string
    /** What should happen. */
    expected: string
  }[]
  /** The overall expected result. */
  expected_result?: string
  /** Free words to find it by. */
  tags?: string[]
  /** The name by which automation knows the case when no id is in reach. */
  automation_key?: string | null
}

/* test-cases */

export interface HistoryItem {
  /** The run. */
  run_id: string
  /** Its name. */
  run_name: string
  /** Result id. */
  id: string
  /** Test case id. */
  test_case_id: string | null
  /** The title that the case had when it joined the run. */
  test_case_title: string
  /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
  status: ResultStatus
  /** Note or error message. */
  note: string | null
  /** Seconds. */
  elapsed: number | null
  /** User id; null when a CI token wrote it. */
  tested_by: string | null
  /** When the result was written. */
  tested_at: string | null
}

export interface TestCaseParams {
  /** Project id. */
  project_id: string
  /** Test case id, such as `WEB-12`. */
  test_case_id: string
}

/** What {@link bulkCreateTestCases} takes and answers. */
export interface BulkCreateTestCases {
  params: ProjectParams
  body: {
    /** Up to 100 test cases. */
    test_cases: CreateTestCaseBody[]
  }
  success: {
    201: {
      data: {
        /** How many were created. */
        created: number
        test_cases: {
          /** Test case id, `<PREFIX>-<number>`. */
          id: string
          /** What is tested. */
          title: string
        }[]
      }
    }
  }
}

/**
 * Create up to 100 test cases.
 *
 * All or nothing: one invalid item, and nothing is created.
 */
export const bulkCreateTestCases: Endpoint<BulkCreateTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk',
  operationId: 'bulkCreateTestCases',
  success: { 201: ['data{}'] },
}

/** What {@link createTestCase} takes and answers. */
export interface CreateTestCase {
  params: ProjectParams
  body: CreateTestCaseBody
  success: { 201: { data: TestCaseListItem } }
}

/**
 * Create a test case.
 *
 * It gets the next number of the project; a number is never used again. Tags, automation key and author are shown when it is read.
 */
export const createTestCase: Endpoint<CreateTestCase> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases',
  operationId: 'createTestCase',
  success: { 201: ['data{}'] },
}

/** What {@link deleteTestCase} takes and answers. */
export interface DeleteTestCase {
  params: TestCaseParams
  success: { 200: Message }
}

/**
 * Delete a test case.
 *
 * Its results in runs are kept, with the title it had; their reference to it becomes null.
 */
export const deleteTestCase: Endpoint<DeleteTestCase> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'deleteTestCase',
  success: { 200: ['message'] },
}

/** What {@link getTestCase} takes and answers. */
export interface GetTestCase {
  params: TestCaseParams
  success: { 200: { data: TestCase } }
}

/**
 * Read a test case.
 *
 * One test case with its steps, tags, automation key and author.
 */
export const getTestCase: Endpoint<GetTestCase> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'getTestCase',
  success: { 200: ['data{}'] },
}

/** What {@link listTestCaseResults} takes and answers. */
export interface ListTestCaseResults {
  params: TestCaseParams
  query: {
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: HistoryItem[]; meta: PageMeta } }
}

/**
 * List a test case's results across runs.
 *
 * One result for each run that the case is in, the newest run first.
 */
export const listTestCaseResults: Endpoint<ListTestCaseResults> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/results',
  operationId: 'listTestCaseResults',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link listTestCases} takes and answers. */
export interface ListTestCases {
  params: ProjectParams
  query: {
    /** Only those in this folder; `none` for those in no folder. */
    folder_id?: string
    /** Only those of this priority. */
    priority?: Priority
    /** Only those of this type. */
    type?: TestCaseType
    /** Only those with this tag. */
    tag?: string
    /** Part of the title, in upper or lower case. */
    search?: string
    /** `all` adds tags, automation key and author, as the single read shows them. */
    fields?: 'all'
    /** Which page, from 1. */
    page?: number
    /** Items on a page. */
    per_page?: number
  }
  success: { 200: { data: ListedTestCase[]; meta: PageMeta } }
}

/**
 * List test cases.
 *
 * Test cases by number. Filters combine. An export asks for `fields=all` and spares itself the single reads.
 */
export const listTestCases: Endpoint<ListTestCases> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases',
  operationId: 'listTestCases',
  success: { 200: ['data[]', 'meta{}'] },
}

/** What {@link putTestCase} takes and answers. */
export interface PutTestCase {
  params: TestCaseParams
  body: UpdateTestCaseBody
  success: { 200: { data: UpdatedTestCase } }
}

/**
 * Update a test case (as PATCH).
 *
 * Changes only the fields sent; a `steps` array replaces all the steps.
 */
export const putTestCase: Endpoint<PutTestCase> = {
  method: 'PUT',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'putTestCase',
  success: { 200: ['data{}'] },
}

/** What {@link updateTestCase} takes and answers. */
export interface UpdateTestCase {
  params: TestCaseParams
  body: UpdateTestCaseBody
  success: { 200: { data: UpdatedTestCase } }
}

/**
 * Update a test case.
 *
 * Changes only the fields sent; a `steps` array replaces all the steps.
 */
export const updateTestCase: Endpoint<UpdateTestCase> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/test-cases/:test_case_id',
  operationId: 'updateTestCase',
  success: { 200: ['data{}'] },
}

/* tokens */

export const TOKEN_ACCESS = ['read', 'write'] as const
export type TokenAccess = (typeof TOKEN_ACCESS)[number]

export interface CreateTokenBody {
  /** What it is for. */
  name: string
  /** A read token changes nothing. */
  access?: TokenAccess
  /** When it stops working; null or left out for never. */
  expires_at?: string | null
}

export interface NewToken {
  /** Token id. */
  id: string
  /** What it is for. */
  name: string
  /** A read token changes nothing. */
  access: TokenAccess
  /** When it stops working; null for never. */
  expires_at: string | null
  /** When it was last used, to the minute. */
  last_used_at: string | null
  /** When it was made. */
  created_at: string
  /** The secret. It is shown this once. */
  token: string
}

export interface Token {
  /** Token id. */
  id: string
  /** What it is for. */
  name: string
  /** A read token changes nothing. */
  access: TokenAccess
  /** When it stops working; null for never. */
  expires_at: string | null
  /** When it was last used, to the minute. */
  last_used_at: string | null
  /** When it was made. */
  created_at: string
}

/** What {@link createCiToken} takes and answers. */
export interface CreateCiToken {
  params: ProjectParams
  body: CreateTokenBody
  success: { 201: { data: NewToken } }
}

/**
 * Make a CI token.
 *
 * It acts as itself in this one project: it reads, and with write access also creates and closes runs and uploads results.
 */
export const createCiToken: Endpoint<CreateCiToken> = {
  method: 'POST',
  url: '/v1/projects/:project_id/tokens',
  operationId: 'createCiToken',
  success: { 201: ['data{}'] },
}

/** What {@link createPersonalToken} takes and answers. */
export interface CreatePersonalToken {
  body: CreateTokenBody
  success: { 201: { data: NewToken } }
}

/**
 * Make a personal token.
 *
 * It acts as you, in every project of yours. The secret is in this answer and nowhere else.
 */
export const createPersonalToken: Endpoint<CreatePersonalToken> = {
  method: 'POST',
  url: '/v1/tokens',
  operationId: 'createPersonalToken',
  success: { 201: ['data{}'] },
}

/** What {@link listCiTokens} takes and answers. */
export interface ListCiTokens {
  params: ProjectParams
  success: { 200: { data: Token[] } }
}

/**
 * List a project's CI tokens.
 *
 * The newest first, never with their secrets.
 */
export const listCiTokens: Endpoint<ListCiTokens> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tokens',
  operationId: 'listCiTokens',
  success: { 200: ['data[]'] },
}

/** What {@link listPersonalTokens} takes and answers. */
export interface ListPersonalTokens {
  success: { 200: { data: Token[] } }
}

/**
 * List your personal tokens.
 *
 * The newest first, never with their secrets.
 */
export const listPersonalTokens: Endpoint<ListPersonalTokens> = {
  method: 'GET',
  url: '/v1/tokens',
  operationId: 'listPersonalTokens',
  success: { 200: ['data[]'] },
}

/** What {@link revokeCiToken} takes and answers. */
export interface RevokeCiToken {
  params: {
    /** Project id. */
    project_id: string
    /** Token id. */
    token_id: string
  }
  success: { 204: null }
}

/**
 * Revoke a CI token.
 *
 * It stops working within a second.
 */
export const revokeCiToken: Endpoint<RevokeCiToken> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/tokens/:token_id',
  operationId: 'revokeCiToken',
  success: { 204: null },
}

/** What {@link revokePersonalToken} takes and answers. */
export interface RevokePersonalToken {
  params: {
    /** Token id. */
    token_id: string
  }
  success: { 204: null }
}

/**
 * Revoke a personal token.
 *
 * It stops working within a second.
 */
export const revokePersonalToken: Endpoint<RevokePersonalToken> = {
  method: 'DELETE',
  url: '/v1/tokens/:token_id',
  operationId: 'revokePersonalToken',
  success: { 204: null },
}

/* uploads */

export const UPLOAD_FORMATS = ['json', 'junit'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

export interface PartialReceipt {
  success: false
  partial_failure: true
  /** Distinct test cases stored. */
  uploaded_count: number
  /** Items that could not be stored. */
  failed_count: number
  stats: StatusCounts
  /** Present when nothing was stored because it was a dry run. */
  dry_run?: true
  errors: ResultItemError[]
}

export interface UploadBody {
  /** The run to upload into. */
  run_id: string
  /** `json` unless only `junit_xml` is given, which is taken as `junit`. */
  format?: UploadFormat
  /** Required unless `junit_xml` is given. */
  results?: UploadItem[]
  /** A JUnit XML document; required when format is `junit`. */
  junit_xml?: string
  /** Answer as the real call would, and store nothing. */
  dry_run?: boolean
  /** When the suite finished, for an upload that may come late. It becomes `tested_at`; a result of the run that is newer stays, and is an error `newer_result`. A time in the future is taken as now. Without it every result is overwritten, as of now. */
  finished_at?: string
}

export interface UploadItem {
  /** Test case id, such as `WEB-12`, or the automation key of a test case; matched inside the run. */
  test_case_id: string
  /** passed: all assertions met; failed: not the expected outcome; blocked: could not run; retest; not_tested. */
  status: ResultStatus
  /** Note or error message; cut at 65,536 characters. */
  note?: string | null
  /** Whole seconds. */
  elapsed?: number | null
}

export interface UploadQuery {
  /** The run to upload into, where the body does not say it; XML never does. */
  run_id?: string
  /** Store nothing, whatever the body is, and also where that says `false`. */
  dry_run?: boolean
  /** As in a JSON body, where the body does not say it. The `+` of an offset is written `%2B`. */
  finished_at?: string
}

export interface UploadReceipt {
  success: true
  /** Distinct test cases stored. */
  uploaded_count: number
  /** Items that could not be stored. */
  failed_count: number
  stats: StatusCounts
  /** Present when nothing was stored because it was a dry run. */
  dry_run?: true
}

/** What {@link uploadResults} takes and answers. */
export interface UploadResults {
  query: UploadQuery
  body: UploadBody
  success: {
    /** Everything was stored. */
    200: UploadReceipt
    /** Some results could not be stored; `errors` says which and why. */
    207: PartialReceipt
  }
}

/**
 * Upload the results of a suite.
 *
 * Takes JSON, JUnit XML inside JSON, or a raw JUnit XML body (`Content-Type: application/xml`, the rest in the query). What the query says counts for JSON, too, where the body leaves it out; a dry run asked for in either place is one. One upload is one transaction. Uploading a test case again overwrites its earlier result; with `finished_at` only one that is not newer. Of two results for the same test case in one upload, also one by its id and one by its automation key, the last one counts. Needs a CI token with write access.
 */
export const uploadResults: Endpoint<UploadResults> = {
  method: 'POST',
  url: '/v1/results',
  operationId: 'uploadResults',
  success: { 200: ['success', 'uploaded_count', 'failed_count', 'stats{}'], 207: ['success', 'partial_failure', 'uploaded_count', 'failed_count', 'stats{}', 'errors[]'] },
}
