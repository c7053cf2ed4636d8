import type { Milestone } from '@caseward/contract/milestones'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeMilestone, makeProject } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

describe('POST /v1/projects/:project_id/milestones', () => {
  it(
    'returns 201 with an active milestone with progress 0 at top level, with every field',
    {
      tags: [
        'spec:conventions/a-nullable-field-without-a-value-is-there-as',
        'spec:conventions/optional-fields-may-be-left-out',
        'spec:milestones/id-string',
        'spec:milestones/name-string-required',
        'spec:milestones/description-string-not-required',
        'spec:milestones/start_date-timestamp-nullable',
        'spec:milestones/status-string',
        'spec:milestones/the-parent-is-called-parent_id-in-bodies',
        'spec:milestones/parent_id-is-null-at-the-top',
        'spec:milestones/date_mode-is-auto-by-default',
        'spec:milestones/created_at-timestamp',
        'spec:milestones/updated_at-timestamp',
        'spec:milestones/a-new-milestone-is-active',
        'spec:milestones/post-201',
        'spec:milestones/post-status-active-and-progress-0',
        'spec:milestones/post-start_date-is-null-when-not-sent',
      ],
    },
    async () => {
      const { path, token } = await makeMilestoneScenario(server)
      const response = await server.request<Milestone>('POST', path, { token, body: { name: '  Release 2.0 ' } })
      expect(response.status).toBe(201)
      expect(response.body).toEqual({
        id: expect.any(String),
        name: 'Release 2.0',
        description: '',
        start_date: null,
        due_date: null,
        status: 'active',
        parent_id: null,
        progress: 0,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: response.body.created_at,
        phase: 'started',
        date_mode: 'auto',
      })
    },
  )

  it(
    'stores all fields that are sent',
    {
      tags: ['spec:milestones/description-string-not-required', 'spec:milestones/post-description-start_date-due_date'],
    },
    async () => {
      const { make, read } = await makeMilestoneScenario(server)
      const sent = {
        name: 'Release',
        description: 'All of it\n',
        start_date: '2026-11-01T00:00:00.000Z',
        due_date: '2026-12-01T12:30:00.500Z',
        date_mode: 'manual',
      } as const
      const created = await make(sent)
      expect(created).toMatchObject(sent)
      expect(await read(created.id)).toEqual({ ...created, linked_runs: [], sub_milestones: [] })
    },
  )

  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T10:00:00+02:00', '2026-11-21T08:00:00.000Z'],
    ['0100-01-01', '0100-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    [null, null],
  ])(
    'stores the date %s as %s',
    { tags: ['spec:milestones/start_date-timestamp-nullable', 'spec:milestones/due_date-timestamp'] },
    async (sent, stored) => {
      const { make } = await makeMilestoneScenario(server)
      expect((await make({ due_date: sent })).due_date).toBe(stored)
      expect((await make({ start_date: sent })).start_date).toBe(stored)
    },
  )

  it('accepts a due date equal to the start date', async () => {
    const { make } = await makeMilestoneScenario(server)
    const both = { start_date: '2026-11-21', due_date: '2026-11-21T01:00:00+01:00' }
    expect((await make(both)).due_date).toBe('2026-11-21T00:00:00.000Z')
  })

  it(
    'ignores a status, a progress and unknown fields',
    { tags: ['spec:milestones/a-new-milestone-is-active'] },
    async () => {
      const { make } = await makeMilestoneScenario(server)
      const unknown = { color: 'red' }
      const created = await make({ status: 'archived', progress: 50, phase: 'past_due', ...unknown })
      expect(created).toMatchObject({ status: 'active', progress: 0, phase: 'started' })
      expect(created).not.toHaveProperty('color')
    },
  )

  it.each([
    ['no name', {}, ['/name']],
    ['an empty name', { name: ' ' }, ['/name']],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, ['/name']],
    ['a name with a NUL character', { name: 'a\0' }, ['/name']],
    ['a description that is null', { name: 'x', description: null }, ['/description']],
    ['a description that is too long', { name: 'x', description: 'x'.repeat(65_537) }, ['/description']],
    ['a start date that is not a time', { name: 'x', start_date: 'tomorrow' }, ['/start_date']],
    ['a start date that is a number', { name: 'x', start_date: 5 }, ['/start_date']],
    ['a due date that does not exist', { name: 'x', due_date: '2026-02-30' }, ['/due_date']],
    ['an unknown date mode', { name: 'x', date_mode: 'none' }, ['/date_mode']],
    ['a date mode that is null', { name: 'x', date_mode: null }, ['/date_mode']],
    ['a parent that is a number', { name: 'x', parent_id: 5 }, ['/parent_id']],
    ['an unknown parent', { name: 'x', parent_id: uuidv7() }, ['/parent_id']],
    ['a parent that is not an id', { name: 'x', parent_id: 'Release' }, ['/parent_id']],
    ['an empty parent', { name: 'x', parent_id: '' }, ['/parent_id']],
    ['due before start', { name: 'x', start_date: '2026-11-21', due_date: '2026-11-20' }, ['/due_date']],
    [
      'due before start and an unknown parent',
      { name: 'x', start_date: '2026-11-21', due_date: '2026-11-20', parent_id: 'x' },
      ['/parent_id', '/due_date'],
    ],
  ])(
    'returns 400 for %s, and creates nothing',
    {
      tags: [
        'spec:milestones/name-string-required',
        'spec:milestones/post-name-is-required',
        'spec:milestones/post-description-start_date-due_date',
        'spec:errors/400-milestones-invalid-body',
      ],
    },
    async (_what, body, paths) => {
      const { path, token } = await makeMilestoneScenario(server)
      expect(getErrorPaths(await server.expectProblem(400, 'POST', path, { token, body }))).toEqual(paths)
      const list = await server.request('GET', path, { token })
      expect(list.body).toMatchObject({ data: [], meta: { total: 0 } })
    },
  )
})

