import styles from './history-strip.module.css'
import { type Status, statusNames } from './statuses.ts'

const WIDTH = 5
const GAP = 2
const HEIGHT = 14

/** Heights differ, so that the outcome does not depend on colour alone: what passed is low. */
const heights: Record<Status, number> = { passed: 9, failed: 14, blocked: 12, retest: 12, not_tested: 4 }
/** A place without a result: the line on which the others stand. */
const NO_RESULT = 2

interface HistoryStripProps {
  /** The latest results, the oldest first. Missing while they load. */
  statuses: readonly Status[] | undefined
  /** The number of places, so that the strip does not change its width. */
  places?: number
}

/** The latest results of a test case, the newest at the right. */
export function HistoryStrip({ statuses, places = 10 }: HistoryStripProps) {
  const width = places * (WIDTH + GAP) - GAP
  const shown = statuses?.slice(-places) ?? []
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      {...(statuses === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': describe(shown) })}
    >
      {Array.from({ length: places - shown.length }, (_, index) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- the places have no other identity
          key={`empty ${index}`}
          className={styles.empty}
          x={index * (WIDTH + GAP)}
          y={HEIGHT - NO_RESULT}
          width={WIDTH}
          height={NO_RESULT}
          rx={1}
        />
      ))}
      {shown.map((status, index) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- the places have no other identity
          key={index}
          className={styles[status]}
          x={(places - shown.length + index) * (WIDTH + GAP)}
          y={HEIGHT - heights[status]}
          width={WIDTH}
          height={heights[status]}
          rx={1}
        />
      ))}
    </svg>
  )
}

const describe = (statuses: readonly Status[]): string =>
  statuses.length === 0
    ? 'No results yet'
    : `Latest results, newest first: ${statuses
        .toReversed()
        .map((status) => statusNames[status].toLowerCase())
        .join(', ')}`
