import type { AuditEntry } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

/** The values of roles and settings, in the words of the app. */
const valueNames: Readonly<Record<string, string>> = {
  everyone: 'everyone',
  instance_admins: 'administrators only',
}

const formatValue = (value: unknown) => (typeof value === 'string' ? (valueNames[value] ?? value) : null)

/** “: viewer → member”; empty if it is not known. */
export function formatChange(change: unknown): string {
  if (typeof change !== 'object' || change === null) return ''
  const { from, to } = change as { from?: unknown; to?: unknown }
  const [before, after] = [formatValue(from), formatValue(to)]
  return before === null || after === null ? '' : `: ${before} → ${after}`
}

export const formatRole = (role: unknown) => (typeof role === 'string' ? ` as ${role}` : '')

export function formatRenaming(change: unknown): string {
  const words = formatChange(change)
  return words === '' ? '' : `, and the name${words}`
}

export function formatInvitations({ revoked_invitation_count: count }: Record<string, unknown>): string {
  return typeof count === 'number' ? `, and revoked ${formatNumberOf(count, 'invitation')}` : ''
}

const quotaNames: Readonly<Record<string, string>> = {
  max_projects_per_user: 'projects per user',
  max_members_per_project: 'members per project',
  max_test_cases_per_project: 'test cases per project',
  max_runs_per_project: 'runs per project',
  max_file_bytes_per_project: 'bytes of files per project',
}

export function describeSettings({
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

export function describeProjectChange(name: string, { name: renaming, description }: Record<string, unknown>): string {
  const words = formatChange(renaming)
  if (words === '')
    return `Changed the ${description === undefined ? 'project' : 'description of the project'} “${name}”`
  return `Renamed the project${words}${description === undefined ? '' : ', and changed its description'}`
}

export function formatLeftOut({ kind, name, outcome }: Record<string, unknown>): string {
  const noun = kind === 'suite_error' ? 'error' : 'test'
  if (typeof name !== 'string' || name === '') return `one ${noun}`
  return `the ${noun} “${name}”${typeof outcome === 'string' ? ` (${outcome})` : ''}`
}

export function describeRemovedTestCases(name: string, { test_cases: count, tested }: Record<string, unknown>): string {
  const cases = typeof count === 'number' ? formatNumberOf(count, 'test case') : 'test cases'
  const lost = typeof tested === 'number' && tested > 0 ? `, with ${formatNumberOf(tested, 'result')}` : ''
  return `Removed ${cases} from the run “${name}”${lost}`
}

/** The entry says which account was tried, and not who did: the sentence names nobody as the one who did it. */
export function describeRejection(
  name: string,
  isKnown: boolean,
  { method, purpose, reason }: Record<string, unknown>,
): string {
  const account = isKnown ? `the account of ${name}` : 'an account that does not exist'
  if (reason === 'account disabled') return `A sign-in to ${account} was refused, because it is disabled`
  const occasion = purpose === 'sign-in' || typeof purpose !== 'string' ? '' : ` (${purpose})`
  return `A wrong ${method === 'passkey' ? 'passkey' : 'password'} was given for ${account}${occasion}`
}

export const proofNames: Readonly<Record<string, string>> = {
  totp: 'code of an authenticator app',
  recovery_code: 'recovery code',
  passkey: 'passkey',
}

/** “the passkey “Laptop”” */
export function describeFactor({ kind, name }: Record<string, unknown>): string {
  const noun = kind === 'totp' ? 'authenticator app' : kind === 'passkey' ? 'passkey' : 'second factor'
  return typeof name === 'string' ? `the ${noun} “${name}”` : `a ${noun}`
}

export const describeToken = ({ kind }: Record<string, unknown>) =>
  kind === 'ci' ? 'CI token' : kind === 'personal' ? 'personal token' : 'token'

export const formatAccess = (access: unknown) =>
  access === 'read' ? ', read only' : access === 'write' ? ', read and write' : ''

const origins: Readonly<Record<string, string>> = {
  setup: ', by the setup link',
  invitation: ', by an invitation',
  'single sign-on': ', by single sign-on',
  ADMIN_EMAIL: ', from the setting ADMIN_EMAIL',
  '--demo': ', for the example',
}

/** Things are named with their article. */
export const describeWay = (by: string) => (by === 'sign-in link' || by === 'passkey' ? `a ${by}` : by)

export const formatOrigin = (by: unknown) => (typeof by === 'string' ? (origins[by] ?? '') : '')

/** The test case into which another one was merged. */
export const formatTarget = (detail: AuditEntry['detail']) =>
  typeof detail['into'] === 'string' ? detail['into'] : 'another one'

export const formatFile = (file: unknown): string => (typeof file === 'string' ? ` (${file})` : '')
