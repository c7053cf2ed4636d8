import { paths } from '../../paths.ts'
import { formatSearch, id, oneOf, type Search, text } from '../../search-params.ts'

/* The addresses of Insight, which no page outside of it needs with parameters: every page loads `paths.ts`. */

/** In the URL, in place of a tab. */
export const REPORT = 'report'

/** How far back insight looks. */
export const INSIGHT_DAYS = ['7', '30', '90'] as const

/** The parameters of all tabs. Those of runs stay when the tab changes. */
export const insightSearch = {
  branch: id(),
  /** The suite; `none` for runs without one. */
  series: id(),
  days: oneOf(INSIGHT_DAYS, '30'),
  q: text(),
  sort: oneOf(['newest', 'tests'], 'newest'),
  state: oneOf(['flaky', 'suspect', 'broken'], 'flaky'),
  speed: oneOf(['slow', 'slower', 'faster'], 'slow'),
  drift: oneOf(['moved', 'gone', 'unmatched', 'twice', 'title', 'by_hand'], 'moved'),
  /** The open test. */
  test: id(),
  quarantines: oneOf(['active', 'soon', 'ended'], 'active'),
  /** The id of a user. */
  owner: id(),
} as const

/** Builds the URL of a tab. */
export const getTabPath = (
  projectId: string,
  tab: string,
  search: Partial<Search<typeof insightSearch>> = {},
): string => paths.insight(projectId, `/${tab}${formatSearch(insightSearch, search)}`)

/** Builds the URL of a cause. */
export const getGroupPath = (
  projectId: string,
  signature: string,
  search: Partial<Search<typeof insightSearch>> = {},
): string => getTabPath(projectId, `failures/${encodeURIComponent(signature)}`, search)

/** How far back a report looks. */
export const REPORT_DAYS = ['7', '14', '30'] as const

export const reportSearch = { days: oneOf(REPORT_DAYS, '7') } as const

/** Builds the URL of the report. It is a page of its own, which prints. */
export const getReportPath = (projectId: string, search: Partial<Search<typeof reportSearch>> = {}): string =>
  paths.insight(projectId, `/${REPORT}${formatSearch(reportSearch, search)}`)
