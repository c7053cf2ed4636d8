import type { ResultRow } from '@caseward/client/endpoints'
import { useEffect, useMemo, useState } from 'react'

import type { Search } from '../../search-params.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { useSearch } from '../../use-search.ts'
import { collectTags, createResultFilter, resolveAssignee } from '../runs/search-results.ts'
import { type RunData, useCombinationRows } from '../runs/use-run-data.ts'
import { findNextUntested } from './next-untested.ts'
import { createPlaceKeeper } from './place-keeper.ts'

export type ExecutionView = Omit<Search<(typeof searchSchemas)['execution']>, 'result' | 'combination'>

/** The rows that the URL's filter shows, and the open one. Without one, the first that is not tested is opened. */
export function useExecutionList(data: RunData) {
  const { rows, folders, isComplete, myId } = data
  const [search, change] = useSearch(searchSchemas.execution)
  const { result, combination, ...view } = search
  const combinations = useCombinationRows(data, true)
  const viewKey = JSON.stringify({ ...view, assigned: resolveAssignee(view.assigned, myId) })
  const [places] = useState(() => createPlaceKeeper<ResultRow>())
  const matches = useMemo(() => {
    return createResultFilter(folders, JSON.parse(viewKey) as ExecutionView, combinations.byResult)
  }, [folders, viewKey, combinations.byResult])
  const shown = useMemo(() => places.filter(viewKey, rows, matches), [places, viewKey, rows, matches])

  const requested = result === null ? undefined : rows.find(({ id }) => id === result)
  const isMissing = result === null || (isComplete && requested === undefined)
  const first = isMissing ? (findNextUntested(shown, null) ?? shown[0]) : undefined
  const firstId = first?.id
  useEffect(() => {
    // Not within the effect, where React cannot render at once.
    if (firstId !== undefined) queueMicrotask(() => change({ result: firstId }, 'replace'))
  }, [firstId, change])

  const tags = useMemo(() => collectTags(rows), [rows])

  return {
    view,
    /** All that test cases of the run have. */
    tags,
    changeView: (changes: Partial<ExecutionView>) => change(changes, 'replace'),
    shown,
    /** What the results are tested with. */
    combinations,
    /** The place of the combination that the URL names. */
    place: combination === null ? null : Number(combination),
    current: requested ?? first ?? null,
    /** Whether Back should return to the row before. */
    open: (id: string, isStep = false) => change({ result: id, combination: null }, isStep ? 'push' : 'replace'),
  }
}
