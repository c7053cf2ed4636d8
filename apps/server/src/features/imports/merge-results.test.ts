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

it('mergeResults fills in results of steps that an earlier import did not bring, and keeps those that are here', () => {
  const toSteps = (actual: string) => ({
    steps: [{ position: 1, status: 'failed' as const, actual }],
    case_steps: 'abcd',
  })
  const at = '2026-03-02T00:00:00.000Z'
  const combination = {
    configuration: 1,
    status: 'failed' as const,
    note: null,
    elapsed: null,
    tested_by: null,
    tested_at: at,
  }
  const before = {
    ...stored,
    combinations: [
      { ...combination, place: 1 },
      { ...combination, place: 2, steps: toSteps('Here') },
      { ...combination, place: 3, status: 'passed' as const },
    ],
  }
  const sent: SentResult = {
    ...sendResult(at, null),
    status: 'failed',
    steps: toSteps('There'),
    combinations: [1, 2, 3].map((place) => ({ ...combination, place, steps: toSteps('There') })),
  }
  const { current, outcomes, isReplaced } = mergeResults([sent], before)
  expect({ outcomes, isReplaced }).toEqual({ outcomes: ['unchanged'], isReplaced: true })
  expect(current.steps).toEqual(toSteps('There'))
  expect(current.combinations?.map(({ steps }) => steps?.steps[0]?.actual)).toEqual(['There', 'Here', undefined])
  expect(mergeResults([{ ...sent, combinations: null, steps: null }], before).isReplaced).toBe(false)
})
