import type { Health as PartialHealth } from '@caseward/client/endpoints'

import { formatShare } from '../../ui/format-count.ts'
import { formatDuration } from '../../times.ts'

/** Everything about a branch; without `fields`, the server returns all of it. */
export type Health = Required<PartialHealth>
export type HealthBand = Pick<Health, 'branch' | 'band'>
export type BandSeries = Health['band'][number]

/** Names a suite; runs without one are all of the branch. */
export const nameSeries = (series: string, branch: string | null): string =>
  series === '' ? (branch ?? 'Runs without a branch') : series

/** How a suite is now: "green for 26 h", "red for 2 h 10 min, 3 failures". */
export function describeCurrent({ current }: BandSeries, now: number): string {
  if (current === null) return 'no run in these days'
  const age = `${current.state} for ${formatAge((now - Date.parse(current.since)) / 1000)}`
  if (current.state === 'green') return age
  return `${age}, ${current.blocking_count === 1 ? '1 failure' : `${current.blocking_count.toLocaleString('en')} failures`}`
}

/**
 * What its time was: "94 % green, back in 1 h 10 min (median), longest 9 h".
 * @param days how many days that is about, where the page does not say it
 */
export function describePast(
  { green_ms: green, red_ms: red, median_recovery_ms: median, longest_recovery_ms: longest }: BandSeries,
  days?: number,
): string {
  const period = days === undefined ? '' : ` in ${days} days`
  return [
    ...(green + red === 0 ? [] : [`${formatShare(green, green + red)} green${period}`]),
    ...(median === null ? [] : [`back in ${formatAge(median / 1000)} (median)`]),
    ...(longest === null ? [] : [`longest ${formatAge(longest / 1000)}`]),
  ].join(', ')
}

const DAY_SECONDS = 86_400

/** Durations of days have no minutes. */
const formatAge = (seconds: number): string =>
  seconds < 3 * DAY_SECONDS ? formatDuration(seconds) : `${Math.floor(seconds / DAY_SECONDS)} days`
