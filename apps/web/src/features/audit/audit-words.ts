import type { AuditAction, AuditEntry } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

/** The parts of an entry that its sentence is about. */
export type DescribedEntry = Pick<AuditEntry, 'action' | 'actor' | 'subject' | 'detail'>

/** The actions as the filter names them. */
export const actionNames: Readonly<Record<AuditAction, string>> = {
  'attachment.delete': 'Attachment deleted',
  'comment.delete': 'Comment deleted',
  'configuration.create': 'Configuration added',
  'configuration.delete': 'Configuration deleted',
  'configuration.update': 'Configuration changed',
  'field.create': 'Field added',
  'field.delete': 'Field deleted',
  'field.restore': 'Field restored',
  'field.retire': 'Field retired',
  'field.update': 'Field changed',
  'file.delete': 'Content deleted everywhere',
  'folder.delete': 'Folder deleted',
  'import.apply': 'Import applied',
  'import.delete': 'Import deleted',
  'import.undo': 'Import undone',
  'imported_person.forget': 'Imported person forgotten',
  'imported_person.join': 'Imported person joined to a member',
  'instance.back_up': 'Backup made by hand',
  'instance.distribute': 'Database distributed',
  'instance.restore': 'Backup restored',
  'instance.update_settings': 'Instance settings changed',
  'invitation.accept': 'Invitation accepted',
  'invitation.create': 'Invitation sent',
  'invitation.resend': 'Invitation sent again',
  'invitation.revoke': 'Invitation revoked',
  'member.add': 'Member added by a group',
  'member.change_role': 'Role changed',
  'member.keep_last_admin': 'Last admin kept without a group',
  'member.remove': 'Member removed',
  'member.skip_full_project': 'Project full: member not added by a group',
  'milestone.delete': 'Milestone deleted',
  'password.change': 'Password changed',
  'password.reset': 'Password reset',
  'project.create': 'Project created',
  'project.delete': 'Project deleted',
  'project.delete_old_runs': 'Old runs deleted',
  'project.delete_old_tests': 'Old tests deleted',
  'project.remove_old_files': 'Old files removed',
  'project.update': 'Project changed',
  'project.update_group_roles': 'Roles of groups changed',
  'quarantine.add': 'Test quarantined',
  'quarantine.change': 'Quarantine changed',
  'quarantine.end': 'Quarantine ended',
  'recovery_code.use': 'Recovery code used',
  'recovery_codes.create': 'Recovery codes created',
  'run.delete': 'Run deleted',
  'run.exclude': 'Run excluded',
  'run.include': 'Run included',
  'run.leave_out': 'Left out of a run',
  'run.put_back': 'Put back into a run',
  'run.remove_configurations': 'Configurations removed from run',
  'run.remove_test_cases': 'Test cases removed from a run',
  'second_factor.add': 'Second factor added',
  'second_factor.reject': 'Wrong second factor',
  'second_factor.remove': 'Second factor removed',
  'session.confirm': 'Session confirmed',
  'session.create': 'Signed in',
  'session.end': 'Session ended',
  'session.end_by_provider': 'Sessions ended by the sign-in provider',
  'session.end_others': 'Other sessions ended',
  'session.end_password_sessions': 'Sessions with a password ended',
  'session.reject': 'Sign-in rejected',
  'share.create': 'Report shared',
  'share.revoke': 'Shared report revoked',
  'shared_step.create': 'Shared step created',
  'shared_step.delete': 'Shared step deleted',
  'shared_step.update': 'Shared step changed',
  'single_sign_on.link': 'Single sign-on linked',
  'single_sign_on.unlink': 'Single sign-on unlinked',
  'test_case.archive': 'Test case archived',
  'test_case.delete': 'Test case deleted',
  'test_case.merge': 'Test case merged',
  'test_case.restore': 'Test case restored',
  'test_case.undo_merge': 'Merge of a test case undone',
  'token.create': 'Token created',
  'token.keep': 'CI token kept after a review',
  'token.revoke': 'Token revoked',
  'user.cancel_email_change': 'Change of an email address canceled',
  'user.change_email': 'Email address changed',
  'user.complete_review': 'Account checked after it was secured',
  'user.create': 'User created',
  'user.create_reset_link': 'Link for a new password created',
  'user.create_sign_in_link': 'Link to sign in created',
  'user.delete': 'User deleted',
  'user.disable': 'User disabled',
  'user.enable': 'User enabled',
  'user.end_sessions': 'Sessions of a user ended',
  'user.grant_instance_admin': 'Administrator added',
  'user.keep_last_instance_admin': 'Last administrator kept without a group',
  'user.request_email_change': 'Change of an email address requested',
  'user.reset_second_factors': 'Second factors of a user removed',
  'user.revoke_tokens': 'Tokens of a user revoked',
  'user.update': 'User changed',
  'user.withdraw_instance_admin': 'Administrator removed',
}

