import type { Endpoint } from '@caseward/client'
import type {
  CreateResultComment,
  CreateRunComment,
  CreateTestCaseComment,
  DeleteComment,
  ListCommentVersions,
  ListResultActivity,
  ListResultComments,
  ListRunActivity,
  ListRunComments,
  ListTestCaseActivity,
  ListTestCaseComments,
  UpdateComment,
} from '@caseward/client/endpoints'

/*
 * The endpoints of the client, as they are there: that module is one part of what every page loads, so that what few pages use
 * is declared here. A test compares them.
 */

export const listTestCaseComments: Endpoint<ListTestCaseComments> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/comments',
  operationId: 'listTestCaseComments',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createTestCaseComment: Endpoint<CreateTestCaseComment> = {
  method: 'POST',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/comments',
  operationId: 'createTestCaseComment',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const listRunComments: Endpoint<ListRunComments> = {
  method: 'GET',
  url: '/v1/runs/:run_id/comments',
  operationId: 'listRunComments',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createRunComment: Endpoint<CreateRunComment> = {
  method: 'POST',
  url: '/v1/runs/:run_id/comments',
  operationId: 'createRunComment',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const listResultComments: Endpoint<ListResultComments> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/comments',
  operationId: 'listResultComments',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createResultComment: Endpoint<CreateResultComment> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/:result_id/comments',
  operationId: 'createResultComment',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const updateComment: Endpoint<UpdateComment> = {
  method: 'PATCH',
  url: '/v1/projects/:project_id/comments/:comment_id',
  operationId: 'updateComment',
  success: { 200: ['data{}'] },
}

export const deleteComment: Endpoint<DeleteComment> = {
  method: 'DELETE',
  url: '/v1/projects/:project_id/comments/:comment_id',
  operationId: 'deleteComment',
  success: { 204: null },
}

export const listCommentVersions: Endpoint<ListCommentVersions> = {
  method: 'GET',
  url: '/v1/projects/:project_id/comments/:comment_id/versions',
  operationId: 'listCommentVersions',
  success: { 200: ['data[]'] },
}

export const listTestCaseActivity: Endpoint<ListTestCaseActivity> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/activity',
  operationId: 'listTestCaseActivity',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listRunActivity: Endpoint<ListRunActivity> = {
  method: 'GET',
  url: '/v1/runs/:run_id/activity',
  operationId: 'listRunActivity',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listResultActivity: Endpoint<ListResultActivity> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id/activity',
  operationId: 'listResultActivity',
  success: { 200: ['data[]', 'meta{}'] },
}
