import type { Endpoint } from '@caseward/client'
import type { MergeTestCases, UndoMerge } from '@caseward/client/endpoints'

/* Endpoints of the client that only a merge needs: see duplicate-endpoints.ts. */

export const mergeTestCases: Endpoint<MergeTestCases> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/merge',
  operationId: 'mergeTestCases',
  success: { 200: ['data{}'] },
}

export const undoMerge: Endpoint<UndoMerge> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/merge/undo',
  operationId: 'undoMerge',
  success: { 200: ['data{}'] },
}
