import { compareRuns, type RunChange } from '@caseward/client/endpoints'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { cursorPages } from '../../use-cursor-pages.ts'

const PER_PAGE = 200

export interface ComparisonFilter {
  readonly base: string
  readonly head: string
  readonly by?: 'tests' | 'test_cases' | undefined
  readonly change?: RunChange | undefined
}

/** What is different between two runs, page by page. The first page has the totals. */
export const comparisonQuery = (project_id: string, filter: ComparisonFilter) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: queryKeys.comparison(project_id, filter),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, per_page: PER_PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return (await request(api, compareRuns, { params: { project_id }, query, signal })).data
    },
  })
