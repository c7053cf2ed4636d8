import type { Run } from '@caseward/client/endpoints'
import GitCompare from 'lucide-react/icons/git-compare'
import { Link } from 'react-router'

import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import type { Evaluation } from './failure-queries.ts'
import { describeCounts, describeEvaluation } from './verdict-words.ts'

/** Whether a run blocks, what it was compared with, and what limits what can be said. */
export function EvaluationSummary({ run, evaluation }: { run: Run; evaluation: Evaluation }) {
  const { base, blocking_count: blocking, counts, suite_error_count: errors, warnings } = evaluation
  const counted = describeCounts(counts)
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <div className={styles.bar}>
        <div style={{ display: 'grid', gap: 4, minWidth: 0 }}>
          <h2 style={{ margin: 0, color: blocking > 0 ? 'var(--failed-text)' : 'var(--passed-text)' }}>
            {describeEvaluation(evaluation)}
          </h2>
          <p className={styles.muted} style={{ maxWidth: 'none' }}>
            {counted}
            {counted !== '' && base !== null && ' · '}
            {base !== null && (
              <>
                compared with <Link to={paths.run(base.run_id)}>{base.name}</Link>
                {[base.branch, base.commit?.slice(0, 7)].map((text) =>
                  text === null || text === undefined ? null : <span key={text}> {text}</span>,
                )}
              </>
            )}
          </p>
          {errors > 0 && (
            <p className={styles.failed}>
              <Link to={paths.runTests(run.id, { errors: true })}>
                {formatNumberOf(errors, 'error')} outside of tests
              </Link>
            </p>
          )}
        </div>
        {base !== null && (
          <ButtonLink
            icon={<GitCompare />}
            shortcut={keys.compareWithBase.bindings[0]}
            to={paths.compareRuns(run.project_id, { base: base.run_id, head: run.id })}
          >
            Compare
          </ButtonLink>
        )}
      </div>
      {!evaluation.is_current && (
        <p role="status" className={styles.muted}>
          Newer results have come, and are being looked at.
        </p>
      )}
      {warnings.map(({ code, detail }) => (
        <Banner key={code} tone="info">
          {detail}
        </Banner>
      ))}
    </div>
  )
}
