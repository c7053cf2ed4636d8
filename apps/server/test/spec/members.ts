import type { Requirements } from './requirement.ts'

export const members: Requirements = {
  'id-that-of-the-user': 'id: the id of the user',
  'email-string': 'email: string',
  'name-string': 'name: string',
  'avatar_url-string-nullable': 'avatar_url: string, nullable',
  'role-admin-member-or-viewer': 'role: admin, member or viewer',
  'joined_at-timestamp': 'joined_at: timestamp',
  'updated_at-is-only-in-the-answer-to-a-change-of': 'updated_at is only in the response to a change of the role',
  'get-200': 'GET: 200',
  'get-role-is-admin-member-or-viewer': 'GET: role is admin, member or viewer',
  'get-paginated': 'GET: paginated',
  'get-members-without-updated_at': 'GET: members without updated_at',
  'patch-role-is-required-one-of-three': 'PATCH: role is required, one of three',
  'patch-200-with-the-member-and-updated_at': 'PATCH: 200 with the member and updated_at',
  'patch-admins-only': 'PATCH: admins only',
  'delete-204-with-an-empty-body': 'DELETE: 204 with an empty body',
  'delete-admins-only': 'DELETE: admins only',
  'the-last-admin-cannot-be-demoted-422': 'the last admin cannot be demoted: 422',
  'the-last-admin-cannot-be-removed-422': 'the last admin cannot be removed: 422',
  'the-last-admin-stays-also-when-two-turn-on-each':
    'one admin remains when the last two demote each other at the same time',
  'inviting-a-member-is-409': 'inviting an existing member is 409',
  'inviting-again-while-an-invitation-is-pending': 'inviting again while an invitation is pending is 409',
  'another-role-is-400': 'another role is 400',
}
