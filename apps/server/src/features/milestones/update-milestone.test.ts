import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useTestServer } from '@caseward/test-support/test-server'

const server = useTestServer()

const midnight = (date: string) => `${date}T00:00:00.000Z`
const [NOV_1, NOV_10, NOV_20, NOV_30] = ['01', '10', '20', '30'].map((day) => midnight(`2026-11-${day}`)) as [
  string,
  string,
  string,
  string,
]

describe('PATCH /v1/projects/:project_id/milestones/:milestone_id', () => {
  it('changes only the fields sent, and updated_at', { tags: ['spec:milestones/updated_at-timestamp'] }, async () => {
    const { make, change, read } = await makeMilestoneScenario(server)
    const made = await make({ description: 'Old', start_date: NOV_1, due_date: NOV_10 })
    const changed = await change(made.id, { name: ' New ' })
    expect(changed).toEqual({ ...made, name: 'New', updated_at: expect.any(String) })
    expect(changed.updated_at > made.updated_at).toBe(true)
    expect(await read(made.id)).toMatchObject(changed)
  })

  it.each([
    [{ name: 'New' }, {}],
    [{ description: 'New' }, {}],
    [{ start_date: midnight('2001-01-01') }, {}],
    [{ due_date: midnight('2998-01-01') }, {}],
    [{ status: 'completed' }, { progress: 100, phase: 'completed' }],
    [{ status: 'archived' }, { phase: 'completed' }],
  ])(
    'takes %j alone, and keeps all other fields',
    {
      tags: [
        'spec:conventions/updates-change-only-the-fields-sent',
        'spec:milestones/completing-makes-progress-100',
        'spec:milestones/patch-200-with-the-milestone',
        'spec:milestones/patch-name-description-dates-and-status-each',
      ],
    },
    async (sent, follows) => {
      const { make, change, read } = await makeMilestoneScenario(server)
      const made = await make({
        description: 'Old',
        start_date: midnight('2000-01-01'),
        due_date: midnight('2999-12-31'),
      })
      const changed = await change(made.id, sent)
      expect(changed).toEqual({ ...made, ...sent, ...follows, updated_at: expect.any(String) })
      expect(await read(made.id)).toEqual({ ...changed, linked_runs: [], sub_milestones: [] })
    },
  )

  it('moves updated_at with the status', { tags: ['spec:milestones/completing-moves-updated_at'] }, async () => {
    const { make, change, read } = await makeMilestoneScenario(server)
    const made = await make()
    const { updated_at } = await change(made.id, { status: 'completed' })
    expect(updated_at > made.updated_at).toBe(true)
    expect((await read(made.id)).updated_at).toBe(updated_at)
  })

  it(
    'changes nothing when nothing that it knows is sent',
    { tags: ['spec:milestones/patch-name-description-dates-and-status-each'] },
    async () => {
      const { make, change } = await makeMilestoneScenario(server)
      const made = await make()
      expect(await change(made.id, {})).toEqual(made)
      expect(await change(made.id, { parent_id: uuidv7(), progress: 7, phase: 'completed' })).toEqual(made)
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
    'moves a leaf from %s to %s',
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
    'makes progress 100 and the phase completed with the status completed, and takes both back with active',
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
    'shows the phase %s for %j',
    { tags: ['spec:milestones/upcoming-started-past_due-completed-decided-the'] },
    async (phase, dates) => {
      const { make, change } = await makeMilestoneScenario(server)
      expect((await change((await make()).id, dates)).phase).toBe(phase)
    },
  )

  it('clears dates by null', { tags: ['spec:milestones/start_date-timestamp-nullable'] }, async () => {
    const { make, change } = await makeMilestoneScenario(server)
    const { id } = await make({ start_date: NOV_1, due_date: NOV_10 })
    expect(await change(id, { start_date: null })).toMatchObject({ start_date: null, due_date: NOV_10 })
    expect(await change(id, { due_date: null })).toMatchObject({ start_date: null, due_date: null })
  })

  it('leaves the date mode of a leaf as it is when dates are sent, also beside date_mode auto', async () => {
    const { make, change } = await makeMilestoneScenario(server)
    const { id } = await make()
    expect(await change(id, { start_date: NOV_1 })).toMatchObject({ start_date: NOV_1, date_mode: 'auto' })
    const both = { due_date: NOV_10, date_mode: 'auto' }
    expect(await change(id, both)).toMatchObject({ start_date: NOV_1, ...both })
    expect(await change(id, { date_mode: 'manual' })).toMatchObject({ start_date: NOV_1, date_mode: 'manual' })
  })

  it.each([
    ['due before the start sent with it', { start_date: NOV_20, due_date: NOV_10 }, '/due_date'],
    ['due before the start that is stored', { due_date: midnight('2026-11-09') }, '/due_date'],
    ['a start after the due date that is stored', { start_date: midnight('2026-11-21') }, '/start_date'],
  ])('refuses %s', async (_, body, path) => {
    const { make, expectChangeProblem: refuseChange, read } = await makeMilestoneScenario(server)
    const made = await make({ start_date: NOV_10, due_date: NOV_20 })
    expect(getErrorPaths(await refuseChange(made.id, { name: 'x', ...body }))).toEqual([path])
    expect(await read(made.id)).toMatchObject(made)
  })

  it('takes dates that are in order only together', async () => {
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
    'refuses %j',
    {
      tags: [
        'spec:milestones/active-completed-archived-are-what-an-update',
        'spec:milestones/patch-status-is-active-completed-or-archived',
        'spec:errors/400-milestones-invalid-body',
      ],
    },
    async (body) => {
      const { make, expectChangeProblem: refuseChange } = await makeMilestoneScenario(server)
      expect(getErrorPaths(await refuseChange((await make()).id, body))).toEqual([`/${Object.keys(body)[0]}`])
    },
  )

  it('keeps due after start when both are moved at the same time', async () => {
    const { make, path, token, read } = await makeMilestoneScenario(server)
    for (let round = 0; round < 10; round += 1) {
      const { id } = await make({ start_date: NOV_1, due_date: NOV_30 })
      const answers = await Promise.all(
        [{ start_date: NOV_20 }, { due_date: NOV_10 }].map((body) =>
          server.request('PATCH', `${path}/${id}`, { token, body }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const { start_date, due_date } = await read(id)
      expect(Date.parse(start_date ?? '')).toBeLessThan(Date.parse(due_date ?? ''))
    }
  })
})
