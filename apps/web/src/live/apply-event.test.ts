import type { ResultRow } from '@caseward/client/endpoints'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'

import { waitUntil } from '../start-server.test.helper.ts'
import { queryKeys } from '../query-keys.ts'
import { emptyIndex, type RowIndex } from '../row-index/row-index.ts'
import { createQueryClient } from '../query-client.ts'
import { applyLiveEvent, refreshAfterGap } from './apply-event.ts'
import type { LiveEventData } from './live-events.ts'

const row = (id: string, status: ResultRow['status'], tested_at: string | null = null): ResultRow => ({
  id,
  test_case_id: id.replace('r', 'WEB-'),
  test_case_title: id,
  folder_id: null,
  priority: 'medium',
  type: 'functional',
  tags: [],
  status,
  note_line: null,
  elapsed: null,
  tested_by: null,
  tested_at,
  assigned_to: null,
  step_state: null,
  attachment_count: 0,
  comment_count: 0,
  link_count: 0,
  defect: null,
})
const index = (...rows: ResultRow[]): RowIndex<ResultRow> => ({
  ...emptyIndex<ResultRow>(),
  rows,
  total: rows.length,
  isComplete: true,
  readAt: '2026-11-21T09:00:00.000Z',
})
const results = (data: Partial<LiveEventData['results']>, id = '2026-11-21T10:00:00.000Z') =>
  ({ name: 'results', id, data: { run_id: 'run1', results: [], more: false, ...data } }) as const
const run: LiveEventData['run'] = {
  id: 'run1',
  status: 'in_progress',
  stats: { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 1 },
  pass_rate: 100,
  result_count: 2,
  test_stats: { total: 0, unmatched: 0, passed: 0, failed: 0, flaky: 0, skipped: 0, unmatched_stats: null, errors: 0 },
  suite_error_count: 0,
  updated_at: '2026-11-21T10:00:00.000Z',
}

