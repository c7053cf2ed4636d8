import { Fragment } from 'react'
import { Link } from 'react-router'

import styles from './folder-path.module.css'

export interface PathPart {
  name: string
  /** Missing for the page that is open. */
  to?: string | undefined
}

/** More parts are hidden in the middle. */
const MAX_PARTS = 4

/** The way to a folder or a page. Long ways lose their middle; all of it is shown on hover. */
export function FolderPath({ parts, label = 'Path' }: { parts: readonly PathPart[]; label?: string }) {
  const isLong = parts.length > MAX_PARTS
  const shown = isLong ? [...parts.slice(0, 1), null, ...parts.slice(2 - MAX_PARTS)] : parts
  return (
    <nav className={styles.path} aria-label={label} title={parts.map(({ name }) => name).join(' › ')}>
      {shown.map((part, index) => (
        <Fragment key={part === null ? '…' : `${part.to ?? ''} ${part.name}`}>
          {index > 0 && (
            <span className={styles.separator} aria-hidden="true">
              ›
            </span>
          )}
          {part === null ? <span className={styles.gap}>…</span> : <PathName part={part} />}
        </Fragment>
      ))}
    </nav>
  )
}

const PathName = ({ part: { name, to } }: { part: PathPart }) =>
  to === undefined ? (
    <span className={styles.name} aria-current="page">
      {name}
    </span>
  ) : (
    <Link className={styles.name} to={to}>
      {name}
    </Link>
  )
