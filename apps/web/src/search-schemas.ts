import { ATTEMPT_STATUSES, PRIORITIES, RESULT_STATUSES, RUN_CHANGES, TEST_CASE_TYPES } from '@caseward/client/endpoints'

import { day, flag, id, manyOf, oneOf, pageNumber, text, texts } from './search-params.ts'

/** Sort orders of the cases page. `tree` is the order of folders and positions, which new runs use. */
export const CASE_SORTS = ['tree', 'number', 'title', 'priority', 'updated', 'field'] as const
export type CaseSort = (typeof CASE_SORTS)[number]

/** Sort orders of the results of a run: that of the folders, and columns. */
export const RESULT_SORTS = ['folder', 'id', 'title', 'elapsed', 'person', 'at'] as const

/** Sort orders of milestones: the tree, and columns. */
export const MILESTONE_SORTS = ['tree', 'name', 'tested', 'start', 'due'] as const

/** Sort orders of runs: the newest first, and columns. */
export const RUN_SORTS = ['newest', 'name', 'tested', 'failed', 'created'] as const

/** Which tests a list shows: all, or those that a test case is linked to, or the others. */
export const TEST_MATCHES = ['all', 'unmatched', 'matched'] as const
export type TestMatch = (typeof TEST_MATCHES)[number]

/** Outcomes by which the tests of a run are filtered. */
export const TEST_OUTCOMES = ['all', ...ATTEMPT_STATUSES, 'flaky'] as const
export type TestOutcomeFilter = (typeof TEST_OUTCOMES)[number]

/** Which users of the instance a list shows. */
export const USER_LISTS = ['all', 'active', 'disabled'] as const

/** What the page of a milestone lists: blockers, or exactly the results that a part of the readiness sentence counts. */
export const BLOCKER_LISTS = ['important', 'failed', 'critical', 'blocked'] as const
export type BlockerListName = (typeof BLOCKER_LISTS)[number]

/** Value of the folder parameter for test cases at the top level. */
export const NO_FOLDER = 'none'

/** Chooses results of a run, and opens one of them. */
const results = {
  status: manyOf(RESULT_STATUSES),
  q: text(),
  folder: id(),
  priority: manyOf(PRIORITIES),
  tag: texts(),
  /** The id of a user, `me`, or `nobody`. */
  assigned: id(),
  /** The place of a configuration of the run. */
  configuration: id(),
  combination_status: manyOf(RESULT_STATUSES),
  /** Only results that lack a field that their status needs. */
  lacks: flag(),
  /** The open result. */
  result: id(),
  /** The place of its combination that is open. */
  combination: id(),
}

/** The parameters of every page that has some. `view` is the id of the view that is open. */
export const searchSchemas = {
  projects: {
    q: text(),
    /** Shows the list to users with one project, which otherwise opens. */
    all: flag(),
    /** Whether the dialog for a new project is open. */
    new: flag(),
    /** Whether test cases are imported into the new project. */
    import: flag(),
  },
  search: { q: text() },
  users: {
    q: text(),
    status: oneOf(USER_LISTS, 'all'),
  },
  /** The audit log of the instance, and of a project. */
  audit: {
    /** The id of a user or CI token. */
    actor: id(),
    action: id(),
    /** The first and the last day. */
    from: day(),
    to: day(),
    /** The open entry. */
    entry: id(),
  },
  cases: {
    folder: id(),
    q: text(),
    priority: manyOf(PRIORITIES),
    type: manyOf(TEST_CASE_TYPES),
    tag: texts(),
    /** Ids of users, or `none`. */
    owner: texts(),
    /** Filters by custom fields: `severity:blocker`, `risk.min:3`. */
    field: texts(),
    sort: oneOf(CASE_SORTS, 'tree'),
    /** The key of the custom field by which the list is sorted. */
    by: text(),
    desc: flag(),
    /** The open test case. */
    case: id(),
    /** The tab of the panel. */
    panel: oneOf(['details', 'versions', 'history', 'tests'], 'details'),
    view: id(),
  },
  sharedStep: { panel: oneOf(['steps', 'versions'], 'steps') },
  import: {
    /** The step; an earlier one is shown if there is no file, as after a reload. */
    step: oneOf(['file', 'columns', 'preview', 'result'], 'file'),
  },
  runs: {
    status: oneOf(['in_progress', 'completed', 'all'], 'all'),
    milestone: id(),
    q: text(),
    sort: oneOf(RUN_SORTS, 'newest'),
    desc: flag(),
    page: pageNumber(),
    view: id(),
  },
  milestones: {
    status: oneOf(['active', 'completed', 'archived', 'all'], 'active'),
    view: oneOf(['list', 'timeline'], 'list'),
    sort: oneOf(MILESTONE_SORTS, 'tree'),
    desc: flag(),
    /** Whether the dialog for a new milestone is open. */
    new: flag(),
    /** The parent of the new milestone. */
    parent: id(),
    /** The milestone in the dialog. */
    edit: id(),
  },
  milestone: {
    /** Whether the milestone is edited. */
    edit: flag(),
    /** Whether the dialog for a new sub-milestone is open. */
    new: flag(),
    /** The results in its list of what stands in the way. */
    list: oneOf(BLOCKER_LISTS, 'important'),
    page: pageNumber(),
  },
  overview: {
    /** The lists of unstable test cases that are shown as a whole. */
    all: manyOf(['new', 'failing', 'flaky']),
  },
  newRun: {
    folder: texts(),
    tag: texts(),
    ids: texts(),
    /** The milestone of the run. */
    milestone: id(),
    /** The run whose test cases are offered. */
    from: id(),
    /** Statuses of the test cases that are taken from it. */
    status: manyOf(RESULT_STATUSES),
  },
  run: {
    ...results,
    /** Only failures that were not failures before. */
    new: flag(),
    sort: oneOf(RESULT_SORTS, 'folder'),
    desc: flag(),
    /** Whether results are shown by configuration. */
    matrix: flag(),
    view: id(),
  },
  compareRuns: {
    base: id(),
    head: id(),
    by: oneOf(['default', 'tests', 'test_cases'], 'default'),
    /** The changes that are shown; by default everything that is different. */
    change: oneOf(['all', ...RUN_CHANGES], 'newly_failing'),
  },
  together: {
    status: manyOf(RESULT_STATUSES),
  },
  runTests: {
    match: oneOf(TEST_MATCHES, 'all'),
    outcome: oneOf(TEST_OUTCOMES, 'all'),
    q: text(),
    /** The open test. */
    test: id(),
    /** Whether the errors outside of tests are shown. */
    errors: flag(),
  },
  tests: {
    match: oneOf(TEST_MATCHES, 'all'),
    q: text(),
    test: id(),
    view: id(),
  },
  execution: results,
} as const
