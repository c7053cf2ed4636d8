import type { TestCase } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeFolder, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

interface BulkUpdated {
  updated: number
  before: Partial<TestCase>[]
  test_cases: { id: string; folder_id: string | null; position: string; version: number }[]
}

async function makeScenario(count = 0) {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, count)
  const root = `/v1/projects/${project.id}`
  const path = `${root}/test-cases/bulk-update`
  return {
    project,
    root,
    async update(body: object): Promise<BulkUpdated> {
      const response = await server.request<{ data: BulkUpdated }>('POST', path, { token, body })
      expect([response.status, response.body]).toEqual([200, expect.anything()])
      return response.body.data
    },
    refuse: async (body: object) => getErrorPaths(await server.expectProblem(400, 'POST', path, { token, body })),
    /** All test cases in the order of the tree, without the time of the last change. */
    async list() {
      const listPath = `${root}/test-cases?sort=tree&fields=all&per_page=100`
      const { body } = await server.request<{ data: TestCase[] }>('GET', listPath, { token })
      return body.data.map((testCase) => ({ ...testCase, updated_at: undefined }))
    },
    async countByFolder(): Promise<number[]> {
      const { body } = await server.request<{ data: { test_case_count: number }[] }>('GET', `${root}/folders`, {
        token,
      })
      return body.data.map((folder) => folder.test_case_count)
    },
  }
}

const withoutVersion = (testCase: object) => ({ ...testCase, version: undefined })

