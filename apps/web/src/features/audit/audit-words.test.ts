import { AUDIT_ACTIONS } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { actionNames, getActionOptions, parseAction } from './audit-actions.ts'
import { describeActor, describeEntry, type DescribedEntry } from './audit-words.ts'

const ada = {
  kind: 'user',
  id: 'ada',
  name: 'Ada',
  email: 'ada@example.test',
  token_id: null,
  token_name: null,
} as const
const bob = { kind: 'user', id: 'bob', name: 'Bob', email: 'bob@example.test' } as const
const describeOf = (action: DescribedEntry['action'], fields: Partial<DescribedEntry> = {}) =>
  describeEntry({ action, actor: ada, subject: bob, detail: {}, ...fields })
const named = (kind: DescribedEntry['subject']['kind'], name: string, id: string | null = null) =>
  ({ subject: { kind, id, name, email: null } }) as const
const ofOwn = { subject: { ...bob, id: 'ada', name: 'Ada' } }

describe('describeEntry', () => {
  it.each<[DescribedEntry['action'], Partial<DescribedEntry>, string]>([
    ['attachment.delete', named('attachment', 'shot.png'), 'Deleted the attachment “shot.png”'],
    ['comment.delete', named('comment', 'Bob'), 'Deleted a comment by Bob'],
    ['folder.delete', named('folder', 'Checkout'), 'Deleted the folder “Checkout”'],
    ['share.create', named('share', 'For Acme'), 'Shared the report “For Acme”'],
    ['share.revoke', named('share', 'For Acme'), 'Revoked the shared report “For Acme”'],
    ['configuration.create', named('configuration', 'Chrome'), 'Added the configuration “Chrome”'],
    ['configuration.delete', named('configuration', 'Chrome'), 'Deleted the configuration “Chrome”'],
    ['configuration.update', named('configuration', 'Chrome'), 'Changed the configuration “Chrome”'],
    ['field.create', named('field', 'Severity'), 'Added the field “Severity”'],
    ['field.delete', named('field', 'Severity'), 'Deleted the field “Severity” and its values'],
    [
      'field.merge_options',
      { ...named('field', 'Severity'), detail: { from: 'low', into: 'minor', test_case_count: 3 } },
      'Merged two options of the field “Severity”, in 3 test cases',
    ],
    ['field.restore', named('field', 'Severity'), 'Restored the field “Severity”'],
    ['field.retire', named('field', 'Severity'), 'Retired the field “Severity”'],
    ['field.update', named('field', 'Severity'), 'Changed the field “Severity”'],
    ['quarantine.add', named('quarantine', 'pays'), 'Quarantined the test “pays”'],
    ['quarantine.change', named('quarantine', 'pays'), 'Changed the quarantine of the test “pays”'],
    ['quarantine.end', named('quarantine', 'pays'), 'Ended the quarantine of the test “pays”'],
    ['milestone.delete', named('milestone', 'Release 2'), 'Deleted the milestone “Release 2”'],
    [
      'run.remove_configurations',
      { ...named('run', 'Nightly'), detail: { combinations: 3 } },
      'Removed 3 combinations from the run “Nightly”',
    ],
    ['run.delete', named('run', 'Nightly'), 'Deleted the run “Nightly”'],
    ['test_case.archive', named('test_case', 'Pays', 'WEB-12'), 'Archived the test case WEB-12 “Pays”'],
    ['test_case.restore', named('test_case', 'Pays', 'WEB-12'), 'Restored the test case WEB-12 “Pays”'],
    [
      'test_case.merge',
      { ...named('test_case', 'Pays', 'WEB-12'), detail: { into: 'WEB-3' } },
      'Merged the test case WEB-12 “Pays” into WEB-3',
    ],
    [
      'test_case.undo_merge',
      { ...named('test_case', 'Pays', 'WEB-12'), detail: { into: 'WEB-3' } },
      'Undid the merge of the test case WEB-12 “Pays” into WEB-3',
    ],
    ['test_case.delete', named('test_case', 'Pays', 'WEB-12'), 'Deleted the test case WEB-12 “Pays”'],
    ['test_case.delete', named('test_case', 'Pays'), 'Deleted the test case “Pays”'],
    [
      'run.leave_out',
      { ...named('run', 'Nightly'), detail: { kind: 'test', name: 'cart > pays', outcome: 'failed' } },
      'Left the test “cart > pays” (failed) out of the run “Nightly”',
    ],
    [
      'run.put_back',
      { ...named('run', 'Nightly'), detail: { kind: 'suite_error', name: 'a.test.ts' } },
      'Put the error “a.test.ts” back into the run “Nightly”',
    ],
    [
      'run.remove_test_cases',
      { ...named('run', 'Nightly'), detail: { test_cases: 3, tested: 1 } },
      'Removed 3 test cases from the run “Nightly”, with 1 result',
    ],
    [
      'run.remove_test_cases',
      { ...named('run', 'Nightly'), detail: { test_cases: 1, tested: 0 } },
      'Removed 1 test case from the run “Nightly”',
    ],
    [
      'instance.update_settings',
      { detail: { project_creation: { from: 'everyone', to: 'instance_admins' } } },
      'Changed who can create projects: everyone → administrators only',
    ],
    ['instance.update_settings', {}, 'Changed the settings of this server'],
    ['instance.back_up', { detail: { file: 'monday.gz' } }, 'Made a backup of all data (monday.gz)'],
    ['instance.restore', { detail: { file: 'monday.gz' } }, 'Restored all data from a backup (monday.gz)'],
    [
      'invitation.create',
      { ...named('invitation', 'm@example.test'), detail: { role: 'viewer' } },
      'Invited m@example.test as viewer',
    ],
    [
      'invitation.accept',
      { ...named('invitation', 'm@example.test'), detail: { role: 'viewer' } },
      'Accepted the invitation of m@example.test as viewer',
    ],
    ['invitation.resend', named('invitation', 'm@example.test'), 'Sent the invitation of m@example.test again'],
    ['invitation.revoke', named('invitation', 'm@example.test'), 'Revoked the invitation of m@example.test'],
    ['member.change_role', { detail: { from: 'viewer', to: 'member' } }, 'Changed the role of Bob: viewer → member'],
    ['member.change_role', {}, 'Changed the role of Bob'],
    [
      'member.remove',
      { detail: { role: 'admin', revoked_invitation_count: 2 } },
      'Removed Bob from the project, and revoked 2 invitations',
    ],
    ['member.remove', ofOwn, 'Left the project'],
    [
      'password.change',
      { ...ofOwn, detail: { name: { from: 'A', to: 'Ada' } } },
      'Changed the password, and the name: A → Ada',
    ],
    [
      'password.reset',
      { ...ofOwn, detail: { revoked_tokens: true } },
      'Set a new password by a link, and revoked all personal tokens',
    ],
    ['password.reset', { ...ofOwn, detail: { revoked_tokens: false } }, 'Set a new password by a link'],
    ['project.create', named('project', 'Web shop'), 'Created the project “Web shop”'],
    ['project.delete', named('project', 'Web shop'), 'Deleted the project “Web shop”'],
    [
      'project.update',
      { ...named('project', 'Shop'), detail: { name: { from: 'Web shop', to: 'Shop' }, description: 'changed' } },
      'Renamed the project: Web shop → Shop, and changed its description',
    ],
    [
      'project.update',
      { ...named('project', 'Shop'), detail: { description: 'changed' } },
      'Changed the description of the project “Shop”',
    ],
    ['project.update', named('project', 'Shop'), 'Changed the project “Shop”'],
    ['recovery_code.use', ofOwn, 'Used a recovery code'],
    ['recovery_codes.create', ofOwn, 'Created new recovery codes'],
    ['second_factor.add', { ...ofOwn, detail: { kind: 'passkey', name: 'Laptop' } }, 'Added the passkey “Laptop”'],
    ['second_factor.reject', { ...ofOwn, detail: { method: 'totp' } }, 'Gave a wrong code of an authenticator app'],
    [
      'second_factor.remove',
      { ...ofOwn, detail: { kind: 'totp', name: 'Phone' } },
      'Removed the authenticator app “Phone”',
    ],
    ['session.confirm', ofOwn, 'Confirmed the session'],
    ['session.create', ofOwn, 'Signed in'],
    ['session.create', { ...ofOwn, detail: { by: 'passkey' } }, 'Signed in with a passkey'],
    ['session.end', ofOwn, 'Ended a session'],
    ['session.end_others', { ...ofOwn, detail: { count: 2 } }, 'Ended 2 other sessions'],
    ['session.end_others', ofOwn, 'Ended all other sessions'],
    [
      'session.reject',
      { ...ofOwn, detail: { method: 'password', purpose: 'sign-in' } },
      'A wrong password was given for the account of Ada',
    ],
    [
      'session.reject',
      { ...ofOwn, detail: { method: 'password', purpose: 'confirmation' } },
      'A wrong password was given for the account of Ada (confirmation)',
    ],
    [
      'session.reject',
      { ...named('session', 'Unknown account'), detail: { method: 'passkey', purpose: 'sign-in' } },
      'A wrong passkey was given for an account that does not exist',
    ],
    [
      'session.reject',
      { ...ofOwn, detail: { method: 'password', purpose: 'sign-in', reason: 'account disabled' } },
      'A sign-in to the account of Ada was refused, because it is disabled',
    ],
    ['single_sign_on.link', ofOwn, 'Linked the account to single sign-on'],
    ['single_sign_on.unlink', ofOwn, 'Removed the link to single sign-on'],
    [
      'token.create',
      { ...named('token', 'CI'), detail: { kind: 'ci', access: 'write' } },
      'Created the CI token “CI”, read and write',
    ],
    [
      'token.create',
      { ...named('token', 'Laptop'), detail: { kind: 'personal', access: 'read' } },
      'Created the personal token “Laptop”, read only',
    ],
    ['token.keep', { ...named('token', 'CI'), detail: { kind: 'ci' } }, 'Kept the CI token “CI” after a review'],
    ['token.revoke', named('token', 'Laptop'), 'Revoked the token “Laptop”'],
    ['user.complete_review', ofOwn, 'Checked the own account after it was secured'],
    ['user.create', { detail: { by: 'invitation' } }, 'Created the account of Bob, by an invitation'],
    ['user.create', { detail: { by: 'something new' } }, 'Created the account of Bob'],
    ['user.create_reset_link', {}, 'Created a link for a new password of Bob'],
    ['user.disable', { detail: { revoked_invitation_count: 1 } }, 'Disabled Bob, and revoked 1 invitation'],
    ['user.delete', {}, 'Deleted the account of a user'],
    ['user.delete', ofOwn, 'Deleted the own account'],
    ['user.request_email_change', ofOwn, 'Requested to change the own email address'],
    ['user.cancel_email_change', ofOwn, 'Canceled the change of the own email address'],
    ['user.change_email', ofOwn, 'Changed the own email address'],
    ['user.enable', {}, 'Enabled Bob'],
    ['user.end_sessions', {}, 'Ended all sessions of Bob'],
    ['user.end_sessions', ofOwn, 'Ended all own sessions'],
    ['user.reset_second_factors', {}, 'Removed all second factors of Bob'],
    ['user.revoke_tokens', {}, 'Revoked all personal tokens of Bob'],
    ['user.revoke_tokens', ofOwn, 'Revoked all own personal tokens'],
    ['user.grant_instance_admin', {}, 'Made Bob an administrator'],
    ['user.withdraw_instance_admin', {}, 'Withdrew the administration from Bob'],
    [
      'user.update',
      { ...ofOwn, detail: { name: { from: 'A', to: 'Ada' } } },
      'Changed the own profile, and the name: A → Ada',
    ],
    ['user.update', {}, 'Changed the profile of Bob'],
  ])('says what %s with %j was', (action, fields, words) => {
    expect(describeOf(action, fields)).toBe(words)
  })

  it.each(AUDIT_ACTIONS)('has words for %s, also without details', (action) => {
    expect(describeOf(action)).not.toMatch(/undefined|null|[._]/)
  })

  it('describes an action that only a newer server knows', () => {
    expect(describeOf('report.send_again' as DescribedEntry['action'])).toBe('report send again: Bob')
  })
})

