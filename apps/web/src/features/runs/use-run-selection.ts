import { useCallback, useMemo, useRef, useState } from 'react'

import type { Selection } from '../../ui/table/selection.ts'
import { useKeys } from '../../use-keys.ts'
import { returnFocusToRow } from '../test-cases/focus-row.ts'
import type { RunRow } from './run-rows.ts'
import { addFolderHeads, replaceFolderHeads } from './run-selection.ts'
import type { RunData } from './use-run-data.ts'
import type { RunView } from './use-run-view.ts'

const none: Selection = new Set<string>()

/** The selected results of a run, and the dialog that assigns them. */
export function useRunSelection({ rows, run, may }: RunData, { tableRows, opened }: RunView) {
  const [ids, setIds] = useState(none)
  const [isAssigning, setIsAssigning] = useState(false)
  const active = useRef<RunRow | null>(null)
  const [targetIds, setTargetIds] = useState(none)
  const canAssign = may('runs:execute') && run.data?.status === 'in_progress'
  // Results may have been removed from the run.
  const selected = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [ids, rows])
  const targets = useMemo(() => rows.filter(({ id }) => targetIds.has(id)), [targetIds, rows])
  const selection = useMemo(() => addFolderHeads(ids, tableRows), [ids, tableRows])
  const select = useCallback(
    (next: Selection) => setIds(replaceFolderHeads(selection, next, tableRows)),
    [selection, tableRows],
  )
  const activate = useCallback((row: RunRow) => {
    active.current = row
  }, [])

  function assign(resultIds: Iterable<string>): void {
    const wanted = new Set(resultIds)
    if (wanted.size === 0) return
    setTargetIds(wanted)
    setIsAssigning(true)
  }
  /** What the key acts on: the selected results, or the current row. */
  function listTargets(): readonly string[] {
    if (selected.length > 0) return selected.map(({ id }) => id)
    const row = active.current
    if (row === null) return opened === undefined ? [] : [opened.id]
    return row.kind === 'folder' ? row.resultIds : [row.id]
  }
  useKeys(canAssign ? { assign: () => assign(listTargets()) } : {})
  return {
    canAssign,
    selected,
    /** For the table: with the heads of folders. */
    selection,
    select,
    activate,
    clear: () => setIds(none),
    isAssigning,
    /** The results that the dialog assigns. */
    targets,
    assign,
    closeDialog(isDone: boolean): void {
      setIsAssigning(false)
      if (isDone) setIds(none)
      returnFocusToRow()
    },
  }
}

export type RunSelection = ReturnType<typeof useRunSelection>
