import type { Import } from '@caseward/client/endpoints'

import styles from '../transfer/import.module.css'

type Losses = NonNullable<Import['planning']>['losses']

/** What is not imported, or not as it was: by name, with examples. */
export function LossList({ losses }: { losses: Losses }) {
  if (losses.length === 0) return <p className={styles.muted}>Nothing gets lost.</p>
  return (
    <ul className={styles.columns}>
      {losses.map(({ code, count, sentence, examples }) => {
        const named = examples
          .map(({ key, title, place }) => [key, title, place].filter(Boolean).join(' '))
          .filter(Boolean)
        return (
          <li key={code} className={styles.column}>
            <div className={styles.columnText}>
              <p className={styles.columnName}>{sentence}</p>
              {named.length > 0 && <p className={styles.examples}>{named.join(', ')}</p>}
            </div>
            <span className={styles.muted}>
              {count.toLocaleString('en')} × {code}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
