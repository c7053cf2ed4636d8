import { expect, it } from 'vitest'

import { mergeResults, type SentResult, type StoredResult } from './merge-results.ts'

const sendResult = (at: string, version: number | null): SentResult => ({
  run_id: 'run',
  case_digest: 'case',
  status: 'passed',
  note: null,
  elapsed: null,
  tested_by: null,
  at,
  replaced_at: null,
  is_tested: true,
  links: [],
  combinations: null,
  steps: null,
  stored_fields: null,
  assigned_to: null,
  case_version: version,
  order: null,
})

const stored: StoredResult = {
  id: 'result',
  change_count: 0,
  earlier: [],
  status: 'failed',
  note: null,
  elapsed: null,
  tested_by: null,
  tested_at: '2026-03-02T00:00:00.000Z',
  combinations: null,
  steps: null,
  fields: null,
  assigned_to: null,
  case_version: 2,
}

it('mergeResults says which results lose the version that was tested, as they become earlier values', () => {
  const sent = [
    sendResult('2026-03-01T00:00:00.000Z', 1),
    sendResult('2026-03-03T00:00:00.000Z', null),
    sendResult('2026-03-04T00:00:00.000Z', 3),
    sendResult('2026-03-05T00:00:00.000Z', 4),
  ]
  const { current, outcomes, losesVersion } = mergeResults(sent, stored)
  expect(current).toMatchObject({ tested_at: '2026-03-05T00:00:00.000Z', case_version: 4 })
  expect(outcomes).toEqual(['create', 'create', 'create', 'create'])
  expect(losesVersion).toEqual([true, false, true, false])
})
