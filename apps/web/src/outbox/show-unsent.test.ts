import type { ResultDetail, ResultRow } from '@caseward/client/endpoints'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'

import { queryKeys } from '../query-keys.ts'
import { emptyIndex, type RowIndex } from '../row-index/row-index.ts'
import { writeTo } from './outbox-tab.test.helper.ts'
import { mergeWrite } from './outbox-entry.ts'
import { patchSavedResult } from './patch-saved-result.ts'
import { getNoteLine } from './apply-entry.ts'
import { showUnsent } from './show-unsent.ts'

const row = (number: number): ResultRow => ({
  id: `r${number}`,
  test_case_id: `WEB-${number}`,
  test_case_title: `Test case ${number}`,
  folder_id: null,
  priority: 'medium',
  type: 'functional',
  tags: [],
  status: 'not_tested',
  note_line: 'Old',
  elapsed: 4,
  tested_by: null,
  tested_at: null,
  assigned_to: null,
  step_state: null,
  attachment_count: 0,
  comment_count: 0,
  link_count: 0,
  defect: null,
})
const toEntry = (...args: Parameters<typeof writeTo>) => mergeWrite(undefined, writeTo(...args), 1)

describe('showUnsent', () => {
  it('shows unsent values, and keeps the objects of other rows', () => {
    const rows = [row(1), row(2)]
    const entry = toEntry(2, 'failed', { note: '\nLine' })
    const shown = showUnsent(rows, 'run1', new Map([[entry.id, entry]]))
    expect(shown[1]).toEqual({ ...row(2), status: 'failed', note_line: null, elapsed: 4 })
    expect(shown[0]).toBe(rows[0])
  })

  it('returns the same list when no write concerns the run', () => {
    const rows = [row(1)]
    const entry = toEntry(1, 'failed', { runId: 'run2' })
    expect(showUnsent(rows, 'run1', new Map([[entry.id, entry]]))).toBe(rows)
  })

  it('shows the newer result of a conflict', () => {
    const rows = [row(1)]
    const entry = { ...toEntry(1, 'failed'), problem: { kind: 'newer-result' as const, message: '', newer: null } }
    expect(showUnsent(rows, 'run1', new Map([[entry.id, entry]]))[0]?.status).toBe('not_tested')
  })

  it('shows the newer result of a conflict before the row has it, and not when the row is newer', () => {
    const newer = {
      status: 'blocked',
      note: 'Down',
      elapsed: null,
      tested_by: 'u2',
      tested_at: '2026-11-21T09:00:00Z',
    } as const
    const entry = { ...toEntry(1, 'failed'), problem: { kind: 'newer-result' as const, message: '', newer } }
    const entries = new Map([[entry.id, entry]])
    expect(showUnsent([row(1)], 'run1', entries)[0]).toMatchObject({
      status: 'blocked',
      note_line: 'Down',
      tested_by: 'u2',
    })
    const latest = { ...row(1), status: 'passed' as const, tested_at: '2026-11-21T10:00:00Z' }
    expect(showUnsent([latest], 'run1', entries)[0]).toBe(latest)
  })
})

describe('getNoteLine', () => {
  it.each([
    [null, null],
    ['', null],
    ['One\r\nTwo', 'One'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('of %j is %j', (note, expected) => {
    expect(getNoteLine(note)).toBe(expected)
  })
})

describe('patchSavedResult', () => {
  it('shows a stored write in the list and in the open result', () => {
    const queryClient = new QueryClient()
    const index = { ...emptyIndex<ResultRow>(), rows: [row(1), row(2)], total: 2, isComplete: true }
    queryClient.setQueryData(queryKeys.results('run1'), index)
    queryClient.setQueryData<ResultDetail>(queryKeys.result('run1', 'r2'), {
      ...row(2),
      note: 'Old',
      change_count: 0,
      test_case: null,
      tests: [],
      attachments: [],
      links: [],
      steps: [],
    })
    const steps = { steps: [{ position: 1, status: 'passed' } as const], stepState: 'passed' as const }
    const entry = toEntry(2, 'passed', { note: 'New\nLines', ...steps })
    patchSavedResult(queryClient, 'ada', entry, '2026-11-21T10:00:00.000Z')
    const stored = {
      status: 'passed',
      step_state: 'passed',
      note_line: 'New',
      tested_by: 'ada',
      tested_at: '2026-11-21T10:00:00.000Z',
    }
    expect(queryClient.getQueryData<RowIndex<ResultRow>>(queryKeys.results('run1'))?.rows[1]).toMatchObject(stored)
    expect(queryClient.getQueryData(queryKeys.result('run1', 'r2'))).toMatchObject({
      ...stored,
      note: 'New\nLines',
      steps: [{ position: 1, status: 'passed', actual: null }],
    })
  })
})
