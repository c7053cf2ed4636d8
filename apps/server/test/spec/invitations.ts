import type { Requirements } from './requirement.ts'

export const invitations: Requirements = {
  'id-string': 'id: string',
  'email-string': 'email: string',
  'role-admin-member-or-viewer': 'role: admin, member or viewer',
  'status-pending-on-creation': 'status: pending on creation',
  'further-values-of-status-decided': 'further values of status (our choice)',
  'invited_by-user-id-of-the-inviter': 'invited_by: user id of the inviter',
  'expires_at-timestamp': 'expires_at: timestamp',
  'created_at-timestamp': 'created_at: timestamp',
  'exactly-these-fields': 'exactly these fields',
  'transitions-decided': 'transitions (our choice)',
  'validity-decided-seven-days': 'validity: seven days (our choice)',
  'post-email-is-required': 'POST: email is required',
  'post-role-is-required-one-of-three': 'POST: role is required, one of three',
  'post-201-with-the-invitation': 'POST: 201 with the invitation',
  'post-a-mail-with-a-join-link-goes-to-the-invitee': 'POST: the invitee receives an email with a join link',
  'post-admins-only': 'POST: admins only',
}
