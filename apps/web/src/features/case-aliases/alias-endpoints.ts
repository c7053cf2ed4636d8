import type { Endpoint } from '@caseward/client'
import type { FindCaseAliases, ListCaseAliases } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

export const listCaseAliases: Endpoint<ListCaseAliases> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/aliases',
  operationId: 'listCaseAliases',
  success: { 200: ['data[]'] },
}

export const findCaseAliases: Endpoint<FindCaseAliases> = {
  method: 'GET',
  url: '/v1/projects/:project_id/case-aliases',
  operationId: 'findCaseAliases',
  success: { 200: ['data[]'] },
}
