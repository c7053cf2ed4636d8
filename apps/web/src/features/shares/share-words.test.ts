import type { Share } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { describeParts, describeViews, sortShares } from './share-words.ts'

describe('describeParts', () => {
  it.each([
    [[], 'Statuses only'],
    [['people'], 'With people'],
    [['links', 'notes', 'files'], 'With notes, files and links'],
  ] as const)('describes %j as %j', (include, words) => {
    expect(describeParts(include)).toBe(words)
  })
})

describe('describeViews', () => {
  it.each([
    [0, 'never opened'],
    [1, 'opened 1 time'],
    [12, 'opened 12 times'],
  ])('describes %d views as %j', (view_count, words) => {
    expect(describeViews({ view_count })).toBe(words)
  })
})

describe('sortShares', () => {
  it('puts what somebody should check first, and what has ended last, each the newest first', () => {
    const make = (id: string, state: Share['state'], reason: Share['review_reason'] = null) =>
      ({ id, state, review_reason: reason, created_at: `2026-11-0${id}` }) as Share
    const shares = [make('1', 'open'), make('2', 'revoked'), make('3', 'open', 'creator_left'), make('4', 'open')]
    expect(sortShares(shares).map(({ id }) => id)).toEqual(['3', '4', '1', '2'])
  })
})
