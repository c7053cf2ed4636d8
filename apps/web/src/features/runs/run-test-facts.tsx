import type { Run } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import styles from './run-test-facts.module.css'

interface RunTestFactsProps {
  run: Pick<Run, 'id' | 'test_stats' | 'suite_error_count'>
  /** Links in rows of tables are not reached with Tab. */
  isInRow?: boolean
}

/** What needs attention about the automated tests of a run, with links to it. Nothing for a run without tests. */
export function RunTestFacts({ run, isInRow = false }: RunTestFactsProps) {
  const { id, test_stats: stats, suite_error_count: errorCount } = run
  const facts = [
    {
      text: `${formatCount(stats.flaky)} flaky`,
      to: paths.runTests(id, { outcome: 'flaky' }),
      isShown: stats.flaky > 0,
    },
    {
      text: `${formatCount(stats.unmatched)} unmatched`,
      to: paths.runTests(id, { match: 'unmatched' }),
      isShown: stats.unmatched > 0,
    },
    {
      text: formatNumberOf(errorCount, 'suite error'),
      to: paths.runTests(id, { errors: true }),
      isShown: errorCount > 0,
    },
  ].filter(({ isShown }) => isShown)
  if (facts.length === 0) return null
  return (
    <ul className={styles.facts} aria-label="Automated tests" title={facts.map(({ text }) => text).join(', ')}>
      {facts.map(({ text, to }) => (
        <li key={to} className={styles.fact}>
          <Link className={styles.link} to={to} {...(isInRow ? { tabIndex: -1 } : {})}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}