describe('POST /v1/projects/:project_id/test-cases/bulk-update', () => {
  it('sets fields and tags of all test cases, and returns the earlier values', async () => {
    const { project, update, list } = await makeScenario()
    await makeTestCase(server, project, { tags: ['a', 'b'], priority: 'low' })
    await makeTestCase(server, project, { tags: ['b', 'c'] })
    await makeTestCase(server, project)
    const ids = ['WEB-1', 'WEB-2']
    const set = { priority: 'high', type: 'smoke' }
    const body = await update({ test_case_ids: ids, set, add_tags: ['c', 'd'], remove_tags: ['a'] })
    expect(body).toEqual({
      updated: 2,
      before: [
        { id: 'WEB-1', priority: 'low', type: 'functional', tags: ['a', 'b'] },
        { id: 'WEB-2', priority: 'medium', type: 'functional', tags: ['b', 'c'] },
      ],
      test_cases: [
        { id: 'WEB-1', folder_id: null, position: 'a1', version: 2 },
        { id: 'WEB-2', folder_id: null, position: 'a2', version: 2 },
      ],
    })
    expect(await list()).toMatchObject([
      { id: 'WEB-1', ...set, tags: ['b', 'c', 'd'], version: 2 },
      { id: 'WEB-2', ...set, tags: ['b', 'c', 'd'], version: 2 },
      { id: 'WEB-3', priority: 'medium', type: 'functional', tags: [], version: 1 },
    ])
  })

  it('counts and changes only test cases that are different afterwards', async () => {
    const { project, update, list } = await makeScenario(1)
    await makeTestCase(server, project, { priority: 'high' })
    const body = await update({ test_case_ids: ['WEB-1', 'WEB-2', 'WEB-1'], set: { priority: 'high' } })
    expect(body).toMatchObject({ updated: 1, before: [{ id: 'WEB-1', priority: 'medium' }] })
    expect((await list()).map(({ version }) => version)).toEqual([2, 1])
    expect(await update({ test_case_ids: ['WEB-1', 'WEB-2'] })).toEqual({ updated: 0, before: [], test_cases: [] })
  })

  it('places test cases at the end of their new folder, in the order of the request, and moves the counts', async () => {
    const { project, update, list, countByFolder } = await makeScenario(3)
    const [a, b] = [await makeFolder(server, project), await makeFolder(server, project)]
    await makeTestCase(server, project, { folder_id: b.id })
    await makeTestCase(server, project, { folder_id: a.id })
    const ids = ['WEB-3', 'WEB-5', 'WEB-4', 'WEB-1']
    expect(await update({ test_case_ids: ids, set: { folder_id: b.id } })).toMatchObject({ updated: 3 })
    expect((await list()).map(({ id }) => id)).toEqual(['WEB-4', 'WEB-3', 'WEB-5', 'WEB-1', 'WEB-2'])
    expect(await countByFolder()).toEqual([0, 4])
    await expectCorrectCounters(server, project.id)
  })

  it('restores everything that a request has changed, with one request', async () => {
    const { project, update, list, countByFolder } = await makeScenario(10)
    const [a, b] = [await makeFolder(server, project), await makeFolder(server, project)]
    await update({ test_case_ids: ['WEB-4', 'WEB-2', 'WEB-9'], set: { folder_id: a.id }, add_tags: ['x'] })
    const [before, counts] = [await list(), await countByFolder()]
    const ids = before.map(({ id }) => id).toReversed()
    const set = { folder_id: b.id, priority: 'critical', type: 'api' }
    const changed = await update({ test_case_ids: ids, set, add_tags: ['y'], remove_tags: ['x'] })
    expect(await countByFolder()).toEqual([0, 10])
    const restored = await update({ restore: changed.before })
    expect((await list()).map(withoutVersion)).toEqual(before.map(withoutVersion))
    expect([restored.updated, await countByFolder()]).toEqual([10, counts])
    // Restoring is a change as well: it can be undone.
    await update({ restore: restored.before })
    expect((await list()).map(({ id, folder_id }) => [id, folder_id])).toEqual(ids.map((id) => [id, b.id]))
  })

  it('restores only the fields that were changed', async () => {
    const { project, root, update, list } = await makeScenario(1)
    const { before } = await update({ test_case_ids: ['WEB-1'], set: { priority: 'high' } })
    const options = { token: project.admin.token, body: { type: 'api', tags: ['new'] } }
    await server.request('PATCH', `${root}/test-cases/WEB-1`, options)
    await update({ restore: before })
    expect(await list()).toMatchObject([{ priority: 'medium', type: 'api', tags: ['new'] }])
  })

  it('returns 400 with every unknown test case, and changes nothing', async () => {
    const { update, refuse, list } = await makeScenario(2)
    await update({ test_case_ids: ['WEB-2'], set: { priority: 'low' } })
    const before = await list()
    const ids = ['WEB-1', 'WEB-9', 'APP-1', 'web-1', '', 'WEB-2']
    expect(await refuse({ test_case_ids: ids, set: { priority: 'high' } })).toEqual([
      '/test_case_ids/1',
      '/test_case_ids/2',
      '/test_case_ids/3',
      '/test_case_ids/4',
    ])
    const restore = [
      { id: 'WEB-1', priority: 'high' },
      { id: 'WEB-7', priority: 'high' },
    ]
    expect(await refuse({ restore })).toEqual(['/restore/1/id'])
    expect(await list()).toEqual(before)
  })

  it('returns 400 for test cases that would have more than 50 tags, and changes nothing', async () => {
    const { project, refuse, list } = await makeScenario(1)
    const tags = Array.from({ length: 50 }, (_, index) => `tag ${index}`)
    await makeTestCase(server, project, { tags })
    const before = await list()
    expect(await refuse({ test_case_ids: ['WEB-1', 'WEB-2'], add_tags: ['one more'] })).toEqual(['/test_case_ids/1'])
    expect(await list()).toEqual(before)
  })

  it('returns 400 for an unknown folder of all and of one test case', async () => {
    const { refuse } = await makeScenario(2)
    const { id: foreign } = await makeFolder(server, await makeProject(server))
    for (const folder_id of [foreign, 'nonsense']) {
      expect(await refuse({ test_case_ids: ['WEB-1'], set: { folder_id } })).toEqual(['/set/folder_id'])
      const restore = [{ id: 'WEB-1' }, { id: 'WEB-2', folder_id }]
      expect(await refuse({ restore })).toEqual(['/restore/1/folder_id'])
    }
  })

  it.each(['zz', 'b1', 'a1V0', 'a', 'Z', '', 'a-', `a1${'V'.repeat(99)}`, 'A00000000000000000000000000', 'a3'])(
    'returns 400 for restoring the position %j, which no test case of two can have had',
    async (position) => {
      const { refuse } = await makeScenario(2)

      expect(await refuse({ restore: [{ id: 'WEB-1', position }] })).toEqual(['/restore/0/position'])
    },
  )

  it.each([
    [{}, '/test_case_ids'],
    [{ set: { priority: 'high' } }, '/test_case_ids'],
    [{ test_case_ids: ['WEB-1'], restore: [{ id: 'WEB-1' }] }, '/test_case_ids'],
    [{ restore: [{ id: 'WEB-1' }], add_tags: ['x'] }, '/restore'],
    [{ test_case_ids: ['WEB-1'], set: { priority: 'urgent' } }, '/set/priority'],
    [{ test_case_ids: ['WEB-1'], add_tags: [''] }, '/add_tags/0'],
    [{ test_case_ids: Array.from({ length: 10_001 }, () => 'WEB-1') }, '/test_case_ids'],
  ])('returns 400 with the field for body %#', async (body, path) => {
    const { refuse } = await makeScenario(1)
    expect(await refuse(body)).toEqual([path])
  })
})
