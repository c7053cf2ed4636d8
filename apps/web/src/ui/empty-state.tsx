import type { ReactNode } from 'react'

import { Drawing, type DrawingName } from './drawing.tsx'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  children?: ReactNode
  /** Buttons for what can be done here, the main one first. */
  actions?: ReactNode
}

/** Takes the place of a list without rows: what belongs here, and how to begin. */
export const EmptyState = ({ drawing, title, children, actions }: EmptyStateProps) => (
  <div className={styles.empty}>
    <Drawing name={drawing} />
    <h2 className={styles.title}>{title}</h2>
    {children !== undefined && <p className={styles.text}>{children}</p>}
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </div>
)
