import { Link } from 'react-router'

import { formatWholeNumber } from './format-count.ts'
import styles from './pagination.module.css'

interface PaginationProps {
  /** From 1. */
  page: number
  perPage: number
  total: number
  /** Builds the URL of a page. */
  buildPath: (page: number) => string
}

/** The way to the other pages of a list. Nothing if there is one page only. */
export function Pagination({ page, perPage, total, buildPath }: PaginationProps) {
  const pages = Math.ceil(total / perPage)
  if (pages <= 1) return null
  const first = (page - 1) * perPage + 1
  const last = Math.min(page * perPage, total)
  return (
    <nav className={styles.pagination} aria-label="Pages">
      {page > 1 && (
        <Link className={styles.link} to={buildPath(page - 1)} rel="prev">
          Previous
        </Link>
      )}
      <span className={styles.range}>
        {formatWholeNumber(first)} to {formatWholeNumber(last)} of {formatWholeNumber(total)}
      </span>
      {page < pages && (
        <Link className={styles.link} to={buildPath(page + 1)} rel="next">
          Next
        </Link>
      )}
    </nav>
  )
}
