import type { Endpoint } from '@caseward/client'
import type { FindSimilarForTests, FindSimilarTestCases, ListDuplicates } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

export const findSimilarTestCases: Endpoint<FindSimilarTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/similar',
  operationId: 'findSimilarTestCases',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listDuplicates: Endpoint<ListDuplicates> = {
  method: 'GET',
  url: '/v1/projects/:project_id/duplicates',
  operationId: 'listDuplicates',
  success: { 200: ['data[]', 'meta{}'] },
}

export const findSimilarForTests: Endpoint<FindSimilarForTests> = {
  method: 'POST',
  url: '/v1/projects/:project_id/tests/similar-test-cases',
  operationId: 'findSimilarForTests',
  success: { 200: ['data[]', 'meta{}'] },
}
