import type { TestCaseRow } from '@caseward/client/endpoints'
import { useCallback, useEffect, useRef, useState } from 'react'

import type { Selection } from '../../ui/table/selection.ts'
import { findDropPlace, noFilter } from './case-view.ts'
import type * as dragCases from './drag-cases.ts'
import { searchCases } from './search-cases.ts'
import type { CaseActions } from './use-case-actions.ts'
import type { CaseList } from './use-case-list.ts'

interface CaseDragInput {
  readonly list: CaseList
  readonly selection: Selection
  readonly actions: CaseActions
  /** Whether the table is in the order of the folders, the only one that can be changed by hand. */
  readonly isInTreeOrder: boolean
}

/**
 * Makes the rows of the table draggable. The code for that is not part of the first load.
 * @returns what the table calls with each row that comes into sight
 */
export function useCaseDrag(
  input: CaseDragInput,
): (row: TestCaseRow, element: HTMLElement) => (() => void) | undefined {
  const current = useRef(input)
  useEffect(() => {
    current.current = input
  })
  const [drag, setDrag] = useState<typeof dragCases | null>(null)
  useEffect(() => {
    // Without it, test cases can still be moved with the key M.
    import('./drag-cases.ts').then(setDrag, () => {})
  }, [])
  return useCallback(
    (row: TestCaseRow, element: HTMLElement) => {
      return drag?.makeCaseDraggable(element, {
        id: row.id,
        getIds() {
          const { list, selection } = current.current
          if (!selection.has(row.id)) return [row.id]
          // In the order in which they are shown.
          return list.rows.filter(({ id }) => selection.has(id)).map(({ id }) => id)
        },
        canReorder: () => current.current.isInTreeOrder,
        onDrop(ids, edge) {
          const { list, actions } = current.current
          const ordered = searchCases(list.all, list.folders, everything)
          const place = findDropPlace(ordered, row, edge, new Set(ids))
          const folder = list.folders.find(({ id }) => id === place.folder_id)
          void actions.move(ids, place, folder?.name ?? 'no folder')
        },
      })
    },
    [drag],
  )
}

const everything = { folder: null, ...noFilter, sort: 'tree', by: '', desc: false } as const
