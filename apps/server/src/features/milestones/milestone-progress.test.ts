import { MILESTONE_STATUSES } from '@caseward/contract/milestones'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { deriveDates, type StoredMilestone, computeProgress, deriveStatus } from './milestone-progress.ts'

const makeMilestone = (fields: Partial<StoredMilestone> = {}): StoredMilestone => ({
  status: 'active',
  date_mode: 'auto',
  start_date: null,
  due_date: null,
  tested_count: 0,
  result_count: 0,
  deleted_tested_count: 0,
  deleted_result_count: 0,
  ...fields,
})
const withCounts = (tested_count: number, result_count: number) => makeMilestone({ tested_count, result_count })
const day = (number: number) => new Date(Date.UTC(2026, 10, number))

const anyStatus = fc.constantFrom(...MILESTONE_STATUSES)
const anyDate = fc.option(fc.date({ noInvalidDate: true }))
const anyMilestone = fc
  .record({
    status: anyStatus,
    date_mode: fc.constantFrom('auto', 'manual'),
    start_date: anyDate,
    due_date: anyDate,
    counts: fc.tuple(fc.nat(), fc.nat()),
  })
  .map(({ counts: [first, second], ...fields }): StoredMilestone => {
    const [tested, all] = [Math.min(first, second), Math.max(first, second)]
    return {
      ...fields,
      tested_count: tested,
      result_count: all,
      deleted_tested_count: tested,
      deleted_result_count: all,
    }
  })
const anySubMilestones = fc.array(anyMilestone, { minLength: 1, maxLength: 20 })

describe('computeProgress without sub-milestones', () => {
  it.each([
    [0, 0, 0],
    [0, 7, 0],
    [7, 7, 100],
    [1, 3, 33],
    [2, 3, 67],
    [1, 8, 13],
    [1, 200, 1],
    [1, 201, 0],
    [29, 200, 15],
    [199, 200, 100],
    [2_147_483_646, 2_147_483_647, 100],
  ])(
    'returns, with %d of %d results tested, %d percent',
    { tags: ['spec:milestones/progress-percentage-from-0-to-100'] },
    (done, all, percent) => {
      expect(computeProgress(withCounts(done, all), [])).toBe(percent)
    },
  )

  it('returns 100 for a completed milestone with any counts', () => {
    fc.assert(fc.property(anyMilestone, (own) => computeProgress({ ...own, status: 'completed' }, []) === 100))
  })

  it('returns the percentage of tested results for an archived milestone', () => {
    expect(computeProgress({ ...withCounts(1, 4), status: 'archived' }, [])).toBe(25)
  })

  it('does not decrease when a result is tested, and does not increase when a test case is added', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), (done, open) => {
        const now = computeProgress(withCounts(done, done + open + 1), [])
        expect(computeProgress(withCounts(done + 1, done + open + 1), [])).toBeGreaterThanOrEqual(now)
        expect(computeProgress(withCounts(done, done + open + 2), [])).toBeLessThanOrEqual(now)
      }),
    )
  })
})

describe('computeProgress with sub-milestones', () => {
  it.each([
    [[[0, 1]], 0],
    [[[1, 1]], 100],
    [
      [
        [1, 2],
        [1, 4],
      ],
      38,
    ],
    [
      [
        [1, 1],
        [0, 0],
        [0, 0],
      ],
      33,
    ],
    [
      [
        [1, 1],
        [1, 1],
        [0, 0],
      ],
      67,
    ],
    [
      [
        [0, 0],
        [1, 100],
      ],
      1,
    ],
  ])('returns, for sub-milestones with %j tested and all results, %d percent', (subs, percent) => {
    expect(
      computeProgress(
        makeMilestone(),
        subs.map(([done = 0, all = 0]) => withCounts(done, all)),
      ),
    ).toBe(percent)
  })

  it('weights each sub-milestone equally, whatever its number of results', () => {
    expect(computeProgress(makeMilestone(), [withCounts(1000, 1000), withCounts(0, 1)])).toBe(50)
  })

  it('ignores the status and the counts of the milestone itself', () => {
    fc.assert(
      fc.property(
        anyMilestone,
        anyMilestone,
        anySubMilestones,
        (first, second, subs) => computeProgress(first, subs) === computeProgress(second, subs),
      ),
    )
  })

  it('returns a whole number between the lowest and the highest progress of the sub-milestones', () => {
    fc.assert(
      fc.property(anyMilestone, anySubMilestones, (own, subs) => {
        const subProgress = subs.map((sub) => computeProgress(sub, []))
        const progress = computeProgress(own, subs)
        expect(Number.isInteger(progress)).toBe(true)
        expect(progress).toBeGreaterThanOrEqual(Math.min(...subProgress))
        expect(progress).toBeLessThanOrEqual(Math.max(...subProgress))
      }),
    )
  })

  it('returns 100 when every sub-milestone is completed', () => {
    fc.assert(
      fc.property(anyMilestone, anySubMilestones, (own, subs) => {
        expect(
          computeProgress(
            own,
            subs.map((sub) => ({ ...sub, status: 'completed' as const })),
          ),
        ).toBe(100)
      }),
    )
  })
})

