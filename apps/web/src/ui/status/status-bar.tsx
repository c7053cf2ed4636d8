import { classNames } from '../class-names.ts'
import styles from './status-bar.module.css'
import { describeCounts, divideBar, type StatusCounts } from './statuses.ts'

interface StatusBarProps {
  counts: StatusCounts
  /** 6 px in rows, 10 on the page of a run. */
  size?: 'row' | 'page'
  className?: string | undefined
}

/** The share of each status. What is not tested is the track. Screen readers get the counts. */
export const StatusBar = ({ counts, size = 'row', className }: StatusBarProps) => (
  <span className={classNames(styles.bar, styles[size], className)} role="img" aria-label={describeCounts(counts)}>
    {divideBar(counts)
      .filter(({ status }) => status !== 'not_tested')
      .map(({ status, percent }) => (
        <span key={status} className={styles[status]} style={{ width: `${percent}%` }} />
      ))}
  </span>
)
