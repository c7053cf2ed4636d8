import type { MilestoneListItem } from '@caseward/contract/milestones'
import type { Run } from '@caseward/contract/run-schemas'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeProject, makeRun } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const unknownIds = [
  ['a UUID', '01a1fc2b-5f29-7584-9e03-d27674921b66'],
  ['a word', 'Release'],
  ['a NUL character', '%00'],
  ['300 characters', 'x'.repeat(300)],
]

describe('GET /v1/projects/:project_id/milestones/:milestone_id', () => {
  it(
    'returns the milestone at top level with linked_runs and sub_milestones',
    {
      tags: [
        'spec:service/stores-milestones-that-runs-can-be-linked-to',
        'spec:conventions/a-milestone-is-at-top-level',
        'spec:milestones/the-single-read-adds-linked_runs-of-id-name',
        'spec:milestones/the-single-read-adds-sub_milestones-of-id-name',
        'spec:milestones/get-one-200-with-linked_runs-and-sub_milestones',
        'spec:runs/id-name-status-pass_rate-inside-a-milestone',
      ],
    },
    async () => {
      const { project, make, read } = await makeMilestoneScenario(server)
      const created = await make()
      const run = await makeRun(server, project, { name: 'Nightly', milestone_id: created.id })
      const sub = await make({ name: 'Beta', parent_id: created.id })
      expect(await read(created.id)).toEqual({
        ...created,
        linked_runs: [{ id: run.id, name: 'Nightly', status: 'in_progress', pass_rate: 0 }],
        sub_milestones: [{ id: sub.id, name: 'Beta', status: 'active', progress: 0 }],
      })
      expect(await read(sub.id)).toEqual({ ...sub, linked_runs: [], sub_milestones: [] })
    },
  )

  it(
    'returns its linked runs, the newest first, with their status and pass rate',
    {
      tags: [
        'spec:milestones/a-linked-run-is-in_progress-or-completed',
        'spec:milestones/the-pass-rate-is-a-percentage',
      ],
    },
    async () => {
      const { project, make, read, link, token } = await makeMilestoneScenario(server, 3)
      const { id } = await make()
      await makeRun(server, project)
      await link((await make()).id, 1)
      const first = await link(id, 3)
      const second = await link(id, 0)
      await server.request('PATCH', `/v1/runs/${second}`, { token, body: { status: 'completed' } })
      expect((await read(id)).linked_runs).toEqual([
        { id: second, name: 'Nightly', status: 'completed', pass_rate: 0 },
        { id: first, name: 'Nightly', status: 'in_progress', pass_rate: 66.7 },
      ])
    },
  )

  it.each(unknownIds)(
    'returns 404 for an unknown id that is %s',
    { tags: ['spec:errors/404-milestones-no-such-milestone'] },
    async (_what, id) => {
      const { path, token } = await makeMilestoneScenario(server)
      await server.expectProblem(404, 'GET', `${path}/${id}`, { token })
    },
  )

  it(
    'and PATCH and DELETE return 404 for a milestone of another project',
    { tags: ['spec:errors/404-milestones-no-such-milestone'] },
    async () => {
      const { path, token } = await makeMilestoneScenario(server)
      const { id } = await makeMilestone(server, await makeProject(server))
      for (const method of ['GET', 'DELETE']) await server.expectProblem(404, method, `${path}/${id}`, { token })
      await server.expectProblem(404, 'PATCH', `${path}/${id}`, { token, body: { name: 'x' } })
    },
  )
})

describe('a milestone right after an upload', () => {
  it(
    'has the new progress, alone and in the list, and its run the new pass rate',
    { tags: ['spec:milestones/progress-percentage-from-0-to-100'] },
    async () => {
      const { project, path, make, read, token } = await makeMilestoneScenario(server, 4)
      const parent = await make()
      const { id } = await make({ parent_id: parent.id })
      const run = await makeRun(server, project, { milestone_id: id })
      const ci = await makeCiToken(server, project)
      const steps = [
        { results: { 1: 'passed' }, progress: 25, pass_rate: 100 },
        { results: { 2: 'failed', 3: 'blocked' }, progress: 75, pass_rate: 33.3 },
        { results: { 3: 'passed', 4: 'retest' }, progress: 100, pass_rate: 50 },
        { results: { 1: 'not_tested', 4: 'passed' }, progress: 75, pass_rate: 66.7 },
      ]
      for (const { results, progress, pass_rate } of steps) {
        const sent = Object.entries(results).map(([number, status]) => ({ test_case_id: `WEB-${number}`, status }))
        const upload = await server.request('POST', '/v1/results', {
          token: ci,
          body: { run_id: run.id, results: sent },
        })
        expect(upload.status).toBe(200)
        expect(await read(id)).toMatchObject({ progress, linked_runs: [{ id: run.id, pass_rate }] })
        expect(await read(parent.id)).toMatchObject({ progress, sub_milestones: [{ id, progress }] })
        const list = await server.request<{ data: MilestoneListItem[] }>('GET', path, { token })
        expect(list.body.data.map((item) => item.progress)).toEqual([progress, progress])
        const updatedRun = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })
        expect(updatedRun.body.data.pass_rate).toBe(pass_rate)
      }
    },
  )

  it('keeps the progress 100 when it is completed', async () => {
    const { change, make, read, link } = await makeMilestoneScenario(server, 4)
    const { id } = await make()
    await change(id, { status: 'completed' })
    await link(id, 1)
    expect((await read(id)).progress).toBe(100)
  })

  it('is unchanged when the upload is a dry run', async () => {
    const { project, make, read } = await makeMilestoneScenario(server, 2)
    const { id } = await make()
    const run = await makeRun(server, project, { milestone_id: id })
    const results = [{ test_case_id: 'WEB-1', status: 'passed' }]
    const token = await makeCiToken(server, project)
    await server.request('POST', '/v1/results', { token, body: { run_id: run.id, results, dry_run: true } })
    expect(await read(id)).toMatchObject({ progress: 0, linked_runs: [{ pass_rate: 0 }] })
  })
})

describe('the progress of a milestone', () => {
  it('changes when a run is linked, moved to another milestone, unlinked or deleted', async () => {
    const { make, read, link, token } = await makeMilestoneScenario(server, 4)
    const [first, second] = [await make(), await make()]
    const progress = async () => [(await read(first.id)).progress, (await read(second.id)).progress]
    const run = `/v1/runs/${await link(first.id, 1)}`
    await link(second.id, 2)
    expect(await progress()).toEqual([25, 50])
    await server.request('PATCH', run, { token, body: { milestone_id: second.id } })
    expect(await progress()).toEqual([0, 38])
    await server.request('PATCH', run, { token, body: { milestone_id: null } })
    expect(await progress()).toEqual([0, 50])
    await server.request('PATCH', run, { token, body: { milestone_id: first.id } })
    await server.request('DELETE', run, { token })
    expect(await progress()).toEqual([0, 50])
  })
})
