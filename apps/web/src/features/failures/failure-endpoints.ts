import type { Endpoint } from '@caseward/client'
import type { GetEvaluation, ListRunFailureGroups, ListVerdicts } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const url = '/v1/runs/:run_id'

export const getEvaluation: Endpoint<GetEvaluation> = {
  method: 'GET',
  url: `${url}/evaluation`,
  operationId: 'getEvaluation',
  success: { 200: ['data{}'] },
}

export const listVerdicts: Endpoint<ListVerdicts> = {
  method: 'GET',
  url: `${url}/verdicts`,
  operationId: 'listVerdicts',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listRunFailureGroups: Endpoint<ListRunFailureGroups> = {
  method: 'GET',
  url: `${url}/failure-groups`,
  operationId: 'listRunFailureGroups',
  success: { 200: ['data[]', 'meta{}'] },
}
