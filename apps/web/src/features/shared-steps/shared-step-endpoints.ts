import type { Endpoint } from '@caseward/client'
import type {
  CreateSharedStep,
  DeleteSharedStep,
  DetachSharedStep,
  GetSharedStep,
  GetSharedStepUsage,
  ListSharedStepUses,
  ListSharedStepVersions,
  ListSharedSteps,
  UpdateSharedStep,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const listUrl = '/v1/projects/:project_id/shared-steps'
const url = `${listUrl}/:shared_step_id`

export const listSharedSteps: Endpoint<ListSharedSteps> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listSharedSteps',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createSharedStep: Endpoint<CreateSharedStep> = {
  method: 'POST',
  url: listUrl,
  operationId: 'createSharedStep',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const getSharedStep: Endpoint<GetSharedStep> = {
  method: 'GET',
  url,
  operationId: 'getSharedStep',
  success: { 200: ['data{}'] },
}

export const updateSharedStep: Endpoint<UpdateSharedStep> = {
  method: 'PATCH',
  url,
  operationId: 'updateSharedStep',
  success: { 200: ['data{}'] },
}

export const deleteSharedStep: Endpoint<DeleteSharedStep> = {
  method: 'DELETE',
  url,
  operationId: 'deleteSharedStep',
  success: { 204: null },
}

export const detachSharedStep: Endpoint<DetachSharedStep> = {
  method: 'POST',
  url: `${url}/detach`,
  operationId: 'detachSharedStep',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const listSharedStepUses: Endpoint<ListSharedStepUses> = {
  method: 'GET',
  url: `${url}/uses`,
  operationId: 'listSharedStepUses',
  success: { 200: ['data[]', 'meta{}'] },
}

export const getSharedStepUsage: Endpoint<GetSharedStepUsage> = {
  method: 'GET',
  url: `${url}/usage`,
  operationId: 'getSharedStepUsage',
  success: { 200: ['data{}'] },
}

export const listSharedStepVersions: Endpoint<ListSharedStepVersions> = {
  method: 'GET',
  url: `${url}/versions`,
  operationId: 'listSharedStepVersions',
  success: { 200: ['data[]', 'meta{}'] },
}
