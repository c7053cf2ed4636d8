import { describe, expect, it } from 'vitest'

import type { FullMilestone } from './milestone-queries.ts'
import { buildMilestoneRows } from './milestone-rows.ts'

const make = (id: string, fields: Partial<FullMilestone> = {}): FullMilestone => ({
  id,
  name: id,
  description: '',
  start_date: null,
  due_date: null,
  status: 'active',
  parent_id: null,
  progress: 0,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  phase: 'started',
  date_mode: 'auto',
  run_count: 0,
  stats: { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 },
  ...fields,
})
const list = [
  make('beta', { parent_id: 'release' }),
  make('alpha', { parent_id: 'release', status: 'completed' }),
  make('release', { due_date: '2026-12-01T00:00:00Z' }),
  make('soon', { due_date: '2026-11-25T00:00:00Z' }),
  make('some day'),
]
const show = (...args: Parameters<typeof buildMilestoneRows>) =>
  buildMilestoneRows(...args).map(({ milestone, parentName }) => `${parentName ?? ''}/${milestone.id}`)

describe('buildMilestoneRows', () => {
  it('puts sub-milestones under their parents, and what is due first at the top', () => {
    expect(show(list, 'all')).toEqual(['/soon', '/release', 'release/alpha', 'release/beta', '/some day'])
  })

  it('keeps the parents of what has the status', () => {
    expect(show(list, 'completed')).toEqual(['/release', 'release/alpha'])
    expect(show(list, 'active')).toEqual(['/soon', '/release', 'release/beta', '/some day'])
    expect(show(list, 'archived')).toEqual([])
  })

  it('shows a sub-milestone without its parent at the top', () => {
    expect(show(list.slice(0, 1), 'all')).toEqual(['/beta'])
  })
})