describe('applyLiveEvent', () => {
  it('reads open results of changed test cases again, whose steps may have moved', () => {
    const queryClient = new QueryClient()
    for (const id of ['r1', 'r2']) queryClient.setQueryData(queryKeys.result('run1', id), row(id, 'not_tested'))
    const isInvalidated = (id: string) => queryClient.getQueryState(queryKeys.result('run1', id))?.isInvalidated
    applyLiveEvent(queryClient, 'p', { name: 'test_cases', id: '', data: { ids: ['WEB-2'] } })
    expect([isInvalidated('r1'), isInvalidated('r2')]).toEqual([false, true])
    applyLiveEvent(queryClient, 'p', { name: 'test_cases', id: '', data: { ids: [], more: true } })
    expect(isInvalidated('r1')).toBe(true)
  })

  it('replaces the rows of changed results, and remembers up to when the rows are current', () => {
    const queryClient = new QueryClient()
    queryClient.setQueryData(queryKeys.results('run1'), index(row('r1', 'not_tested'), row('r2', 'not_tested')))
    applyLiveEvent(queryClient, 'p', results({ results: [row('r2', 'failed')] }))
    const patched = queryClient.getQueryData<RowIndex<ResultRow>>(queryKeys.results('run1'))
    expect(patched?.rows.map(({ status }) => status)).toEqual(['not_tested', 'failed'])
    expect(patched?.readAt).toBe('2026-11-21T10:00:00.000Z')
  })

  it('reads the named places of comments again, and no others', () => {
    const queryClient = new QueryClient()
    const result = queryKeys.result('run1', 'r1')
    const other = queryKeys.result('run1', 'r2')
    const testCase = queryKeys.case('p', 'WEB-1')
    const lists = [
      [...queryKeys.inRun('run1'), 'comments'],
      [...result, 'comments'],
      [...result, 'activity'],
      [...testCase, 'comments'],
      [...other, 'comments'],
      result,
    ]
    for (const key of lists) queryClient.setQueryData(key, {})
    const isInvalidated = () => lists.map((key) => queryClient.getQueryState(key)?.isInvalidated)
    const none = { result_ids: [], test_case_ids: [], more: false }
    applyLiveEvent(queryClient, 'p', {
      name: 'comments',
      id: '',
      data: { ...none, run_id: 'run1', result_ids: ['r1'] },
    })
    expect(isInvalidated()).toEqual([true, true, true, false, false, true])
    applyLiveEvent(queryClient, 'p', {
      name: 'comments',
      id: '',
      data: { ...none, run_id: null, test_case_ids: ['WEB-1'] },
    })
    expect(isInvalidated()[3]).toBe(true)
    applyLiveEvent(queryClient, 'p', { name: 'comments', id: '', data: { ...none, run_id: 'run1', more: true } })
    expect(isInvalidated()).toEqual([true, true, true, true, true, true])
  })

  it('does not move that time while rows may be missing', async () => {
    const queryClient = new QueryClient()
    queryClient.setQueryData(queryKeys.results('run1'), index(row('r1', 'not_tested')))
    await queryClient.invalidateQueries({ queryKey: queryKeys.results('run1') })
    applyLiveEvent(queryClient, 'p', results({ results: [row('r1', 'failed')] }))
    const patched = queryClient.getQueryData<RowIndex<ResultRow>>(queryKeys.results('run1'))
    expect(patched?.readAt).toBe('2026-11-21T09:00:00.000Z')
  })

  it('reads results again when there are too many for an event', () => {
    const queryClient = new QueryClient()
    queryClient.setQueryData(queryKeys.results('run1'), index(row('r1', 'not_tested')))
    applyLiveEvent(queryClient, 'p', results({ more: true }))
    expect(queryClient.getQueryState(queryKeys.results('run1'))?.isInvalidated).toBe(true)
  })

  it('shows the counts of a run on its page, in lists and on the card of its project', () => {
    const queryClient = new QueryClient()
    const known = { id: 'run1', name: 'Nightly', status: 'in_progress', updated_at: '2026-11-21T09:00:00.000Z' }
    queryClient.setQueryData(queryKeys.run('run1'), known)
    queryClient.setQueryData(queryKeys.runs('p', {}), { data: [known, { ...known, id: 'run2' }] })
    queryClient.setQueryData(queryKeys.projects(), [{ id: 'p', last_run: { id: 'run1', name: 'Nightly' } }])
    applyLiveEvent(queryClient, 'p', { name: 'run', id: '', data: run })
    expect(queryClient.getQueryData(queryKeys.run('run1'))).toEqual({ ...known, ...run })
    expect(queryClient.getQueryData(queryKeys.runs('p', {}))).toEqual({
      data: [
        { ...known, ...run },
        { ...known, id: 'run2' },
      ],
    })
    expect(queryClient.getQueryData<{ last_run: object }[]>(queryKeys.projects())?.[0]?.last_run).toMatchObject({
      stats: run.stats,
    })
  })

  it('ignores an event that is older than what the page has read', () => {
    const queryClient = new QueryClient()
    const known = { id: 'run1', status: 'completed', updated_at: '2026-11-21T11:00:00.000Z' }
    queryClient.setQueryData(queryKeys.run('run1'), known)
    applyLiveEvent(queryClient, 'p', { name: 'run', id: '', data: run })
    expect(queryClient.getQueryData(queryKeys.run('run1'))).toEqual(known)
  })

  it('reads a list again after the load that was under way, without interrupting it', async () => {
    const queryClient = new QueryClient()
    let loads = 0
    const finish: (() => void)[] = []
    const observer = new QueryObserver(queryClient, {
      queryKey: queryKeys.folders('p'),
      queryFn: () =>
        new Promise((resolve) => {
          loads += 1
          finish.push(() => resolve(`load ${loads}`))
        }),
    })
    const stop = observer.subscribe(() => {})
    await waitUntil(() => finish.length === 1)
    applyLiveEvent(queryClient, 'p', { name: 'folders', id: '', data: {} })
    applyLiveEvent(queryClient, 'p', { name: 'folders', id: '', data: {} })
    expect(loads).toBe(1)
    finish[0]?.()
    await waitUntil(() => finish.length === 2)
    finish[1]?.()
    await waitUntil(() => observer.getCurrentResult().data === 'load 2')
    expect(loads).toBe(2)
    stop()
  })
})

describe('refreshAfterGap', () => {
  it('reads the project and the run again, and nothing of other projects', () => {
    const queryClient = new QueryClient()
    const keys = [queryKeys.folders('p'), queryKeys.results('run1'), queryKeys.folders('other'), queryKeys.me()]
    for (const key of keys) queryClient.setQueryData(key, [])
    refreshAfterGap(queryClient, 'p', 'run1')
    expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, false, false])
  })

  it('does not read again what was requested after the last change', async () => {
    const queryClient = createQueryClient()
    const load = (key: readonly string[]) => queryClient.fetchQuery({ queryKey: key, queryFn: () => 'loaded' })
    await load(queryKeys.folders('p'))
    const elapsed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    await elapsed(60)
    await load(queryKeys.tags('p'))
    refreshAfterGap(queryClient, 'p', undefined, 30)
    const keys = [queryKeys.folders('p'), queryKeys.tags('p')]
    expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, false])
  })
})