describe('POST /v1/projects/:project_id/milestones with parent_id', () => {
  it(
    'creates a sub-milestone that its parent lists',
    {
      tags: [
        'spec:milestones/the-parent-is-called-parent_id-in-bodies',
        'spec:milestones/the-single-read-adds-sub_milestones-of-id-name',
        'spec:milestones/post-parent_id-makes-a-sub-milestone',
      ],
    },
    async () => {
      const { make, read } = await makeMilestoneScenario(server)
      const parent = await make()
      const first = await make({ name: 'Alpha', parent_id: parent.id })
      const second = await make({ name: 'Beta', parent_id: parent.id })
      expect(first.parent_id).toBe(parent.id)
      expect((await read(parent.id)).sub_milestones).toEqual([
        { id: first.id, name: 'Alpha', status: 'active', progress: 0 },
        { id: second.id, name: 'Beta', status: 'active', progress: 0 },
      ])
    },
  )

  it('does not change updated_at of the parent', async () => {
    const { make, read } = await makeMilestoneScenario(server)
    const parent = await make()
    await make({ parent_id: parent.id })
    expect((await read(parent.id)).updated_at).toBe(parent.updated_at)
  })

  it(
    'returns 400 for a parent that is itself a sub-milestone',
    { tags: ['spec:milestones/parent-at-most-one-level-of-nesting', 'spec:limits/one-level-of-sub-milestones'] },
    async () => {
      const { make, path, token } = await makeMilestoneScenario(server)
      const sub = await make({ parent_id: (await make()).id })
      const body = { name: 'x', parent_id: sub.id }
      const problem = await server.expectProblem(400, 'POST', path, { token, body })
      expect(getErrorPaths(problem)).toEqual(['/parent_id'])
      expect(problem.detail).toContain('is itself a sub-milestone')
    },
  )

  it('returns 400 for a parent of another project', async () => {
    const { path, token } = await makeMilestoneScenario(server)
    const otherProject = await makeProject(server, { token })
    const { id } = await makeMilestone(server, otherProject)
    const problem = await server.expectProblem(400, 'POST', path, { token, body: { name: 'x', parent_id: id } })
    expect(getErrorPaths(problem)).toEqual(['/parent_id'])
  })

  it(
    'creates no sub-milestone of a sub-milestone while others are created and deleted',
    { tags: ['spec:milestones/parent-at-most-one-level-of-nesting'] },
    async () => {
      const { make, path, project, token } = await makeMilestoneScenario(server)
      for (let round = 0; round < 5; round += 1) {
        const parent = await make()
        const sub = await make({ parent_id: parent.id })
        const create = (parent_id: string) =>
          server.request<Milestone>('POST', path, { token, body: { name: 'x', parent_id } })
        const responses = await Promise.all([
          ...Array.from({ length: 4 }, () => [create(parent.id), create(sub.id)]).flat(),
          server.request('DELETE', `${path}/${parent.id}`, { token }),
          create(parent.id),
          create(sub.id),
        ])
        for (const { status } of responses) expect([201, 204, 400]).toContain(status)
      }
      const { rows } = await sql`
      select child.id from milestones child join milestones parent on parent.id = child.parent_id
      where child.project_id = ${project.id} and parent.parent_id is not null`.execute(server.db)
      expect(rows).toEqual([])
    },
  )
})
