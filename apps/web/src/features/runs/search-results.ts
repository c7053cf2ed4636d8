import type { Folder, Priority, RecentResult, ResultRow, ResultStatus } from '@caseward/client/endpoints'

import { createTextSearch, toSearchWords } from '../../row-index/search-text.ts'
import { createFolderTest } from '../test-cases/search-cases.ts'

/** The filters that are in menus. */
export interface ResultFilter {
  readonly folder: string | null
  readonly priority: readonly Priority[]
  /** A result whose test case has any of these tags matches. */
  readonly tag: readonly string[]
  /** Whose results are shown: the id of a user, or `nobody`; null for all. */
  readonly assigned: string | null
}

/** What a run's page shows: the parameters of its URL. */
export interface ResultView extends ResultFilter {
  readonly status: readonly ResultStatus[]
  readonly q: string
}

/** No filter at all. */
export const noResultFilter: ResultView = { status: [], q: '', folder: null, priority: [], tag: [], assigned: null }

/** What the button of the filters in menus says: how many are set. */
export function describeFilterCount({ folder, priority, tag, assigned }: ResultFilter): string {
  const count = [folder !== null, priority.length > 0, tag.length > 0, assigned !== null].filter(Boolean).length
  return count === 0 ? 'Filter' : `Filter ${count}`
}

/** The value of the parameter for results that are assigned to nobody. */
export const NOBODY = 'nobody'

/** @param requested the parameter of the URL, in which `me` is the user @returns what {@link ResultView} takes */
export const resolveAssignee = (requested: string | null, myId: string | undefined): string | null =>
  requested === 'me' ? (myId ?? 'me') : requested

const matchesText = createTextSearch<ResultRow>(
  ({ test_case_id, test_case_title, tags, note_line, defect }) =>
    `${test_case_id ?? ''}\n${test_case_title}\n${tags.join('\n')}\n${note_line ?? ''}\n${defect === null ? '' : `${defect.label}\n${defect.url}`}`,
)

/** Creates the test of a view. */
export function createResultFilter(folders: readonly Folder[], view: ResultView): (row: ResultRow) => boolean {
  const isInFolder = createFolderTest(view.folder, folders)
  const words = toSearchWords(view.q)
  const statuses = new Set(view.status)
  const tags = new Set(view.tag)
  const priorities = new Set<Priority | null>(view.priority)
  return (row) =>
    (statuses.size === 0 || statuses.has(row.status)) &&
    (priorities.size === 0 || priorities.has(row.priority)) &&
    isInFolder(row.folder_id) &&
    (view.assigned === null || (row.assigned_to ?? NOBODY) === view.assigned) &&
    (tags.size === 0 || row.tags.some((tag) => tags.has(tag))) &&
    matchesText(row, words)
}

/** The tags of all results, sorted. */
export const collectTags = (rows: readonly ResultRow[]): string[] =>
  [...new Set(rows.flatMap(({ tags }) => tags))].toSorted()

/**
 * Whether a failure is new: the test case did not fail in the last run before in which it was tested.
 * @param earlier its results before this run, newest first; undefined while they are loading
 */
export function isNewFailure(row: ResultRow, earlier: readonly RecentResult[] | undefined): boolean {
  if (row.status !== 'failed' || earlier === undefined) return false
  return earlier.find(({ status }) => status !== 'not_tested')?.status !== 'failed'
}
