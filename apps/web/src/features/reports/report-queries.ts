import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { getTimeZone } from '../../charts/days.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { getReport, getReportSubscription } from './report-endpoints.ts'

/** What happened in the last days. */
export const reportQuery = (project_id: string, days: number) =>
  queryOptions({
    queryKey: [...queryKeys.inProject(project_id), 'report', days],
    queryFn: async ({ signal }) => {
      const query = { days, time_zone: getTimeZone() }
      return (await request(api, getReport, { params: { project_id }, query, signal })).data.data
    },
  })

/** When the user gets the report by email, and whether the server can send any. */
export const subscriptionQuery = (project_id: string) =>
  queryOptions({
    queryKey: [...queryKeys.inProject(project_id), 'report-subscription'],
    queryFn: async ({ signal }) => (await request(api, getReportSubscription, { params: { project_id }, signal })).data,
  })
