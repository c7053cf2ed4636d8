import type { AuditEntry } from '@caseward/client/endpoints'

import { formatExactTime, type TimeFormat } from '../../times.ts'
import { describeActor } from './audit-words.ts'

/** Something that is known about an entry, with its label. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** What an entry says beside its sentence: exact time, who, what about, from where, and more. */
export function listFacts(
  { at, actor, subject, project, address, detail }: AuditEntry,
  format: TimeFormat = {},
): Fact[] {
  const facts: [label: string, value: string | null][] = [
    ['Time', formatExactTime(at, format)],
    ['User', withEmail(describeActor(actor), actor.email)],
    ['Personal token', actor.token_name],
    // The sentence has the names of all others.
    ['About', subject.kind === 'user' && subject.id !== actor.id ? withEmail(subject.name, subject.email) : null],
    ['Project', project?.name ?? null],
    ['IP address', address],
    ['Role', getText(detail['role'])],
    ['Valid until', formatExpiry(detail['expires_at'], format)],
    ['Grants', formatList(detail['grants'])],
    ['Revoked invitations', formatList(detail['revoked_invitations'], detail['revoked_invitation_count'])],
    ['Sign-in provider', getText(detail['issuer'])],
    ['Command', getText(detail['command'])],
  ]
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

const withEmail = (name: string, email: string | null) => (email === null ? name : `${name} (${email})`)

const getText = (value: unknown) => (typeof value === 'string' ? value : null)

/** Tokens without an end have null, everything else has no such field. */
function formatExpiry(value: unknown, format: TimeFormat): string | null {
  if (value === null) return 'No end'
  return typeof value === 'string' ? formatExactTime(value, format) : null
}

/** The server names the first hundred of them only. */
function formatList(values: unknown, count: unknown = null): string | null {
  if (!Array.isArray(values)) return null
  const names = values.filter((value) => typeof value === 'string')
  const more = typeof count === 'number' ? count - names.length : 0
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
