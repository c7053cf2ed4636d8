import {
  createResultLink,
  createTestCaseLink,
  deleteResultLink,
  deleteTestCaseLink,
  type Link,
  listTestCaseLinks,
  type ResultDetail,
} from '@caseward/client/endpoints'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { LinkKind } from './link-words.ts'

/** What a user types to add a link. */
export interface NewLink {
  url: string
  kind: LinkKind
  label?: string
}

/** Where links are: how they are added and removed there, and what is shown afterwards. */
export interface LinkPlace {
  /** Names the drafts of what is typed there. */
  readonly id: string
  readonly defaultKind: LinkKind
  add(link: NewLink): Promise<Link>
  remove(link: Link): Promise<unknown>
  /** Shows other links at once, before the server sends them. */
  show(queryClient: QueryClient, change: (links: readonly Link[]) => Link[]): void
}

export const caseLinks = (project_id: string, test_case_id: string) =>
  queryOptions({
    queryKey: queryKeys.caseLinks(project_id, test_case_id),
    queryFn: async ({ signal }) =>
      (await request(api, listTestCaseLinks, { params: { project_id, test_case_id }, signal })).data.data,
  })

export const createCasePlace = (project_id: string, test_case_id: string): LinkPlace => ({
  id: `${project_id} ${test_case_id}`,
  defaultKind: 'requirement',
  add: async (body) =>
    (await request(api, createTestCaseLink, { params: { project_id, test_case_id }, body })).data.data,
  remove: ({ id: link_id }) => request(api, deleteTestCaseLink, { params: { project_id, test_case_id, link_id } }),
  show: (queryClient, change) =>
    void queryClient.setQueryData(caseLinks(project_id, test_case_id).queryKey, (links) => links && change(links)),
})

export const createResultPlace = (run_id: string, result_id: string): LinkPlace => ({
  id: result_id,
  defaultKind: 'defect',
  add: async (body) => (await request(api, createResultLink, { params: { run_id, result_id }, body })).data.data,
  remove: ({ id: link_id }) => request(api, deleteResultLink, { params: { run_id, result_id, link_id } }),
  show: (queryClient, change) =>
    // The list of results follows by a live event.
    void queryClient.setQueryData<ResultDetail>(
      queryKeys.result(run_id, result_id),
      (detail) => detail && { ...detail, links: change(detail.links) },
    ),
})
