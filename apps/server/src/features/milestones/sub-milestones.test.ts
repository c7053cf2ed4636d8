import { MILESTONE_STATUSES } from '@caseward/contract/milestones'
import { describe, expect, it } from 'vitest'

import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const [NOV_1, NOV_10, NOV_20, NOV_30] = ['01', '10', '20', '30'].map((day) => `2026-11-${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
  string,
]

/** A milestone with two sub-milestones, and functions that change and read them. */
async function makeParent(firstFields: object = {}, secondFields: object = {}, parentFields: object = {}) {
  const scenario = await makeMilestoneScenario(server, 4)
  const parent = await scenario.make(parentFields)
  const first = await scenario.make({ ...firstFields, parent_id: parent.id })
  const second = await scenario.make({ ...secondFields, parent_id: parent.id })
  return { ...scenario, parent, first, second, readParent: () => scenario.read(parent.id) }
}

describe('the status of a milestone with sub-milestones', () => {
  it(
    'is derived from its sub-milestones in reads and in responses to updates',
    { tags: ['spec:milestones/status-is-derived-with-sub-milestones'] },
    async () => {
      const { change, first, second, parent, readParent } = await makeParent()
      await change(first.id, { status: 'completed' })
      expect((await readParent()).status).toBe('active')
      await change(second.id, { status: 'archived' })
      expect(await readParent()).toMatchObject({ status: 'completed', phase: 'completed' })
      await change(first.id, { status: 'archived' })
      expect((await change(parent.id, { name: 'x' })).status).toBe('archived')
    },
  )

  it.each(MILESTONE_STATUSES.map((status) => [status]))(
    'cannot be set to %s: PATCH returns 400 status_is_derived',
    {
      tags: [
        'spec:milestones/status-is-read-only-with-sub-milestones',
        'spec:milestones/with-sub-milestones-status-cannot-be-set',
      ],
    },
    async (status) => {
      const { expectChangeProblem, parent, readParent } = await makeParent()
      const problem = await expectChangeProblem(parent.id, { name: 'x', status })
      expect([problem.code, getErrorPaths(problem)]).toEqual(['status_is_derived', ['/status']])
      expect((await readParent()).name).toBe(parent.name)
    },
  )

  it('is its own status again when the last sub-milestone is deleted', async () => {
    const { change, remove, first, second, parent, readParent } = await makeParent()
    await change(first.id, { status: 'completed' })
    await remove(second.id)
    expect((await readParent()).status).toBe('completed')
    await remove(first.id)
    expect(await readParent()).toMatchObject({ status: 'active', progress: 0, sub_milestones: [] })
    expect((await change(parent.id, { status: 'archived' })).status).toBe('archived')
  })

  it('is the status of a new first sub-milestone, also when it was completed before', async () => {
    const { make, change, read } = await makeMilestoneScenario(server)
    const { id } = await make()
    await change(id, { status: 'completed' })
    await make({ parent_id: id })
    expect(await read(id)).toMatchObject({ status: 'active', progress: 0 })
  })
})

describe('the progress of a milestone with sub-milestones', () => {
  it(
    'is the mean of its sub-milestones, without its own linked runs',
    { tags: ['spec:milestones/progress-is-aggregated-from-sub-milestones'] },
    async () => {
      const { link, change, first, second, parent, readParent } = await makeParent()
      const own = await link(parent.id, 4)
      await link(first.id, 1)
      await link(second.id, 2)
      const read = await readParent()
      expect(read.progress).toBe(38)
      expect(read.sub_milestones.map(({ progress }) => progress)).toEqual([25, 50])
      expect(read.linked_runs.map(({ id }) => id)).toEqual([own])
      await change(second.id, { status: 'completed' })
      expect((await readParent()).progress).toBe(63)
    },
  )

  it('is computed from its own runs again when the last sub-milestone is deleted', async () => {
    const { link, remove, first, second, parent, readParent } = await makeParent()
    await link(parent.id, 3)
    await remove(first.id)
    expect((await readParent()).progress).toBe(0)
    await remove(second.id)
    expect((await readParent()).progress).toBe(75)
  })
})

describe('the dates of a milestone with sub-milestones', () => {
  it(
    'are the earliest start and the latest due date of its sub-milestones',
    {
      tags: [
        'spec:milestones/date_mode-auto-dates-derived-from-sub-milestones',
        'spec:milestones/date_mode-is-auto-by-default',
      ],
    },
    async () => {
      const { readParent } = await makeParent(
        { start_date: NOV_10, due_date: NOV_20 },
        { start_date: NOV_1 },
        { start_date: NOV_20, due_date: NOV_30 },
      )
      expect(await readParent()).toMatchObject({ start_date: NOV_1, due_date: NOV_20, date_mode: 'auto' })
    },
  )

  it('are its own when no sub-milestone has one', async () => {
    const { readParent } = await makeParent({ due_date: NOV_20 }, {}, { start_date: NOV_1, due_date: NOV_10 })
    expect(await readParent()).toMatchObject({ start_date: NOV_1, due_date: NOV_20 })
  })

  it('change when a date of a sub-milestone changes', async () => {
    const { change, first, readParent } = await makeParent({ due_date: NOV_20 }, { due_date: NOV_10 })
    await change(first.id, { due_date: null })
    expect((await readParent()).due_date).toBe(NOV_10)
  })

  it('are its own again when the last sub-milestone is deleted', async () => {
    const { remove, first, second, readParent } = await makeParent({ due_date: NOV_20 }, {}, { due_date: NOV_10 })
    await remove(first.id)
    await remove(second.id)
    expect((await readParent()).due_date).toBe(NOV_10)
  })

  it('become manual when one date is sent, and the other keeps its derived value', async () => {
    const { change, parent, first } = await makeParent({ start_date: NOV_10, due_date: NOV_20 })
    expect(await change(parent.id, { due_date: NOV_30 })).toMatchObject({
      start_date: NOV_10,
      due_date: NOV_30,
      date_mode: 'manual',
    })
    await change(first.id, { start_date: NOV_1 })
    expect(await change(parent.id, { name: 'x' })).toMatchObject({ start_date: NOV_10, date_mode: 'manual' })
  })

  it('become manual when one date is cleared', async () => {
    const { change, parent } = await makeParent({ start_date: NOV_10, due_date: NOV_20 })
    expect(await change(parent.id, { start_date: null, date_mode: 'manual' })).toMatchObject({
      start_date: null,
      due_date: NOV_20,
      date_mode: 'manual',
    })
  })

  it('keep their derived values when only date_mode manual is sent, and are derived again with date_mode auto', async () => {
    const { change, parent, first } = await makeParent({ start_date: NOV_10, due_date: NOV_20 })
    const manual = await change(parent.id, { date_mode: 'manual' })
    expect(manual).toMatchObject({ start_date: NOV_10, due_date: NOV_20, date_mode: 'manual' })
    await change(first.id, { due_date: NOV_30 })
    expect(await change(parent.id, { date_mode: 'auto' })).toMatchObject({ due_date: NOV_30, date_mode: 'auto' })
  })

  it(
    'are its own when it was created with date_mode manual',
    { tags: ['spec:milestones/date_mode-manual-dates-set-by-hand'] },
    async () => {
      const { readParent } = await makeParent({ due_date: NOV_20 }, {}, { date_mode: 'manual', due_date: NOV_10 })
      expect(await readParent()).toMatchObject({ start_date: null, due_date: NOV_10, date_mode: 'manual' })
    },
  )

  it.each([[{ start_date: NOV_1 }], [{ due_date: NOV_1 }], [{ due_date: null }]])(
    'cannot be sent together with date_mode auto: PATCH with %j returns 400',
    async (date) => {
      const { expectChangeProblem, parent, readParent } = await makeParent({ due_date: NOV_20 })
      expect(getErrorPaths(await expectChangeProblem(parent.id, { ...date, date_mode: 'auto' }))).toEqual([
        '/date_mode',
      ])
      expect((await readParent()).due_date).toBe(NOV_20)
    },
  )

  it.each([
    [{ due_date: NOV_1 }, '/due_date'],
    [{ start_date: NOV_30 }, '/start_date'],
  ])('cannot be due before start together with a derived date: PATCH with %j returns 400', async (date, path) => {
    const { expectChangeProblem, parent } = await makeParent({ start_date: NOV_10, due_date: NOV_20 })
    expect(getErrorPaths(await expectChangeProblem(parent.id, date))).toEqual([path])
  })

  it('cannot become manual when the derived due date is before the derived start date', async () => {
    const { expectChangeProblem, change, parent, readParent } = await makeParent(
      { start_date: NOV_20 },
      { due_date: NOV_10 },
    )
    expect(await readParent()).toMatchObject({ start_date: NOV_20, due_date: NOV_10 })
    expect(getErrorPaths(await expectChangeProblem(parent.id, { date_mode: 'manual' }))).toEqual(['/date_mode'])
    expect((await change(parent.id, { name: 'x' })).name).toBe('x')
    expect((await change(parent.id, { start_date: NOV_1 })).start_date).toBe(NOV_1)
  })
})

describe('PATCH of a milestone with sub-milestones', () => {
  it('returns all errors about derived fields at once', async () => {
    const { expectChangeProblem, parent } = await makeParent()
    const problem = await expectChangeProblem(parent.id, { status: 'active', due_date: NOV_1, date_mode: 'auto' })
    expect([problem.code, getErrorPaths(problem)]).toEqual(['status_is_derived', ['/status', '/date_mode']])
  })
})
