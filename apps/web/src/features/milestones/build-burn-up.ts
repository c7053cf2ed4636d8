import type { BurnUp } from '@caseward/client/endpoints'

/** What the chart of a burn-up draws, in percent of its width and height. */
export interface BurnUpChart {
  /** The area of what is tested, and of what failed: points from left to right. */
  executed: readonly Point[]
  failed: readonly Point[]
  /** From today to the day on which everything is tested; empty without a pace. */
  pace: readonly Point[]
  /** Null if the due date is not on the chart. */
  dueLeft: number | null
  firstDay: string
  lastDay: string
}

export interface Point {
  left: number
  /** From the bottom. */
  height: number
}

const DAY_MS = 86_400_000
/** Days after today that are shown at most, so that the past stays readable. */
const MOST_DAYS_AHEAD = 90

const toDay = (day: string) => Math.floor(Date.parse(day) / DAY_MS)
const formatDay = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * Places a burn-up: days from left to right, until today, the due date or the expected day, whichever is last.
 * @param due ISO string
 * @param expected `YYYY-MM-DD`
 */
export function buildBurnUp({ total, days }: BurnUp, due: string | null, expected: string | null): BurnUpChart {
  const first = toDay(days[0]?.day ?? '')
  const today = toDay(days.at(-1)?.day ?? '')
  const limit = today + MOST_DAYS_AHEAD
  const ahead = [due, expected].flatMap((day) => (day === null || toDay(day) > limit ? [] : [toDay(day)]))
  // One day is a point: the chart needs a width.
  const last = Math.max(today, first + 1, ...ahead)
  const toLeft = (day: number) => (100 * (day - first)) / (last - first)
  const toHeight = (count: number) => (total === 0 ? 0 : (100 * count) / total)
  const place = (get: (day: BurnUp['days'][number]) => number): Point[] =>
    days.map((day) => ({ left: toLeft(toDay(day.day)), height: toHeight(get(day)) }))
  const executed = place((day) => day.executed)
  const end = expected === null || toDay(expected) > limit ? null : { left: toLeft(toDay(expected)), height: 100 }
  const now = executed.at(-1)
  return {
    executed,
    failed: place((day) => day.failed),
    pace: now === undefined || end === null ? [] : [now, end],
    dueLeft: due === null || toDay(due) < first || toDay(due) > last ? null : toLeft(toDay(due)),
    firstDay: formatDay(first),
    lastDay: formatDay(last),
  }
}