describe('deriveStatus', () => {
  it.each([
    [['active'], 'active'],
    [['completed'], 'completed'],
    [['archived'], 'archived'],
    [['archived', 'archived'], 'archived'],
    [['completed', 'archived'], 'completed'],
    [['archived', 'completed'], 'completed'],
    [['archived', 'active'], 'active'],
    [['completed', 'active', 'completed'], 'active'],
  ] as const)('returns, for sub-milestones that are %j, the status %s', (subStatuses, status) => {
    expect(
      deriveStatus(
        { status: 'active' },
        subStatuses.map((subStatus) => ({ status: subStatus })),
      ),
    ).toBe(status)
  })

  it("returns the milestone's own status without sub-milestones", () => {
    fc.assert(fc.property(anyStatus, (status) => deriveStatus({ status }, []) === status))
  })

  it('returns archived when all are archived, completed when none is active, and otherwise active', () => {
    fc.assert(
      fc.property(anyStatus, fc.array(anyStatus, { minLength: 1 }), (own, subStatuses) => {
        const expected = subStatuses.every((status) => status === 'archived')
          ? 'archived'
          : subStatuses.every((status) => status === 'completed' || status === 'archived')
            ? 'completed'
            : 'active'
        expect(
          deriveStatus(
            { status: own },
            subStatuses.map((status) => ({ status })),
          ),
        ).toBe(expected)
      }),
    )
  })
})

describe('deriveDates', () => {
  const own = makeMilestone({ start_date: day(10), due_date: day(20) })

  it("returns the milestone's own dates without sub-milestones", () => {
    expect(deriveDates(own, [])).toEqual({ start_date: day(10), due_date: day(20) })
  })

  it('returns the earliest start and the latest due date of the sub-milestones', () => {
    const subs = [
      makeMilestone({ start_date: day(3), due_date: day(5) }),
      makeMilestone({ start_date: day(1), due_date: day(4) }),
      makeMilestone(),
    ]
    expect(deriveDates(own, subs)).toEqual({ start_date: day(1), due_date: day(5) })
  })

  it("returns the milestone's own date when no sub-milestone has one", () => {
    expect(deriveDates(own, [makeMilestone({ due_date: day(25) })])).toEqual({ start_date: day(10), due_date: day(25) })
    expect(deriveDates(makeMilestone(), [makeMilestone()])).toEqual({ start_date: null, due_date: null })
  })

  it("returns the milestone's own dates in mode manual", () => {
    fc.assert(
      fc.property(anyMilestone, anySubMilestones, (milestone, subs) => {
        const { start_date, due_date } = milestone
        expect(deriveDates({ ...milestone, date_mode: 'manual' }, subs)).toEqual({ start_date, due_date })
      }),
    )
  })

  it('returns dates of sub-milestones that enclose all others in mode auto', () => {
    fc.assert(
      fc.property(anyMilestone, anySubMilestones, (milestone, subs) => {
        const derived = deriveDates({ ...milestone, date_mode: 'auto' }, subs)
        const starts = subs.map(({ start_date }) => start_date?.getTime() ?? Infinity)
        const dues = subs.map(({ due_date }) => due_date?.getTime() ?? -Infinity)
        const [start, due] = [derived.start_date?.getTime() ?? Infinity, derived.due_date?.getTime() ?? -Infinity]
        expect(starts.filter((other) => other < start)).toEqual([])
        expect(dues.filter((other) => other > due)).toEqual([])
        expect([...subs.map((sub) => sub.start_date), milestone.start_date]).toContainEqual(derived.start_date)
        expect([...subs.map((sub) => sub.due_date), milestone.due_date]).toContainEqual(derived.due_date)
      }),
    )
  })
})
