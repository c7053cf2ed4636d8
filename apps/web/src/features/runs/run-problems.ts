import type { ResultRow } from '@caseward/client/endpoints'

/** Longer lists are cut: nobody reads them on paper. */
export const MAX_PRINTED_ROWS = 500

/** What did not pass. */
export const selectProblems = (rows: readonly ResultRow[]): ResultRow[] =>
  rows.filter(({ status }) => status !== 'passed' && status !== 'not_tested')
