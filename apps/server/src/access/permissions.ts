import type { Permission } from '@caseward/contract/endpoint'

import { isWriteMethod } from '../platform/http/methods.ts'
import { forbiddenProblem, type Problem } from '../platform/http/problems.ts'
import type { Principal, Role, TokenGrant } from './principal.ts'

/** 403 for a session that may do nothing but set up a second factor. */
export const secondFactorSetupRequiredProblem = () =>
  forbiddenProblem(
    'This server requires a second factor, and you have none. Set one up at /sign-in/set-up-second-factor, or with POST /v1/me/second-factors/totp.',
    'second_factor_setup_required',
  )

/** Permissions within one project. */
export type ProjectPermission = Exclude<
  Permission,
  'public' | 'public-or-own-account' | 'signed-in' | 'own-account' | 'instance:manage'
>

/** The roles of users and the access of CI tokens that a permission is granted to. */
interface PermissionGrant {
  roles: readonly Role[]
  ci: 'any' | 'write' | 'none'
}

const ALL_ROLES = ['admin', 'member', 'viewer'] as const
const EDITOR_ROLES = ['admin', 'member'] as const

/** The permission table. `results:upload` is for CI tokens only: users set results in the run itself. */
export const permissionGrants: Record<ProjectPermission, PermissionGrant> = {
  'project:view': { roles: ALL_ROLES, ci: 'any' },
  'test-cases:edit': { roles: EDITOR_ROLES, ci: 'none' },
  'runs:open-and-close': { roles: EDITOR_ROLES, ci: 'write' },
  'runs:execute': { roles: EDITOR_ROLES, ci: 'none' },
  'results:upload': { roles: [], ci: 'write' },
  'files:upload': { roles: EDITOR_ROLES, ci: 'write' },
  'comments:write': { roles: EDITOR_ROLES, ci: 'none' },
  'views:keep': { roles: ALL_ROLES, ci: 'none' },
  'members:view': { roles: ALL_ROLES, ci: 'none' },
  'members:manage': { roles: ['admin'], ci: 'none' },
  'members:change-role': { roles: ['admin'], ci: 'none' },
  'milestones:manage': { roles: EDITOR_ROLES, ci: 'none' },
  'quarantine:manage': { roles: EDITOR_ROLES, ci: 'none' },
  'project:settings': { roles: ['admin'], ci: 'none' },
  'project:delete': { roles: ['admin'], ci: 'none' },
}

export const isProjectPermission = (permission: Permission): permission is ProjectPermission =>
  permission in permissionGrants

/** Checks the permission of an endpoint outside of projects; returns null when the principal has it. */
export function checkAccountPermission(principal: Principal, permission: Permission, method: string): Problem | null {
  if (permission !== 'signed-in' && principal.kind === 'ci') {
    return forbiddenProblem(
      'A CI token acts for a project, not for a user. Use a personal token.',
      'personal_token_required',
    )
  }
  if (permission === 'instance:manage' && (principal.kind === 'ci' || !principal.isInstanceAdmin)) {
    return instanceAdminRequiredProblem()
  }
  return isWriteMethod(method) && principal.access === 'read' ? readOnlyTokenProblem() : null
}

/** Checks a permission in a project; returns null when the principal has it. */
export function checkProjectPermission(
  principal: Principal,
  permission: ProjectPermission,
  projectId: string,
  method: string,
): Problem | null {
  if (principal.kind === 'ci') {
    const { ci } = permissionGrants[permission]
    if (principal.projectId !== projectId) {
      return forbiddenProblem('This CI token belongs to another project.', 'not_a_member')
    }
    if (ci === 'none') {
      return forbiddenProblem(
        'CI tokens do not have permission for this. Use a personal token.',
        'personal_token_required',
      )
    }
    return (ci === 'write' || isWriteMethod(method)) && principal.access === 'read' ? readOnlyTokenProblem() : null
  }
  if (permission === 'results:upload') return ciTokenRequiredProblem()
  const problem = checkRole(principal.roles.get(projectId), permission)
  if (problem !== null) return problem
  return isWriteMethod(method) && principal.access === 'read' ? readOnlyTokenProblem() : null
}

/** Checks what a CI token may do besides; returns null when it may. */
export function checkGrant(principal: Principal, grant: TokenGrant): Problem | null {
  if (principal.kind === 'ci' && principal.grants.includes(grant)) return null
  return forbiddenProblem(
    `This requires a CI token with the grant \`${grant}\`. An admin of the project can create one with POST /v1/projects/:project_id/tokens and \`"grants": ["${grant}"]\`.`,
    'grant_required',
  )
}

/** Checks a user's role in a project, which is undefined for other users; returns null when it has the permission. */
export function checkRole(role: Role | undefined, permission: ProjectPermission): Problem | null {
  const { roles } = permissionGrants[permission]
  if (role === undefined) {
    return forbiddenProblem('You are not a member of this project. Ask one of its admins.', 'not_a_member')
  }
  if (roles.includes(role)) return null
  return forbiddenProblem(`Your role in this project is ${role}; this requires ${roles.join(' or ')}.`, 'role_required')
}

export const instanceAdminRequiredProblem = () =>
  forbiddenProblem(
    'This requires an instance administrator, and you are not one. Ask one of them.',
    'instance_admin_required',
  )

const readOnlyTokenProblem = () =>
  forbiddenProblem('This token is read-only. Use a token with write access.', 'read_only_token')

const ciTokenRequiredProblem = () =>
  forbiddenProblem(
    'CI uploads require a CI token of the project (cwc_…). An admin can create one with POST /v1/projects/:project_id/tokens.',
    'ci_token_required',
  )
