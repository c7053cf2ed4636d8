import type { ReactNode } from 'react'

import type { HelpPageName } from '../paths.ts'
import type { DrawingName } from './drawing.tsx'
import { HelpLink } from './help-link.tsx'
import { lazyPart } from './lazy-part.tsx'
import drawingStyles from './drawing.module.css'
import styles from './empty-state.module.css'

/** It is not part of the pages, of which most are not empty. Its place is kept. */
const Drawing = lazyPart(async () => (await import('./drawing.tsx')).Drawing, {
  fallback: (_props: { name: DrawingName }) => (
    <svg className={drawingStyles.drawing} viewBox="0 0 120 88" aria-hidden="true" />
  ),
  isOptional: true,
})

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  /** 1 if it takes the place of a whole page. */
  headingLevel?: 1 | 2
  children?: ReactNode
  /** Buttons for what can be done here, the main one first. */
  actions?: ReactNode
  /** The page of the user guide about what belongs here; null where the page of the app has a link to it already. */
  help: HelpPageName | null
}

/** Takes the place of a list without rows: what belongs here, and how to begin. */
export const EmptyState = ({ drawing, title, headingLevel = 2, children, actions, help }: EmptyStateProps) => (
  <div className={styles.empty}>
    <Drawing name={drawing} />
    {headingLevel === 1 ? <h1 className={styles.title}>{title}</h1> : <h2 className={styles.title}>{title}</h2>}
    {children !== undefined && <p className={styles.text}>{children}</p>}
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    {help !== null && <HelpLink page={help} />}
  </div>
)
