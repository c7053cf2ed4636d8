import type { ResultRow, ResultStatus } from '@caseward/client/endpoints'
import { useCallback, useEffect, useRef, useState } from 'react'

import { useRecentResults } from '../../history/use-recent-results.ts'
import { getEntryId } from '../../outbox/outbox-entry.ts'
import { UNDO_MS } from '../../undo/undo-stack.ts'
import { preferences } from '../../use-preferences.ts'
import { chooseShownCase } from '../runs/shown-case.ts'
import { useRunData } from '../runs/use-run-data.ts'
import { findNextFailed, findNextUntested } from './next-untested.ts'
import { createSeenResults } from './seen-results.ts'
import { saveNote, setResult, setResults } from './set-result.ts'
import { useExecutionList } from './use-execution-list.ts'
import { useExecutionTimer } from './use-execution-timer.ts'
import { useNotes } from './use-note.ts'
import { useOpenCombination } from './use-open-combination.ts'
import { useOpenSteps } from './use-open-steps.ts'
import { useResultDetails } from './use-result-details.ts'
import { useResultSelection } from './use-result-selection.ts'

/** Sets one combination of the open result. Returns whether the result as a whole is to be set instead. */
export type SetCombination = (status: ResultStatus, stays: boolean) => boolean

/** Everything that the execution page shows and does. */
export function useExecution(runId: string) {
  const data = useRunData(runId)
  const { shown, current, open, view, changeView, tags, combinations, place } = useExecutionList(data)
  const selection = useResultSelection({ rows: data.rows, shown, currentId: current?.id ?? null, open })
  const details = useResultDetails({ runId, shown, current, selected: selection.selected, unsent: data.unsent })
  const notes = useNotes(runId)
  const setCombination = useRef<SetCombination>(null)
  const takeStatuses = useCallback((handler: SetCombination | null) => {
    setCombination.current = handler
  }, [])
  const [chosenStatus, setChosenStatus] = useState<ResultStatus | null>(null)
  const [chosenPlace, setChosenPlace] = useState<number | null>(null)
  const [noteFocus, setNoteFocus] = useState(0)
  const [isNoteOpen, setIsNoteOpen] = useState(false)
  const status = data.run.data?.status
  const mayExecute = data.may('runs:execute')
  const canExecute = mayExecute && status === 'in_progress'
  const timer = useExecutionTimer(runId, canExecute ? (current?.id ?? null) : null)
  const history = useCurrentHistory(data.projectId, runId, current?.test_case_id ?? null)

  const [seen] = useState(createSeenResults)
  // A conflict shows both results.
  const entry = current === null ? undefined : data.unsent.entries.get(getEntryId({ runId, resultId: current.id }))
  const isUndecided = entry?.problem?.newer !== undefined && entry.problem.newer !== null
  seen.watch([...(current === null || isUndecided ? [] : [current]), ...selection.selected], data.myId)
  const isChanged = current !== null && seen.getBase(current) !== current.tested_at

  const [newTextOf, setNewTextOf] = useState<string | null>(null)
  const isNewText = current !== null && newTextOf === current.id
  const detail = details.detail.data?.id === current?.id ? details.detail.data : undefined
  // What CI has tested is no text that a person began with.
  const showsNew = isNewText || (canExecute && detail?.is_pinned === false)
  const shownCase = (detail === undefined ? null : chooseShownCase(detail, showsNew)) ?? undefined

  const context = {
    runId,
    outbox: data.outbox,
    notes,
    timer,
    getNote: details.getNote,
    getCombinations: (row: ResultRow) => combinations.byResult.get(row.id),
    getBase: seen.getBase,
    getCaseVersion: (row: ResultRow) => (row.id === current?.id ? shownCase?.version : undefined),
    open,
  }
  const steps = useOpenSteps({
    context,
    current,
    detail,
    shown: shownCase,
    entry,
    canExecute,
    derivesStatus: data.project?.steps_decide === 'derive',
    myId: data.myId,
    combination: useOpenCombination(runId, current, chosenPlace, data.unsent.entries),
  })
  const justSet = useJustSet(current?.id ?? null)
  const explained = current?.status === 'not_tested' && notes.read(current.id) === null ? justSet.row : null
  function openNote(): void {
    // The reason of a failure belongs to the test case that failed, and not to the next one.
    if (explained !== null && selection.selected.length === 0) open(explained.id)
    setIsNoteOpen(true)
    setNoteFocus(noteFocus + 1)
  }
  function goToNext(skipped: ReadonlySet<string>): void {
    const next = findNextUntested(
      shown.filter(({ id }) => id === current?.id || !skipped.has(id)),
      current?.id ?? null,
    )
    if (next !== null) open(next.id)
  }
  function set(value: ResultStatus, stays: boolean): void {
    if (!canExecute) return
    setIsNoteOpen(false)
    if (selection.selected.length > 0) {
      setResults(context, selection.selected, value)
      selection.clear()
      if (!stays && value !== 'not_tested') goToNext(selection.ids)
      return
    }
    if (current === null) return
    // Until the combinations are loaded, nothing is set: a key must not set all of them.
    if (current.combination_statuses !== undefined && setCombination.current?.(value, stays) !== true) return
    const hasNote = current.note_line !== null || notes.read(current.id) !== null
    setResult(context, current, value)
    if (value === 'failed' && preferences.get().noteAfterFailed && current.status !== 'failed') return openNote()
    if (stays) return
    goToNext(new Set())
    if (!hasNote && needsReason(value)) justSet.remember(current)
  }
  function move(direction: 1 | -1): void {
    const index = shown.findIndex(({ id }) => id === current?.id)
    const next = shown[index + direction]
    if (next !== undefined) open(next.id)
  }
  return {
    runId,
    data,
    view,
    changeView,
    tags,
    shown,
    current,
    combinations,
    place,
    /** From 1; 0 if the filter does not show it. */
    position: current === null ? 0 : shown.indexOf(current) + 1,
    open,
    selection,
    details,
    /** The results of the steps of the open test case. */
    steps,
    notes,
    timer,
    history,
    mayExecute,
    canExecute,
    /** Whether another user has set the open result since it was opened. */
    isChanged,
    /** The version of the open test case that is shown; undefined if it was never changed. */
    shownVersion: shownCase?.version,
    /** Whether the text of today is shown although another one was tested. */
    isNewText: showsNew,
    toggleNewText: () => setNewTextOf(isNewText ? null : (current?.id ?? null)),
    isRunCompleted: status === 'completed',
    noteFocus,
    isNoteOpen,
    openNote,
    /** The result that was just set without a reason: `openNote` writes its note, unless the open one is begun. */
    explained,
    /** How the part with the combinations of the open result takes a status. */
    takeStatuses,
    /** The status of the combination that is chosen; null for the result as a whole. */
    chosenStatus,
    setChosenStatus,
    /** The place of the combination that is chosen; null for the result as a whole. */
    chosenPlace,
    setChosenPlace,
    goToNext: () => goToNext(new Set()),
    closeNote: () => setIsNoteOpen(false),
    set,
    /** Saves the note with the present status, and goes on. */
    saveNote() {
      if (selection.selected.length > 0 || current === null || !canExecute) return
      saveNote(context, current)
      setIsNoteOpen(false)
      goToNext(new Set())
    },
    move,
    goToNextFailed() {
      const next = findNextFailed(shown, current?.id ?? null)
      if (next !== null) open(next.id)
    },
  }
}

