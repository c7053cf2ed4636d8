import { RESULT_STATUSES, type StatusCounts } from '@caseward/client/endpoints'

/** Returns `1 result`, `2 results`. */
export const pluralize = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Returns `3 passed, 1 not tested`: every status that has results, in the order of the statuses. */
export const formatStatusCounts = (
  stats: StatusCounts,
  statuses: readonly (keyof StatusCounts)[] = RESULT_STATUSES,
): string =>
  statuses
    .filter((status) => stats[status] > 0)
    .map((status) => `${stats[status]} ${status.replace('_', ' ')}`)
    .join(', ')

/** Returns the address of the tests of a run that match no test case. */
export const getUnmatchedTestsUrl = (runUrl: string): string => `${runUrl}/tests?matched=false`

/** Returns the command that creates test cases for the unmatched tests of a run. */
export const formatCreateCasesCommand = (runId: string): string => `caseward tests create-cases --run ${runId}`
