import type { Run } from '@caseward/contract/run-schemas'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

/** A run, and what happens to it. */
async function makeScenario(fields: object = {}) {
  const project = await makeProject(server)
  await makeTestCases(server, project, 20)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/runs`
  const { body } = await server.request<{ data: Run }>('POST', path, { token, body: { name: 'CI', ...fields } })
  const run = body.data
  const reportShard = async (shard: string, userToken = token) => {
    const address = `/v1/runs/${run.id}/shards/${encodeURIComponent(shard)}/done`
    const response = await server.request<{ data: Run }>('POST', address, { token: userToken })
    expect([shard, response.status]).toEqual([shard, 200])
    return response.body.data
  }
  const change = async (changes: object) => {
    const response = await server.request<{ data: Run }>('PATCH', `/v1/runs/${run.id}`, { token, body: changes })
    return response.body.data
  }
  const read = async () => (await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })).body.data
  return { project, token, run, reportShard, change, read }
}

const getProgress = ({ status, shards_done }: Run) => [status, ...shards_done]

describe('POST /v1/runs/:run_id/shards/:name/done', () => {
  it('stores the shards in the order in which they report, and returns the run', async () => {
    const { run, reportShard, read } = await makeScenario({ expected_shards: 4 })
    expect(getProgress(await reportShard('b'))).toEqual(['in_progress', 'b'])
    const second = await reportShard('a')
    expect(second).toEqual({ ...run, shards_done: ['b', 'a'], updated_at: expect.any(String) })
    expect(second.updated_at > run.updated_at).toBe(true)
    expect(await read()).toEqual(second)
  })

  it(
    'completes the run when the expected number of different shards have reported',
    { tags: ['spec:runs/one-run-for-all-shards-decided'] },
    async () => {
      const { run, reportShard } = await makeScenario({ expected_shards: 2 })
      expect((await reportShard('1')).completed_at).toBeNull()
      const last = await reportShard('2')
      expect(getProgress(last)).toEqual(['completed', '1', '2'])
      expect(Date.parse(last.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(run.created_at))
    },
  )

  it('changes nothing when a shard reports again', async () => {
    const { reportShard } = await makeScenario({ expected_shards: 2 })
    const once = await reportShard('1')
    expect(await reportShard('1')).toEqual(once)
    expect(await reportShard(' 1 ')).toEqual(once)
  })

  it('does not complete a run without expected_shards', async () => {
    const { reportShard } = await makeScenario()
    expect(getProgress(await reportShard('1'))).toEqual(['in_progress', '1'])
    expect(getProgress(await reportShard('2'))).toEqual(['in_progress', '1', '2'])
  })

  it('counts the shards that reported before expected_shards was set', async () => {
    const { project, token, reportShard, read } = await makeScenario({ run_key: 'build 1' })
    await reportShard('1')
    const body = { name: 'CI', run_key: 'build 1', expected_shards: 2 }
    await server.request('POST', `/v1/projects/${project.id}/runs`, { token, body })
    expect(getProgress(await read())).toEqual(['in_progress', '1'])
    expect(getProgress(await reportShard('2'))).toEqual(['completed', '1', '2'])
  })

  it('only adds the shard when the run is completed already', async () => {
    const { reportShard, change } = await makeScenario({ expected_shards: 3 })
    const completed = await change({ status: 'completed' })
    expect(await reportShard('late')).toEqual({ ...completed, shards_done: ['late'] })
    expect(await reportShard('late')).toEqual({ ...completed, shards_done: ['late'] })
  })

  it.each(['1', 'another'])('completes a reopened run again when the shard “%s” reports', async (shard) => {
    const { reportShard, change } = await makeScenario({ expected_shards: 1 })
    const first = await reportShard('1')
    expect(getProgress(await change({ status: 'in_progress' }))).toEqual(['in_progress', '1'])
    const again = await reportShard(shard)
    expect(again).toMatchObject({ status: 'completed', shards_done: [...new Set(['1', shard])] })
    expect(Date.parse(again.completed_at ?? '')).toBeGreaterThan(Date.parse(first.completed_at ?? ''))
  })

  it(
    'stores all shards and completes the run when 20 report twice at the same time as uploads',
    { tags: ['spec:runs/one-run-for-all-shards-decided'] },
    async () => {
      const { project, token, run, reportShard, read } = await makeScenario({ expected_shards: 20 })
      const ci = await makeCiToken(server, project)
      const names = Array.from({ length: 20 }, (_, index) => `shard ${index}`)
      await Promise.all(
        names.map(async (name, index) => {
          const results = [{ test_case_id: `WEB-${index + 1}`, status: 'passed' }]
          const { status } = await server.request('POST', '/v1/results', {
            token: ci,
            body: { run_id: run.id, results },
          })
          expect(status).toBe(200)
          await Promise.all([reportShard(name, ci), reportShard(name, token)])
        }),
      )
      const all = await read()
      expect([all.status, all.stats.passed]).toEqual(['completed', 20])
      expect(all.shards_done.toSorted()).toEqual(names.toSorted())
      await expectCorrectCounters(server, project.id)
    },
  )

  it('does not deadlock with updates, added test cases and a deletion at the same time', async () => {
    const { project, token, run } = await makeScenario({ expected_shards: 5, test_case_ids: [] })
    const responses = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const path = `/v1/runs/${run.id}`
        if (index === 29) return await server.request('DELETE', path, { token })
        if (index % 3 === 0) return await server.request('POST', `${path}/shards/${index}/done`, { token })
        if (index % 3 === 1) return await server.request('PATCH', path, { token, body: { status: 'in_progress' } })
        const body = { test_case_ids: [`WEB-${(index % 20) + 1}`] }
        return await server.request('POST', `${path}/test-cases`, { token, body })
      }),
    )
    for (const { status } of responses) expect([200, 404, 409]).toContain(status)
    await expectCorrectCounters(server, project.id)
  })

  it.each([['2/4'], ['a b'], ['%'], ['%2F'], ['ü\u{1F600}'], ['?#&;'], ['\u{1F600}'.repeat(255)], ['/'.repeat(255)]])(
    'stores the name %s unchanged',
    async (name) => {
      const { reportShard } = await makeScenario()
      expect((await reportShard(name)).shards_done).toEqual([name])
    },
  )

  it.each([['%20'], ['x'.repeat(256)], ['a%00b']])('returns 400 with the field for the name %s', async (name) => {
    const { run, token } = await makeScenario()
    const problem = await server.expectProblem(400, 'POST', `/v1/runs/${run.id}/shards/${name}/done`, { token })
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/name'])
  })

  it('accepts 1,000 shards, returns 409 for one more, and 200 for a known one', async () => {
    const { run, token, reportShard, read } = await makeScenario()
    const names = Array.from({ length: 1000 }, (_, index) => `${index}`)
    await server.db.updateTable('runs').set({ shards_done: names }).where('id', '=', run.id).execute()
    const problem = await server.expectProblem(409, 'POST', `/v1/runs/${run.id}/shards/1000/done`, { token })
    expect(problem.code).toBe('too_many_shards')
    expect((await reportShard('999')).shards_done).toEqual(names)
    expect((await read()).shards_done).toEqual(names)
  })

  it.each([
    [{ expected_shards: 0 }, '/expected_shards'],
    [{ expected_shards: 1001 }, '/expected_shards'],
    [{ job: 7 }, '/job'],
  ])('returns 400 for the body %j, and counts nothing', async (body, path) => {
    const { run, token, read } = await makeScenario({ expected_shards: 1 })
    const problem = await server.expectProblem(400, 'POST', `/v1/runs/${run.id}/shards/1/done`, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
    expect((await read()).shards_done).toEqual([])
  })

  it('returns 404 for an unknown or deleted run', async () => {
    const { run, token } = await makeScenario()
    await server.expectProblem(404, 'POST', `/v1/runs/${uuidv7()}/shards/1/done`, { token })
    await server.request('DELETE', `/v1/runs/${run.id}`, { token })
    await server.expectProblem(404, 'POST', `/v1/runs/${run.id}/shards/1/done`, { token })
  })

  it('accepts members and CI tokens with write access, and returns 403 to others before validating the name', async () => {
    const { project, run, reportShard } = await makeScenario()
    await reportShard('1', await makeCiToken(server, project))
    await reportShard('2', (await makeMember(server, project.id, 'member')).token)
    const viewer = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer.token, await makeCiToken(server, project, 'read')]) {
      await server.expectProblem(403, 'POST', `/v1/runs/${run.id}/shards/%20/done`, { token })
    }
  })
})
