import type { Blocker, Run } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from '../runs/count-statuses.ts'
import { getBarCounts, sumCounts } from '../runs/run-bar-counts.ts'
import { getRunStart } from '../runs/run-start.ts'
import { RunTestFacts } from '../runs/run-test-facts.tsx'
import { priorityNames } from '../test-cases/case-words.ts'
import type { FullMilestone } from './milestone-queries.ts'
import styles from './milestone.module.css'
import { PhaseWord } from './phase-word.tsx'

/** Failed and blocked results, each with the priority of its test case and its run. */
export const BlockerList = ({ blockers }: { blockers: readonly Blocker[] }) => (
  <ul>
    {blockers.map(({ run_id, run_name, result_id, test_case_id, title, priority, status, note_line }) => (
      <li key={result_id} className={styles.row}>
        <StatusGlyph status={status} />
        <span className={styles.what}>
          <Link
            className={styles.name}
            to={paths.run(run_id, { status: [status], result: result_id })}
            title={test_case_id === null ? title : `${test_case_id} ${title}`}
          >
            {test_case_id !== null && <span className={styles.id}>{test_case_id} </span>}
            {title}
          </Link>
          {note_line !== null && (
            <span className={styles.note} title={note_line}>
              {note_line}
            </span>
          )}
        </span>
        <span className={styles.priority}>{priority === null ? 'Deleted' : priorityNames[priority]}</span>
        <span className={styles.run} title={run_name}>
          {run_name}
        </span>
      </li>
    ))}
  </ul>
)

/** The runs that are linked to the milestone or to one of its sub-milestones. */
export const LinkedRuns = ({ runs }: { runs: readonly Run[] }) => (
  <ul>
    {runs.map((run) => (
      <li key={run.id} className={styles.row}>
        <span className={styles.what}>
          <Link className={styles.name} to={getRunStart(run)} title={run.name}>
            {run.name}
          </Link>
          {(run.test_stats.unmatched > 0 || run.test_stats.errors > 0) && <RunTestFacts run={run} />}
        </span>
        <StatusBar className={styles.bar} counts={getBarCounts(run)} />
        <span className={styles.figure}>
          {formatShare(countTested(getBarCounts(run)), sumCounts(getBarCounts(run)))}
          <VisuallyHidden> tested</VisuallyHidden>
        </span>
        <span className={styles.run}>{run.status === 'completed' ? 'Completed' : <Time at={run.created_at} />}</span>
      </li>
    ))}
  </ul>
)

/** Sub-milestones in the order of their creation. */
export const SubMilestones = ({ projectId, subs }: { projectId: string; subs: readonly FullMilestone[] }) => (
  <ul>
    {subs.map((milestone) => (
      <li key={milestone.id} className={styles.row}>
        <span className={styles.what}>
          <Link className={styles.name} to={paths.milestone(projectId, milestone.id)} title={milestone.name}>
            {milestone.name}
          </Link>
        </span>
        <PhaseWord row={{ milestone, parentName: null, subCount: 0 }} />
        <StatusBar className={styles.bar} counts={milestone.stats} />
        <span className={styles.figure}>
          {formatShare(countTested(milestone.stats), sumCounts(milestone.stats))}
          <VisuallyHidden> tested</VisuallyHidden>
        </span>
      </li>
    ))}
  </ul>
)
