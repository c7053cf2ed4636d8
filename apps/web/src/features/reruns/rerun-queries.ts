import {
  type CombinedResult,
  type CreateRerun,
  createRerun,
  getLineage,
  listCombinedResults,
  type Run,
} from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

const PER_PAGE = 2000

/** The chain of a run and its reruns. */
export const lineageQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.lineage(run_id),
    queryFn: async ({ signal }) => (await request(api, getLineage, { params: { run_id }, signal })).data.data,
  })

/** Each test case of the chain once. */
export const combinedResultsQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.combinedResults(run_id),
    queryFn: async ({ signal }): Promise<readonly CombinedResult[]> => {
      const rows: CombinedResult[] = []
      for (let after: string | null | undefined; after !== null;) {
        const query = { per_page: PER_PAGE, ...(after === undefined ? {} : { after }) }
        const { data } = await request(api, listCombinedResults, { params: { run_id }, query, signal })
        rows.push(...data.data)
        after = data.meta.next_after
      }
      return rows
    },
  })

/** Creates a rerun of a run. */
export const sendRerun = async (run_id: string, body: NonNullable<CreateRerun['body']>): Promise<Run> =>
  (await request(api, createRerun, { params: { run_id }, body })).data.data
