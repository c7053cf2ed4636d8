import type { Run } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatCount } from '../../ui/format-count.ts'
import { describeUnmatched, formatErrors } from './run-counts.ts'
import styles from './run-test-facts.module.css'

/** What needs attention about the automated tests of a run, with links to it. Nothing for a run without tests. */
export function RunTestFacts({ run }: { run: Pick<Run, 'id' | 'test_stats'> }) {
  const { id, test_stats: stats } = run
  const facts = [
    {
      text: formatErrors(stats.errors),
      to: paths.runTests(id, { errors: true }),
      isShown: stats.errors > 0,
      isFailure: true,
    },
    {
      text: describeUnmatched(stats),
      to: paths.runTests(id, { match: 'unmatched' }),
      isShown: stats.unmatched > 0,
      isFailure: (stats.unmatched_stats?.failed ?? 0) > 0,
    },
    {
      text: `${formatCount(stats.flaky)} flaky`,
      to: paths.runTests(id, { outcome: 'flaky' }),
      isShown: stats.flaky > 0,
      isFailure: false,
    },
  ].filter(({ isShown }) => isShown)
  if (facts.length === 0) return null
  return (
    <ul className={styles.facts} aria-label="Automated tests" title={facts.map(({ text }) => text).join(', ')}>
      {facts.map(({ text, to, isFailure }) => (
        <li key={to} className={styles.fact}>
          <Link className={classNames(styles.link, isFailure && styles.failure)} to={to}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}
