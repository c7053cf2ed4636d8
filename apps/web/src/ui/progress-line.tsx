import { classNames } from './class-names.ts'
import styles from './progress-line.module.css'

interface ProgressLineProps {
  /** Names what is in progress. */
  label: string
  /** From 0 to 1; missing while that is not known. */
  value?: number | undefined
}

/** A thin line at the top of a part of the page, while the old data stays below it. The part must be positioned. */
export const ProgressLine = ({ label, value }: ProgressLineProps) => (
  <div
    className={classNames(styles.line, value === undefined && styles.unknown)}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
  >
    <span className={styles.value} style={value === undefined ? {} : { width: `${value * 100}%` }} />
  </div>
)
