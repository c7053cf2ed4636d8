import type { Endpoint } from '@caseward/client'
import type {
  CreateQuarantines,
  EndQuarantine,
  GetTestStability,
  ListQuarantines,
  UpdateQuarantine,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const url = '/v1/projects/:project_id/quarantines'

export const listQuarantines: Endpoint<ListQuarantines> = {
  method: 'GET',
  url,
  operationId: 'listQuarantines',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createQuarantines: Endpoint<CreateQuarantines> = {
  method: 'POST',
  url,
  operationId: 'createQuarantines',
  acceptsKey: true,
  success: { 201: ['data[]'] },
}

export const updateQuarantine: Endpoint<UpdateQuarantine> = {
  method: 'PATCH',
  url: `${url}/:quarantine_id`,
  operationId: 'updateQuarantine',
  success: { 200: ['data{}'] },
}

export const endQuarantine: Endpoint<EndQuarantine> = {
  method: 'DELETE',
  url: `${url}/:quarantine_id`,
  operationId: 'endQuarantine',
  success: { 200: ['data{}'] },
}

export const getTestStability: Endpoint<GetTestStability> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tests/:test_id/stability',
  operationId: 'getTestStability',
  success: { 200: ['data{}'] },
}
