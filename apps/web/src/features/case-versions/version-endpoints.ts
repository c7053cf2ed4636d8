import type { Endpoint } from '@caseward/client'
import type { GetCaseVersion, ListCaseVersions, RestoreCaseVersion } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const listUrl = '/v1/projects/:project_id/test-cases/:test_case_id/versions'

export const listCaseVersions: Endpoint<ListCaseVersions> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listCaseVersions',
  success: { 200: ['data[]', 'meta{}'] },
}

export const getCaseVersion: Endpoint<GetCaseVersion> = {
  method: 'GET',
  url: `${listUrl}/:version`,
  operationId: 'getCaseVersion',
  success: { 200: ['data{}'] },
}

export const restoreCaseVersion: Endpoint<RestoreCaseVersion> = {
  method: 'POST',
  url: `${listUrl}/:version/restore`,
  operationId: 'restoreCaseVersion',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}
