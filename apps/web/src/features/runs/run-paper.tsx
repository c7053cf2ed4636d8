import type { CombinationRow, ResultRow, Run } from '@caseward/client/endpoints'
import { skipToken, useQuery } from '@tanstack/react-query'

import { queryKeys } from '../../query-keys.ts'
import { formatExactTime } from '../../times.ts'
import { formatNumberOf, formatShare, formatWholeNumber } from '../../ui/format-count.ts'
import { describeCounts, statusNames } from '../../ui/status/statuses.ts'
import { readStatusLetters } from '../configurations/read-status-letters.ts'
import { countTested } from './count-statuses.ts'
import { describeUnmatched, formatErrors } from './run-counts.ts'
import styles from './run-print.module.css'
import { MAX_PRINTED_ROWS, selectProblems } from './run-problems.ts'
import { combinationRowsQuery, type RunData } from './use-run-data.ts'

export interface RunPaperProps {
  data: RunData
  run: Run
}

/** The counts in words, and what did not pass. */
export function RunPaper({ data, run }: RunPaperProps) {
  const { counts, rows, total } = data
  const { test_stats: tests } = run
  const tested = countTested(counts)
  const problems = selectProblems(rows)
  const { data: notes } = useQuery<ReadonlyMap<string, string>>({
    queryKey: queryKeys.printedNotes(run.id),
    queryFn: skipToken,
  })
  const { data: combinations } = useQuery({ ...combinationRowsQuery(run.id), enabled: false })
  return (
    <section className={styles.print} aria-label="Results">
      {total > 0 && (
        <p>
          {formatNumberOf(total, 'test case')}: {describeCounts(counts)}. {formatShare(tested, total)} tested, pass rate{' '}
          {formatShare(counts.passed, tested)}.
        </p>
      )}
      {tests.unmatched > 0 && <p>{describeUnmatched(tests)}.</p>}
      {tests.errors > 0 && <p>{formatErrors(tests.errors)} outside of tests.</p>}
      <p>
        Created {formatExactTime(run.created_at)}.
        {run.completed_at !== null && ` Completed ${formatExactTime(run.completed_at)}.`}
      </p>
      {problems.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>Status</th>
              <th>Test case</th>
              <th>Note</th>
            </tr>
          </thead>
          <tbody>
            {problems
              .slice(0, MAX_PRINTED_ROWS)
              .map(({ id, status, test_case_id, test_case_title, note_line, ...row }) => (
                <tr key={id}>
                  <td>{statusNames[status]}</td>
                  <td>
                    {test_case_id} {test_case_title}
                    {row.combination_statuses !== undefined && (
                      <div>
                        {describeCombinations(
                          combinations?.rows.find((one) => one.id === id),
                          run,
                          row,
                        )}
                      </div>
                    )}
                  </td>
                  <td className={styles.note}>{notes?.get(id) ?? note_line}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {problems.length > MAX_PRINTED_ROWS && <p>And {formatWholeNumber(problems.length - MAX_PRINTED_ROWS)} more.</p>}
    </section>
  )
}

/** What each combination is; without their list, their statuses in the order of the configurations. */
function describeCombinations(
  known: CombinationRow | undefined,
  { configurations = [] }: Run,
  { combination_statuses: letters = '', more_combinations: more }: Partial<ResultRow>,
): string {
  if (known === undefined) {
    const words = readStatusLetters(letters).map((status) => statusNames[status].toLowerCase())
    return `Combinations: ${[...words, ...(more === undefined ? [] : [`and ${formatWholeNumber(more)} more`])].join(', ')}`
  }
  const names = new Map(configurations.map(({ place, name }) => [place, name]))
  return known.statuses
    .map(
      (status, index) => `${names.get(known.configurations[index] ?? 0) ?? ''}: ${statusNames[status].toLowerCase()}`,
    )
    .join(' · ')
}
