import type { CombinationRow, ResultRow, ResultStatus } from '@caseward/client/endpoints'

import type { Outbox } from '../../outbox/outbox.ts'
import { getEntryId, type ResultWrite } from '../../outbox/outbox-entry.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { statusNames } from '../../ui/status/statuses.ts'
import { undoStack } from '../../undo/use-undo.ts'
import type { ExecutionTimer } from './execution-timer.ts'
import { BULK_NOTE, type Notes } from './notes.ts'

export interface SetResultContext {
  readonly runId: string
  readonly outbox: Outbox
  readonly notes: Notes
  readonly timer: ExecutionTimer | null
  /** Returns the saved note; undefined if it is unknown. */
  readonly getNote: (row: ResultRow) => string | null | undefined
  /** Returns the `tested_at` of the version that the user has seen. */
  readonly getBase: (row: ResultRow) => string | null
  /** Returns the version of the test case that the user reads; undefined if it is not shown or was never changed. */
  readonly getCaseVersion: (row: ResultRow) => number | undefined
  /** Returns what the result is tested with; undefined for nothing. */
  readonly getCombinations: (row: ResultRow) => CombinationRow | undefined
  readonly open: (id: string) => void
}

/** Sets one result, with what is typed and measured. It is stored before this returns, and can be undone. */
export function setResult(context: SetResultContext, row: ResultRow, status: ResultStatus): void {
  setOne(context, row, status, status === 'not_tested' ? null : (context.timer?.stop() ?? undefined))
}

/** Saves the note that is typed for a result. Its status and duration stay. */
export function saveNote(context: SetResultContext, row: ResultRow): void {
  if (context.notes.read(row.id) === null) return
  setOne(context, row, row.status, undefined, row.combination_statuses !== undefined)
}

function setOne(
  context: SetResultContext,
  row: ResultRow,
  status: ResultStatus,
  elapsed: Values['elapsed'],
  keepsStatus = false,
): void {
  const { notes, open } = context
  const typed = notes.read(row.id)
  write(context, [row], { status, elapsed, note: typed, keepsStatus }, () => {
    if (typed !== null) notes.type(row.id, typed, '')
    open(row.id)
  })
  notes.forget(row.id)
}

/** Sets the selected results, with one note. */
export function setResults(context: SetResultContext, rows: readonly ResultRow[], status: ResultStatus): void {
  const { notes } = context
  const typed = notes.read(BULK_NOTE)
  write(context, rows, { status, elapsed: undefined, note: typed }, () => {
    if (typed !== null) notes.type(BULK_NOTE, typed, '')
  })
  notes.forget(BULK_NOTE)
}

interface Values {
  readonly status: ResultStatus
  readonly elapsed: number | null | undefined
  /** Null keeps the note. */
  readonly note: string | null
  /** Whether results with combinations keep the statuses of these. */
  readonly keepsStatus?: boolean
}

function write(
  { runId, outbox, getNote, getBase, getCaseVersion, getCombinations }: SetResultContext,
  rows: readonly ResultRow[],
  { status, elapsed, note, keepsStatus = false }: Values,
  onUndo: () => void,
): void {
  const toWrite = (row: ResultRow, values: Pick<ResultWrite, 'status' | 'note' | 'elapsed'>): ResultWrite => ({
    runId,
    resultId: row.id,
    testCaseId: row.test_case_id,
    title: row.test_case_title,
    base: getBase(row),
    keepsStatus,
    ...values,
  })
  const inverse = rows.map((row) =>
    toWrite(row, {
      status: row.status,
      note: note === null ? undefined : getNote(row),
      elapsed: elapsed === undefined ? undefined : row.elapsed,
    }),
  )
  // With the status of a result, its combinations get it, too: each gets back its own.
  const restored = rows.flatMap((row) => {
    const { places, statuses } = getCombinations(row) ?? { places: [], statuses: [] }
    return places.map((place, index) => ({
      ...toWrite(row, { status: statuses[index] ?? 'not_tested', note: undefined, elapsed: undefined }),
      place,
      combinations: statuses,
      resultStatus: row.status,
    }))
  })
  const stored = note === null ? undefined : note.trim() === '' ? null : note
  outbox.write(
    ...rows.map((row) => ({ ...toWrite(row, { status, note: stored, elapsed }), caseVersion: getCaseVersion(row) })),
  )
  const undoId = undoStack.push({
    words: describe(rows, status),
    undo: () => {
      outbox.write(...inverse, ...(keepsStatus ? [] : restored))
      onUndo()
    },
  })
  removeUndoIfRefused(outbox, inverse.map(getEntryId), undoId)
}

/** Forgets how to undo writes once all of them are refused. */
export function removeUndoIfRefused(outbox: Outbox, entryIds: readonly string[], undoId: number): void {
  const stop = outbox.subscribe(() => {
    const { entries } = outbox.getSnapshot()
    const remaining = entryIds.map((id) => entries.get(id))
    const isRefused = remaining.every((entry) => entry !== undefined && entry.problem !== null)
    // There is nothing to undo, and the page says so beside the result.
    if (isRefused) undoStack.remove(undoId)
    if (isRefused || remaining.every((entry) => entry === undefined)) stop()
  })
}

function describe(rows: readonly ResultRow[], status: ResultStatus): string {
  const [first] = rows
  if (rows.length === 1 && first !== undefined) {
    if (first.status === status) return `${first.test_case_id ?? first.test_case_title}: saved`
    return `${first.test_case_id ?? first.test_case_title}: ${statusNames[status].toLowerCase()}`
  }
  return `${formatNumberOf(rows.length, 'result')}: ${statusNames[status].toLowerCase()}`
}
