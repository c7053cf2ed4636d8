import type { Field, Folder, ResultStatus, StatusCounts } from '@caseward/client/endpoints'

import type { RecentResult, ResultRow, TestCaseRow } from '@caseward/client/endpoints'
import { NO_FOLDER } from '../../search-schemas.ts'
import { noFilter } from '../test-cases/case-view.ts'
import { searchCases } from '../test-cases/search-cases.ts'
import { countStatuses } from './count-statuses.ts'
import type { CaseFilter, NewRunChoice } from './new-run-choice.ts'

/** The order of the folder tree, which new runs have. */
const treeView = { folder: null, ...noFilter, sort: 'tree', by: '', desc: false } as const

/** Orders test cases as the run will have them. */
export const orderCases = (rows: readonly TestCaseRow[], folders: readonly Folder[]): readonly TestCaseRow[] =>
  searchCases(rows, folders, treeView)

/** Returns the test cases that a filter leaves, in the order of the tree. */
export const filterCases = (
  rows: readonly TestCaseRow[],
  folders: readonly Folder[],
  filter: CaseFilter,
  fields?: ReadonlyMap<string, Field>,
): readonly TestCaseRow[] => searchCases(rows, folders, { ...treeView, ...filter }, fields)

/**
 * Returns the test cases that are chosen, in their order.
 * @param ordered all test cases of the project
 * @param results those of the run from which test cases are taken
 * @param fields the custom fields of the project
 */
export function chooseCases(
  ordered: readonly TestCaseRow[],
  folders: readonly Folder[],
  choice: Pick<NewRunChoice, 'source' | 'folderIds' | 'filter' | 'ids' | 'statuses'>,
  results: readonly ResultRow[],
  fields?: ReadonlyMap<string, Field>,
): readonly TestCaseRow[] {
  const { source } = choice
  if (source === 'all') return ordered
  if (source === 'filter') return filterCases(ordered, folders, choice.filter, fields)
  if (source === 'folders') {
    const known = new Set(folders.map(({ id }) => id))
    const chosen = new Set(choice.folderIds)
    // A folder that was deleted in this moment leaves its test cases without a folder.
    const getFolder = (id: string | null) => (id !== null && known.has(id) ? id : NO_FOLDER)
    return ordered.filter((row) => chosen.has(getFolder(row.folder_id)))
  }
  const ids = new Set(source === 'hand' ? choice.ids : listCaseIds(results, choice.statuses))
  return ordered.filter(({ id }) => ids.has(id))
}

function listCaseIds(results: readonly ResultRow[], statuses: readonly ResultStatus[]): readonly string[] {
  const wanted = new Set(statuses)
  return results.flatMap(({ status, test_case_id }) =>
    test_case_id !== null && wanted.has(status) ? [test_case_id] : [],
  )
}

/** Number of folders that have at least one of the test cases. */
export const countFolders = (rows: readonly TestCaseRow[]): number =>
  new Set(rows.flatMap(({ folder_id }) => folder_id ?? [])).size

/** Returns the last outcome of a test case. @param recent newest first; undefined while it loads */
export const getLastOutcome = (recent: readonly RecentResult[] | undefined): ResultStatus | undefined =>
  recent === undefined ? undefined : (recent.find(({ status }) => status !== 'not_tested')?.status ?? 'not_tested')

/** Counts last outcomes. @returns null until those of all test cases are known */
export function countLastOutcomes(
  rows: readonly TestCaseRow[],
  histories: ReadonlyMap<string, readonly RecentResult[]>,
): StatusCounts | null {
  const outcomes: { id: string; status: ResultStatus }[] = []
  for (const { id } of rows) {
    const status = getLastOutcome(histories.get(id))
    if (status === undefined) return null
    outcomes.push({ id, status })
  }
  return countStatuses(outcomes)
}
