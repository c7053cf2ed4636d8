import { RESULT_STATUSES, type ResultStatus, type StatusCounts } from '@caseward/client/endpoints'

import { getEntryId, type OutboxEntry } from '../../outbox/outbox-entry.ts'

interface StatusRow {
  readonly id: string
  readonly status: ResultStatus
}

/** Counts rows by status. */
export function countStatuses(rows: readonly StatusRow[]): StatusCounts {
  const counts: StatusCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  for (const { status } of rows) counts[status] += 1
  return counts
}

/**
 * Returns the counts of a run as the user sees them, with unsent writes.
 *
 * With all rows, they are counted: the server's counts may or may not contain a write whose response is under way. Before
 * that, the server's counts move by the unsent writes whose rows are known, and never below 0.
 * @param stats the counts of the server
 * @param rows the rows of the server, without unsent writes
 * @param isComplete whether these are all rows of the run
 */
export function mergeStatusCounts(
  stats: StatusCounts,
  runId: string,
  rows: readonly StatusRow[],
  isComplete: boolean,
  entries: ReadonlyMap<string, OutboxEntry>,
): StatusCounts {
  const getStatus = (row: StatusRow) => {
    const entry = entries.get(getEntryId({ runId, resultId: row.id }))
    return entry === undefined || entry.problem?.kind === 'newer-result' ? row.status : entry.status
  }
  if (isComplete) return countStatuses(rows.map((row) => ({ id: row.id, status: getStatus(row) })))
  const counts = { ...stats }
  for (const row of rows) {
    const status = getStatus(row)
    counts[row.status] -= 1
    counts[status] += 1
  }
  for (const status of RESULT_STATUSES) counts[status] = Math.max(0, counts[status])
  return counts
}

/** Number of results that have a status other than not tested. */
export const countTested = ({ passed, failed, blocked, retest }: StatusCounts): number =>
  passed + failed + blocked + retest
