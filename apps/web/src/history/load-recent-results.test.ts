import { createClient } from '@caseward/client'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it, onTestFinished } from 'vitest'

import { queryKeys } from '../query-keys.ts'
import { sleep, startServer, waitUntil } from '../start-server.test.helper.ts'
import { createRecentResultsLoader, expireRecentResults } from './load-recent-results.ts'

async function createList({ isFailing = false } = {}) {
  const list = { isFailing, requests: [] as URLSearchParams[] }
  const { url, close } = await startServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    list.requests.push(searchParams)
    if (list.isFailing) {
      response.writeHead(502).end()
      return
    }
    const data = searchParams.getAll('test_case_ids').map((test_case_id) => ({ test_case_id, results: [] }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  onTestFinished(close)
  const queryClient = new QueryClient()
  const client = createClient({ url, retries: { limit: 0 } })
  const loader = createRecentResultsLoader(queryClient, client, 'p', 'run1', 5)
  const getIds = () => [
    ...(queryClient.getQueryData<Map<string, unknown>>(queryKeys.recentResults('p', 'run1')) ?? []).keys(),
  ]
  return { list, loader, queryClient, getIds }
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `WEB-${from + index}`)

describe('recent results loader', () => {
  it('asks once for the rows at which scrolling ends', async () => {
    const { list, loader, getIds } = await createList()
    loader.load(ids(1, 50))
    loader.load(ids(20, 70))
    await waitUntil(() => getIds().length === 51)
    expect(list.requests).toHaveLength(1)
    expect(list.requests[0]?.get('limit')).toBe('10')
    expect(list.requests[0]?.get('before_run')).toBe('run1')
  })

  it('asks only for rows that are not known', async () => {
    const { list, loader, getIds } = await createList()
    loader.load(ids(1, 50))
    await waitUntil(() => getIds().length === 50)
    loader.load(ids(40, 60))
    await waitUntil(() => getIds().length === 60)
    expect(list.requests[1]?.getAll('test_case_ids')).toEqual(ids(51, 60))
  })

  it('asks for 450 rows in three requests', async () => {
    const { list, loader, getIds } = await createList()
    loader.load(ids(1, 450))
    await waitUntil(() => getIds().length === 450)
    expect(list.requests.map((params) => params.getAll('test_case_ids').length)).toEqual([200, 200, 50])
  })

  it('asks again for rows that have changed, and shows the old ones until then', async () => {
    const { list, loader, queryClient, getIds } = await createList()
    loader.load(ids(1, 3))
    await waitUntil(() => getIds().length === 3)
    expireRecentResults(queryClient, 'p', new Set(['WEB-2']))
    expect(getIds()).toHaveLength(3)
    loader.load(ids(1, 3))
    await waitUntil(() => list.requests.length === 2)
    expect(list.requests[1]?.getAll('test_case_ids')).toEqual(['WEB-2'])
  })

  it('does not ask again for the histories before a run whose own results have changed', async () => {
    const { list, loader, queryClient, getIds } = await createList()
    loader.load(ids(1, 3))
    await waitUntil(() => getIds().length === 3)
    expireRecentResults(queryClient, 'p', null, 'run1')
    loader.load(ids(1, 4))
    await waitUntil(() => getIds().length === 4)
    expect(list.requests.map((request) => request.getAll('test_case_ids'))).toEqual([ids(1, 3), ['WEB-4']])
  })

  it('asks again with the next rows after a failure', async () => {
    const { list, loader, getIds } = await createList({ isFailing: true })
    loader.load(ids(1, 3))
    await waitUntil(() => list.requests.length === 1)
    list.isFailing = false
    await sleep(20)
    loader.load(ids(1, 3))
    await waitUntil(() => list.requests.length === 2)
    await waitUntil(() => getIds().length === 3)
    expect(list.requests[1]?.getAll('test_case_ids')).toEqual(ids(1, 3))
  })
})
