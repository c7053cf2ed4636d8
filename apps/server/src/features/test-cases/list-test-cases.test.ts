import type { TestCaseListItem } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeFolder, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>
interface List {
  data: TestCaseListItem[]
  meta: { page: number; per_page: number; total: number }
}

async function list(project: MadeProject, query: Record<string, string> = {}, token = project.admin.token) {
  const path = `/v1/projects/${project.id}/test-cases?${new URLSearchParams(query).toString()}`
  const { status, body } = await server.request<List>('GET', path, { token })
  expect(status).toBe(200)
  return { titles: body.data.map(({ title }) => title), ...body }
}

describe('GET /v1/projects/:project_id/test-cases', () => {
  it(
    'returns the fields of the specification, without tags and created_by',
    {
      tags: [
        'spec:test-cases/steps-position-action-expected',
        'spec:test-cases/tags-in-the-single-read-only',
        'spec:test-cases/created_by-in-the-single-read-only',
        'spec:test-cases/created_at-timestamp',
        'spec:test-cases/list-items-without-tags-and-created_by',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const steps = [{ position: 7, action: 'Pay', expected: 'Paid' }]
      await makeTestCase(server, project, {
        title: 'Pays',
        steps,
        tags: ['x'],
        automation_key: 'k',
        precondition: 'Money',
      })
      const { data } = await list(project)
      expect(data).toEqual([
        {
          id: 'WEB-1',
          title: 'Pays',
          folder_id: null,
          priority: 'medium',
          type: 'functional',
          precondition: 'Money',
          steps: [{ position: 1, action: 'Pay', expected: 'Paid' }],
          expected_result: '',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ])
    },
  )

  it(
    'returns the same fields when filtered',
    { tags: ['spec:test-cases/list-items-without-tags-and-created_by'] },
    async () => {
      const project = await makeProject(server)
      await makeTestCase(server, project, { title: 'Pays', tags: ['x'] })
      expect((await list(project, { search: 'pays' })).data).toEqual((await list(project)).data)
    },
  )

  it('returns the fields of the single read for fields=all, filtered or not', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { title: 'Pays', tags: ['x', 'y, z'], automation_key: 'k' })
    const { id } = await makeTestCase(server, project, { title: 'Signs in', steps: [] })
    const read = (testCase: string) =>
      server.request<{ data: unknown }>('GET', `/v1/projects/${project.id}/test-cases/${testCase}`, {
        token: project.admin.token,
      })
    const single = [(await read('WEB-1')).body.data, (await read(id)).body.data]
    const { data, meta } = await list(project, { fields: 'all' })
    expect({ data, total: meta.total }).toEqual({ data: single, total: 2 })
    expect((await list(project, { fields: 'all', search: 'pays' })).data).toEqual([single[0]])
  })

  it(
    'lists by number (not by text), 20 per page, with the total',
    { tags: ['spec:test-cases/list-paginated'] },
    async () => {
      const project = await makeProject(server)
      const ids = await makeTestCases(server, project, 25)
      const first = await list(project)
      expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 20))
      expect(first.meta).toEqual({ page: 1, per_page: 20, total: 25 })
      const second = await list(project, { page: '2' })
      expect(second.data.map(({ id }) => id)).toEqual(ids.slice(20))
      const filtered = await list(project, { search: 'case', per_page: '7', page: '2' })
      expect(filtered.data.map(({ id }) => id)).toEqual(ids.slice(7, 14))
      expect(filtered.meta).toEqual({ page: 2, per_page: 7, total: 25 })
    },
  )

  it('returns no items and the total for a page past the end, filtered or not', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 2)
    expect(await list(project, { page: '3' })).toMatchObject({ data: [], meta: { page: 3, total: 2 } })
    expect(await list(project, { page: '3', search: 'case' })).toMatchObject({ data: [], meta: { total: 2 } })
  })

  it('filters by folder, without its subfolders', { tags: ['spec:test-cases/list-by-folder_id'] }, async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    const below = await makeFolder(server, project, { parent_id: folder.id })
    await makeTestCase(server, project, { title: 'in', folder_id: folder.id })
    await makeTestCase(server, project, { title: 'below', folder_id: below.id })
    await makeTestCase(server, project, { title: 'out' })
    expect((await list(project, { folder_id: folder.id })).titles).toEqual(['in'])
  })

  it('filters by folder_id=none', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    await makeTestCase(server, project, { title: 'in', folder_id: folder.id })
    await makeTestCase(server, project, { title: 'out' })
    expect(await list(project, { folder_id: 'none' })).toMatchObject({ titles: ['out'], meta: { total: 1 } })
  })

  it('returns nothing for an unknown or malformed folder id, and for a folder of another project', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project)
    const otherProject = await makeProject(server)
    const folder = await makeFolder(server, otherProject)
    await makeTestCase(server, otherProject, { folder_id: folder.id })
    for (const folder_id of ['nonsense', '01a1fc2b-5f29-7584-9e03-d27674921b66', folder.id, '']) {
      expect(await list(project, { folder_id })).toMatchObject({ data: [], meta: { total: 0 } })
    }
  })

  it(
    'filters by priority, type and tag, one at a time and combined',
    { tags: ['spec:test-cases/list-by-type'] },
    async () => {
      const project = await makeProject(server)
      await makeTestCase(server, project, { title: 'a', priority: 'high', type: 'smoke', tags: ['x', 'y'] })
      await makeTestCase(server, project, { title: 'b', priority: 'high', type: 'api', tags: ['y'] })
      await makeTestCase(server, project, { title: 'c', priority: 'low', type: 'smoke', tags: ['X'] })
      expect((await list(project, { priority: 'high' })).titles).toEqual(['a', 'b'])
      expect((await list(project, { type: 'smoke' })).titles).toEqual(['a', 'c'])
      expect((await list(project, { tag: 'y' })).titles).toEqual(['a', 'b'])
      expect((await list(project, { tag: 'x' })).titles).toEqual(['a'])
      expect((await list(project, { priority: 'high', type: 'smoke', tag: 'y', search: 'A' })).titles).toEqual(['a'])
      expect((await list(project, { priority: 'low', tag: 'y' })).titles).toEqual([])
    },
  )

  it.each(['critical', 'high', 'medium', 'low'] as const)(
    'filters by the priority %s',
    { tags: ['spec:test-cases/list-by-priority'] },
    async (priority) => {
      const project = await makeProject(server)
      for (const other of ['critical', 'high', 'medium', 'low'] as const)
        await makeTestCase(server, project, { priority: other })
      const { data, meta } = await list(project, { priority })
      expect([data.map((item) => item.priority), meta.total]).toEqual([[priority], 1])
    },
  )

  it('ignores an unknown parameter, also one with the name that filters by fields have inside', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { title: 'Pays' })
    for (const query of [
      { fieldPaths: 'x' },
      { fieldPaths: 'x', fields: 'row' },
      { fieldPaths: 'x', search: 'Pays' },
    ]) {
      expect((await list(project, query)).titles).toEqual(['Pays'])
    }
  })

  it('does not return test cases of another project', async () => {
    const [project, other] = [await makeProject(server), await makeProject(server)]
    await makeTestCase(server, other, { title: 'shared words', tags: ['shared'] })
    expect((await list(project, { search: 'shared' })).titles).toEqual([])
    expect((await list(project, { tag: 'shared' })).titles).toEqual([])
  })

  it.each([
    ['priority=urgent', '/priority'],
    ['priority=', '/priority'],
    ['type=manual', '/type'],
    [`search=${'x'.repeat(256)}`, '/search'],
    ['search=%00', '/search'],
    ['tag=%00', '/tag'],
    ['folder_id=%00', '/folder_id'],
    ['search=a&search=b', '/search'],
    ['page=1&page=2', '/page'],
    ['page=1e400', '/page'],
    ['page=', '/page'],
    ['per_page=101', '/per_page'],
  ])(
    'returns 400 with the parameter for the query ?%s',
    { tags: ['spec:test-cases/list-by-priority', 'spec:test-cases/list-by-type'] },
    async (query, path) => {
      const project = await makeProject(server)
      const options = { token: project.admin.token }
      const problem = await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/test-cases?${query}`, options)
      expect(problem.errors).toEqual([{ path, message: expect.any(String) }])
    },
  )

  it(
    'returns 200 to viewers and CI tokens, and 403 to others',
    { tags: ['spec:authentication/permission-view-test-cases-and-runs'] },
    async () => {
      const project = await makeProject(server)
      const { token: viewer } = await makeMember(server, project.id, 'viewer')
      for (const token of [viewer, await makeCiToken(server, project, 'read')]) {
        expect((await list(project, {}, token)).meta.total).toBe(0)
      }
      const path = `/v1/projects/${project.id}/test-cases`
      await server.expectProblem(403, 'GET', path, { token: (await makeUser(server)).token })
      await server.expectProblem(403, 'GET', path, { token: await makeCiToken(server, await makeProject(server)) })
    },
  )
})

describe('GET /v1/projects/:project_id/test-cases?search=', () => {
  it.each([
    ['%', '100% done'],
    ['_', 'snake_case'],
    ['\\', 'C:\\temp'],
    ['\\%', 'odd \\% end'],
    ["'", "O'Brien"],
    ['"', 'say "hi"'],
  ])('matches %s literally', { tags: ['spec:test-cases/list-search-matches-titles'] }, async (search, title) => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { title })
    await makeTestCase(server, project, { title: 'Nothing special' })
    expect((await list(project, { search })).titles).toEqual([title])
  })

  it.each([
    ['prüfung', 'PRÜFUNG der Kasse'],
    ['ÜBER', 'über alles'],
    ['касса', 'КАССА работает'],
    ['ΣΊΣΥΦ', 'σίσυφος'],
    ['日本', '日本語のタイトル'],
    ['👩‍🚀', 'An 👩‍🚀 lands'],
    ['ab', 'xABx'],
    ['x', 'xABx'],
  ])(
    'finds %s in “%s”, in upper or lower case',
    { tags: ['spec:test-cases/list-search-matches-titles'] },
    async (search, title) => {
      const project = await makeProject(server)
      await makeTestCase(server, project, { title })
      await makeTestCase(server, project, { title: 'other' })
      expect((await list(project, { search })).titles).toEqual([title])
    },
  )

  it('returns all test cases for an empty search', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 2)
    expect((await list(project, { search: '' })).meta.total).toBe(2)
  })

  it('searches only titles', { tags: ['spec:test-cases/list-search-matches-titles'] }, async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { title: 'one', precondition: 'needle', tags: ['needle'] })
    expect((await list(project, { search: 'needle' })).titles).toEqual([])
  })
})
