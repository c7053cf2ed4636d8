import { classNames } from '../class-names.ts'
import styles from './status-glyph.module.css'
import { type Status, statusNames } from './statuses.ts'

/** What is drawn into the square, 14 × 14. */
const marks: Record<Status, string> = {
  passed: 'm4 7.2 2.1 2.1L10 5.2',
  failed: 'm4.6 4.6 4.8 4.8m0-4.8L4.6 9.4',
  blocked: 'M3.8 7h6.4',
  retest: 'M9.7 5.5A3.1 3.1 0 1 0 10.1 7.3M10 3.5v2.2H7.8',
  not_tested: '',
}

/** The square of a status, always 14 px. It has the name of the status, unless that stands beside it. */
export function StatusGlyph({ status, isNamed = true }: { status: Status; isNamed?: boolean }) {
  const isHollow = status === 'not_tested'
  return (
    <svg
      className={classNames(styles.glyph, styles[status])}
      viewBox="0 0 14 14"
      width={14}
      height={14}
      {...(isNamed ? { role: 'img', 'aria-label': statusNames[status] } : { 'aria-hidden': true })}
    >
      <rect
        className={isHollow ? styles.frame : styles.square}
        {...(isHollow ? { x: 1.75, y: 1.75, width: 10.5, height: 10.5 } : { x: 1, y: 1, width: 12, height: 12 })}
        rx={3}
      />
      {!isHollow && <path className={classNames(styles.mark, status === 'retest' && styles.thin)} d={marks[status]} />}
    </svg>
  )
}

/** The glyph and the name of a status. */
export const StatusWord = ({ status }: { status: Status }) => (
  <span className={classNames(styles.word, styles[status])}>
    <StatusGlyph status={status} isNamed={false} />
    <span className={styles.text}>{statusNames[status]}</span>
  </span>
)
