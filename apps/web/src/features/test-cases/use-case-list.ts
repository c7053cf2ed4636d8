import type { Field, Folder, TestCaseRow } from '@caseward/client/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

import { queries } from '../../api.ts'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { getFilteredKeys, toFilterQuery } from '../fields/field-filter.ts'
import { useCaseRows } from '../fields/use-case-rows.ts'
import type { ProjectFields } from '../fields/use-fields.ts'
import { hasFilter, withoutDeleted } from './case-view.ts'
import { countByFolder, type FolderCount } from './group-by-folder.ts'
import { type CaseFacets, type CaseView, countFacets, prepareSearch, searchCases } from './search-cases.ts'

/** The test cases of a project, as the page shows them. */
export interface CaseList {
  /** All that have arrived. */
  readonly all: readonly TestCaseRow[]
  readonly folders: readonly Folder[]
  /** What the filters show, in their order. */
  readonly rows: readonly TestCaseRow[]
  /** Number of rows on the server that the filters show; more than `rows` while they arrive. */
  readonly total: number
  /** Number of test cases of the project. */
  readonly allTotal: number
  readonly counts: ReadonlyMap<string | null, FolderCount>
  readonly facets: CaseFacets
  /** The custom fields of the project. */
  readonly fields: ProjectFields
  /** Those that have a column, in their order. */
  readonly shownFields: readonly Field[]
  /** Whether nothing has arrived. */
  readonly isLoading: boolean
  /** From 0 to 1; null once everything has arrived. */
  readonly progress: number | null
  readonly error: unknown
  readonly retry: () => void
}

/** Reads, filters and counts the test cases of a project. Until all have arrived, the server searches. */
export function useCaseList(projectId: string, view: CaseView): CaseList {
  const { index, isComplete, fields, shownFields } = useCaseRows(projectId, view)
  const folderList = useQuery(queries.folders(projectId))
  const hiddenIds = useHiddenIds()
  const isServerSearching = !isComplete && hasFilter(view)
  const found = useQuery({
    ...queries.searchedCases(projectId, toFilter(view, fields)),
    enabled: isServerSearching,
    placeholderData: keepPreviousData,
  })

  const loaded = index.data?.rows
  const { rows: all, folders } = useMemo(
    () => withoutDeleted(loaded ?? noRows, folderList.data ?? noFolders, hiddenIds),
    [loaded, folderList.data, hiddenIds],
  )
  useEffect(() => {
    if (!isComplete) return undefined
    // Otherwise the first key would take longer than the others.
    const timer = setTimeout(() => prepareSearch(all), 200)
    return () => clearTimeout(timer)
  }, [isComplete, all])
  const searched = isServerSearching ? found.data?.rows : undefined
  const source = useMemo(
    () => (searched === undefined ? all : withoutDeleted(searched, folderList.data ?? noFolders, hiddenIds).rows),
    [all, searched, folderList.data, hiddenIds],
  )
  const rows = useMemo(() => searchCases(source, folders, view, fields.byKey), [source, folders, view, fields])
  const counts = useMemo(
    () => (isComplete ? countByFolder(all, folders) : countFolders(folders)),
    [isComplete, all, folders],
  )
  const facets = useMemo(() => countFacets(all), [all])
  const isWholeList = !hasFilter(view) && view.folder === null
  const allTotal = Math.max(all.length, isComplete ? 0 : (index.data?.total ?? 0))
  return {
    all,
    folders,
    rows,
    total: isWholeList ? Math.max(rows.length, allTotal) : rows.length,
    allTotal,
    counts,
    facets,
    isLoading: index.data === undefined || folderList.data === undefined,
    fields,
    shownFields,
    progress:
      index.data === undefined || index.data.isComplete ? null : index.data.rows.length / Math.max(index.data.total, 1),
    error: index.error ?? folderList.error,
    retry: () => {
      void index.refetch()
      void folderList.refetch()
    },
  }
}

const noRows: readonly TestCaseRow[] = []
const noFolders: readonly Folder[] = []

const toFilter = ({ q, priority, type, tag, owner, field }: CaseView, { byKey }: ProjectFields) => ({
  ...toFilterQuery(field.filter((text) => getFilteredKeys([text]).some((key) => byKey.has(key)))),
  ...(q.trim() === '' ? {} : { search: q.trim() }),
  priority,
  type,
  tag,
  owner_id: owner,
})

/** The counts of the server, which has them by folder without its subfolders. */
function countFolders(folders: readonly Folder[]): ReadonlyMap<string | null, FolderCount> {
  const counts = new Map<string | null, { own: number; total: number }>()
  // Subfolders are behind their parents.
  for (const { id, parent_id, test_case_count } of folders.toReversed()) {
    const total = test_case_count + (counts.get(id)?.total ?? 0)
    counts.set(id, { own: test_case_count, total })
    if (parent_id !== null) counts.set(parent_id, { own: 0, total: (counts.get(parent_id)?.total ?? 0) + total })
  }
  return counts
}
