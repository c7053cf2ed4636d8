import type { ResultRow } from '@caseward/client/endpoints'
import { getEntryId, type NewerResult, type OutboxEntry } from './outbox-entry.ts'

/** The first line of a note as the server makes it: up to 200 characters. */
export function getNoteLine(note: string | null): string | null {
  const line = (note ?? '').split(/\r?\n/, 1)[0]?.slice(0, 200).trim() ?? ''
  return line === '' ? null : line
}

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
  if (![...entries.values()].some((entry) => entry.runId === runId)) return rows
  return rows.map((row) => {
    const entry = entries.get(getEntryId({ runId, resultId: row.id }))
    if (entry === undefined) return row
    return entry.problem?.kind === 'newer-result' ? showNewer(row, entry.problem.newer) : applyEntry(row, entry)
  })
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

/** Gives a row the values of a write. */
export function applyEntry(
  row: ResultRow,
  { status, note, elapsed, stepState }: Pick<OutboxEntry, 'status' | 'note' | 'elapsed' | 'stepState'>,
) {
  return {
    ...row,
    status,
    note_line: note === undefined ? row.note_line : getNoteLine(note),
    elapsed: elapsed === undefined ? row.elapsed : elapsed,
    step_state: stepState === undefined ? row.step_state : stepState,
  }
}
