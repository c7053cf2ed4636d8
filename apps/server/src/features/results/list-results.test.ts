import type { TestResult } from '@caseward/contract/results'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject, makeRun, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

interface ResultPage {
  data: TestResult[]
  meta: { page: number; per_page: number; total: number }
}

/** A run over cases with these titles. */
async function makeScenario(titles: string[]) {
  const project = await makeProject(server)
  for (const title of titles) await makeTestCase(server, project, { title })
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/results`
  return {
    project,
    token,
    path,
    async list(query = ''): Promise<ResultPage> {
      const { status, body } = await server.request<ResultPage>('GET', path + query, { token })
      expect(status).toBe(200)
      return body
    },
    async set(results: { test_case_id: string; status: string }[]) {
      await server.request('POST', `${path}/bulk`, { token, body: { results } })
    },
  }
}
const ids = ({ data }: ResultPage) => data.map((result) => result.test_case_id)

describe('GET /v1/runs/:run_id/results', () => {
  it(
    'returns all fields of a result',
    {
      tags: [
        'spec:results/id-string',
        'spec:results/test_case_id-string',
        'spec:results/test_case_title-string',
        'spec:results/note-string-nullable',
        'spec:results/elapsed-whole-seconds-nullable',
        'spec:results/tested_by-user-id-nullable',
        'spec:results/tested_at-timestamp-nullable',
      ],
    },
    async () => {
      const { project, token, path, list } = await makeScenario(['Pays by card'])
      await server.request('PUT', `${path}/WEB-1`, { token, body: { status: 'failed', note: 'no', elapsed: 7 } })
      expect((await list()).data).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          test_case_id: 'WEB-1',
          test_case_title: 'Pays by card',
          status: 'failed',
          note: 'no',
          elapsed: 7,
          tested_by: project.admin.id,
          tested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ])
    },
  )

  it(
    'lists 20 per page in the order in which the test cases were added, also after writes',
    { tags: ['spec:results/get-data-and-meta'] },
    async () => {
      const { project, token, path, list, set } = await makeScenario([])
      const all = await makeTestCases(server, project, 45)
      const runId = path.split('/')[3]
      await server.request('POST', `/v1/runs/${runId}/test-cases`, { token, body: { test_case_ids: ['WEB-45'] } })
      await server.request('POST', `/v1/runs/${runId}/test-cases`, { token, body: { test_case_ids: all } })
      await set([
        { test_case_id: 'WEB-30', status: 'passed' },
        { test_case_id: 'WEB-2', status: 'failed' },
      ])
      const pages = [await list(), await list('?page=2'), await list('?page=3'), await list('?page=4')]
      expect(pages.flatMap(ids)).toEqual(['WEB-45', ...all.slice(0, -1)])
      expect(pages.map(({ data }) => data.length)).toEqual([20, 20, 5, 0])
      expect(pages.at(-1)?.meta).toEqual({ page: 4, per_page: 20, total: 45 })
    },
  )

  it.each(['passed', 'failed', 'blocked', 'retest', 'not_tested'])(
    'filters by the status %s, with the total',
    { tags: ['spec:results/get-query-decided'] },
    async (status) => {
      const { list, set } = await makeScenario(['a', 'b', 'c', 'd', 'e', 'f'])
      await set(
        ['passed', 'failed', 'blocked', 'retest', 'not_tested', status].map((value, index) => ({
          test_case_id: `WEB-${index + 1}`,
          status: value,
        })),
      )
      const page = await list(`?status=${status}&per_page=1`)
      expect([page.data[0]?.status, page.meta.total]).toEqual([status, 2])
    },
  )

  it.each([
    ['card', ['WEB-1', 'WEB-2']],
    ['CARD', ['WEB-1', 'WEB-2']],
    ['100%', ['WEB-3']],
    ['_', ['WEB-4']],
    [String.raw`\d`, ['WEB-5']],
    ['GRÖSSE', ['WEB-6']],
    ['WEB-1', []],
  ])(
    'searches titles for %j literally, in upper or lower case',
    { tags: ['spec:results/get-query-decided'] },
    async (search, expected) => {
      const titles = ['Pays by card', 'Card declined', '100% discount', 'a_b', String.raw`a\d`, 'Wählt die Grösse']
      const { list } = await makeScenario(titles)
      const page = await list(`?search=${encodeURIComponent(search)}`)
      expect([ids(page), page.meta.total]).toEqual([expected, expected.length])
    },
  )

  it('combines status and search', { tags: ['spec:results/get-query-decided'] }, async () => {
    const { list, set } = await makeScenario(['card', 'card', 'cash'])
    await set([1, 3].map((number) => ({ test_case_id: `WEB-${number}`, status: 'passed' })))
    const page = await list('?status=passed&search=card')
    expect([ids(page), page.meta.total]).toEqual([['WEB-1'], 1])
  })

  it(
    'lists results of deleted test cases with their title and without an id',
    { tags: ['spec:results/test_case_id-string'] },
    async () => {
      const { project, token, list } = await makeScenario(['Stays', 'Goes'])
      await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-2`, { token })
      const page = await list()
      expect(page.data.map((result) => [result.test_case_id, result.test_case_title])).toEqual([
        ['WEB-1', 'Stays'],
        [null, 'Goes'],
      ])
      expect(page.meta.total).toBe(2)
    },
  )

  it(
    'returns the title that a test case had when it was added',
    { tags: ['spec:results/test_case_title-string'] },
    async () => {
      const { project, token, list } = await makeScenario(['Old'])
      await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-1`, { token, body: { title: 'New' } })
      expect((await list()).data[0]?.test_case_title).toBe('Old')
    },
  )

  it.each([['status=done'], ['page=0'], ['per_page=0'], ['per_page=101'], ['search=%00']])(
    'returns 400 with the parameter for the query ?%s',
    { tags: ['spec:results/get-query-decided'] },
    async (query) => {
      const { token, path } = await makeScenario([])
      const problem = await server.expectProblem(400, 'GET', `${path}?${query}`, { token })
      expect(problem.errors?.map((error) => error.path)).toEqual([`/${query.split('=')[0]}`])
    },
  )

  it('ignores an unknown parameter, also one with the name that filters by fields have inside', async () => {
    const { list } = await makeScenario(['Pays by card'])
    expect(ids(await list('?fieldPath=x&page=1'))).toEqual(['WEB-1'])
    expect(ids(await list('?fieldPath=x&search=Pays'))).toEqual(['WEB-1'])
  })

  it('returns 200 to viewers and CI tokens, and 403 to others', async () => {
    const { project, path } = await makeScenario([])
    const viewer = (await makeMember(server, project.id, 'viewer')).token
    for (const token of [viewer, await makeCiToken(server, project, 'read')]) {
      expect((await server.request('GET', path, { token })).status).toBe(200)
    }
    const stranger = (await makeUser(server)).token
    for (const token of [stranger, await makeCiToken(server, await makeProject(server))]) {
      await server.expectProblem(403, 'GET', path, { token })
    }
  })
})
