import type { ReactNode } from 'react'

import styles from './case-editor.module.css'

/** A field that the user may not change. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt className={styles.label}>{name}</dt>
    <dd>{children}</dd>
  </div>
)
