import type { Endpoint } from '@caseward/client'
import type {
  CreateField,
  DeleteField,
  ListFields,
  MergeFieldOptions,
  RestoreField,
  RetireField,
  UpdateField,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const listUrl = '/v1/projects/:project_id/fields'
const url = `${listUrl}/:field_id`

export const listFields: Endpoint<ListFields> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listFields',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createField: Endpoint<CreateField> = {
  method: 'POST',
  url: listUrl,
  operationId: 'createField',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const updateField: Endpoint<UpdateField> = {
  method: 'PATCH',
  url,
  operationId: 'updateField',
  success: { 200: ['data{}'] },
}

export const mergeFieldOptions: Endpoint<MergeFieldOptions> = {
  method: 'POST',
  url: `${url}/options/merge`,
  operationId: 'mergeFieldOptions',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const retireField: Endpoint<RetireField> = {
  method: 'POST',
  url: `${url}/retire`,
  operationId: 'retireField',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const restoreField: Endpoint<RestoreField> = {
  method: 'POST',
  url: `${url}/restore`,
  operationId: 'restoreField',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const deleteField: Endpoint<DeleteField> = {
  method: 'DELETE',
  url,
  operationId: 'deleteField',
  success: { 204: null },
}
