import type { ResultRow } from '@caseward/client/endpoints'
import { useCallback, useMemo, useState } from 'react'

import { type Selection, setRange, toggle } from '../../ui/table/selection.ts'

interface SelectionOptions {
  readonly rows: readonly ResultRow[]
  readonly shown: readonly ResultRow[]
  readonly currentId: string | null
  readonly open: (id: string) => void
}

const none: Selection = new Set<string>()

/** The results that are set together. */
export function useResultSelection({ rows, shown, currentId, open }: SelectionOptions) {
  const [ids, setIds] = useState(none)
  // Results may have been removed from the run.
  const selected = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [ids, rows])
  const shownIds = useMemo(() => shown.map(({ id }) => id), [shown])
  const clear = useCallback(() => setIds(none), [])

  function selectTo(id: string): void {
    const from = currentId === null ? -1 : shownIds.indexOf(currentId)
    const to = shownIds.indexOf(id)
    setIds(setRange(ids, shownIds, [Math.max(from, 0), to], true))
    open(id)
  }
  return {
    ids,
    selected,
    clear,
    toggle: (id: string) => setIds(toggle(ids, id)),
    selectAll: () => setIds(new Set(shownIds)),
    selectTo,
    /** Selects the open row and the next or previous one, which is opened. */
    extend(direction: 1 | -1) {
      const next = shownIds[(currentId === null ? -1 : shownIds.indexOf(currentId)) + direction]
      if (next !== undefined) selectTo(next)
    },
  }
}
