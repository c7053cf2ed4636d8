import { Link } from 'react-router'

import { formatDuration } from '../../times.ts'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import type { Health } from './describe-band.ts'
import { getTabPath } from './insight-paths.ts'

interface FlakyFiguresProps {
  projectId: string
  health: Pick<Health, 'days' | 'weeks'>
  dayCount: number
}

/** What flaky tests cost in a line: "Flaky 14 · Quarantined 6 · 11 builds again in 30 days, 3 h 20 min". */
export function FlakyFigures({ projectId, health: { days, weeks }, dayCount }: FlakyFiguresProps) {
  const newest = days.findLast(({ flaky }) => flaky !== null)
  const builds = weeks.reduce((sum, { build_attempts: attempts }) => sum + attempts, 0)
  const machineMs = weeks.reduce((sum, { machine_ms: machine }) => sum + machine, 0)
  if (newest === undefined && builds === 0) return null
  return (
    <p className={styles.muted} style={{ margin: 0, maxWidth: 'none' }}>
      {newest !== undefined && (
        <>
          <Link to={getTabPath(projectId, 'flaky')}>{`Flaky ${formatWholeNumber(newest.flaky ?? 0)}`}</Link>
          {' · '}
          <Link to={getTabPath(projectId, 'quarantine')}>
            {`Quarantined ${formatWholeNumber(newest.quarantined ?? 0)}`}
          </Link>
        </>
      )}
      {newest !== undefined && builds > 0 && ' · '}
      {builds > 0 &&
        `${formatNumberOf(builds, 'build')} again in ${formatNumberOf(dayCount, 'day')}${machineMs === 0 ? '' : `, ${formatDuration(machineMs / 1000)}`}`}
    </p>
  )
}
