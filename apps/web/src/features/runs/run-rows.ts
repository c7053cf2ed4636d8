import type { Folder, ResultRow, StatusCounts } from '@caseward/client/endpoints'

import type { Sort } from '../../ui/table/columns.ts'
import { sortRows, type SortValue } from '../../ui/table/sort-rows.ts'
import { groupByFolder } from '../test-cases/group-by-folder.ts'
import { countStatuses } from './count-statuses.ts'

/** A row of a run's table: the head of a folder, or a result. */
export type RunRow =
  | {
      readonly kind: 'folder'
      readonly id: string
      /** Names from the top level; empty for results without a folder. */
      readonly path: readonly string[]
      readonly counts: StatusCounts
      readonly count: number
      readonly resultIds: readonly string[]
      readonly isOpen: boolean
    }
  | { readonly kind: 'result'; readonly id: string; readonly row: ResultRow }

const NO_FOLDER_ID = 'folder:none'

/**
 * Groups results by folder.
 * @param closedIds folders whose results are hidden: ids of the folders' rows
 */
export function buildRunRows(
  rows: readonly ResultRow[],
  folders: readonly Folder[],
  closedIds: ReadonlySet<string>,
): readonly RunRow[] {
  const groups = groupByFolder(rows, folders)
  const [first] = groups
  // A project without folders needs no heads.
  if (groups.length === 1 && first?.folder === null) return first.rows.map(toResult)
  return groups.flatMap(({ folder, path, rows: own }): RunRow[] => {
    const id = folder === null ? NO_FOLDER_ID : `folder:${folder.id}`
    const isOpen = !closedIds.has(id)
    const resultIds = own.map((row) => row.id)
    const head: RunRow = { kind: 'folder', id, path, counts: countStatuses(own), count: own.length, resultIds, isOpen }
    return isOpen ? [head, ...own.map(toResult)] : [head]
  })
}

const toResult = (row: ResultRow): RunRow => ({ kind: 'result', id: row.id, row })

/** Sorts results by a column, without the heads of their folders. */
export function sortRunRows(
  rows: readonly ResultRow[],
  { column, direction }: Sort,
  getPerson: (id: string | null) => string,
): readonly RunRow[] {
  const getValue = (row: ResultRow): SortValue => {
    if (column === 'id') return row.test_case_id
    if (column === 'elapsed') return row.elapsed
    if (column === 'at') return row.tested_at === null ? null : Date.parse(row.tested_at)
    if (column === 'person') return row.tested_at === null ? null : getPerson(row.tested_by)
    return row.test_case_title
  }
  return sortRows(rows, direction, getValue).map(toResult)
}
