import type { Run } from '@caseward/contract/run-schemas'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import type { Database } from '@caseward/server/platform/database/connect'
import { makeCiToken } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'

// Fewer connections than the test of concurrent requests sends would refuse some of them on a busy machine.
const server = useTestServer({ databasePoolSize: 10 })

const unknownIds = [
  ['a UUID', '01a1fc2b-5f29-7584-9e03-d27674921b66'],
  ['a word', 'Release'],
  ['a NUL character', '%00'],
  ['300 characters', 'x'.repeat(300)],
]

describe('DELETE /v1/projects/:project_id/milestones/:milestone_id', () => {
  it(
    'returns 204 without a body, and deletes the milestone',
    { tags: ['spec:milestones/deleting-a-milestone-decided'] },
    async () => {
      const { path, token, make } = await makeMilestoneScenario(server)
      const { id } = await make()
      const response = await server.request('DELETE', `${path}/${id}`, { token })
      expect([response.status, response.body]).toEqual([204, ''])
      for (const method of ['GET', 'DELETE']) await server.expectProblem(404, method, `${path}/${id}`, { token })
    },
  )

  it(
    'unlinks its runs, which keep their results',
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
    'makes its sub-milestones milestones with their own status, dates and runs',
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

  it('allows a former sub-milestone to have sub-milestones', async () => {
    const { make, remove, read } = await makeMilestoneScenario(server)
    const parent = await make()
    const sub = await make({ parent_id: parent.id })
    await remove(parent.id)
    const below = await make({ parent_id: sub.id })
    expect((await read(sub.id)).sub_milestones.map(({ id }) => id)).toEqual([below.id])
  })

  it.each(unknownIds)('returns 404 for an unknown id that is %s', async (_what, id) => {
    const { path, token } = await makeMilestoneScenario(server)
    await server.expectProblem(404, 'DELETE', `${path}/${id}`, { token })
  })

  it('deletes a milestone while a run is being linked to it and another request waits for that run', async () => {
    const { project, path, token, make, link, remove } = await makeMilestoneScenario(server, 1)
    const [first, second] = [await make(), await make()]
    const run = await link(first.id, 0)
    const { db } = server
    const changeRun = (tx: Database, fields: { milestone_id?: string; name?: string }) =>
      tx.updateTable('runs').set(fields).where('project_id', '=', project.id).where('id', '=', run).execute()
    const countWaiting = async () => {
      const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return (await waiting.execute(db)).rows[0]?.count
    }
    let others: Promise<unknown>[] = []
    await db.transaction().execute(async (linking) => {
      await changeRun(linking, { milestone_id: second.id })
      others = [
        // The second change of a run in one transaction checks its milestone again.
        db.transaction().execute(async (uploading) => {
          for (const name of ['Nightly', 'Nightly 2']) await changeRun(uploading, { name })
        }),
        remove(second.id),
      ]
      await waitUntil(async () => (await countWaiting()) === 2, 'both wait')
    })
    await Promise.all(others)
    await server.expectProblem(404, 'GET', `${path}/${second.id}`, { token })
    const { body } = await server.request<{ data: Run }>('GET', `/v1/runs/${run}`, { token })
    expect(body.data).toMatchObject({ name: 'Nightly 2', milestone_id: null })
  })

  it('deletes once, and does not deadlock with concurrent uploads and links of runs', async () => {
    const { project, path, token, make, link } = await makeMilestoneScenario(server, 20)
    const ci = await makeCiToken(server, project)
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = [await make(), await make()]
      const runs = [await link(first.id, 0), await link(second.id, 0)]
      const results = Array.from({ length: 20 }, (_, index) => ({ test_case_id: `WEB-${index + 1}`, status: 'passed' }))
      const [deletions, uploads, links] = await Promise.all([
        Promise.all([first, first, second].map(({ id }) => server.request('DELETE', `${path}/${id}`, { token }))),
        Promise.all(
          runs.map((run_id) => server.request('POST', '/v1/results', { token: ci, body: { run_id, results } })),
        ),
        Promise.all(
          runs.map((run, index) =>
            server.request('PATCH', `/v1/runs/${run}`, {
              token,
              body: { milestone_id: (index === 0 ? second : first).id },
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
