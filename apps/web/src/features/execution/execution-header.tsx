import ChevronLeft from 'lucide-react/icons/chevron-left'
import { useMemo } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusCounts } from '../../ui/status/status-counts.tsx'
import { runStatusNames } from '../runs/run-words.ts'
import { describeTimeLeft } from '../runs/sum-estimates.ts'
import { SHOWS_RESULTS } from '../runs/run-start.ts'
import styles from './execution.module.css'
import type { Execution } from './use-execution.ts'

/** The run, and how far it is. */
export function ExecutionHeader({ execution: { runId, data } }: { execution: Execution }) {
  const { run, counts } = data
  const timeLeft = useMemo(() => describeTimeLeft(data.rows), [data.rows])
  if (run.data === undefined) return null
  return (
    <div className={styles.header}>
      <Link className={styles.back} to={paths.run(runId)} state={SHOWS_RESULTS} title={run.data.name}>
        <ChevronLeft />
        <span className={styles.runName}>{run.data.name}</span>
      </Link>
      <span className={styles.meta}>{runStatusNames[run.data.status]}</span>
      {timeLeft !== null && (
        <span className={styles.meta} title={timeLeft.hint}>
          {timeLeft.text}
        </span>
      )}
      <StatusBar counts={counts} size="page" className={styles.bar} />
      <StatusCounts counts={counts} />
    </div>
  )
}
