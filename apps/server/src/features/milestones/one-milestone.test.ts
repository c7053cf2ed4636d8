import type { MilestoneListItem } from '@caseward/contract/milestones'
import type { Run } from '@caseward/contract/runs'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeProject, makeRun } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useTestServer } from '@caseward/test-support/test-server'

const server = useTestServer()

const unknown = [[uuidv7()], ['Release'], ['%00'], ['x'.repeat(300)]]

describe('GET /v1/projects/:project_id/milestones/:milestone_id', () => {
  it(
    'gives the milestone at top level with linked_runs and sub_milestones',
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
      const made = await make()
      const run = await makeRun(server, project, { name: 'Nightly', milestone_id: made.id })
      const sub = await make({ name: 'Beta', parent_id: made.id })
      expect(await read(made.id)).toEqual({
        ...made,
        linked_runs: [{ id: run.id, name: 'Nightly', status: 'in_progress', pass_rate: 0 }],
        sub_milestones: [{ id: sub.id, name: 'Beta', status: 'active', progress: 0 }],
      })
      expect(await read(sub.id)).toEqual({ ...sub, linked_runs: [], sub_milestones: [] })
    },
  )

  it(
    'lists the runs linked to it, the newest first, as they stand',
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

  it.each(unknown)('does not find %s', { tags: ['spec:errors/404-milestones-no-such-milestone'] }, async (id) => {
    const { path, token } = await makeMilestoneScenario(server)
    await server.expectProblem(404, 'GET', `${path}/${id}`, { token })
  })

  it(
    'does not find a milestone of another project',
    { tags: ['spec:errors/404-milestones-no-such-milestone'] },
    async () => {
      const { path, token } = await makeMilestoneScenario(server)
      const { id } = await makeMilestone(server, await makeProject(server))
      for (const method of ['GET', 'DELETE']) await server.expectProblem(404, method, `${path}/${id}`, { token })
      await server.expectProblem(404, 'PATCH', `${path}/${id}`, { token, body: { name: 'x' } })
    },
  )
})

describe('the moment an upload returns', () => {
  it(
    'progress, in the read and in the list, and the pass rate of the run are right',
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
        const read1 = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })
        expect(read1.body.data.pass_rate).toBe(pass_rate)
      }
    },
  )

  it('a completed milestone stays at 100', async () => {
    const { change, make, read, link } = await makeMilestoneScenario(server, 4)
    const { id } = await make()
    await change(id, { status: 'completed' })
    await link(id, 1)
    expect((await read(id)).progress).toBe(100)
  })

  it('a dry run has changed nothing', async () => {
    const { project, make, read } = await makeMilestoneScenario(server, 2)
    const { id } = await make()
    const run = await makeRun(server, project, { milestone_id: id })
    const results = [{ test_case_id: 'WEB-1', status: 'passed' }]
    const token = await makeCiToken(server, project)
    await server.request('POST', '/v1/results', { token, body: { run_id: run.id, results, dry_run: true } })
    expect(await read(id)).toMatchObject({ progress: 0, linked_runs: [{ pass_rate: 0 }] })
  })
})

describe('progress follows', () => {
  it('a run that is linked, moved to another milestone, unlinked and deleted', async () => {
    const { make, read, link, token } = await makeMilestoneScenario(server, 4)
    const [one, other] = [await make(), await make()]
    const progress = async () => [(await read(one.id)).progress, (await read(other.id)).progress]
    const run = `/v1/runs/${await link(one.id, 1)}`
    await link(other.id, 2)
    expect(await progress()).toEqual([25, 50])
    await server.request('PATCH', run, { token, body: { milestone_id: other.id } })
    expect(await progress()).toEqual([0, 38])
    await server.request('PATCH', run, { token, body: { milestone_id: null } })
    expect(await progress()).toEqual([0, 50])
    await server.request('PATCH', run, { token, body: { milestone_id: one.id } })
    await server.request('DELETE', run, { token })
    expect(await progress()).toEqual([0, 50])
  })
})

describe('DELETE /v1/projects/:project_id/milestones/:milestone_id', () => {
  it(
    'answers 204 without a body, and the milestone is gone',
    { tags: ['spec:milestones/deleting-a-milestone-decided'] },
    async () => {
      const { path, token, make } = await makeMilestoneScenario(server)
      const { id } = await make()
      const answer = await server.request('DELETE', `${path}/${id}`, { token })
      expect([answer.status, answer.body]).toEqual([204, ''])
      for (const method of ['GET', 'DELETE']) await server.expectProblem(404, method, `${path}/${id}`, { token })
    },
  )

  it(
    'lets go of its runs, which keep their results',
    { tags: ['spec:milestones/deleting-a-milestone-decided'] },
    async () => {
      const { token, make, link, remove } = await makeMilestoneScenario(server, 2)
      const { id } = await make()
      const path = `/v1/runs/${await link(id, 1)}`
      const before = await server.request<{ data: Run }>('GET', path, { token })
      await remove(id)
      const after = await server.request<{ data: Run }>('GET', path, { token })
      expect(after.body.data).toEqual({ ...before.body.data, milestone_id: null })
    },
  )

  it(
    'lets its sub-milestones move to the top with their own status, dates and runs',
    { tags: ['spec:milestones/deleting-a-milestone-decided'] },
    async () => {
      const { make, change, link, remove, read } = await makeMilestoneScenario(server, 4)
      const parent = await make({ start_date: '2026-11-01', due_date: '2026-11-30' })
      const sub = await make({ parent_id: parent.id, due_date: '2026-11-20' })
      await link(sub.id, 1)
      await change(sub.id, { status: 'archived' })
      const before = await read(sub.id)
      await remove(parent.id)
      expect(await read(sub.id)).toEqual({ ...before, parent_id: null })
    },
  )

  it('makes it possible for a former sub-milestone to have sub-milestones', async () => {
    const { make, remove, read } = await makeMilestoneScenario(server)
    const parent = await make()
    const sub = await make({ parent_id: parent.id })
    await remove(parent.id)
    const below = await make({ parent_id: sub.id })
    expect((await read(sub.id)).sub_milestones.map(({ id }) => id)).toEqual([below.id])
  })

  it.each(unknown)('does not find %s', async (id) => {
    const { path, token } = await makeMilestoneScenario(server)
    await server.expectProblem(404, 'DELETE', `${path}/${id}`, { token })
  })

  it('deletes once, and never deadlocks with uploads and runs that are linked at the same time', async () => {
    const { project, path, token, make, link } = await makeMilestoneScenario(server, 20)
    const ci = await makeCiToken(server, project)
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await make(), await make()]
      const runs = [await link(one.id, 0), await link(other.id, 0)]
      const results = Array.from({ length: 20 }, (_, index) => ({ test_case_id: `WEB-${index + 1}`, status: 'passed' }))
      const [deletions, uploads, links] = await Promise.all([
        Promise.all([one, one, other].map(({ id }) => server.request('DELETE', `${path}/${id}`, { token }))),
        Promise.all(
          runs.map((run_id) => server.request('POST', '/v1/results', { token: ci, body: { run_id, results } })),
        ),
        Promise.all(
          runs.map((run, index) =>
            server.request('PATCH', `/v1/runs/${run}`, {
              token,
              body: { milestone_id: (index === 0 ? other : one).id },
            }),
          ),
        ),
      ])
      expect(deletions.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 204, 404])
      expect(uploads.map(({ status }) => status)).toEqual([200, 200])
      for (const { status } of links) expect([200, 400]).toContain(status)
    }
  })
})
