import type { Run } from '@caseward/contract/runs'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useTestServer()

/** A run, and what happens to it. */
async function scene(fields: object = {}) {
  const project = await makeProject(server)
  await makeTestCases(server, project, 20)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/runs`
  const { body } = await server.request<{ data: Run }>('POST', path, { token, body: { name: 'CI', ...fields } })
  const run = body.data
  const done = async (shard: string, as = token) => {
    const address = `/v1/runs/${run.id}/shards/${encodeURIComponent(shard)}/done`
    const answer = await server.request<{ data: Run }>('POST', address, { token: as })
    expect([shard, answer.status]).toEqual([shard, 200])
    return answer.body.data
  }
  const change = async (fields_: object) => {
    const answer = await server.request<{ data: Run }>('PATCH', `/v1/runs/${run.id}`, { token, body: fields_ })
    return answer.body.data
  }
  const read = async () => (await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })).body.data
  return { project, token, run, done, change, read }
}

const told = ({ status, shards_done }: Run) => [status, ...shards_done]

describe('POST /v1/runs/:run_id/shards/:name/done', () => {
  it('remembers which shards have reported, in that order, and answers the run', async () => {
    const { run, done, read } = await scene({ expected_shards: 4 })
    expect(told(await done('b'))).toEqual(['in_progress', 'b'])
    const second = await done('a')
    expect(second).toEqual({ ...run, shards_done: ['b', 'a'], updated_at: expect.any(String) })
    expect(second.updated_at > run.updated_at).toBe(true)
    expect(await read()).toEqual(second)
  })

  it(
    'completes the run when as many different shards as expected have reported',
    { tags: ['spec:runs/one-run-for-all-shards-decided'] },
    async () => {
      const { run, done } = await scene({ expected_shards: 2 })
      expect((await done('1')).completed_at).toBeNull()
      const last = await done('2')
      expect(told(last)).toEqual(['completed', '1', '2'])
      expect(Date.parse(last.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(run.created_at))
    },
  )

  it('counts a shard that reports again once, and changes nothing by that', async () => {
    const { done } = await scene({ expected_shards: 2 })
    const once = await done('1')
    expect(await done('1')).toEqual(once)
    expect(await done(' 1 ')).toEqual(once)
  })

  it('never completes a run of which nobody said how many shards it has', async () => {
    const { done } = await scene()
    expect(told(await done('1'))).toEqual(['in_progress', '1'])
    expect(told(await done('2'))).toEqual(['in_progress', '1', '2'])
  })

  it('counts those that reported before it was known how many there are', async () => {
    const { project, token, done, read } = await scene({ run_key: 'build 1' })
    await done('1')
    const body = { name: 'CI', run_key: 'build 1', expected_shards: 2 }
    await server.request('POST', `/v1/projects/${project.id}/runs`, { token, body })
    expect(told(await read())).toEqual(['in_progress', '1'])
    expect(told(await done('2'))).toEqual(['completed', '1', '2'])
  })

  it('remembers a shard that comes after the run was completed, and changes nothing else', async () => {
    const { done, change } = await scene({ expected_shards: 3 })
    const completed = await change({ status: 'completed' })
    expect(await done('late')).toEqual({ ...completed, shards_done: ['late'] })
    expect(await done('late')).toEqual({ ...completed, shards_done: ['late'] })
  })

  it.each(['1', 'another'])(
    'completes a run that was reopened after its last shard, by the shard %s',
    async (shard) => {
      const { done, change } = await scene({ expected_shards: 1 })
      const first = await done('1')
      expect(told(await change({ status: 'in_progress' }))).toEqual(['in_progress', '1'])
      const again = await done(shard)
      expect(again).toMatchObject({ status: 'completed', shards_done: [...new Set(['1', shard])] })
      expect(Date.parse(again.completed_at ?? '')).toBeGreaterThan(Date.parse(first.completed_at ?? ''))
    },
  )

  it(
    'loses no name and completes the run when twenty report at once, twice each, while results come in',
    { tags: ['spec:runs/one-run-for-all-shards-decided'] },
    async () => {
      const { project, token, run, done, read } = await scene({ expected_shards: 20 })
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
          await Promise.all([done(name, ci), done(name, token)])
        }),
      )
      const all = await read()
      expect([all.status, all.stats.passed]).toEqual(['completed', 20])
      expect(all.shards_done.toSorted()).toEqual(names.toSorted())
      await expectCorrectCounters(server, project.id)
    },
  )

  it('stands beside changes, new cases and a deletion at the same time without a deadlock', async () => {
    const { project, token, run } = await scene({ expected_shards: 5, test_case_ids: [] })
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const path = `/v1/runs/${run.id}`
        if (index === 29) return await server.request('DELETE', path, { token })
        if (index % 3 === 0) return await server.request('POST', `${path}/shards/${index}/done`, { token })
        if (index % 3 === 1) return await server.request('PATCH', path, { token, body: { status: 'in_progress' } })
        const body = { test_case_ids: [`WEB-${(index % 20) + 1}`] }
        return await server.request('POST', `${path}/test-cases`, { token, body })
      }),
    )
    for (const { status } of answers) expect([200, 404, 409]).toContain(status)
    await expectCorrectCounters(server, project.id)
  })

  it.each([['2/4'], ['a b'], ['%'], ['%2F'], ['ü\u{1F600}'], ['?#&;'], ['\u{1F600}'.repeat(255)], ['/'.repeat(255)]])(
    'takes the name %s as it is',
    async (name) => {
      const { done } = await scene()
      expect((await done(name)).shards_done).toEqual([name])
    },
  )

  it.each([['%20'], ['x'.repeat(256)], ['a%00b']])('refuses the name %s and says why', async (name) => {
    const { run, token } = await scene()
    const problem = await server.expectProblem(400, 'POST', `/v1/runs/${run.id}/shards/${name}/done`, { token })
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/name'])
  })

  it('remembers a thousand shards and refuses one more, but never one that it knows', async () => {
    const { run, token, done, read } = await scene()
    const names = Array.from({ length: 1000 }, (_, index) => `${index}`)
    await server.db.updateTable('runs').set({ shards_done: names }).where('id', '=', run.id).execute()
    const problem = await server.expectProblem(409, 'POST', `/v1/runs/${run.id}/shards/1000/done`, { token })
    expect(problem.code).toBe('too_many_shards')
    expect((await done('999')).shards_done).toEqual(names)
    expect((await read()).shards_done).toEqual(names)
  })

  it('takes no notice of a body, whatever it is', async () => {
    const { run, token } = await scene({ expected_shards: 1 })
    const body = new TextEncoder().encode('{"status": ')
    const headers = { 'content-type': 'application/json' }
    const answer = await server.request('POST', `/v1/runs/${run.id}/shards/1/done`, { token, body, headers })
    expect(answer.status).toBe(200)
  })

  it('is not there for a run that is not, or was deleted', async () => {
    const { run, token } = await scene()
    await server.expectProblem(404, 'POST', `/v1/runs/${uuidv7()}/shards/1/done`, { token })
    await server.request('DELETE', `/v1/runs/${run.id}`, { token })
    await server.expectProblem(404, 'POST', `/v1/runs/${run.id}/shards/1/done`, { token })
  })

  it('is open to CI tokens with write access and members, and closed to viewers before a word on the name', async () => {
    const { project, run, done } = await scene()
    await done('1', await makeCiToken(server, project))
    await done('2', (await makeMember(server, project.id, 'member')).token)
    const viewer = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer.token, await makeCiToken(server, project, 'read')]) {
      await server.expectProblem(403, 'POST', `/v1/runs/${run.id}/shards/%20/done`, { token })
    }
  })
})
