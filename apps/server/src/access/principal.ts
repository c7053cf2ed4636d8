/** A user's role in a project. */
export type Role = 'admin' | 'member' | 'viewer'

/** The authenticated caller of a request, with the roles or the project that it has. */
export type Principal =
  | { kind: 'personal'; key: string; userId: string; access: 'read' | 'write'; roles: ReadonlyMap<string, Role> }
  | { kind: 'session'; key: string; userId: string; access: 'write'; roles: ReadonlyMap<string, Role> }
  | { kind: 'ci'; key: string; projectId: string; access: 'read' | 'write' }

/** A caller that acts as a user. */
export type UserPrincipal = Exclude<Principal, { kind: 'ci' }>
