import { Count } from '../count.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './status-counts.module.css'
import { StatusGlyph } from './status-glyph.tsx'
import { type StatusCounts as Counts, statuses, statusNames } from './statuses.ts'

interface StatusCountsProps {
  counts: Counts
  /** Whether statuses without results are shown. */
  showsAll?: boolean
}

/** The counts in words. Where the container is narrower than 480 px, sighted users get the glyph and the number. */
export const StatusCounts = ({ counts, showsAll = false }: StatusCountsProps) => (
  <ul className={styles.counts}>
    {statuses
      .filter((status) => showsAll || counts[status] > 0)
      .map((status) => (
        <li key={status} className={styles.count}>
          <StatusGlyph status={status} isNamed={false} />
          <Count value={counts[status]} />
          <span className={styles.name} aria-hidden="true">
            {statusNames[status].toLowerCase()}
          </span>
          <VisuallyHidden>{statusNames[status].toLowerCase()}</VisuallyHidden>
        </li>
      ))}
  </ul>
)
