import type { RecentResult, ResultRow, ResultStatus } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import {
  createResultFilter,
  describeFilterCount,
  isNewFailure,
  noResultFilter,
  resolveAssignee,
  type ResultView,
} from './search-results.ts'

const row = (more: Partial<ResultRow>): ResultRow => ({
  id: 'r1',
  test_case_id: 'WEB-1',
  test_case_title: 'A customer pays by card',
  folder_id: null,
  priority: 'medium',
  type: 'functional',
  tags: [],
  status: 'failed',
  note_line: null,
  elapsed: null,
  tested_by: null,
  tested_at: null,
  assigned_to: null,
  step_state: null,
  attachment_count: 0,
  comment_count: 0,
  link_count: 0,
  defect: null,
  ...more,
})
const matches = (result: ResultRow, more: Partial<ResultView>) =>
  createResultFilter([], { ...noResultFilter, ...more })(result)

describe('createResultFilter', () => {
  it('searches id, title, tags and the first line of the note', () => {
    const result = row({ note_line: 'expected 200, got 500', tags: ['smoke'] })
    for (const q of ['', 'web-1', 'customer card', 'got 500', 'SMOKE']) expect(matches(result, { q })).toBe(true)
    expect(matches(result, { q: 'invoice' })).toBe(false)
  })

  it('combines statuses, tags and folders', () => {
    expect(matches(row({}), { status: ['failed', 'blocked'] })).toBe(true)
    expect(matches(row({}), { status: ['passed'] })).toBe(false)
    expect(matches(row({ tags: ['a'] }), { tag: ['a', 'b'] })).toBe(true)
    expect(matches(row({ tags: ['a'] }), { tag: ['b'] })).toBe(false)
    expect(matches(row({}), { folder: 'none' })).toBe(true)
    expect(matches(row({ folder_id: 'f' }), { folder: 'none' })).toBe(false)
  })

  it('shows test cases with any of several priorities', () => {
    expect(matches(row({ priority: 'high' }), { priority: ['critical', 'high'] })).toBe(true)
    expect(matches(row({}), { priority: ['critical', 'high'] })).toBe(false)
    expect(matches(row({ priority: null }), { priority: ['critical', 'high', 'medium', 'low'] })).toBe(false)
  })

  it('shows the results of one person, and those of nobody', () => {
    expect(matches(row({ assigned_to: 'ada' }), { assigned: 'ada' })).toBe(true)
    expect(matches(row({ assigned_to: 'bob' }), { assigned: 'ada' })).toBe(false)
    expect(matches(row({}), { assigned: 'nobody' })).toBe(true)
    expect(matches(row({ assigned_to: 'ada' }), { assigned: 'nobody' })).toBe(false)
  })
})

describe('describeFilterCount', () => {
  it('counts the filters that are set', () => {
    expect(describeFilterCount(noResultFilter)).toBe('Filter')
    expect(describeFilterCount({ ...noResultFilter, priority: ['high', 'low'], folder: 'f' })).toBe('Filter 2')
  })
})

describe('resolveAssignee', () => {
  it('takes the user for `me`', () => {
    expect(resolveAssignee('me', 'ada')).toBe('ada')
    expect(resolveAssignee('bob', 'ada')).toBe('bob')
    expect(resolveAssignee(null, 'ada')).toBe(null)
  })
})

describe('isNewFailure', () => {
  const before = (...statuses: ResultStatus[]): RecentResult[] =>
    statuses.map((status, index) => ({ run_id: String(index), run_name: '', status, tested_at: null }))

  it.each([
    [before('passed'), true],
    [before('failed'), false],
    [before('not_tested', 'failed'), false],
    [before('not_tested', 'passed', 'failed'), true],
    [before(), true],
    [undefined, false],
  ])('with earlier results %j returns %s', (earlier, expected) => {
    expect(isNewFailure(row({}), earlier)).toBe(expected)
  })

  it('is false for a result that has not failed', () => {
    expect(isNewFailure(row({ status: 'passed' }), before('passed'))).toBe(false)
  })
})
