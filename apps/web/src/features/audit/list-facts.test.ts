import type { AuditEntry } from '@caseward/client/endpoints'
import { expect, it } from 'vitest'

import { listFacts } from './list-facts.ts'

const entry: AuditEntry = {
  id: '1',
  at: '2026-11-03T13:05:09Z',
  action: 'token.create',
  actor: { kind: 'user', id: 'a', name: 'Ada', email: 'ada@example.test', token_id: null, token_name: null },
  subject: { kind: 'token', id: 't', name: 'CI', email: null },
  project: { id: 'p', name: 'Web shop' },
  address: '203.0.113.7',
  detail: {},
}
const format = { timeZone: 'Europe/Berlin' }
const list = (fields: Partial<AuditEntry>) =>
  Object.fromEntries(listFacts({ ...entry, ...fields }, format).map(({ label, value }) => [label, value]))

it('lists the exact time, the person, the project and the address', () => {
  expect(listFacts(entry, format)).toEqual([
    { label: 'Time', value: expect.stringMatching(/^Tuesday.* 3 November 2026 at 14:05:09 CET$/) },
    { label: 'User', value: 'Ada (ada@example.test)' },
    { label: 'Project', value: 'Web shop' },
    { label: 'IP address', value: '203.0.113.7' },
  ])
})

it('leaves out what the system does not have', () => {
  const actor = { kind: 'system', id: null, name: 'System', email: null, token_id: null, token_name: null } as const
  const facts = list({ actor, project: null, address: null, detail: { command: 'admin grant' } })
  expect(Object.keys(facts)).toEqual(['Time', 'User', 'Command'])
})

it('names the token that was sent, and the user who was changed unless it is the same', () => {
  const bob = { kind: 'user', id: 'b', name: 'Bob', email: 'bob@example.test' } as const
  const actor = { ...entry.actor, token_id: 't', token_name: 'Laptop' }
  expect(list({ actor, subject: bob })).toMatchObject({ 'Personal token': 'Laptop', About: 'Bob (bob@example.test)' })
  expect(list({ subject: { ...bob, id: 'a' } })).not.toHaveProperty('About')
})

it('adds what is known about some changes', () => {
  expect(list({ detail: { expires_at: null, grants: ['cases:create'] } })).toMatchObject({
    'Valid until': 'No end',
    Grants: 'cases:create',
  })
  expect(list({ detail: { expires_at: '2027-01-01T00:00:00Z' } })['Valid until']).toContain('1 January 2027')
  const invitations = { revoked_invitation_count: 3, revoked_invitations: ['a@example.test', 'b@example.test'] }
  expect(list({ detail: invitations })['Revoked invitations']).toBe('a@example.test, b@example.test, and 1 more')
})
