import type { Endpoint } from '@caseward/client'
import type { CopyTestCase, CopyTestCases } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

export const copyTestCase: Endpoint<CopyTestCase> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/copies',
  operationId: 'copyTestCase',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const copyTestCases: Endpoint<CopyTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/bulk-copy',
  operationId: 'copyTestCases',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}
