import type { TestCase } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { buildChosenUpdate, compareVersions } from './compare-versions.ts'

const before: TestCase = {
  id: 'WEB-1',
  title: 'Title',
  folder_id: null,
  position: 'a1',
  version: 1,
  priority: 'medium',
  type: 'functional',
  template: 'steps',
  precondition: '',
  steps: [{ position: 1, action: 'Open', expected: '' }],
  expected_result: '',
  tags: ['a', 'b'],
  automation_key: null,
  automation_keys: [],
  owner_id: null,
  estimate: null,
  created_by: null,
  archived_at: null,
  created_at: '',
  updated_at: '',
}

describe('compareVersions', () => {
  it('sends a change again when the other person has changed another field', () => {
    const comparison = compareVersions(before, { title: 'Mine' }, { ...before, priority: 'high' })
    expect(comparison).toEqual({ conflicts: [], ownChanges: { title: 'Mine' } })
  })

  it('compares each custom field by itself, and options in any order', () => {
    const fields = { severity: 'minor', browsers: ['chrome', 'safari'], risk: 2 }
    const changes = { fields: { severity: 'blocker', browsers: ['safari', 'chrome'], risk: 3, component: 'Basket' } }
    const stored = { ...before, fields: { ...fields, risk: 9 } }
    const comparison = compareVersions({ ...before, fields }, changes, stored)
    expect(comparison).toEqual({
      conflicts: [{ field: 'fields/risk', own: 3, stored: 9 }],
      ownChanges: { fields: { severity: 'blocker', component: 'Basket' } },
    })
    expect(buildChosenUpdate(comparison, new Set(['fields/risk']))).toEqual({
      fields: { severity: 'blocker', component: 'Basket', risk: 3 },
    })
    expect(buildChosenUpdate(comparison, new Set())).toEqual({ fields: { severity: 'blocker', component: 'Basket' } })
  })

  it('asks about a field that both have changed', () => {
    const stored = { ...before, title: 'Theirs', precondition: 'Theirs' }
    const comparison = compareVersions(before, { title: 'Mine', type: 'smoke' }, stored)
    expect(comparison).toEqual({
      conflicts: [{ field: 'title', own: 'Mine', stored: 'Theirs' }],
      ownChanges: { type: 'smoke' },
    })
    expect(buildChosenUpdate(comparison, new Set(['title']))).toEqual({ title: 'Mine', type: 'smoke' })
    expect(buildChosenUpdate(comparison, new Set())).toEqual({ type: 'smoke' })
  })

  it('does not ask when both have made the same change', () => {
    expect(compareVersions(before, { title: 'Same' }, { ...before, title: 'Same' })).toEqual({
      conflicts: [],
      ownChanges: {},
    })
  })

  it('compares steps without positions, and tags without order', () => {
    const stored = {
      ...before,
      tags: ['b', 'a'],
      steps: [
        { position: 1, action: 'Open', expected: '' },
        { position: 2, action: 'Pay', expected: '' },
      ],
    }
    const changes = { steps: [{ action: 'Open' }, { action: 'Pay' }], tags: ['a', 'c'] }
    expect(compareVersions(before, changes, stored)).toEqual({ conflicts: [], ownChanges: { tags: ['a', 'c'] } })
  })

  it('asks about steps as a whole', () => {
    const stored = { ...before, steps: [{ position: 1, action: 'Theirs', expected: '' }] }
    const { conflicts } = compareVersions(before, { steps: [{ action: 'Mine' }] }, stored)
    expect(conflicts.map(({ field }) => field)).toEqual(['steps'])
  })

  it('asks about a value that one of both has cleared', () => {
    const { conflicts } = compareVersions(
      before,
      { automation_keys: ['mine'] },
      { ...before, automation_keys: ['theirs'] },
    )
    expect(conflicts).toEqual([{ field: 'automation_keys', own: ['mine'], stored: ['theirs'] }])
  })
})
