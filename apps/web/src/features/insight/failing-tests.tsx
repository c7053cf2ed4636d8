import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Count } from '../../ui/count.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { TestPath } from '../tests/test-path.tsx'
import type { Health } from './describe-band.ts'
import { nameGroup, Since } from './group-parts.tsx'
import { getGroupPath } from './insight-paths.ts'

interface FailingTestsProps {
  projectId: string
  title: string
  tests: Health['newly_failing']
  /** What stands there if there are none. */
  none: string
}

/** The server counts so many runs in a row. */
const MAX_RUNS = 50

/** Tests that fail in the newest base run: why, since when, and who looks after them. */
export const FailingTests = ({ projectId, title, tests: { total, items }, none }: FailingTestsProps) => (
  <section
    aria-label={title}
    style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8, alignContent: 'start' }}
  >
    <h2 style={{ margin: 0, font: 'var(--bold) var(--text-14)' }}>
      {title}
      {total > 0 && (
        <span style={{ color: 'var(--muted)', fontWeight: 'var(--regular)' }}>
          {' '}
          <Count value={total} />
        </span>
      )}
    </h2>
    {items.length === 0 ? (
      <p className={classNames(styles.list, styles.muted)} style={{ maxWidth: 'none', padding: '12px 16px' }}>
        {none}
      </p>
    ) : (
      <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
        {items.map(({ test, run_id: runId, runs, since, cause, owner_name: owner }) => (
          <li key={test.id} className={styles.item}>
            <div className={styles.text} style={{ display: 'grid', gap: 2 }}>
              <Link
                className={styles.name}
                to={paths.runTests(runId, { test: test.id })}
                style={{ display: 'flex', minWidth: 0, minHeight: 24 }}
              >
                <TestPath test={test} />
              </Link>
              <span className={styles.muted} style={{ maxWidth: 'none', overflowWrap: 'anywhere' }}>
                {cause !== null && (
                  <>
                    <Link to={getGroupPath(projectId, cause.signature)} style={{ lineHeight: '24px' }}>
                      {nameGroup(cause)}
                    </Link>
                    {' · '}
                  </>
                )}
                {runs > 1 && `${runs >= MAX_RUNS ? `${MAX_RUNS} runs or more` : formatNumberOf(runs, 'run')} `}
                <Since at={since} />
                {owner !== null && ` · ${owner}`}
              </span>
            </div>
          </li>
        ))}
      </ul>
    )}
    {total > items.length && (
      <p className={styles.muted}>{`The first ${items.length} of ${formatWholeNumber(total)}.`}</p>
    )}
  </section>
)
