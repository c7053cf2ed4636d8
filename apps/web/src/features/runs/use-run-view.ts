import type { ResultStatus } from '@caseward/client/endpoints'
import { useMemo, useState } from 'react'

import { useRecentResults } from '../../history/use-recent-results.ts'
import { RESULT_SORTS, searchSchemas } from '../../search-schemas.ts'
import { fromSort, type Sort, toSort } from '../../ui/table/columns.ts'
import { type Selection, toggle } from '../../ui/table/selection.ts'
import { useSearch } from '../../use-search.ts'
import { countStatuses } from './count-statuses.ts'
import { buildRunRows, sortRunRows } from './run-rows.ts'
import {
  asksForCombinations,
  collectTags,
  createResultFilter,
  isNewFailure,
  noResultFilter,
  resolveAssignee,
} from './search-results.ts'
import { type RunData, useCombinationRows } from './use-run-data.ts'

/** The histories of more failures are not loaded: 200 come with a request. */
const MAX_FAILURES = 4000
const none: Selection = new Set<string>()

/** What the URL selects of a run's results. */
export function useRunView(data: RunData, runId: string) {
  const { rows, folders, counts, projectId, isComplete, myId } = data
  const [search, change] = useSearch(searchSchemas.run)
  const [closedIds, setClosedIds] = useState(none)
  const [visibleIds, setVisibleIds] = useState<readonly string[]>([])
  const { status, q, folder, priority, tag, assigned: requestedAssignee, new: onlyNew, sort, desc } = search
  const { configuration, combination_status, lacks } = search
  const combinations = useCombinationRows(
    data,
    search.matrix || requestedAssignee !== null || asksForCombinations(search),
  )
  const assigned = resolveAssignee(requestedAssignee, myId)

  const failures = useMemo(() => rows.filter((row) => row.status === 'failed'), [rows])
  const areFailuresFew = failures.length <= MAX_FAILURES
  const wantedIds = useMemo(() => {
    const failedIds = areFailuresFew ? failures.flatMap(({ test_case_id }) => test_case_id ?? []) : []
    return [...new Set([...visibleIds, ...failedIds])]
  }, [failures, areFailuresFew, visibleIds])
  const histories = useRecentResults(projectId ?? '', wantedIds, runId)

  const matchesRest = useMemo(
    () =>
      createResultFilter(
        folders,
        { status: [], q, folder, priority, tag, assigned, configuration, combination_status, lacks },
        combinations.byResult,
      ),
    [folders, q, folder, priority, tag, assigned, configuration, combination_status, lacks, combinations.byResult],
  )
  const inRest = useMemo(() => rows.filter(matchesRest), [rows, matchesRest])
  const isNew = useMemo(
    () =>
      new Set(failures.filter((row) => isNewFailure(row, histories.get(row.test_case_id ?? ''))).map(({ id }) => id)),
    [failures, histories],
  )
  const areNewKnown =
    isComplete &&
    areFailuresFew &&
    failures.every(({ test_case_id }) => test_case_id === null || histories.has(test_case_id))
  const shown = useMemo(() => {
    const statuses = new Set<ResultStatus>(status)
    return inRest.filter((row) => (onlyNew ? isNew.has(row.id) : statuses.size === 0 || statuses.has(row.status)))
  }, [inRest, status, onlyNew, isNew])
  const hasRest =
    q !== '' ||
    folder !== null ||
    priority.length > 0 ||
    tag.length > 0 ||
    assigned !== null ||
    lacks ||
    asksForCombinations(search)
  const shownCounts = useMemo(() => (hasRest ? countStatuses(inRest) : counts), [hasRest, inRest, counts])
  const order = useMemo(() => toSort({ sort, desc }, 'folder'), [sort, desc])
  const tableRows = useMemo(
    () => (order === null ? buildRunRows(shown, folders, closedIds) : sortRunRows(shown, order, data.getPerson)),
    [shown, folders, closedIds, order, data.getPerson],
  )
  const tags = useMemo(() => collectTags(rows), [rows])

  return {
    search,
    change,
    tableRows,
    /** Null for that of the folders. */
    order,
    changeOrder: (next: Sort | null) => change(fromSort(next, RESULT_SORTS), 'replace'),
    /** The results that the filters show. */
    shown,
    shownCount: shown.length,
    /** Counts of the tabs: of what the other filters leave. */
    counts: shownCounts,
    /** Null while the histories load, and if there are too many failures. */
    newFailureCount: areNewKnown ? inRest.filter(({ id }) => isNew.has(id)).length : null,
    areFailuresFew,
    histories,
    tags,
    /** What the results are tested with, if the filters or the matrix need it. */
    combinations,
    hasFilter: hasRest || status.length > 0 || onlyNew,
    clear: () => change({ ...noResultFilter, new: false }, 'replace'),
    toggleFolder: (id: string) => setClosedIds(toggle(closedIds, id)),
    setVisibleIds,
    opened: search.result === null ? undefined : rows.find(({ id }) => id === search.result),
  }
}

export type RunView = ReturnType<typeof useRunView>
