/** How many addresses an entry of the audit log names. */
const MAX_NAMED = 100

/** The detail of an audit entry for a change that also revoked invitations, by the invited addresses. */
export const describeRevokedInvitations = (emails: readonly string[]): Record<string, unknown> =>
  emails.length === 0
    ? {}
    : { revoked_invitation_count: emails.length, revoked_invitations: emails.slice(0, MAX_NAMED) }
