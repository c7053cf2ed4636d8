import type { Member } from '@caseward/client/endpoints'

export type Role = Member['role']

export const roleNames: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member', viewer: 'Viewer' }

/** What somebody with a role is, within a sentence. */
export const roleNouns: Readonly<Record<Role, string>> = { admin: 'an admin', member: 'a member', viewer: 'a viewer' }

/** What a role may do. */
export const roleWords: Readonly<Record<Role, string>> = {
  admin: 'Everything, including members, tokens and settings.',
  member: 'Write test cases, run them, and manage milestones.',
  viewer: 'See everything, change nothing.',
}

export const roleOptions = (['admin', 'member', 'viewer'] as const).map((value) => ({ value, label: roleNames[value] }))

/** Why nobody can change the role of a member or remove them here; null if it can be done. */
export function explainFixedRole(
  member: Pick<Member, 'id' | 'role'>,
  myId: string | undefined,
  adminCount: number,
  groups: readonly string[] = [],
): string | null {
  if (member.role === 'admin' && adminCount === 1)
    return 'The project always keeps an admin. Make someone else one first.'
  if (groups.length > 0) return explainGroups(groups)
  return member.id === myId ? 'Another admin can change your own role.' : null
}

/** Also removed members by a group come back, at their next sign-on. */
const explainGroups = (groups: readonly string[]): string =>
  `The role comes from the ${groups.length === 1 ? 'group' : 'groups'} ${formatGroups(groups)}. Change it under Groups, or the user’s groups at the sign-in provider.`

export const formatGroups = (groups: readonly string[]): string =>
  new Intl.ListFormat('en').format(groups.map((group) => `“${group}”`))
