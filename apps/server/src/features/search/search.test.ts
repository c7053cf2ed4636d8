import type { SearchHit } from '@caseward/contract/search'
import { makeMilestone, makeProject, makeRun, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario() {
  const project = await makeProject(server, { name: 'Payments', prefix: 'PAY' })
  const { token } = project.admin
  const find = async (q: string, more = '') =>
    (await server.request<{ data: SearchHit[] }>('GET', `/v1/search?q=${encodeURIComponent(q)}${more}`, { token })).body
      .data
  return {
    project,
    token,
    find,
    list: async (q: string, more = '') => (await find(q, more)).map(({ kind, title }) => [kind, title]),
  }
}

describe('GET /v1/search', () => {
  it('finds test cases, runs, milestones and projects by a part of their names', async () => {
    const { project, find } = await makeScenario()
    const { id } = await makeTestCase(server, project, { title: 'A payment is refused' })
    await makeTestCase(server, project, { title: 'Signs in' })
    const run = await makeRun(server, project, { name: 'Payment regression' })
    const milestone = await makeMilestone(server, project, { name: 'New payments' })
    expect(await find('PAYment')).toEqual([
      { kind: 'project', id: project.id, project_id: project.id, title: 'Payments', detail: 'PAY' },
      { kind: 'milestone', id: milestone.id, project_id: project.id, title: 'New payments', detail: 'active' },
      { kind: 'run', id: run.id, project_id: project.id, title: 'Payment regression', detail: 'in_progress' },
      { kind: 'test_case', id, project_id: project.id, title: 'A payment is refused', detail: null },
    ])
  })

  it('finds a test case by its id first, in any case, and once', async () => {
    const { project, list } = await makeScenario()
    await makeTestCase(server, project, { title: 'Signs in, see PAY-1' })
    await makeTestCase(server, project, { title: 'Also in PAY-1' })
    const hits = [
      ['test_case', 'Signs in, see PAY-1'],
      ['test_case', 'Also in PAY-1'],
    ]
    expect(await list(' pay-1 ')).toEqual(hits)
    expect(await list('PAY-1', '&kind=run')).toEqual([])
    expect(await list('PAY-99')).toEqual([])
  })

  it('finds nothing in projects of others, also by their id', async () => {
    const { project, list } = await makeScenario()
    await makeTestCase(server, project, { title: 'A payment is refused' })
    const other = await makeScenario()
    expect(await other.list('payment')).toEqual([['project', 'Payments']])
    expect(await other.list('PAY-1')).toEqual([])
    expect(await other.list('payment', `&project_id=${project.id}`)).toEqual([])
    expect(await list('payment', `&project_id=${project.id}&kind=test_case`)).toEqual([
      ['test_case', 'A payment is refused'],
    ])
  })

  it.each([['%'], ['_'], ['\\'], ["'"], ['PAY-'], ['ay'], ['\u0000x']])('treats %j as text', async (q) => {
    const { project, find } = await makeScenario()
    await makeTestCases(server, project, 3)
    for (const hit of await find(q).then((hits) => hits ?? []))
      expect(hit.title.toLowerCase()).toContain(q.toLowerCase())
  })

  it('returns at most 20 hits, and of each kind at most six when all are searched', async () => {
    const { project, list } = await makeScenario()
    await makeTestCases(server, project, 30)
    for (let index = 0; index < 8; index += 1) await makeRun(server, project, { name: `Case run ${index}` })
    const hits = await list('case')
    expect(hits.length).toBe(20)
    expect(hits.filter(([kind]) => kind === 'run').length).toBe(6)
    expect((await list('case', '&kind=run')).length).toBe(8)
  })

  it.each([
    ['', 'q='],
    ['another kind', 'q=pay&kind=user'],
    ['no text', 'kind=run'],
  ])('returns 400 for %s', async (_what, query) => {
    const { token } = await makeScenario()
    await server.expectProblem(400, 'GET', `/v1/search?${query}`, { token })
  })

  it('finds nothing in a project that does not exist', async () => {
    const { list } = await makeScenario()
    expect([await list('pay', `&project_id=${uuidv7()}`), await list('pay', '&project_id=x')]).toEqual([[], []])
  })
})
