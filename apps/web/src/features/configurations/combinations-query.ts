import { type Combination, listResultCombinations } from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** What a result is tested with, and what came of it. */
export const combinationsQuery = (run_id: string, result_id: string) =>
  queryOptions({
    queryKey: queryKeys.combinations(run_id, result_id),
    queryFn: async ({ signal }) =>
      (await request(api, listResultCombinations, { params: { run_id, result_id }, signal })).data
        .data as readonly Combination[],
  })
