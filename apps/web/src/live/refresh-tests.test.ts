import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { queryKeys } from '../query-keys.ts'
import { refreshTests } from './refresh-tests.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Shows a list as a page does. @returns how often it was loaded */
async function showList(queryClient: QueryClient, pages: number): Promise<() => number> {
  let loads = 0
  const load = () => {
    loads += 1
    return Promise.resolve({ pages: Array.from({ length: pages }, () => ({})) })
  }
  new QueryObserver(queryClient, { queryKey: queryKeys.runTests('run1', {}), queryFn: load }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  return () => loads
}

describe('refreshTests', () => {
  it('reads a list again at once, and then once a second however many events arrive', async () => {
    const queryClient = new QueryClient()
    const getLoads = await showList(queryClient, 1)
    for (let event = 0; event < 10; event += 1) {
      refreshTests(queryClient, undefined, 'run1')
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(getLoads()).toBe(3)
    await vi.advanceTimersByTimeAsync(5000)
    expect(getLoads()).toBe(3)
  })

  it('reads a list of many pages less often', async () => {
    const queryClient = new QueryClient()
    const getLoads = await showList(queryClient, 20)
    for (let second = 0; second < 30; second += 1) {
      refreshTests(queryClient, undefined, 'run1')
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(getLoads()).toBe(3)
  })
})
