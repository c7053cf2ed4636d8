import type { Endpoint } from '@caseward/client'
import type {
  CreateInstanceConfiguration,
  DeleteInstanceConfiguration,
  ListInstanceConfigurations,
  UpdateInstanceConfiguration,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const listUrl = '/v1/admin/configurations'
const url = `${listUrl}/:configuration_id`

export const listInstanceConfigurations: Endpoint<ListInstanceConfigurations> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listInstanceConfigurations',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createInstanceConfiguration: Endpoint<CreateInstanceConfiguration> = {
  method: 'POST',
  url: listUrl,
  operationId: 'createInstanceConfiguration',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const updateInstanceConfiguration: Endpoint<UpdateInstanceConfiguration> = {
  method: 'PATCH',
  url,
  operationId: 'updateInstanceConfiguration',
  success: { 200: ['data{}'] },
}

export const deleteInstanceConfiguration: Endpoint<DeleteInstanceConfiguration> = {
  method: 'DELETE',
  url,
  operationId: 'deleteInstanceConfiguration',
  success: { 204: null },
}
