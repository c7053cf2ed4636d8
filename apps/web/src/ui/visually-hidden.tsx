import type { ReactNode } from 'react'

import styles from './visually-hidden.module.css'

interface VisuallyHiddenProps {
  /** The name of the element. */
  as?: 'span' | 'h1'
  children: ReactNode
}

/** Text for screen readers only. */
export const VisuallyHidden = ({ as: Element = 'span', children }: VisuallyHiddenProps) => (
  <Element className={styles.hidden}>{children}</Element>
)
