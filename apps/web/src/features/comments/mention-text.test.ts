import { describe, expect, it } from 'vitest'

import { findMentionQuery, findSuggestions, toStored, toTyped } from './mention-text.ts'

const ADA = { userId: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40', name: 'Ada' }
const KING = { userId: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10', name: 'Ada King (QA)' }

describe('toStored', () => {
  it('turns the longest chosen name into a mention, and leaves a longer word and other names', () => {
    const stored = toStored('@Ada King (QA), @Ada: @Adam and @Bob', [ADA, KING])
    expect(stored).toBe(`@[Ada King (QA)](user:${KING.userId}), @[Ada](user:${ADA.userId}): @Adam and @Bob`)
    expect(toTyped(stored)).toBe('@Ada King (QA), @Ada: @Adam and @Bob')
  })

  it('keeps both ids of two users with one name', () => {
    const stored = `@[Ada](user:${ADA.userId}) @[Ada](user:${KING.userId})`
    expect(toTyped(stored)).toBe(`@Ada @[Ada](user:${KING.userId})`)
    expect(toStored(toTyped(stored), [ADA])).toBe(stored)
  })
})

describe('findMentionQuery', () => {
  it.each([
    ['@', { start: 0, text: '' }],
    ['see @Ada Lo', { start: 4, text: 'Ada Lo' }],
    ['(@ad', { start: 1, text: 'ad' }],
    ['ada@example', null],
    ['@Ada King is here', null],
    ['no', null],
  ])('finds in %j what is typed after an @ at the start of a word', (text, query) => {
    expect(findMentionQuery(text, text.length)).toEqual(query)
  })
})

describe('findSuggestions', () => {
  it('returns names that contain the text, first those with a word that begins with it', () => {
    const people = ['Roland', 'Ada Lovelace', 'Alan'].map((name) => ({ id: name, name }))
    expect(findSuggestions(people, 'la').map(({ name }) => name)).toEqual(['Roland', 'Ada Lovelace', 'Alan'])
    expect(findSuggestions(people, 'LO').map(({ name }) => name)).toEqual(['Ada Lovelace'])
    expect(findSuggestions(people, 'al').map(({ name }) => name)).toEqual(['Alan'])
  })
})
