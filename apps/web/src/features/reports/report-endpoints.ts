import type { Endpoint } from '@caseward/client'
import type {
  DeleteReportSubscription,
  GetReport,
  GetReportSubscription,
  SetReportSubscription,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const url = '/v1/projects/:project_id'

export const getReport: Endpoint<GetReport> = {
  method: 'GET',
  url: `${url}/report`,
  operationId: 'getReport',
  success: { 200: ['data{}'] },
}

export const getReportSubscription: Endpoint<GetReportSubscription> = {
  method: 'GET',
  url: `${url}/report-subscription`,
  operationId: 'getReportSubscription',
  success: { 200: ['data', 'meta{}'] },
}

export const setReportSubscription: Endpoint<SetReportSubscription> = {
  method: 'PUT',
  url: `${url}/report-subscription`,
  operationId: 'setReportSubscription',
  success: { 200: ['data{}'] },
}

export const deleteReportSubscription: Endpoint<DeleteReportSubscription> = {
  method: 'DELETE',
  url: `${url}/report-subscription`,
  operationId: 'deleteReportSubscription',
  success: { 200: ['data'] },
}
