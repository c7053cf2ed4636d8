import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatMilliseconds } from '../../times.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { AttemptGlyph, AttemptMarks } from './attempt-marks.tsx'
import { TestPath } from './test-path.tsx'
import type { TestRow } from './test-row.ts'
import styles from './tests.module.css'

const outcome: Column<TestRow> = {
  id: 'outcome',
  head: 'Outcome',
  isHeadHidden: true,
  width: 14,
  isLeading: true,
  render: (test) => test.outcome !== null && <AttemptGlyph status={test.outcome.outcome} />,
}
const test: Column<TestRow> = { id: 'test', head: 'Test', render: (row) => <TestPath test={row} /> }
const attempts: Column<TestRow> = {
  id: 'attempts',
  head: 'Attempts',
  width: 172,
  render: (row) => renderAttempts(row),
}
const elapsed: Column<TestRow> = {
  id: 'elapsed',
  head: 'Time',
  width: 64,
  align: 'end',
  hiddenBelow: 860,
  render: (row) => {
    const elapsedMs = row.outcome?.elapsed_ms ?? null
    return <span className={styles.muted}>{elapsedMs === null ? null : formatMilliseconds(elapsedMs)}</span>
  },
}
const testCase: Column<TestRow> = {
  id: 'case',
  head: 'Test case',
  width: 84,
  render: ({ test_case_ids: ids }) =>
    ids.length === 0 ? null : (
      <span className={styles.id} title={ids.join(', ')}>
        {ids.length === 1 ? ids[0] : `${ids[0]} +${ids.length - 1}`}
      </span>
    ),
}
const run: Column<TestRow> = {
  id: 'run',
  head: 'Latest run',
  width: 150,
  hiddenBelow: 1000,
  render: (row) =>
    row.run !== null && (
      <Link className={styles.run} to={paths.runTests(row.run.id, { test: row.id })} tabIndex={-1} title={row.run.name}>
        {row.run.name}
      </Link>
    ),
}
const age: Column<TestRow> = {
  id: 'age',
  head: 'Ran',
  width: 72,
  align: 'end',
  render: (row) => <span className={styles.muted}>{row.outcome !== null && <Time at={row.outcome.tested_at} />}</span>,
}

/** The columns of the tests of a run, and of a project. */
export const runTestColumns: readonly Column<TestRow>[] = [outcome, test, attempts, elapsed, testCase, age]
export const projectTestColumns: readonly Column<TestRow>[] = [outcome, test, attempts, elapsed, testCase, run, age]

/** One attempt needs no words: the outcome says it. */
const renderAttempts = ({ outcome: latest, attempts: statuses }: TestRow) => {
  if (latest === null || latest.attempt_count <= 1) return null
  const words = formatNumberOf(latest.attempt_count, 'attempt')
  return (
    <span title={latest.is_flaky ? `${words}, flaky` : words}>
      {statuses !== null && <AttemptMarks statuses={statuses} />}
      <span className={classNames(styles.attempts, statuses !== null && styles.besideMarks)}>{words}</span>
      {latest.is_flaky && <span className={styles.flaky}>flaky</span>}
    </span>
  )
}
