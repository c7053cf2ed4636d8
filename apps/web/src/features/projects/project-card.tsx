import type { MyProject } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { createMay } from '../../rights.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { Time } from '../../ui/time.tsx'
import { getBarCounts, sumCounts } from '../runs/run-bar-counts.ts'
import { describeUnmatched, formatErrors } from '../runs/run-counts.ts'
import styles from './project-card.module.css'

/** A project with its sizes, its last run and the course of its pass rate. All of it is a link to the project. */
export function ProjectCard({ project }: { project: MyProject }) {
  const { id, name, prefix, test_case_count, run_count, member_count, last_run, pass_rates } = project
  const counts = [
    formatNumberOf(test_case_count, 'case'),
    formatNumberOf(run_count, 'run'),
    formatNumberOf(member_count, 'member'),
  ]
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <h2 className={styles.name} title={name}>
          <Link className={styles.link} to={paths.project(id)}>
            {name}
          </Link>
        </h2>
        <span className={styles.prefix}>{prefix}</span>
      </div>
      <p className={styles.counts}>{counts.join(' · ')}</p>
      {last_run === null ? (
        <WithoutRun project={project} />
      ) : (
        <>
          <LastRun run={last_run} />
          {pass_rates.length > 1 && (
            <div className={styles.trend}>
              <Sparkline label={`Pass rate of the last ${pass_rates.length} runs`} values={pass_rates} width={160} />
              <span aria-hidden="true">{`${pass_rates.length} runs`}</span>
            </div>
          )}
        </>
      )}
    </li>
  )
}

function LastRun({ run }: { run: NonNullable<MyProject['last_run']> }) {
  const counts = getBarCounts(run)
  const total = sumCounts(counts)
  const tested = total - counts.not_tested
  const { test_stats: tests } = run
  return (
    <div className={styles.run}>
      <p className={styles.runHead}>
        <Link className={styles.runName} to={paths.run(run.id)} title={run.name}>
          {run.name}
        </Link>
        <span className={styles.muted}>
          <Time at={run.created_at} />
        </span>
      </p>
      <StatusBar counts={counts} />
      <p className={styles.figures}>
        {tested > 0 && (
          <span>
            <span className={styles.muted}>Pass rate</span> {formatShare(counts.passed, tested)}
          </span>
        )}
        {tested < total && (
          <span>
            {formatShare(tested, total)} <span className={styles.muted}>tested</span>
          </span>
        )}
      </p>
      {tests.errors > 0 && <p className={styles.failure}>{formatErrors(tests.errors)}</p>}
      {tests.unmatched > 0 && (
        <p className={(tests.unmatched_stats?.failed ?? 0) > 0 ? styles.failure : styles.muted}>
          {describeUnmatched(tests)}
        </p>
      )}
    </div>
  )
}

function WithoutRun({ project }: { project: MyProject }) {
  const may = createMay([project], project.id)
  const isEmpty = project.test_case_count === 0
  return (
    <div className={styles.without}>
      <p className={styles.muted}>{isEmpty ? 'No test cases yet' : 'No run yet'}</p>
      <div className={styles.actions}>
        {isEmpty && may('test-cases:edit') && (
          <ButtonLink className={styles.action} to={paths.cases(project.id)}>
            Add test cases
          </ButtonLink>
        )}
        {may('runs:open-and-close') && (
          <ButtonLink className={styles.action} to={paths.newRun(project.id)}>
            Start a run
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
