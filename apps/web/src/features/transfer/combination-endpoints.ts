import type { Endpoint } from '@caseward/client'
import type { ListCombinations } from '@caseward/client/endpoints'

/** The endpoint of the client, as it is there: that module is a part of what every page loads. A test compares them. */
export const listCombinations: Endpoint<ListCombinations> = {
  method: 'GET',
  url: '/v1/runs/:run_id/combinations',
  operationId: 'listCombinations',
  success: { 200: ['data[]', 'meta{}'] },
}
