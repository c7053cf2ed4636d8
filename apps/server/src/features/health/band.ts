import { BAND_HOURS, type Health } from '@caseward/contract/health-schemas'

import { groupBy } from '../../platform/group-by.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import type { BaseRun } from '../insight-days/base-runs.queries.ts'
import { median } from '../insight-days/figures.ts'

type BandRow = Health['band'][number]
export type RunState = BandRow['segments'][number]['state']

/** How long before the first day a run can say something about it. */
export const BAND_MS = BAND_HOURS * 3_600_000

/** The time that is drawn. */
export interface Span {
  from: Date
  to: Date
}

export const getRunState = ({ excluded, blocking }: Pick<BaseRun, 'excluded' | 'blocking'>): RunState =>
  excluded !== null ? 'excluded' : blocking > 0 ? 'red' : 'green'

/**
 * Builds a row for each series: each run colors the time until the next one, and not for longer than it says something.
 * @param runs the oldest first, also those shortly before the span
 */
export const buildBand = (runs: readonly BaseRun[], span: Span): BandRow[] =>
  [...groupBy(runs, ({ series }) => series)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([series, ofSeries]) => buildRow(series, ofSeries, span))

function buildRow(series: string, runs: readonly BaseRun[], { from, to }: Span): BandRow {
  const segments = runs.flatMap((run, index) => {
    const begin = Math.max(run.created_at.getTime(), from.getTime())
    const next = runs[index + 1]?.created_at.getTime() ?? to.getTime()
    const end = Math.min(next, run.created_at.getTime() + BAND_MS, to.getTime())
    return end > begin ? [{ begin, end, state: getRunState(run), run_id: run.id }] : []
  })
  const sum = (state: RunState) =>
    segments.reduce((total, segment) => total + (segment.state === state ? segment.end - segment.begin : 0), 0)
  const bases = runs.filter(({ excluded }) => excluded === null)
  const recoveries = findRecoveries(bases).filter(({ at }) => at >= from)
  const times = recoveries.map(({ ms }) => ms)
  return {
    series,
    segments: segments.map(({ begin, end, ...segment }) => ({
      from: presentTime(new Date(begin)),
      to: presentTime(new Date(end)),
      ...segment,
    })),
    current: describeCurrent(
      bases.filter(({ created_at: at }) => at >= from || at.getTime() + BAND_MS > from.getTime()),
    ),
    green_ms: sum('green'),
    red_ms: sum('red'),
    recoveries: recoveries.length,
    median_recovery_ms: median(times),
    longest_recovery_ms: times.length === 0 ? null : Math.max(...times),
  }
}

/** The times from the first red run to the next green one. */
function findRecoveries(runs: readonly BaseRun[]): { at: Date; ms: number }[] {
  const recoveries: { at: Date; ms: number }[] = []
  let redSince: Date | null = null
  for (const run of runs) {
    const isRed = run.blocking > 0
    if (isRed) redSince ??= run.created_at
    else if (redSince !== null) {
      recoveries.push({ at: run.created_at, ms: run.created_at.getTime() - redSince.getTime() })
      redSince = null
    }
  }
  return recoveries
}

function describeCurrent(runs: readonly BaseRun[]): BandRow['current'] {
  const newest = runs.at(-1)
  if (newest === undefined) return null
  const isRed = newest.blocking > 0
  const lastOther = runs.findLastIndex(({ blocking }) => blocking > 0 !== isRed)
  return {
    state: isRed ? 'red' : 'green',
    since: presentTime(runs[lastOther + 1]?.created_at ?? newest.created_at),
    blocking_count: newest.blocking,
  }
}
