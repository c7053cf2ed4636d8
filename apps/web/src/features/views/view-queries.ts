import type { CreateViewBody, UpdateViewBody, View } from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { createView, deleteView, listViews, setDefaultView, updateView } from './view-endpoints.ts'

/** A page with views. */
export type ViewPage = View['page']

/** The user's own views of a page and the shared ones, by name. */
export const viewsOf = (project_id: string, page: ViewPage) =>
  queryOptions({
    queryKey: [...queryKeys.inProject(project_id), 'views', page],
    queryFn: async ({ signal }) =>
      (await request(api, listViews, { params: { project_id }, query: { page }, signal })).data.data,
  })

export const addView = async (project_id: string, body: CreateViewBody): Promise<View> =>
  (await request(api, createView, { params: { project_id }, body })).data.data

export const changeView = async (project_id: string, view_id: string, body: UpdateViewBody): Promise<View> =>
  (await request(api, updateView, { params: { project_id, view_id }, body })).data.data

/** @param view_id null to open the page with none */
export async function openPageWith(project_id: string, page: ViewPage, view_id: string | null): Promise<void> {
  await request(api, setDefaultView, { params: { project_id }, body: { page, view_id } })
}

export async function removeView(project_id: string, view_id: string): Promise<void> {
  await request(api, deleteView, { params: { project_id, view_id } })
}
