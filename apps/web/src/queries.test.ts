import { createClient } from '@caseward/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { createQueries } from './queries.ts'
import { createQueryClient } from './query-client.ts'
import { onRefused, RequestFailed } from './request-failed.ts'
import { startServer } from './start-server.test.helper.ts'

let urls: string[] = []
let respond: (url: URL) => { status?: number; body: unknown }
let server: Awaited<ReturnType<typeof startServer>>
beforeEach(async () => {
  urls = []
  server = await startServer((request, response) => {
    urls.push(request.url ?? '')
    const { status = 200, body } = respond(new URL(request.url ?? '', 'http://localhost'))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})
afterEach(() => server.close())

function createTestQueries() {
  const client = createClient({ url: server.url, retries: { limit: 0 } })
  return { queryClient: createQueryClient(), queries: createQueries(client) }
}

const problem = (status: number) => ({
  status,
  body: { type: 'about:blank', title: '', status, detail: 'Refused.', code: 'refused' },
})

describe('queries', () => {
  it('reads 4,500 test cases in three pages, with the cursor of the page before', async () => {
    const rows = Array.from({ length: 4500 }, (_, number) => ({ id: `WEB-${number + 1}` }))
    respond = (url) => {
      const start = Number(url.searchParams.get('after') ?? 0)
      const end = Math.min(start + Number(url.searchParams.get('per_page')), rows.length)
      const meta = { page: 1, per_page: 2000, total: rows.length, next_after: end < rows.length ? String(end) : null }
      return { body: { data: rows.slice(start, end), meta } }
    }
    const { queryClient, queries } = createTestQueries()
    const sizes: number[] = []
    const options = queries.cases('p 1')
    queryClient.getQueryCache().subscribe(() => {
      const size = queryClient.getQueryData(options.queryKey)?.rows.length ?? 0
      if (sizes.at(-1) !== size) sizes.push(size)
    })
    const index = await queryClient.fetchQuery(options)
    expect(urls).toEqual([
      '/v1/projects/p%201/test-cases?fields=row&per_page=2000',
      '/v1/projects/p%201/test-cases?fields=row&per_page=2000&after=2000',
      '/v1/projects/p%201/test-cases?fields=row&per_page=2000&after=4000',
    ])
    expect([sizes[0], sizes[1], sizes.at(-1)]).toEqual([0, 2000, 4500])
    expect(index).toMatchObject({ isComplete: true, total: 4500 })
    // The server's clock, with a margin for its whole seconds.
    expect(Date.now() - Date.parse(index.readAt)).toBeGreaterThanOrEqual(2000)
    expect(Date.now() - Date.parse(index.readAt)).toBeLessThan(8000)
  })

  it('repeats a parameter for each value of a filter, and leaves out what is undefined', async () => {
    respond = () => ({ body: { data: [], meta: { total: 0, next_after: null } } })
    const { queryClient, queries } = createTestQueries()
    await queryClient.fetchQuery(queries.searchedCases('p', { priority: ['high', 'low'], search: undefined }))
    expect(urls).toEqual(['/v1/projects/p/test-cases?priority=high&priority=low&fields=row&per_page=100'])
  })

  it('throws the reply, and does not send the request again', async () => {
    respond = () => problem(404)
    const { queryClient, queries } = createTestQueries()
    await expect(queryClient.fetchQuery(queries.run('r'))).rejects.toThrow(RequestFailed)
    expect(urls).toHaveLength(1)
  })

  it.each([401, 403])('tells the app about a response with status %i', async (status) => {
    respond = () => problem(status)
    const refusals: number[] = []
    onTestFinished(onRefused((refused) => refusals.push(refused)))
    const { queryClient, queries } = createTestQueries()
    await expect(queryClient.fetchQuery(queries.projects())).rejects.toThrow(RequestFailed)
    expect(refusals).toEqual([status])
  })

  it('loads the rest of an index again after a page has failed, and keeps what is shown', async () => {
    let isFailing = true
    respond = (url) => {
      if (url.searchParams.has('after') && isFailing) return problem(500)
      const isLast = url.searchParams.has('after')
      return { body: { data: [{ id: isLast ? 'b' : 'a' }], meta: { total: 2, next_after: isLast ? null : 'a' } } }
    }
    const { queryClient, queries } = createTestQueries()
    await expect(queryClient.fetchQuery(queries.results('r'))).rejects.toThrow('Refused.')
    expect(queryClient.getQueryData(queries.results('r').queryKey)).toMatchObject({ isComplete: false, total: 2 })
    isFailing = false
    const index = await queryClient.fetchQuery({ ...queries.results('r'), staleTime: 0 })
    expect(index.rows.map(({ id }) => id)).toEqual(['a', 'b'])
  })
})
