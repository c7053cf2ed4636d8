import type { ResultRow } from '@caseward/client/endpoints'
import { getEntryId, type OutboxEntry } from './outbox-entry.ts'

/** The first line of a note as the server makes it: up to 200 characters. */
export function getNoteLine(note: string | null): string | null {
  const line = (note ?? '').split(/\r?\n/, 1)[0]?.slice(0, 200).trim() ?? ''
  return line === '' ? null : line
}

/**
 * Shows unsent writes in the rows of a run. A write that conflicts with a newer result is not shown here: its row has the
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
    return entry === undefined || entry.problem?.kind === 'newer-result' ? row : applyEntry(row, entry)
  })
}

/** Gives a row the values of a write. */
export function applyEntry(
  row: ResultRow,
  { status, note, elapsed }: Pick<OutboxEntry, 'status' | 'note' | 'elapsed'>,
) {
  return {
    ...row,
    status,
    note_line: note === undefined ? row.note_line : getNoteLine(note),
    elapsed: elapsed === undefined ? row.elapsed : elapsed,
  }
}
