import type { Endpoint } from '@caseward/client'
import type {
  ContinueTest,
  GetFailureGroup,
  GetHealth,
  GetInsightSettings,
  ListDrift,
  ListFailureGroups,
  ListSlowTests,
  UpdateInsightSettings,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const url = '/v1/projects/:project_id'

export const listFailureGroups: Endpoint<ListFailureGroups> = {
  method: 'GET',
  url: `${url}/failure-groups`,
  operationId: 'listFailureGroups',
  success: { 200: ['data[]', 'meta{}'] },
}

export const getFailureGroup: Endpoint<GetFailureGroup> = {
  method: 'GET',
  url: `${url}/failure-groups/:signature`,
  operationId: 'getFailureGroup',
  success: { 200: ['data{}'] },
}

export const getHealth: Endpoint<GetHealth> = {
  method: 'GET',
  url: `${url}/health`,
  operationId: 'getHealth',
  success: { 200: ['data{}'] },
}

export const listSlowTests: Endpoint<ListSlowTests> = {
  method: 'GET',
  url: `${url}/slow-tests`,
  operationId: 'listSlowTests',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listDrift: Endpoint<ListDrift> = {
  method: 'GET',
  url: `${url}/drift`,
  operationId: 'listDrift',
  success: { 200: ['data[]', 'meta{}'] },
}

export const continueTest: Endpoint<ContinueTest> = {
  method: 'POST',
  url: `${url}/tests/:test_id/continue`,
  operationId: 'continueTest',
  success: { 200: ['data{}'] },
}

export const getInsightSettings: Endpoint<GetInsightSettings> = {
  method: 'GET',
  url: `${url}/insight-settings`,
  operationId: 'getInsightSettings',
  success: { 200: ['data{}'] },
}

export const updateInsightSettings: Endpoint<UpdateInsightSettings> = {
  method: 'PATCH',
  url: `${url}/insight-settings`,
  operationId: 'updateInsightSettings',
  success: { 200: ['data{}'] },
}
