import type { ReactNode } from 'react'

import type { HelpPageName } from '../paths.ts'
import { Drawing, type DrawingName } from './drawing.tsx'
import { HelpLink } from './help-link.tsx'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  /** 1 if it takes the place of a whole page. */
  headingLevel?: 1 | 2
  children?: ReactNode
  /** Buttons for what can be done here, the main one first. */
  actions?: ReactNode
  /** The page of the user guide about what belongs here. */
  help?: HelpPageName
}

/** Takes the place of a list without rows: what belongs here, and how to begin. */
export const EmptyState = ({ drawing, title, headingLevel = 2, children, actions, help }: EmptyStateProps) => (
  <div className={styles.empty}>
    <Drawing name={drawing} />
    {headingLevel === 1 ? <h1 className={styles.title}>{title}</h1> : <h2 className={styles.title}>{title}</h2>}
    {children !== undefined && <p className={styles.text}>{children}</p>}
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    {help !== undefined && <HelpLink page={help} />}
  </div>
)
