import { describe, expect, it } from 'vitest'

import { countSessions, countTokens, describeAction, explainOwnAccount } from './user-words.ts'

const user = { id: 'bob', name: 'Bob', email: 'bob@example.test', session_count: 2, token_count: 1 }

describe('describeAction', () => {
  it.each([
    [2, 1, /^2 sessions and 1 token end at once, and the user cannot sign in any more\. /],
    [1, 0, /^1 session end at once/],
    [0, 0, /^The user cannot sign in any more\. Pending invitations /],
  ])('says before a user with %i sessions and %i tokens is disabled what ends', (session_count, token_count, text) => {
    expect(describeAction('disable', { ...user, session_count, token_count })).toMatchObject({
      title: 'Disable Bob?',
      text: expect.stringMatching(text),
      button: 'Disable user',
    })
  })

  it('says that the caller is signed out, too', () => {
    expect(describeAction('end-sessions', user, true).text).toMatch(/^You are signed out everywhere at once, here too/)
    expect(describeAction('end-sessions', user).text).toMatch(/^The user is signed out everywhere at once/)
  })

  it('shortens long names', () => {
    const { title, done } = describeAction('grant', { ...user, name: 'Augusta '.repeat(25) })
    expect(title.length).toBeLessThan(90)
    expect(done).toContain('…')
  })

  it.each(['disable', 'enable', 'end-sessions', 'revoke-tokens', 'grant', 'withdraw', 'delete'] as const)(
    'asks before %s with the name of the user',
    (action) => {
      const { title, text, button, done } = describeAction(action, user)
      expect(title).toMatch(/Bob.*\?$/)
      expect(text).toMatch(/\.$/)
      expect(button).toMatch(/^[A-Z]/)
      expect(done).toContain('Bob')
    },
  )
})

it('explains why an administrator cannot disable the own account', () => {
  expect(explainOwnAccount(user, 'bob')).toContain('the last one always stays')
  expect(explainOwnAccount(user, 'ada')).toBeNull()
})

it('counts sessions and tokens in words', () => {
  expect([countSessions(user), countTokens(user)]).toEqual(['2 sessions', '1 token'])
  expect([countSessions({ session_count: 0 }), countTokens({ token_count: 0 })]).toEqual(['', ''])
})
