import type { Endpoint } from '@caseward/client'
import type {
  CreateInstanceField,
  DeleteInstanceField,
  ListInstanceFields,
  ListOfferedFields,
  RestoreInstanceField,
  RetireInstanceField,
  SetInstanceField,
  UpdateInstanceField,
} from '@caseward/client/endpoints'

/* As those of the fields of a project. */

const listUrl = '/v1/admin/fields'
const url = `${listUrl}/:field_id`
const offeredUrl = '/v1/projects/:project_id/instance-fields'

export const listInstanceFields: Endpoint<ListInstanceFields> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listInstanceFields',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createInstanceField: Endpoint<CreateInstanceField> = {
  method: 'POST',
  url: listUrl,
  operationId: 'createInstanceField',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const updateInstanceField: Endpoint<UpdateInstanceField> = {
  method: 'PATCH',
  url,
  operationId: 'updateInstanceField',
  success: { 200: ['data{}'] },
}

export const retireInstanceField: Endpoint<RetireInstanceField> = {
  method: 'POST',
  url: `${url}/retire`,
  operationId: 'retireInstanceField',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const restoreInstanceField: Endpoint<RestoreInstanceField> = {
  method: 'POST',
  url: `${url}/restore`,
  operationId: 'restoreInstanceField',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const deleteInstanceField: Endpoint<DeleteInstanceField> = {
  method: 'DELETE',
  url,
  operationId: 'deleteInstanceField',
  success: { 204: null },
}

export const listOfferedFields: Endpoint<ListOfferedFields> = {
  method: 'GET',
  url: offeredUrl,
  operationId: 'listOfferedFields',
  success: { 200: ['data[]', 'meta{}'] },
}

export const setInstanceField: Endpoint<SetInstanceField> = {
  method: 'PUT',
  url: `${offeredUrl}/:field_id`,
  operationId: 'setInstanceField',
  success: { 200: ['data{}'] },
}
