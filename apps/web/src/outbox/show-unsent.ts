import type { CombinationRow, ResultRow } from '@caseward/client/endpoints'

import { groupBy } from '../row-index/group-by.ts'
import { applyEntry, getNoteLine } from './apply-entry.ts'
import type { NewerResult, OutboxEntry } from './outbox-entry.ts'

/**
 * Shows unsent writes in the rows of a run. A write that conflicts with a newer result is not shown here: its row shows the
 * newer result, and the page shows both.
 * @returns the same list if none of the rows is concerned; unchanged rows are the same objects
 */
export function showUnsent(
  rows: readonly ResultRow[],
  runId: string,
  entries: ReadonlyMap<string, OutboxEntry>,
): readonly ResultRow[] {
  const own = groupByResult(runId, entries)
  if (own.size === 0) return rows
  return rows.map((row) => own.get(row.id)?.reduce(showEntry, row) ?? row)
}

/** The unsent writes to each result of a run, in the order in which they are sent. */
export const groupByResult = (runId: string, entries: ReadonlyMap<string, OutboxEntry>): Map<string, OutboxEntry[]> =>
  groupBy(
    [...entries.values()].filter((entry) => entry.runId === runId),
    ({ resultId }) => resultId,
  )

function showEntry(row: ResultRow, entry: OutboxEntry): ResultRow {
  if (entry.problem?.kind !== 'newer-result') return applyEntry(row, entry)
  return entry.place === undefined ? showNewer(row, entry.problem.newer) : row
}

/** The row may not have the newer result yet, without live updates. */
function showNewer(row: ResultRow, newer: NewerResult | null): ResultRow {
  if (
    newer === null ||
    newer.tested_at === null ||
    Date.parse(newer.tested_at) <= Date.parse(row.tested_at ?? '1970-01-01')
  )
    return row
  const { note, ...values } = newer
  return { ...row, ...values, note_line: getNoteLine(note) }
}

/**
 * Shows unsent writes in the combinations of a run, as `showUnsent` does in its results.
 * @returns the same list if none is concerned; unchanged rows are the same objects
 */
export function showUnsentCombinations(
  rows: readonly CombinationRow[],
  runId: string,
  entries: ReadonlyMap<string, OutboxEntry>,
): readonly CombinationRow[] {
  const own = groupByResult(runId, entries)
  if (own.size === 0) return rows
  return rows.map(
    (row) =>
      own
        .get(row.id)
        ?.filter(({ problem }) => problem?.kind !== 'newer-result')
        .reduce(applyToCombinations, row) ?? row,
  )
}

/** Gives one combination of a row, or all, the status of a write. */
export function applyToCombinations(
  row: CombinationRow,
  { place, status, keepsStatus }: Pick<OutboxEntry, 'place' | 'status' | 'keepsStatus'>,
): CombinationRow {
  if (keepsStatus === true) return row
  const statuses = row.statuses.map((before, index) =>
    place === undefined || row.places[index] === place ? status : before,
  )
  return { ...row, statuses }
}
