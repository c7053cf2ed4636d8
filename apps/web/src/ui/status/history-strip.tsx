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
  /** Names what is not a history: the statuses are read out in their order. */
  label?: string
}

/** The latest results of a test case, the newest at the right. */
export function HistoryStrip({ statuses, places = 10, label }: HistoryStripProps) {
  const width = places * (WIDTH + GAP) - GAP
  const shown = statuses?.slice(-places) ?? []
  // Neither a strip that is loading nor one of results that are missing.
  if (statuses?.length === 0) {
    return (
      <span className={styles.none} style={{ width }} title={NONE}>
        never run
      </span>
    )
  }
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      {...(statuses === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': describe(shown, label) })}
    >
      {drawBars(shown, places).map(({ look, d }) => (
        <path key={look} className={styles[look]} d={d} />
      ))}
    </svg>
  )
}

type Look = Status | 'empty'

interface Bars {
  readonly look: Look
  readonly d: string
}

const drawn = new Map<string, readonly Bars[]>()

/** Draws all bars of one look as one element: a table creates hundreds of strips while it is scrolled. */
function drawBars(shown: readonly Status[], places: number): readonly Bars[] {
  const key = `${places} ${shown.join()}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  const paths = new Map<Look, string>()
  const looks: Look[] = [...Array.from({ length: places - shown.length }, () => 'empty' as const), ...shown]
  looks.forEach((look, place) => {
    const height = look === 'empty' ? NO_RESULT : heights[look]
    paths.set(look, (paths.get(look) ?? '') + drawBar(place * (WIDTH + GAP), height))
  })
  const bars = Array.from(paths, ([look, d]) => ({ look, d }))
  if (drawn.size >= MAX_DRAWN) drawn.clear()
  drawn.set(key, bars)
  return bars
}

/** Strips whose drawing is kept. Most test cases pass most of the time. */
const MAX_DRAWN = 500

/** A bar with corners of radius 1 that stands on the lower edge. */
const drawBar = (x: number, height: number): string =>
  `M${x + 1} ${HEIGHT - height}h${WIDTH - 2}a1 1 0 0 1 1 1v${height - 2}a1 1 0 0 1 -1 1h${2 - WIDTH}` +
  `a1 1 0 0 1 -1 -1v${2 - height}a1 1 0 0 1 1 -1z`

const NONE = 'No results yet'

function describe(statuses: readonly Status[], label: string | undefined): string {
  const words = statuses.map((status) => statusNames[status].toLowerCase())
  return label === undefined
    ? `Latest results, newest first: ${words.toReversed().join(', ')}`
    : `${label}: ${words.join(', ')}`
}
