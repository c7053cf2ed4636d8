import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const midnight = (date: string) => `${date}T00:00:00.000Z`
const [NOV_1, NOV_10, NOV_20, NOV_30] = ['01', '10', '20', '30'].map((day) => midnight(`2026-11-${day}`)) as [
  string,
  string,
  string,
  string,
]

describe('PATCH /v1/projects/:project_id/milestones/:milestone_id', () => {
  it(
    'changes only the fields that are sent, and updated_at',
    { tags: ['spec:milestones/updated_at-timestamp'] },
    async () => {
      const { make, change, read } = await makeMilestoneScenario(server)
      const created = await make({ description: 'Old', start_date: NOV_1, due_date: NOV_10 })
      const changed = await change(created.id, { name: ' New ' })
      expect(changed).toEqual({ ...created, name: 'New', updated_at: expect.any(String) })
      expect(changed.updated_at > created.updated_at).toBe(true)
      expect(await read(created.id)).toMatchObject(changed)
    },
  )

  it.each([
    [{ name: 'New' }, {}],
    [{ description: 'New' }, {}],
    [{ start_date: midnight('2001-01-01') }, {}],
    [{ due_date: midnight('2998-01-01') }, {}],
    [{ status: 'completed' }, { progress: 100, phase: 'completed' }],
    [{ status: 'archived' }, { phase: 'completed' }],
  ])(
    'changes only %j when nothing else is sent',
    {
      tags: [
        'spec:conventions/updates-change-only-the-fields-sent',
        'spec:milestones/completing-makes-progress-100',
        'spec:milestones/patch-200-with-the-milestone',
        'spec:milestones/patch-name-description-dates-and-status-each',
      ],
    },
    async (sent, derived) => {
      const { make, change, read } = await makeMilestoneScenario(server)
      const created = await make({
        description: 'Old',
        start_date: midnight('2000-01-01'),
        due_date: midnight('2999-12-31'),
      })
      const changed = await change(created.id, sent)
      expect(changed).toEqual({ ...created, ...sent, ...derived, updated_at: expect.any(String) })
      expect(await read(created.id)).toEqual({ ...changed, linked_runs: [], sub_milestones: [] })
    },
  )

  it(
    'changes updated_at together with the status',
    { tags: ['spec:milestones/completing-moves-updated_at'] },
    async () => {
      const { make, change, read } = await makeMilestoneScenario(server)
      const created = await make()
      const { updated_at } = await change(created.id, { status: 'completed' })
      expect(updated_at > created.updated_at).toBe(true)
      expect((await read(created.id)).updated_at).toBe(updated_at)
    },
  )

  it(
    'changes nothing when no known field is sent',
    { tags: ['spec:milestones/patch-name-description-dates-and-status-each'] },
    async () => {
      const { make, change } = await makeMilestoneScenario(server)
      const created = await make()
      expect(await change(created.id, {})).toEqual(created)
      const unknown = { parent_id: uuidv7(), progress: 7, phase: 'completed' }
      const warnings = Object.keys(unknown).map((field) => ({ code: 'unknown_field', field: `/${field}` }))
      expect(await change(created.id, unknown)).toEqual({ ...created, warnings })
    },
  )

  it.each([
    ['active', 'completed'],
    ['active', 'archived'],
    ['completed', 'active'],
    ['completed', 'archived'],
    ['archived', 'active'],
    ['archived', 'completed'],
  ])(
    'changes the status of a milestone without sub-milestones from %s to %s',
    {
      tags: [
        'spec:milestones/active-completed-archived-are-what-an-update',
        'spec:milestones/completing-one-without-sub-milestones-makes-it',
        'spec:milestones/further-transitions-decided-any-to-any',
        'spec:milestones/patch-status-is-active-completed-or-archived',
      ],
    },
    async (from, to) => {
      const { make, change } = await makeMilestoneScenario(server)
      const { id } = await make()
      await change(id, { status: from })
      expect((await change(id, { status: to })).status).toBe(to)
    },
  )

  it(
    'returns progress 100 and phase completed with the status completed, and earlier values with active',
    {
      tags: [
        'spec:milestones/upcoming-started-past_due-completed-decided-the',
        'spec:milestones/completing-makes-progress-100',
      ],
    },
    async () => {
      const { make, change, link } = await makeMilestoneScenario(server, 4)
      const { id } = await make({ due_date: '2020-01-01' })
      await link(id, 1)
      expect(await change(id, { status: 'completed' })).toMatchObject({ progress: 100, phase: 'completed' })
      expect(await change(id, { status: 'active' })).toMatchObject({ progress: 25, phase: 'past_due' })
      expect(await change(id, { status: 'archived' })).toMatchObject({ progress: 25, phase: 'completed' })
    },
  )

  it.each([
    ['upcoming', { start_date: '2999-01-01' }],
    ['started', { start_date: '2020-01-01', due_date: '2999-01-01' }],
    ['past_due', { start_date: '2020-01-01', due_date: '2020-01-02' }],
  ])(
    'returns the phase %s for the dates %j',
    { tags: ['spec:milestones/upcoming-started-past_due-completed-decided-the'] },
    async (phase, dates) => {
      const { make, change } = await makeMilestoneScenario(server)
      expect((await change((await make()).id, dates)).phase).toBe(phase)
    },
  )

  it('clears a date that is sent as null', { tags: ['spec:milestones/start_date-timestamp-nullable'] }, async () => {
    const { make, change } = await makeMilestoneScenario(server)
    const { id } = await make({ start_date: NOV_1, due_date: NOV_10 })
    expect(await change(id, { start_date: null })).toMatchObject({ start_date: null, due_date: NOV_10 })
    expect(await change(id, { due_date: null })).toMatchObject({ start_date: null, due_date: null })
  })

  it('keeps the date mode of a milestone without sub-milestones when dates are sent', async () => {
    const { make, change } = await makeMilestoneScenario(server)
    const { id } = await make()
    expect(await change(id, { start_date: NOV_1 })).toMatchObject({ start_date: NOV_1, date_mode: 'auto' })
    const both = { due_date: NOV_10, date_mode: 'auto' }
    expect(await change(id, both)).toMatchObject({ start_date: NOV_1, ...both })
    expect(await change(id, { date_mode: 'manual' })).toMatchObject({ start_date: NOV_1, date_mode: 'manual' })
  })

  it.each([
    ['a due date before the start date sent with it', { start_date: NOV_20, due_date: NOV_10 }, '/due_date'],
    ['a due date before the stored start date', { due_date: midnight('2026-11-09') }, '/due_date'],
    ['a start date after the stored due date', { start_date: midnight('2026-11-21') }, '/start_date'],
  ])('returns 400 for %s', async (_what, body, path) => {
    const { make, expectChangeProblem, read } = await makeMilestoneScenario(server)
    const created = await make({ start_date: NOV_10, due_date: NOV_20 })
    expect(getErrorPaths(await expectChangeProblem(created.id, { name: 'x', ...body }))).toEqual([path])
    expect(await read(created.id)).toMatchObject(created)
  })

  it('accepts two dates that are in order only together', async () => {
    const { make, change } = await makeMilestoneScenario(server)
    const { id } = await make({ start_date: NOV_1, due_date: NOV_10 })
    const later = { start_date: NOV_20, due_date: NOV_30 }
    expect(await change(id, later)).toMatchObject(later)
    expect(await change(id, { due_date: null, start_date: NOV_30 })).toMatchObject({ due_date: null })
  })

  it.each([
    [{ name: '' }],
    [{ name: null }],
    [{ description: 1 }],
    [{ status: 'started' }],
    [{ status: null }],
    [{ start_date: '' }],
    [{ due_date: 20261121 }],
    [{ date_mode: 'AUTO' }],
  ])(
    'returns 400 for the invalid body %j',
    {
      tags: [
        'spec:milestones/active-completed-archived-are-what-an-update',
        'spec:milestones/patch-status-is-active-completed-or-archived',
        'spec:errors/400-milestones-invalid-body',
      ],
    },
    async (body) => {
      const { make, expectChangeProblem } = await makeMilestoneScenario(server)
      expect(getErrorPaths(await expectChangeProblem((await make()).id, body))).toEqual([`/${Object.keys(body)[0]}`])
    },
  )

  it('accepts only one of two concurrent updates that together make it due before start', async () => {
    const { make, path, token, read } = await makeMilestoneScenario(server)
    for (let round = 0; round < 10; round += 1) {
      const { id } = await make({ start_date: NOV_1, due_date: NOV_30 })
      const responses = await Promise.all(
        [{ start_date: NOV_20 }, { due_date: NOV_10 }].map((body) =>
          server.request('PATCH', `${path}/${id}`, { token, body }),
        ),
      )
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const { start_date, due_date } = await read(id)
      expect(Date.parse(start_date ?? '')).toBeLessThan(Date.parse(due_date ?? ''))
    }
  })
})
