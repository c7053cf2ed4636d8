import type { ProjectTest, RunTest } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { collectRows, patchLinks, toTestRow } from './test-row.ts'

const outcome = {
  outcome: 'passed',
  is_flaky: true,
  elapsed_ms: 812,
  attempt_count: 2,
  tested_at: '2026-11-21T09:30:00.000Z',
} as const
const identity = { suite: '', name: 'pays', variant: '', module: '', file: '' }
const runTest = (id: string, test_case_ids: string[] = []): RunTest => ({
  ...identity,
  ...outcome,
  id,
  test_case_ids,
  linked_by: test_case_ids.length === 0 ? null : 'key',
  attempt_statuses: ['failed', 'passed'],
  attachment_count: 0,
})
const page = (data: RunTest[], total = data.length) => ({ data, meta: { next_after: null, total } })

describe('toTestRow', () => {
  it('takes the outcome of a project’s test from its newest run', () => {
    const { attempt_statuses: _, outcome: __, ...base } = runTest('a')
    const latest = { ...outcome, run_id: 'r', run_name: 'Nightly' }
    const test: ProjectTest = { ...base, latest, created_at: '' }
    expect(toTestRow(test)).toMatchObject({ outcome: { outcome: 'passed' }, run: { id: 'r', name: 'Nightly' } })
    expect(toTestRow({ ...test, latest: null })).toMatchObject({ outcome: null, run: null, attempts: null })
    expect(toTestRow(runTest('a'))).toMatchObject({ run: null, attempts: ['failed', 'passed'] })
  })
})

describe('collectRows', () => {
  it('leaves out what was linked a moment ago, and counts it no more', () => {
    const pages = [page([runTest('a'), runTest('b', ['WEB-1'])], 900), page([runTest('c')], 900)]
    const { rows, total } = collectRows(pages, 'unmatched')
    expect([rows.map(({ id }) => id), total]).toEqual([['a', 'c'], 899])
    expect(collectRows(pages, 'matched').rows.map(({ id }) => id)).toEqual(['b'])
    expect(collectRows(pages, 'all').total).toBe(900)
  })

  it('counts at least the rows that have arrived', () => {
    expect(collectRows([page([runTest('a'), runTest('b')], 1)], 'all').total).toBe(2)
    expect(collectRows([], 'all')).toEqual({ rows: [], total: 0 })
  })
})

describe('patchLinks', () => {
  it('links and unlinks the tests that are named', () => {
    const tests = [runTest('a'), runTest('b', ['WEB-1']), runTest('c', ['WEB-2'])]
    const links = new Map([
      ['a', ['WEB-3']],
      ['b', []],
    ])
    expect(patchLinks(tests, links).map(({ test_case_ids, linked_by }) => [test_case_ids, linked_by])).toEqual([
      [['WEB-3'], 'hand'],
      [[], null],
      [['WEB-2'], 'key'],
    ])
  })
})
