import { search, type SearchHit } from '@caseward/client/endpoints'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** The hits of a search in all projects, or only those of one kind. */
export const searchQuery = (text: string, kind?: SearchHit['kind']) =>
  queryOptions({
    queryKey: queryKeys.search(text, kind),
    queryFn: async ({ signal }) =>
      (await request(api, search, { query: { q: text, ...(kind === undefined ? {} : { kind }) }, signal })).data.data,
    enabled: text !== '',
    // Nothing tells of changes.
    staleTime: 10_000,
  })

/** The hits of what is typed; those before stay while it changes. */
export function useHits(text: string) {
  const { data, error, isFetching } = useQuery({ ...searchQuery(text), placeholderData: keepPreviousData })
  return { hits: text === '' ? [] : (data ?? []), error: text === '' ? null : error, isFetching }
}
