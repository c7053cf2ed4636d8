import type { ActivityEntry } from '@caseward/contract/overview'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

async function makeActivity() {
  const team = await makeTeam(server)
  const { project, token } = team
  const list = async (query = '') =>
    (
      await server.request<{ data: ActivityEntry[]; meta: { next_after: string | null } }>(
        'GET',
        `/v1/projects/${project.id}/activity${query}`,
        { token },
      )
    ).body
  return { ...team, list }
}

describe('GET /v1/projects/:project_id/activity', () => {
  it('lists what happened, the newest first, with who did it', async () => {
    const { project, token, admin, list } = await makeActivity()
    await makeTestCases(server, project, 3)
    await makeMilestone(server, project, { name: 'Release 2.4' })
    const run = await makeRun(server, project, { name: 'Regression' })
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    const { data, meta } = await list()
    expect(data.slice(0, 4).map(({ kind, actor, subject }) => [kind, actor?.id ?? null, subject])).toEqual([
      ['run.completed', null, { id: run.id, name: 'Regression', count: 1 }],
      ['run.created', admin.id, { id: run.id, name: 'Regression', count: 1 }],
      ['milestone.created', null, { id: expect.any(String), name: 'Release 2.4', count: 1 }],
      ['test_cases.created', admin.id, { id: 'WEB-3', name: 'Case 3', count: 3 }],
    ])
    // The members of the team joined before.
    expect(data.slice(4).map(({ kind }) => kind)).toEqual(['member.joined', 'member.joined', 'member.joined'])
    expect(meta).toEqual({ next_after: null })
  })

  it('names nobody for what CI did', async () => {
    const { project, list } = await makeActivity()
    const token = await makeCiToken(server, project)
    const body = { name: 'Nightly', run_key: 'build 1' }
    await server.request('POST', `/v1/projects/${project.id}/runs`, { token, body })
    const { data } = await list()
    expect(data[0]).toMatchObject({ kind: 'run.created', actor: null, subject: { name: 'Nightly' } })
  })

  it('goes on with the next page, without gaps and repetitions', async () => {
    const { project, list } = await makeActivity()
    for (let count = 0; count < 25; count += 1) await makeRun(server, project, { name: `Run ${count}` })
    const first = await list()
    expect(first.data).toHaveLength(20)
    const second = await list(`?after=${first.meta.next_after}`)
    expect(second.meta.next_after).toBe(null)
    const runs = [...first.data, ...second.data].filter(({ kind }) => kind === 'run.created')
    expect(runs.map(({ subject }) => subject.name)).toEqual(
      Array.from({ length: 25 }, (_, index) => `Run ${24 - index}`),
    )
  })
})
