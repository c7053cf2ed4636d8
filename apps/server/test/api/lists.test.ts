import { makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

const ITEMS = 21
type Project = Awaited<ReturnType<typeof makeProject>>

const server = useSharedServer()
let project: Project
let runId: string
beforeAll(async () => {
  project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, ITEMS)
  runId = (await makeRun(server, project)).id
  for (let count = 1; count < ITEMS; count += 1) await makeProject(server, { token })
  for (let count = 1; count < ITEMS; count += 1) await makeMember(server, project.id, 'viewer')
  for (let count = 0; count < ITEMS; count += 1) await makeMilestone(server, project)
})

interface List {
  data: { id: string }[]
  meta: object
}

/** Every list of the specification, each with {@link ITEMS} items. */
const lists: [string, () => string][] = [
  ['projects', () => '/v1/projects'],
  ['milestones', () => `/v1/projects/${project.id}/milestones`],
  ['members', () => `/v1/projects/${project.id}/members`],
  ['test cases', () => `/v1/projects/${project.id}/test-cases`],
  ['results', () => `/v1/runs/${runId}/results`],
]

describe.each(lists)('the paginated list of %s', (_, path) => {
  const list = async (query = '') => {
    const { status, body } = await server.request<List>('GET', path() + query, { token: project.admin.token })
    return { status, ...body }
  }

  it(
    'returns the first 20 items and the total by default',
    {
      tags: [
        'spec:conventions/page-integer-default-1',
        'spec:conventions/per_page-integer-default-20',
        'spec:conventions/lists-answer-data-and-meta-of-page-per_page',
        'spec:projects/get-all-paginated',
        'spec:results/get-data-and-meta',
        'spec:limits/per_page-20-at-most-100',
      ],
    },
    async () => {
      const { data, ...others } = await list()
      expect(data).toHaveLength(20)
      expect(others).toEqual({ status: 200, meta: { page: 1, per_page: 20, total: ITEMS } })
    },
  )

  it(
    'returns the page of the parameter page',
    {
      tags: [
        'spec:conventions/page-integer-default-1',
        'spec:milestones/get-all-paginated',
        'spec:members/get-paginated',
        'spec:test-cases/list-paginated',
      ],
    },
    async () => {
      const { data, meta } = await list('?page=2')
      expect(meta).toEqual({ page: 2, per_page: 20, total: ITEMS })
      const all = await list(`?per_page=${ITEMS}`)
      expect(data).toEqual(all.data.slice(20))
    },
  )

  it(
    'returns up to 100 items with the parameter per_page',
    { tags: ['spec:conventions/per_page-at-most-100', 'spec:limits/per_page-20-at-most-100'] },
    async () => {
      const { data, meta } = await list('?per_page=100')
      expect(new Set(data.map(({ id }) => id)).size).toBe(ITEMS)
      expect(meta).toEqual({ page: 1, per_page: 100, total: ITEMS })
      expect((await list('?per_page=1')).data).toHaveLength(1)
    },
  )

  it.each(['per_page=101', 'per_page=0', 'per_page=x', 'page=0', 'page=1.5'])(
    'returns 400 for ?%s',
    {
      tags: [
        'spec:conventions/page-integer-default-1',
        'spec:conventions/per_page-integer-default-20',
        'spec:conventions/per_page-at-most-100',
        'spec:limits/per_page-20-at-most-100',
      ],
    },
    async (query) => {
      const problem = await server.expectProblem(400, 'GET', `${path()}?${query}`, { token: project.admin.token })
      expect(problem.errors?.map((error) => error.path)).toEqual([`/${query.split('=')[0]}`])
    },
  )
})
