import { type ReactNode, useEffect, useState } from 'react'

import styles from './skeleton.module.css'

/** Loading that takes less is not shown, because a flash looks slower. */
const DELAY_MS = 150

/** Shows the shape of what is loading, after 150 ms. Screen readers hear what is loading. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={label}>
      {isShown && children}
    </div>
  )
}

interface SkeletonProps {
  /** Of the final text. */
  width?: number | string
  height?: number | string
}

/** A grey line in the place of a text. */
export const Skeleton = ({ width = '100%', height = 10 }: SkeletonProps) => (
  <span className={styles.line} style={{ width, height }} />
)

/** Lines of different lengths, so that the list does not look like a grid. */
const widths = ['62%', '48%', '71%', '55%', '40%', '66%', '52%', '45%']

/** The rows of a list with their final height. */
export const SkeletonRows = ({ count = 8 }: { count?: number }) => (
  <div>
    {Array.from({ length: count }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all rows are equal
      <div key={index} className={styles.row}>
        <Skeleton width={44} />
        <Skeleton width={widths[index % widths.length] ?? '50%'} />
      </div>
    ))}
  </div>
)
