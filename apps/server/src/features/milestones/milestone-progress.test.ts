import { MILESTONE_STATUSES } from '@caseward/contract/milestones'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  deriveDates,
  isDueBeforeStart,
  type StoredMilestone,
  derivePhase,
  computeProgress,
  deriveStatus,
} from './milestone-progress.ts'

const facts = (fields: Partial<StoredMilestone> = {}): StoredMilestone => ({
  status: 'active',
  date_mode: 'auto',
  start_date: null,
  due_date: null,
  tested_count: 0,
  result_count: 0,
  ...fields,
})
const tested = (tested_count: number, result_count: number) => facts({ tested_count, result_count })
const day = (number: number) => new Date(Date.UTC(2026, 10, number))

const anyStatus = fc.constantFrom(...MILESTONE_STATUSES)
const anyDate = fc.option(fc.date({ noInvalidDate: true }))
const anyFacts = fc
  .record({
    status: anyStatus,
    date_mode: fc.constantFrom('auto', 'manual'),
    start_date: anyDate,
    due_date: anyDate,
    counts: fc.tuple(fc.nat(), fc.nat()),
  })
  .map(({ counts: [one, other], ...rest }): StoredMilestone => {
    return { ...rest, tested_count: Math.min(one, other), result_count: Math.max(one, other) }
  })
const anySubs = fc.array(anyFacts, { minLength: 1, maxLength: 20 })

describe('the progress of a milestone without sub-milestones', () => {
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
    'is, with %d of %d results tested, %d',
    { tags: ['spec:milestones/progress-percentage-from-0-to-100'] },
    (done, all, percent) => {
      expect(computeProgress(tested(done, all), [])).toBe(percent)
    },
  )

  it('is 100 when it is completed, whatever its runs say', () => {
    fc.assert(fc.property(anyFacts, (own) => computeProgress({ ...own, status: 'completed' }, []) === 100))
  })

  it('is told by its runs when it is archived', () => {
    expect(computeProgress({ ...tested(1, 4), status: 'archived' }, [])).toBe(25)
  })

  it('never falls when another result is tested, and never rises when another joins', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), (done, open) => {
        const now = computeProgress(tested(done, done + open + 1), [])
        expect(computeProgress(tested(done + 1, done + open + 1), [])).toBeGreaterThanOrEqual(now)
        expect(computeProgress(tested(done, done + open + 2), [])).toBeLessThanOrEqual(now)
      }),
    )
  })
})

