import { describe, expect, it } from 'vitest'

import { chooseMilestone } from './choose-milestone.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const milestone = (name: string, more: object = {}) => ({
  name,
  parent_id: null,
  status: 'active' as const,
  start_date: null,
  due_date: null,
  ...more,
})
const choose = (...milestones: ReturnType<typeof milestone>[]) => chooseMilestone(milestones, now)?.name

describe('chooseMilestone', () => {
  it('takes the one that is due first, an overdue one too, and one without a date last', () => {
    const [open, december] = [milestone('open'), milestone('december', { due_date: '2026-12-24' })]
    expect(choose(open, december, milestone('overdue', { due_date: '2026-11-01' }))).toBe('overdue')
    expect(choose(open, december)).toBe('december')
    expect(choose(open)).toBe('open')
  })

  it('leaves out what is not in progress', () => {
    expect(
      choose(
        milestone('done', { status: 'completed' }),
        milestone('later', { start_date: '2026-12-01' }),
        milestone('part', { parent_id: 'other' }),
      ),
    ).toBe(undefined)
  })
})
