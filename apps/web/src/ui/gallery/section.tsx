import type { ReactNode } from 'react'

import { classNames } from '../class-names.ts'
import styles from './gallery.module.css'

interface SectionProps {
  title: string
  children: ReactNode
  /** Whether the content reaches the border of the card. */
  isFlush?: boolean
}

/** A group of components. */
export const Section = ({ title, children, isFlush = false }: SectionProps) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    <div className={classNames(styles.card, isFlush && styles.flush)}>{children}</div>
  </section>
)

export const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>
