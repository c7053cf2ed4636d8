/** A user's role in a project. */
export type Role = 'admin' | 'member' | 'viewer'

/** What a CI token may do besides what its access allows. `cases:create`: uploads may create test cases. */
export type TokenGrant = 'cases:create'

/** What a user may do: the roles by project, and whether the user administers the instance. */
interface UserRights {
  userId: string
  roles: ReadonlyMap<string, Role>
  isInstanceAdmin: boolean
}

/** The authenticated caller of a request, with the roles or the project that it has. */
export type Principal =
  | ({ kind: 'personal'; key: string; access: 'read' | 'write' } & UserRights)
  | ({
      kind: 'session'
      key: string
      access: 'write'
      /** Whether the session may do nothing but set up a second factor, which the instance requires. */
      mustSetUpSecondFactor: boolean
    } & UserRights)
  | { kind: 'ci'; key: string; projectId: string; access: 'read' | 'write'; grants: readonly TokenGrant[] }

/** A caller that acts as a user. */
export type UserPrincipal = Exclude<Principal, { kind: 'ci' }>

/** Returns whose load a caller is: that of the user, or of the project for all of its CI tokens. Limits count it together. */
export const getLoadOwnerId = (principal: Principal): string =>
  principal.kind === 'ci' ? principal.projectId : principal.userId
