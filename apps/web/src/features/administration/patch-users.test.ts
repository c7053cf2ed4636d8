import type { InstanceUser } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { patchUsers, removeAccess } from './patch-users.ts'

const makeUser = (fields: Partial<InstanceUser>): InstanceUser => ({
  id: 'bob',
  name: 'Bob',
  email: 'bob@example.test',
  is_instance_admin: false,
  has_second_factor: false,
  disabled_at: null,
  session_count: 2,
  token_count: 1,
  last_sign_in_at: null,
  last_seen_at: null,
  created_at: '2026-11-01T10:00:00.000Z',
  ...fields,
})
const [ada, bob] = [makeUser({ id: 'ada' }), makeUser({})]
const disabled = makeUser({ disabled_at: '2026-11-03T10:00:00.000Z', session_count: 0 })
const pages = {
  pages: [
    { data: [ada], meta: { next_after: 'ada' } },
    { data: [bob], meta: { next_after: null } },
  ],
  pageParams: [null, 'ada'],
}
const list = (patched: typeof pages) => patched.pages.map(({ data }) => data)

describe('patchUsers', () => {
  it('replaces the user on whatever page', () => {
    expect(list(patchUsers(pages, 'all', disabled) as typeof pages)).toEqual([[ada], [disabled]])
  })

  it('removes the user from a list with another status', () => {
    expect(list(patchUsers(pages, 'active', disabled) as typeof pages)).toEqual([[ada], []])
    expect(list(patchUsers(pages, 'disabled', bob) as typeof pages)).toEqual([[ada], []])
    expect(list(patchUsers(pages, 'disabled', disabled) as typeof pages)).toEqual([[ada], [disabled]])
  })

  it('removes a deleted user', () => {
    expect(list(patchUsers(pages, 'all', bob, true) as typeof pages)).toEqual([[ada], []])
  })

  it('leaves the cursors as they are', () => {
    const patched = patchUsers(pages, 'active', disabled)
    expect(patched.pages.map(({ meta }) => meta.next_after)).toEqual(['ada', null])
    expect(patched.pageParams).toEqual(pages.pageParams)
  })
})

it('removes what has ended', () => {
  expect(removeAccess(bob, 'end-sessions')).toEqual({ ...bob, session_count: 0 })
  expect(removeAccess({ ...bob, has_second_factor: true }, 'remove-factors')).toEqual(bob)
  expect(removeAccess(bob, 'revoke-tokens')).toEqual({ ...bob, token_count: 0 })
})
