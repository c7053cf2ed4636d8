import type { AuditEntry } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'
import {
  describeFactor,
  describeProjectChange,
  describeRejection,
  describeRemovedTestCases,
  describeSettings,
  describeToken,
  describeWay,
  formatAccess,
  formatChange,
  formatFile,
  formatInvitations,
  formatLeftOut,
  formatOrigin,
  formatRenaming,
  formatRole,
  formatTarget,
  proofNames,
} from './audit-details.ts'

/** The parts of an entry that its sentence is about. */
export type DescribedEntry = Pick<AuditEntry, 'action' | 'actor' | 'subject' | 'detail'>

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
    case 'field.merge_options': {
      const { test_case_count: count } = detail
      const place = typeof count === 'number' ? `, in ${formatNumberOf(count, 'test case')}` : ''
      return `Merged two options of the field “${name}”${place}`
    }
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
