import type { ResultRow, ResultStatus } from '@caseward/client/endpoints'

import type { ResultWrite } from './outbox-entry.ts'

/** The first line of a note as the server makes it: up to 200 characters. */
export function getNoteLine(note: string | null): string | null {
  const line = (note ?? '').split(/\r?\n/, 1)[0]?.slice(0, 200).trim() ?? ''
  return line === '' ? null : line
}

type AppliedEntry = Pick<
  ResultWrite,
  'status' | 'note' | 'elapsed' | 'stepState' | 'combinations' | 'resultStatus' | 'keepsStatus'
>

/** The status of a combination as rows contain it. */
const toLetter = (status: ResultStatus): string => status.slice(0, 1)

/** Gives a row the values of a write. */
export function applyEntry(row: ResultRow, entry: AppliedEntry): ResultRow {
  const { status, note, elapsed, stepState, combinations, resultStatus, keepsStatus } = entry
  const all = row.combination_statuses
  if (resultStatus !== undefined) {
    return {
      ...row,
      status: resultStatus,
      combination_statuses: combinations?.slice(0, all?.length).map(toLetter).join('') ?? '',
    }
  }
  return {
    ...row,
    ...(keepsStatus === true
      ? {}
      : { status, ...(all === undefined ? {} : { combination_statuses: toLetter(status).repeat(all.length) }) }),
    note_line: note === undefined ? row.note_line : getNoteLine(note),
    elapsed: elapsed === undefined ? row.elapsed : elapsed,
    step_state: stepState === undefined ? row.step_state : stepState,
  }
}
