import type { ResultRow, Run } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { queryKeys } from '../../query-keys.ts'
import { chooseNote, loadNotes } from '../transfer/load-results.ts'
import { MAX_PRINTED_ROWS, selectProblems } from './run-problems.ts'
import { combinationRowsQuery } from './use-run-data.ts'

/** Longer than this, nobody waits for the dialog of the printer. */
const TIMEOUT_MS = 10_000

/** Reads the whole notes of what a run prints: its rows have the first lines only. */
export async function loadPrintedNotes(
  queryClient: QueryClient,
  runId: string,
  rows: readonly ResultRow[],
): Promise<void> {
  const printed = selectProblems(rows).slice(0, MAX_PRINTED_ROWS)
  const progress = { onProgress: () => {}, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const run = queryClient.getQueryData<Run>(queryKeys.run(runId))
  // Without them, only the statuses of the rows are printed.
  if (run?.configurations !== undefined) await queryClient.prefetchQuery(combinationRowsQuery(runId))
  const notes = await loadNotes(runId, printed, rows.length, progress)
  const whole = new Map(printed.map((row) => [row.id, chooseNote(row, notes.get(row.id) ?? null)]))
  queryClient.setQueryData<ReadonlyMap<string, string>>(queryKeys.printedNotes(runId), whole)
}
