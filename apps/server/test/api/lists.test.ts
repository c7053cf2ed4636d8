import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const ITEMS = 21
type Project = Awaited<ReturnType<typeof makeProject>>

let server: TestServer
let project: Project
let runId: string
beforeAll(async () => {
  server = await startTestServer()
  project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, ITEMS)
  runId = (await makeRun(server, project)).id
  for (let made = 1; made < ITEMS; made += 1) await makeProject(server, { token })
  for (let made = 1; made < ITEMS; made += 1) await makeMember(server, project.id, 'viewer')
  for (let made = 0; made < ITEMS; made += 1) await makeMilestone(server, project)
})
afterAll(() => server.close())

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

describe.each(lists)('the list of %s', (_, path) => {
  const list = async (query = '') => {
    const { status, body } = await server.request<List>('GET', path() + query, { token: project.admin.token })
    return { status, ...body }
  }

  it(
    'gives its first 20 items where nothing is asked for, and how many there are',
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
      const { data, ...rest } = await list()
      expect(data).toHaveLength(20)
      expect(rest).toEqual({ status: 200, meta: { page: 1, per_page: 20, total: ITEMS } })
    },
  )

  it(
    'gives the page that is asked for',
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
    'gives as many to a page as are asked for, up to 100',
    { tags: ['spec:conventions/per_page-at-most-100', 'spec:limits/per_page-20-at-most-100'] },
    async () => {
      const { data, meta } = await list('?per_page=100')
      expect(new Set(data.map(({ id }) => id)).size).toBe(ITEMS)
      expect(meta).toEqual({ page: 1, per_page: 100, total: ITEMS })
      expect((await list('?per_page=1')).data).toHaveLength(1)
    },
  )

  it.each(['per_page=101', 'per_page=0', 'per_page=x', 'page=0', 'page=1.5'])(
    'refuses ?%s',
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
