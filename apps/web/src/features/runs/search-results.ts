import type {
  CombinationRow,
  Folder,
  Priority,
  RecentResult,
  ResultRow,
  ResultStatus,
} from '@caseward/client/endpoints'

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
  /** A place in the run: test cases that are tested with it. */
  readonly configuration: string | null
  /** Test cases with a combination of any of these statuses, with the configuration if there is one. */
  readonly combination_status: readonly ResultStatus[]
  /** Only results that lack a field that their status needs. */
  readonly lacks: boolean
}

/** What a run's page shows: the parameters of its URL. */
export interface ResultView extends ResultFilter {
  readonly status: readonly ResultStatus[]
  readonly q: string
}

/** No filter at all. */
export const noResultFilter: ResultView = {
  status: [],
  q: '',
  folder: null,
  priority: [],
  tag: [],
  assigned: null,
  configuration: null,
  combination_status: [],
  lacks: false,
}

/** Whether a filter asks for combinations. */
export const asksForCombinations = ({ configuration, combination_status: statuses }: ResultFilter): boolean =>
  configuration !== null || statuses.length > 0

/** What the button of the filters in menus says: how many are set. */
export function describeFilterCount(filter: ResultFilter): string {
  const chosen = [filter.folder, filter.assigned, filter.configuration].filter((value) => value !== null)
  const lists = [filter.priority, filter.tag, filter.combination_status].filter((values) => values.length > 0)
  const count = chosen.length + lists.length + (filter.lacks ? 1 : 0)
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

/** The combinations of results by their id. */
export type Combinations = ReadonlyMap<string, CombinationRow>

/** Finds the combinations of a result that a filter asks for: their places in its row. */
export function createCombinationFilter(view: ResultFilter): (row: CombinationRow) => readonly number[] {
  const statuses = new Set(view.combination_status)
  const configuration = view.configuration === null ? null : Number(view.configuration)
  return ({ configurations, statuses: own }) =>
    own.flatMap((status, index) =>
      (configuration === null || configurations[index] === configuration) &&
      (statuses.size === 0 || statuses.has(status))
        ? [index]
        : [],
    )
}

/** Creates the test of a view. @param combinations what is known of them; needed for filters that ask for them */
export function createResultFilter(
  folders: readonly Folder[],
  view: ResultView,
  combinations?: Combinations,
): (row: ResultRow) => boolean {
  const isInFolder = createFolderTest(view.folder, folders)
  const words = toSearchWords(view.q)
  const statuses = new Set(view.status)
  const tags = new Set(view.tag)
  const priorities = new Set<Priority | null>(view.priority)
  const findCombinations = createCombinationFilter(view)
  const hasCombination = ({ id }: ResultRow) => {
    const own = combinations?.get(id)
    return own !== undefined && findCombinations(own).length > 0
  }
  const isAssigned = ({ id, assigned_to: assignee }: ResultRow) =>
    view.assigned === null ||
    (assignee ?? NOBODY) === view.assigned ||
    combinations?.get(id)?.assigned_to?.includes(view.assigned) === true
  const needsCombination = asksForCombinations(view)
  return (row) =>
    (statuses.size === 0 || statuses.has(row.status)) &&
    (priorities.size === 0 || priorities.has(row.priority)) &&
    (!view.lacks || row.lacks_fields === true) &&
    isInFolder(row.folder_id) &&
    isAssigned(row) &&
    (tags.size === 0 || row.tags.some((tag) => tags.has(tag))) &&
    matchesText(row, words) &&
    (!needsCombination || hasCombination(row))
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
