import type { TestCaseRow } from '@caseward/contract/test-case-rows'
import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>
interface RowPage {
  data: TestCaseRow[]
  meta: { page: number; per_page: number; total: number; next_after: string | null }
}

async function list(project: MadeProject, query = ''): Promise<RowPage> {
  const path = `/v1/projects/${project.id}/test-cases?fields=row${query}`
  const { status, body } = await server.request<RowPage>('GET', path, { token: project.admin.token })
  expect([path, status]).toEqual([path, 200])
  return body
}
const getIds = ({ data }: RowPage) => data.map(({ id }) => id)

/** Reads all pages of a list by cursor. */
async function readPages(project: MadeProject, query: string): Promise<RowPage[]> {
  const pages: RowPage[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: RowPage = await list(project, query + (after === '' ? '' : `&after=${after}`))
    pages.push(page)
    after = page.meta.next_after
  }
  return pages
}

describe('GET /v1/projects/:project_id/test-cases?fields=row', () => {
  it('returns the fields of a row as the single read has them', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    const title = 'Says "hi" \\ to 👩‍🚀 & <b>'
    const fields = {
      title,
      tags: ['x', 'y, "z"', '\\'],
      automation_key: 'a "key"',
      priority: 'high',
      type: 'api',
    } as const
    await makeTestCase(server, project, { ...fields, tags: [...fields.tags], folder_id: folder.id })
    await makeTestCase(server, project, { title: 'Plain' })
    const { data } = await list(project)
    const read = async (id: string) => {
      const path = `/v1/projects/${project.id}/test-cases/${id}`
      const { body } = await server.request<{ data: TestCaseRow }>('GET', path, { token: project.admin.token })
      return body.data
    }
    for (const [index, row] of data.entries()) {
      expect(Object.keys(row)).toEqual([
        'id',
        'title',
        'folder_id',
        'priority',
        'type',
        'tags',
        'position',
        'automation_key',
        'updated_at',
        'version',
      ])
      expect(await read(`WEB-${index + 1}`)).toMatchObject(row)
    }
    expect(data).toMatchObject([
      { ...fields, folder_id: folder.id },
      { title: 'Plain', tags: [], automation_key: null, folder_id: null },
    ])
  })

  it('returns up to 2,000 rows per page, in the order of their numbers', async () => {
    const project = await makeProject(server)
    const ids = await makeTestCases(server, project, 120)
    const page = await list(project, '&per_page=2000')
    expect(getIds(page)).toEqual(ids)
    expect(page.meta).toEqual({ page: 1, per_page: 2000, total: 120, next_after: null })
  })

  it.each(['', '&search=case', '&priority=medium', '&changed_since=2000-01-01'])(
    'returns every row once with the cursor, and no cursor on a full last page, for the filter "%s"',
    async (filter) => {
      const project = await makeProject(server)
      const ids = await makeTestCases(server, project, 12)
      const pages = await readPages(project, `${filter}&per_page=4`)
      expect(pages.map(({ data }) => data.length)).toEqual([4, 4, 4])
      expect(pages.flatMap(getIds)).toEqual(ids)
      expect(pages.map(({ meta }) => [meta.total, meta.next_after])).toEqual([
        [12, 'WEB-4'],
        [12, 'WEB-8'],
        [12, null],
      ])
    },
  )

  it('returns the cursor beside the page, which continues the list', async () => {
    const project = await makeProject(server)
    const ids = await makeTestCases(server, project, 9)
    const second = await list(project, '&per_page=3&page=2')
    expect([getIds(second), second.meta]).toEqual([
      ids.slice(3, 6),
      { page: 2, per_page: 3, total: 9, next_after: 'WEB-6' },
    ])
    expect(getIds(await list(project, `&per_page=3&after=${second.meta.next_after}`))).toEqual(ids.slice(6))
  })

  it('returns the remaining rows after a test case that was deleted, and no row twice', async () => {
    const project = await makeProject(server)
    const ids = await makeTestCases(server, project, 6)
    const { meta } = await list(project, '&per_page=3')
    for (const id of ['WEB-1', 'WEB-3']) {
      await server.request('DELETE', `/v1/projects/${project.id}/test-cases/${id}`, { token: project.admin.token })
    }
    const next = await list(project, `&per_page=3&after=${meta.next_after}`)
    expect([getIds(next), next.meta.total]).toEqual([ids.slice(3), 4])
  })

  it('returns no rows and the total after the last row, past the last page, and of an empty project', async () => {
    const project = await makeProject(server)
    expect(await list(project)).toEqual({ data: [], meta: { page: 1, per_page: 20, total: 0, next_after: null } })
    await makeTestCases(server, project, 2)
    for (const query of ['&after=WEB-2', '&page=3', '&after=WEB-2&search=case', '&page=3&search=case']) {
      expect(await list(project, query)).toMatchObject({ data: [], meta: { total: 2, next_after: null } })
    }
    expect(await list(project, '&folder_id=nonsense')).toMatchObject({ data: [], meta: { total: 0, next_after: null } })
  })

  it.each([
    ['fields=row&per_page=2001', '/per_page'],
    ['fields=row&per_page=0', '/per_page'],
    ['fields=row&after=nonsense', '/after'],
    ['fields=row&after=', '/after'],
    ['fields=row&after=WEB-0', '/after'],
    ['fields=row&after=APP-1', '/after'],
    ['fields=row&after=WEB-1&page=2', '/page'],
    ['fields=rows', '/fields'],
    ['fields=all&per_page=101', '/per_page'],
    ['per_page=2000', '/per_page'],
    ['after=WEB-1', '/after'],
    ['fields=all&after=WEB-1', '/after'],
  ])('returns 400 with the parameter for the query ?%s', async (query, path) => {
    const project = await makeProject(server)
    const options = { token: project.admin.token }
    const problem = await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/test-cases?${query}`, options)
    expect(problem.errors).toEqual([{ path, message: expect.any(String) }])
  })
})

describe('a repeated filter of GET /v1/projects/:project_id/test-cases', () => {
  it.each(['', '&fields=all', '&fields=row'])('returns test cases with any of its values: "%s"', async (fields) => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { title: 'a', priority: 'high', type: 'smoke', tags: ['x', 'y'] })
    await makeTestCase(server, project, { title: 'b', priority: 'low', type: 'api', tags: ['y "quoted", {z}\\'] })
    await makeTestCase(server, project, { title: 'c', priority: 'critical', type: 'smoke', tags: ['X'] })
    const filter = async (query: string) => {
      const path = `/v1/projects/${project.id}/test-cases?${query}${fields}`
      const { body } = await server.request<RowPage>('GET', path, { token: project.admin.token })
      return [body.meta.total, ...body.data.map(({ title }) => title)]
    }
    expect(await filter('priority=high&priority=low')).toEqual([2, 'a', 'b'])
    expect(await filter('priority=high&priority=high')).toEqual([1, 'a'])
    expect(await filter('type=smoke&type=unit')).toEqual([2, 'a', 'c'])
    expect(await filter(`tag=x&tag=${encodeURIComponent('y "quoted", {z}\\')}`)).toEqual([2, 'a', 'b'])
    expect(await filter('tag=x&tag=X&type=smoke&type=api&priority=critical')).toEqual([1, 'c'])
  })

  it.each(['priority=high&priority=urgent', 'type=api&type=', 'tag=a&tag=%00'])(
    'returns 400 with the parameter, without a position, for ?%s',
    async (query) => {
      const project = await makeProject(server)
      const options = { token: project.admin.token }
      const problem = await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/test-cases?${query}`, options)
      expect(problem.errors).toEqual([{ path: `/${query.split('=')[0]}`, message: expect.any(String) }])
    },
  )
})

describe('GET /v1/projects/:project_id/tags', () => {
  it('returns each tag with its number of test cases, in alphabetical order', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { tags: ['payment', 'b "quoted"'] })
    await makeTestCase(server, project, { tags: ['payment', 'account'] })
    await makeTestCase(server, project)
    await makeTestCase(server, await makeProject(server), { tags: ['payment', 'other'] })
    const { status, body } = await server.request('GET', `/v1/projects/${project.id}/tags`, {
      token: project.admin.token,
    })
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { tag: 'account', test_case_count: 1 },
          { tag: 'b "quoted"', test_case_count: 1 },
          { tag: 'payment', test_case_count: 2 },
        ],
      },
    ])
  })

  it('returns an empty list for a project without tags', async () => {
    const project = await makeProject(server)
    const { body } = await server.request('GET', `/v1/projects/${project.id}/tags`, { token: project.admin.token })
    expect(body).toEqual({ data: [] })
  })
})