/** Their readers ask why. */
const needsReason = (status: ResultStatus) => status === 'failed' || status === 'blocked' || status === 'retest'

/** Remembers the result that was set last, while the next one is open, for as long as it can be undone. */
function useJustSet(currentId: string | null) {
  const [last, setLast] = useState<{ row: ResultRow; nextId: string | null } | null>(null)
  // The next one is opened after the result was set.
  if (last !== null && last.nextId === null && currentId !== last.row.id) setLast({ ...last, nextId: currentId })
  if (last !== null && last.nextId !== null && currentId !== last.nextId) setLast(null)
  useEffect(() => {
    if (last === null) return
    const timer = setTimeout(() => setLast(null), UNDO_MS)
    return () => clearTimeout(timer)
  }, [last])
  return { row: last?.row ?? null, remember: (row: ResultRow) => setLast({ row, nextId: null }) }
}

export type Execution = ReturnType<typeof useExecution>

const noIds: readonly string[] = []

/** The results of the open test case in runs before this one, the newest first; undefined while they load. */
function useCurrentHistory(projectId: string | undefined, runId: string, caseId: string | null) {
  const [ids, setIds] = useState(noIds)
  if (projectId !== undefined && caseId !== null && ids[0] !== caseId) setIds([caseId])
  const results = useRecentResults(projectId ?? '', ids, runId)
  return caseId === null ? [] : results.get(caseId)
}
