import { CopyButton } from '../../ui/copy-button.tsx'
import { formatWholeNumber } from '../../ui/format-count.ts'
import { formatRefused, type PreviewRow } from './build-preview.ts'
import styles from './import.module.css'

/** More would make the page slow; the button copies all. */
const MAX_SHOWN = 500

/** The rows that cannot be imported, with every reason. */
export const RefusedList = ({ rows }: { rows: readonly PreviewRow[] }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.refusedArea} role="region" aria-label="Refused rows" tabIndex={0}>
    <ol className={styles.refused}>
      {rows.slice(0, MAX_SHOWN).map(({ row, id, title, errors }) => (
        <li key={row}>
          <span className={styles.refusedRow}>Row {row}</span>
          <span className={styles.refusedText}>
            <span className={styles.refusedTitle}>
              {[id, title].filter((text) => text !== '').join(' ') || 'Without a title'}
            </span>
            {errors.map((error) => (
              <span key={error} className={styles.refusedError}>
                {error}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
    <div className={styles.refusedEnd}>
      {rows.length > MAX_SHOWN && (
        <p className={styles.muted}>
          The first {MAX_SHOWN} of {formatWholeNumber(rows.length)} refused rows.
        </p>
      )}
      <CopyButton text={formatRefused(rows)} label="Copy the list" />
    </div>
  </div>
)