/** What happens outside of projects only, and is never in the audit log of one. */
const instanceNouns = new Set([
  'instance',
  'password',
  'recovery_code',
  'recovery_codes',
  'second_factor',
  'session',
  'single_sign_on',
  'user',
])

/** The actions that the filter offers, by their names. */
export function getActionOptions(isInProject: boolean): { value: AuditAction; label: string }[] {
  return (Object.keys(actionNames) as AuditAction[])
    .filter((action) => !isInProject || !instanceNouns.has(action.split('.')[0] ?? ''))
    .map((value) => ({ value, label: actionNames[value] }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** An action that a URL names; undefined for any other text. */
export const parseAction = (text: string | null): AuditAction | undefined =>
  (Object.keys(actionNames) as AuditAction[]).find((action) => action === text)

/** Says what was done, without who did it: “Changed the role of Bob: viewer → member”. */
export function describeEntry(entry: DescribedEntry): string {
  const { subject, detail } = entry
  const { name } = subject
  const isOwn = subject.kind === 'user' && subject.id !== null && subject.id === entry.actor.id
  switch (entry.action) {
    case 'attachment.delete':
      return `Deleted the attachment “${name}”`
    case 'comment.delete':
      return `Deleted a comment by ${name}`
    case 'configuration.create':
      return `Added the configuration “${name}”`
    case 'configuration.delete':
      return `Deleted the configuration “${name}”`
    case 'configuration.update':
      return `Changed the configuration “${name}”`
    case 'field.create':
      return `Added the field “${name}”`
    case 'field.delete':
      return `Deleted the field “${name}” and its values`
    case 'field.restore':
      return `Restored the field “${name}”`
    case 'field.retire':
      return `Retired the field “${name}”`
    case 'field.update':
      return `Changed the field “${name}”`
    case 'folder.delete':
      return `Deleted the folder “${name}”`
    case 'milestone.delete':
      return `Deleted the milestone “${name}”`
    case 'run.remove_configurations':
      return `Removed ${formatNumberOf(Number(detail['combinations']), 'combination')} from the run “${name}”`
    case 'run.delete':
      return `Deleted the run “${name}”`
    case 'test_case.archive':
      return `Archived the test case ${[subject.id, `“${name}”`].filter(Boolean).join(' ')}`
    case 'test_case.delete':
      return `Deleted the test case ${[subject.id, `“${name}”`].filter(Boolean).join(' ')}`
    case 'test_case.merge':
      return `Merged the test case ${subject.id} “${name}” into ${formatTarget(detail)}`
    case 'test_case.undo_merge':
      return `Undid the merge of the test case ${subject.id} “${name}” into ${formatTarget(detail)}`
    case 'test_case.restore':
      return `Restored the test case ${[subject.id, `“${name}”`].filter(Boolean).join(' ')}`
    case 'project.delete_old_runs':
      return `Deleted ${formatNumberOf(Number(detail['runs']), 'run')} by age, with ${formatNumberOf(Number(detail['results']), 'result')}`
    case 'project.remove_old_files':
      return `Removed ${formatNumberOf(Number(detail['files']), 'file')} of completed runs by age`
    case 'file.delete':
      return `Deleted a content and removed it from ${formatNumberOf(Number(detail['attachments']), 'attachment')}`
    case 'project.delete_old_tests':
      return `Deleted ${formatNumberOf(Number(detail['tests']), 'test')} by age`
    case 'run.exclude':
      return `Excluded the run “${name}” from comparisons`
    case 'run.include':
      return `Included the run “${name}” in comparisons`
    case 'run.leave_out':
      return `Left ${formatLeftOut(detail)} out of the run “${name}”`
    case 'run.put_back':
      return `Put ${formatLeftOut(detail)} back into the run “${name}”`
    case 'run.remove_test_cases':
      return describeRemovedTestCases(name, detail)
    case 'instance.distribute':
      return 'Distributed the database with Citus'
    case 'import.apply':
      return `Imported “${name}”`
    case 'import.delete':
      return `Deleted the import “${name}”`
    case 'import.undo':
      return `Undid the import “${name}”`
    case 'imported_person.forget':
      return 'Forgot a person of imported history'
    case 'imported_person.join':
      return `Joined a person of imported history to ${name}`
    case 'instance.back_up':
      return `Made a backup of all data${formatFile(detail['file'])}`
    case 'instance.restore':
      return `Restored all data from a backup${formatFile(detail['file'])}`
    case 'instance.update_settings':
      return describeSettings(detail)
    case 'invitation.accept':
      return `Accepted the invitation of ${name}${formatRole(detail['role'])}`
    case 'invitation.create':
      return `Invited ${name}${formatRole(detail['role'])}`
    case 'invitation.resend':
      return `Sent the invitation of ${name} again`
    case 'invitation.revoke':
      return `Revoked the invitation of ${name}`
    case 'member.add':
      return `Added ${name} by a group of the sign-in provider${formatRole(detail['role'])}`
    case 'member.skip_full_project':
      return `Did not add ${name} by a group of the sign-in provider, because the project is full`
    case 'member.keep_last_admin':
      return `Kept ${name} as the last admin, although no group makes them one`
    case 'project.update_group_roles':
      return 'Changed the roles of groups of the sign-in provider'
    case 'user.keep_last_instance_admin':
      return `Kept ${name} as the last instance administrator, although no group makes them one`
    case 'member.change_role':
      return `Changed the role of ${name}${formatChange(detail)}${formatInvitations(detail)}`
    case 'member.remove':
      return `${isOwn ? 'Left the project' : `Removed ${name} from the project`}${formatInvitations(detail)}`
    case 'password.change':
      return `Changed the password${formatRenaming(detail['name'])}`
    case 'password.reset':
      return `Set a new password by a link${detail['revoked_tokens'] === true ? ', and revoked all personal tokens' : ''}${formatInvitations(detail)}`
    case 'project.create':
      return `Created the project “${name}”`
    case 'project.delete':
      return `Deleted the project “${name}”`
    case 'project.update':
      return describeProjectChange(name, detail)
    case 'quarantine.add':
      return `Quarantined the test “${name}”`
    case 'quarantine.change':
      return `Changed the quarantine of the test “${name}”`
    case 'quarantine.end':
      return `Ended the quarantine of the test “${name}”`
    case 'recovery_code.use':
      return 'Used a recovery code'
    case 'recovery_codes.create':
      return 'Created new recovery codes'
    case 'second_factor.add':
      return `Added ${describeFactor(detail)}`
    case 'second_factor.reject':
      return `Gave a wrong ${proofNames[String(detail['method'])] ?? 'second factor'}`
    case 'second_factor.remove':
      return `Removed ${describeFactor(detail)}`
    case 'session.confirm':
      return 'Confirmed the session'
    case 'session.create':
      return typeof detail['by'] === 'string' ? `Signed in with ${describeWay(detail['by'])}` : 'Signed in'
    case 'session.end':
      return 'Ended a session'
    case 'session.end_by_provider':
      return `Ended the sessions of ${name} because they signed out at the sign-in provider`
    case 'session.end_others':
      return typeof detail['count'] === 'number'
        ? `Ended ${formatNumberOf(detail['count'], 'other session')}`
        : 'Ended all other sessions'
    case 'session.end_password_sessions':
      return typeof detail['count'] === 'number'
        ? `Ended ${formatNumberOf(detail['count'], 'session')} that began with a password`
        : 'Ended all sessions that began with a password'
    case 'session.reject':
      return describeRejection(name, subject.id !== null, detail)
    case 'share.create':
      return `Shared the report “${name}”`
    case 'share.revoke':
      return `Revoked the shared report “${name}”`
    case 'shared_step.create':
      return `Created the shared step “${name}”`
    case 'shared_step.delete':
      return `Deleted the shared step “${name}”`
    case 'shared_step.update':
      return `Changed the shared step “${name}”`
    case 'single_sign_on.link':
      return 'Linked the account to single sign-on'
    case 'single_sign_on.unlink':
      return 'Removed the link to single sign-on'
    case 'token.create':
      return `Created the ${describeToken(detail)} “${name}”${formatAccess(detail['access'])}`
    case 'token.keep':
      return `Kept the ${describeToken(detail)} “${name}” after a review`
    case 'token.revoke':
      return `Revoked the ${describeToken(detail)} “${name}”`
    case 'user.create':
      return `Created the account of ${name}${formatOrigin(detail['by'])}`
    case 'user.create_reset_link':
      return `Created a link for a new password of ${name}`
    case 'user.create_sign_in_link':
      return `Created a link to sign in as ${name}`
    case 'user.request_email_change':
      return 'Requested to change the own email address'
    case 'user.cancel_email_change':
      return 'Canceled the change of the own email address'
    case 'user.change_email':
      return 'Changed the own email address'
    case 'user.complete_review':
      return 'Checked the own account after it was secured'
    case 'user.delete':
      return `${isOwn ? 'Deleted the own account' : 'Deleted the account of a user'}${formatInvitations(detail)}`
    case 'user.disable':
      return `Disabled ${name}${formatInvitations(detail)}`
    case 'user.enable':
      return `Enabled ${name}${formatInvitations(detail)}`
    case 'user.end_sessions':
      return isOwn ? 'Ended all own sessions' : `Ended all sessions of ${name}`
    case 'user.reset_second_factors':
      return `Removed all second factors of ${name}`
    case 'user.revoke_tokens':
      return isOwn ? 'Revoked all own personal tokens' : `Revoked all personal tokens of ${name}`
    case 'user.grant_instance_admin':
      return `Made ${name} an administrator`
    case 'user.withdraw_instance_admin':
      return `Withdrew the administration from ${name}`
    case 'user.update':
      return `${isOwn ? 'Changed the own profile' : `Changed the profile of ${name}`}${formatRenaming(detail['name'])}`
    default:
      return describeUnknown(entry)
  }
}

/** A newer server may record actions that this page does not know. */
const describeUnknown = ({ action, subject }: { action: string; subject: { name: string } }) =>
  `${action.replace(/[._]/g, ' ')}: ${subject.name}`

/** Says who did it. A CI token that revoked itself has no name. */
export function describeActor({ kind, name }: Pick<AuditEntry['actor'], 'kind' | 'name'>): string {
  if (kind !== 'token') return name
  return name === '' ? 'A CI token' : `CI token “${name}”`
}

/** The values of roles and settings, in the words of the app. */
const valueNames: Readonly<Record<string, string>> = {
  everyone: 'everyone',
  instance_admins: 'administrators only',
}

const formatValue = (value: unknown) => (typeof value === 'string' ? (valueNames[value] ?? value) : null)

/** “: viewer → member”; empty if it is not known. */
function formatChange(change: unknown): string {
  if (typeof change !== 'object' || change === null) return ''
  const { from, to } = change as { from?: unknown; to?: unknown }
  const [before, after] = [formatValue(from), formatValue(to)]
  return before === null || after === null ? '' : `: ${before} → ${after}`
}

const formatRole = (role: unknown) => (typeof role === 'string' ? ` as ${role}` : '')

function formatRenaming(change: unknown): string {
  const words = formatChange(change)
  return words === '' ? '' : `, and the name${words}`
}

function formatInvitations({ revoked_invitation_count: count }: Record<string, unknown>): string {
  return typeof count === 'number' ? `, and revoked ${formatNumberOf(count, 'invitation')}` : ''
}

const quotaNames: Readonly<Record<string, string>> = {
  max_projects_per_user: 'projects per user',
  max_members_per_project: 'members per project',
  max_test_cases_per_project: 'test cases per project',
  max_runs_per_project: 'runs per project',
  max_file_bytes_per_project: 'bytes of files per project',
}

function describeSettings({
  project_creation: change,
  require_second_factor: factor,
  ...quotas
}: Record<string, unknown>): string {
  if (typeof factor === 'object' && factor !== null && 'to' in factor) {
    return factor.to === true ? 'Required a second factor of all users' : 'Made second factors optional'
  }
  const words = formatChange(change)
  if (words !== '') return `Changed who can create projects${words}`
  const names = Object.keys(quotas).flatMap((name) => quotaNames[name] ?? [])
  return names.length === 0 ? 'Changed the settings of this server' : `Changed the limit of ${names.join(', ')}`
}

function describeProjectChange(name: string, { name: renaming, description }: Record<string, unknown>): string {
  const words = formatChange(renaming)
  if (words === '')
    return `Changed the ${description === undefined ? 'project' : 'description of the project'} “${name}”`
  return `Renamed the project${words}${description === undefined ? '' : ', and changed its description'}`
}

function formatLeftOut({ kind, name, outcome }: Record<string, unknown>): string {
  const noun = kind === 'suite_error' ? 'error' : 'test'
  if (typeof name !== 'string' || name === '') return `one ${noun}`
  return `the ${noun} “${name}”${typeof outcome === 'string' ? ` (${outcome})` : ''}`
}

function describeRemovedTestCases(name: string, { test_cases: count, tested }: Record<string, unknown>): string {
  const cases = typeof count === 'number' ? formatNumberOf(count, 'test case') : 'test cases'
  const lost = typeof tested === 'number' && tested > 0 ? `, with ${formatNumberOf(tested, 'result')}` : ''
  return `Removed ${cases} from the run “${name}”${lost}`
}

/** The entry says which account was tried, and not who did: the sentence names nobody as the one who did it. */
function describeRejection(
  name: string,
  isKnown: boolean,
  { method, purpose, reason }: Record<string, unknown>,
): string {
  const account = isKnown ? `the account of ${name}` : 'an account that does not exist'
  if (reason === 'account disabled') return `A sign-in to ${account} was refused, because it is disabled`
  const occasion = purpose === 'sign-in' || typeof purpose !== 'string' ? '' : ` (${purpose})`
  return `A wrong ${method === 'passkey' ? 'passkey' : 'password'} was given for ${account}${occasion}`
}

const proofNames: Readonly<Record<string, string>> = {
  totp: 'code of an authenticator app',
  recovery_code: 'recovery code',
  passkey: 'passkey',
}

/** “the passkey “Laptop”” */
function describeFactor({ kind, name }: Record<string, unknown>): string {
  const noun = kind === 'totp' ? 'authenticator app' : kind === 'passkey' ? 'passkey' : 'second factor'
  return typeof name === 'string' ? `the ${noun} “${name}”` : `a ${noun}`
}

const describeToken = ({ kind }: Record<string, unknown>) =>
  kind === 'ci' ? 'CI token' : kind === 'personal' ? 'personal token' : 'token'

const formatAccess = (access: unknown) =>
  access === 'read' ? ', read only' : access === 'write' ? ', read and write' : ''

const origins: Readonly<Record<string, string>> = {
  setup: ', by the setup link',
  invitation: ', by an invitation',
  'single sign-on': ', by single sign-on',
  ADMIN_EMAIL: ', from the setting ADMIN_EMAIL',
  '--demo': ', for the example',
}

/** Things are named with their article. */
const describeWay = (by: string) => (by === 'sign-in link' || by === 'passkey' ? `a ${by}` : by)

const formatOrigin = (by: unknown) => (typeof by === 'string' ? (origins[by] ?? '') : '')

/** The test case into which another one was merged. */
const formatTarget = (detail: AuditEntry['detail']) =>
  typeof detail['into'] === 'string' ? detail['into'] : 'another one'

const formatFile = (file: unknown): string => (typeof file === 'string' ? ` (${file})` : '')
