import type { Endpoint } from '@caseward/client'
import type { CreateView, DeleteView, ListViews, SetDefaultView, UpdateView } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const listUrl = '/v1/projects/:project_id/views'

export const listViews: Endpoint<ListViews> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listViews',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createView: Endpoint<CreateView> = {
  method: 'POST',
  url: listUrl,
  operationId: 'createView',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const setDefaultView: Endpoint<SetDefaultView> = {
  method: 'PUT',
  url: `${listUrl}/default`,
  operationId: 'setDefaultView',
  success: { 200: ['data{}'] },
}

export const updateView: Endpoint<UpdateView> = {
  method: 'PATCH',
  url: `${listUrl}/:view_id`,
  operationId: 'updateView',
  success: { 200: ['data{}'] },
}

export const deleteView: Endpoint<DeleteView> = {
  method: 'DELETE',
  url: `${listUrl}/:view_id`,
  operationId: 'deleteView',
  success: { 204: null },
}
