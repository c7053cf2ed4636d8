import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { classNames } from './class-names.ts'
import styles from './tab-links.module.css'

export interface TabLink {
  /** The URL with this tab. */
  to: string
  label: string
  /** Shown behind the label, such as a count. */
  detail?: ReactNode
  isCurrent: boolean
  /** What the page learns beside its URL. */
  state?: object
}

interface TabLinksProps {
  /** Names the navigation. */
  label: string
  tabs: readonly TabLink[]
  /** Whether a change of the tab is no step of Back. */
  isReplacing?: boolean
}

/** Tabs that are part of the URL. */
export function TabLinks({ label, tabs, isReplacing = false }: TabLinksProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ to, label: text, detail, isCurrent, state }) => (
        <Link
          key={to}
          to={to}
          replace={isReplacing}
          state={state}
          className={classNames(styles.tab, isCurrent && styles.current)}
          aria-current={isCurrent ? 'page' : undefined}
          // Narrow windows have no place for all tabs.
          ref={isCurrent ? scrollIntoView : null}
        >
          {text}
          {detail !== undefined && <span className={styles.detail}>{detail}</span>}
        </Link>
      ))}
    </nav>
  )
}

const scrollIntoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