it.each([
  [ada, 'Ada'],
  [{ ...ada, kind: 'token' as const, name: 'GitHub' }, 'CI token “GitHub”'],
  [{ ...ada, kind: 'token' as const, name: '' }, 'A CI token'],
  [{ ...ada, kind: 'system' as const, id: null, name: 'System' }, 'System'],
])('names the actor %j', (actor, words) => {
  expect(describeActor(actor)).toBe(words)
})

describe('the actions of the filter', () => {
  it('are all for the instance, in the order of their names', () => {
    const labels = getActionOptions(false).map(({ label }) => label)
    expect(labels).toHaveLength(AUDIT_ACTIONS.length)
    expect(labels.toSorted((a, b) => a.localeCompare(b, 'en'))).toEqual(labels)
    expect(new Set(Object.values(actionNames)).size).toBe(AUDIT_ACTIONS.length)
  })

  it('leave out in a project what happens outside of projects', () => {
    const values = getActionOptions(true).map(({ value }) => value)
    expect(values).toContain('member.change_role')
    expect(values).not.toContain('session.create')
    expect(values).not.toContain('user.disable')
  })

  it('are parsed from a URL', () => {
    expect(parseAction('run.delete')).toBe('run.delete')
    expect(parseAction('x')).toBeUndefined()
    expect(parseAction(null)).toBeUndefined()
  })
})