describe('the progress of a milestone with sub-milestones', () => {
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
  ])('is, over sub-milestones with %j results tested, %d', (subs, percent) => {
    expect(
      computeProgress(
        facts(),
        subs.map(([done = 0, all = 0]) => tested(done, all)),
      ),
    ).toBe(percent)
  })

  it('counts each sub-milestone alike, however many results it has', () => {
    expect(computeProgress(facts(), [tested(1000, 1000), tested(0, 1)])).toBe(50)
  })

  it('takes no account of its own status and runs', () => {
    fc.assert(
      fc.property(
        anyFacts,
        anyFacts,
        anySubs,
        (one, other, subs) => computeProgress(one, subs) === computeProgress(other, subs),
      ),
    )
  })

  it('is a whole number from the least to the greatest of theirs', () => {
    fc.assert(
      fc.property(anyFacts, anySubs, (own, subs) => {
        const theirs = subs.map((sub) => computeProgress(sub, []))
        const progress = computeProgress(own, subs)
        expect(Number.isInteger(progress)).toBe(true)
        expect(progress).toBeGreaterThanOrEqual(Math.min(...theirs))
        expect(progress).toBeLessThanOrEqual(Math.max(...theirs))
      }),
    )
  })

  it('is 100 when each is completed', () => {
    fc.assert(
      fc.property(anyFacts, anySubs, (own, subs) => {
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

describe('the status shown', () => {
  it.each([
    [['active'], 'active'],
    [['completed'], 'completed'],
    [['archived'], 'archived'],
    [['archived', 'archived'], 'archived'],
    [['completed', 'archived'], 'completed'],
    [['archived', 'completed'], 'completed'],
    [['archived', 'active'], 'active'],
    [['completed', 'active', 'completed'], 'active'],
  ] as const)('over %j is %s', (theirs, status) => {
    expect(
      deriveStatus(
        { status: 'active' },
        theirs.map((one) => ({ status: one })),
      ),
    ).toBe(status)
  })

  it('is its own without sub-milestones', () => {
    fc.assert(fc.property(anyStatus, (status) => deriveStatus({ status }, []) === status))
  })

  it('is what the contract says in words, whatever its own', () => {
    fc.assert(
      fc.property(anyStatus, fc.array(anyStatus, { minLength: 1 }), (own, theirs) => {
        const inWords = theirs.every((one) => one === 'archived')
          ? 'archived'
          : theirs.every((one) => one === 'completed' || one === 'archived')
            ? 'completed'
            : 'active'
        expect(
          deriveStatus(
            { status: own },
            theirs.map((status) => ({ status })),
          ),
        ).toBe(inWords)
      }),
    )
  })
})

describe('the dates shown', () => {
  const own = facts({ start_date: day(10), due_date: day(20) })

  it('are its own without sub-milestones', () => {
    expect(deriveDates(own, [])).toEqual({ start_date: day(10), due_date: day(20) })
  })

  it('are the earliest start and the latest due of the sub-milestones', () => {
    const subs = [
      facts({ start_date: day(3), due_date: day(5) }),
      facts({ start_date: day(1), due_date: day(4) }),
      facts(),
    ]
    expect(deriveDates(own, subs)).toEqual({ start_date: day(1), due_date: day(5) })
  })

  it('are its own where no sub-milestone has one', () => {
    expect(deriveDates(own, [facts({ due_date: day(25) })])).toEqual({ start_date: day(10), due_date: day(25) })
    expect(deriveDates(facts(), [facts()])).toEqual({ start_date: null, due_date: null })
  })

  it('are its own in mode manual', () => {
    fc.assert(
      fc.property(anyFacts, anySubs, (one, subs) => {
        const { start_date, due_date } = one
        expect(deriveDates({ ...one, date_mode: 'manual' }, subs)).toEqual({ start_date, due_date })
      }),
    )
  })

  it('in mode auto enclose those of every sub-milestone, and are dates of theirs', () => {
    fc.assert(
      fc.property(anyFacts, anySubs, (one, subs) => {
        const shown = deriveDates({ ...one, date_mode: 'auto' }, subs)
        const starts = subs.map(({ start_date }) => start_date?.getTime() ?? Infinity)
        const dues = subs.map(({ due_date }) => due_date?.getTime() ?? -Infinity)
        const [start, due] = [shown.start_date?.getTime() ?? Infinity, shown.due_date?.getTime() ?? -Infinity]
        expect(starts.filter((other) => other < start)).toEqual([])
        expect(dues.filter((other) => other > due)).toEqual([])
        expect([...subs.map((sub) => sub.start_date), one.start_date]).toContainEqual(shown.start_date)
        expect([...subs.map((sub) => sub.due_date), one.due_date]).toContainEqual(shown.due_date)
      }),
    )
  })
})

describe('the phase', () => {
  const now = day(15)
  it.each([
    ['active', null, null, 'started'],
    ['active', day(14), day(16), 'started'],
    ['active', day(14), day(14), 'past_due'],
    ['active', null, day(14), 'past_due'],
    ['active', day(16), null, 'upcoming'],
    ['active', day(16), day(17), 'upcoming'],
    ['active', now, now, 'started'],
    // Derived dates can be at odds with each other: what is late comes first.
    ['active', day(16), day(14), 'past_due'],
    ['completed', day(16), day(14), 'completed'],
    ['archived', null, day(14), 'completed'],
  ] as const)(
    'of one that is %s, from %o to %o, is %s',
    { tags: ['spec:milestones/upcoming-started-past_due-completed-decided-the'] },
    (status, start_date, due_date, phase) => {
      expect(derivePhase({ status, start_date, due_date }, now)).toBe(phase)
    },
  )

  it('never goes back as time goes by', () => {
    const order = ['upcoming', 'started', 'past_due', 'completed']
    fc.assert(
      fc.property(anyFacts, fc.date({ noInvalidDate: true }), fc.nat(), (own, moment, laterMs) => {
        const later = new Date(Math.min(moment.getTime() + laterMs, 8.64e15))
        expect(order.indexOf(derivePhase(own, later))).toBeGreaterThanOrEqual(order.indexOf(derivePhase(own, moment)))
      }),
    )
  })
})

describe('due before start', () => {
  it.each([
    [day(2), day(1), true],
    [day(1), day(1), false],
    [day(1), day(2), false],
    [null, day(1), false],
    [day(1), null, false],
    [null, null, false],
  ])('from %o to %o: %s', (start_date, due_date, is) => {
    expect(isDueBeforeStart({ start_date, due_date })).toBe(is)
  })
})
