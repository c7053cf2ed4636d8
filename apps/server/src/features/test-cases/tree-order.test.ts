import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { makeFolder, makeProject, makeRun, makeTestCase, getRunResults } from '@caseward/test-support/factories'
import { makeMoveScenario } from '@caseward/test-support/move-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

/**
 * Creates test cases in a tree whose order differs from that of their numbers:
 * A (3, 5), A/A1 (2), A/A2 (6), B (1), and without a folder 4 and 7.
 */
async function makeTree() {
  const scenario = await makeMoveScenario(server, 0)
  const { project } = scenario
  const b = await makeFolder(server, project, { name: 'B' })
  const a = await makeFolder(server, project, { name: 'A', position: 0 })
  const a2 = await makeFolder(server, project, { name: 'A2', parent_id: a.id })
  const a1 = await makeFolder(server, project, { name: 'A1', parent_id: a.id, position: 0 })
  for (const folder of [b, a1, a, null, a, a2, null]) {
    await makeTestCase(server, project, { folder_id: folder?.id ?? null, tags: ['web'] })
  }
  return { ...scenario, a, b, a1 }
}

const TREE = ['WEB-3', 'WEB-5', 'WEB-2', 'WEB-6', 'WEB-1', 'WEB-4', 'WEB-7']

describe('GET /v1/projects/:project_id/test-cases?sort=tree', () => {
  it('lists folder by folder in the order of the folder list, then the test cases without a folder', async () => {
    const { order } = await makeTree()
    expect(await order()).toEqual(TREE)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('returns each test case once with %i per page', async (perPage) => {
    const { order } = await makeTree()
    expect(await order(perPage)).toEqual(TREE)
  })

  it.each([
    ['tag=web', TREE],
    ['search=test', TREE],
    ['folder_id=none', ['WEB-4', 'WEB-7']],
    ['priority=high', []],
  ])('keeps the order with the filter %s, and counts what matches', async (query, expected) => {
    const { root, token } = await makeTree()
    const path = `${root}/test-cases?sort=tree&${query}`
    const { body } = await server.request<{ data: { id: string }[]; meta: object }>('GET', path, { token })
    expect(body.data.map(({ id }) => id)).toEqual(expected)
    expect(body.meta).toMatchObject({ total: expected.length })
  })

  it('lists nothing but the total for a page after the last', async () => {
    const { root, token } = await makeTree()
    const { body } = await server.request('GET', `${root}/test-cases?sort=tree&page=9`, { token })
    expect(body).toEqual({ data: [], meta: { page: 9, per_page: 20, total: 7 } })
  })

  it('returns 400 for another order', async () => {
    const { root, token } = await makeTree()
    await server.expectProblem(400, 'GET', `${root}/test-cases?sort=title`, { token })
  })

  it('follows a moved folder', async () => {
    const { root, token, order, a, b } = await makeTree()
    await server.request('PATCH', `${root}/folders/${a.id}`, { token, body: { parent_id: b.id } })
    expect(await order()).toEqual(['WEB-1', 'WEB-3', 'WEB-5', 'WEB-2', 'WEB-6', 'WEB-4', 'WEB-7'])
  })
})

describe('the deletion of a folder', () => {
  it('puts its test cases at the end of its parent, in their order, as a new version', async () => {
    const { root, token, order, move, a, a1 } = await makeTree()
    await move(['WEB-7', 'WEB-4'], 'WEB-2', a1.id)
    await server.request('DELETE', `${root}/folders/${a1.id}`, { token })
    expect(await order()).toEqual(['WEB-3', 'WEB-5', 'WEB-2', 'WEB-7', 'WEB-4', 'WEB-6', 'WEB-1'])
    await server.request('DELETE', `${root}/folders/${a.id}`, { token })
    expect(await order()).toEqual(['WEB-6', 'WEB-1', 'WEB-3', 'WEB-5', 'WEB-2', 'WEB-7', 'WEB-4'])
    const { body } = await server.request('GET', `${root}/test-cases/WEB-2`, { token })
    expect(body['data']).toMatchObject({ folder_id: null, version: 3 })
    // There is a place between them, and new test cases come after them.
    await move(['WEB-6'], 'WEB-5')
    expect((await order()).slice(0, 4)).toEqual(['WEB-1', 'WEB-3', 'WEB-5', 'WEB-6'])
  })
})

describe('the results of a run', () => {
  it('are in the order of the tree when the run was created, and keep it', async () => {
    const { project, token, move } = await makeTree()
    const run = await makeRun(server, project)
    const order = async () => [...(await getRunResults(server, run.id, token)).keys()]
    expect(await order()).toEqual(TREE)
    await move(['WEB-7'], null)
    expect(await order()).toEqual(TREE)
  })

  it('are in the order of the tree for chosen test cases, and for those that are added later, at the end', async () => {
    const { project, token } = await makeTree()
    const run = await makeRun(server, project, { test_case_ids: ['WEB-7', 'WEB-1', 'WEB-6'] })
    const body = { test_case_ids: ['WEB-4', 'WEB-2', 'WEB-3'] }
    await server.request('POST', `/v1/runs/${run.id}/test-cases`, { token, body })
    const ids = [...(await getRunResults(server, run.id, token)).keys()]
    expect(ids).toEqual(['WEB-6', 'WEB-1', 'WEB-7', 'WEB-3', 'WEB-2', 'WEB-4'])
  })
})

describe('in a folder with 20,000 test cases', () => {
  async function makeLargeFolder() {
    const project = await makeProject(server)
    const { id } = await makeFolder(server, project)
    await sql`
      insert into test_cases (project_id, number, title, folder_id)
      select ${project.id}, n, 'Case ' || n, ${id} from generate_series(1, 20000) n`.execute(server.db)
    await sql`update folders set test_case_count = 20000 where id = ${id}`.execute(server.db)
    await sql`update projects set test_case_count = 20000, last_test_case_number = 20000 where id = ${project.id}`.execute(
      server.db,
    )
    await sql`analyze test_cases`.execute(server.db)
    return { project, id, token: project.admin.token, root: `/v1/projects/${project.id}` }
  }

  it('a move and a page of the tree read few rows', async () => {
    const { id, token, root } = await makeLargeFolder()
    const body = { test_case_ids: ['WEB-19000'], folder_id: id, after: 'WEB-9000' }
    const move = () => server.request('POST', `${root}/test-cases/move`, { token, body })
    const readPage = () => server.request('GET', `${root}/test-cases?sort=tree&page=2`, { token })
    expect([(await move()).status, (await readPage()).status]).toEqual([200, 200])
    expect(await countRowsRead(server, 'test_cases', move)).toBeLessThan(50)
    expect(await countRowsRead(server, 'test_cases', readPage)).toBeLessThan(200)
  })
})
