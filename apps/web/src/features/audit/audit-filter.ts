import { type AuditQuery, listAuditLog, listProjectAuditLog } from '@caseward/client/endpoints'

import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import { parseAction } from './audit-actions.ts'

/** The filters of the audit log, and the open entry. */
export type AuditView = Search<typeof searchSchemas.audit>

/** The parameters of the API that a view stands for. */
export type AuditFilter = Pick<AuditQuery, 'actor' | 'action' | 'from' | 'to'>

/**
 * Converts a view to the filter of the API. Days are those of the reader's time zone, and the last day is included: a URL
 * means the same days for everybody, though not the same hours.
 */
export function toAuditFilter({ actor, action, from, to }: Omit<AuditView, 'entry'>): AuditFilter {
  const known = parseAction(action)
  return {
    ...(actor === null ? {} : { actor }),
    ...(known === undefined ? {} : { action: known }),
    ...(from === null ? {} : { from: toTime(from, 0) }),
    ...(to === null ? {} : { to: toTime(to, 1) }),
  }
}

/** Whether the view has a filter. */
export const hasAuditFilter = (view: Omit<AuditView, 'entry'>): boolean => Object.keys(toAuditFilter(view)).length > 0

/** Whether the last day is before the first, so that nothing can match. */
export const isRangeEmpty = ({ from, to }: Pick<AuditView, 'from' | 'to'>): boolean =>
  from !== null && to !== null && to < from

/** Builds the address of the CSV file with everything that the filter finds. */
export function buildCsvPath(projectId: string | null, filter: AuditFilter): string {
  const path =
    projectId === null
      ? listAuditLog.url
      : listProjectAuditLog.url.replace(':project_id', encodeURIComponent(projectId))
  return `${path}?${new URLSearchParams({ format: 'csv', ...withoutUndefined(filter) }).toString()}`
}

/** Returns when a day begins where the reader is. The day after the last one begins 23 to 25 hours later. */
function toTime(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(0)
  start.setFullYear(year, month - 1, date + daysLater)
  start.setHours(0, 0, 0, 0)
  return start.toISOString()
}

const withoutUndefined = (filter: AuditFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
