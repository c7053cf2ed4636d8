import { MAX_REPORTED, REPORT_CELLS, type Report } from '@caseward/contract/report'
import { MAX_BAND_RUNS } from '@caseward/contract/health-schemas'

import type { Database } from '../../platform/database/connect.ts'
import { addDays, createLocalClock, requireTimeZone } from '../../platform/http/time-zones.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import { countGone } from '../drift/read-drift.ts'
import { BAND_MS, buildBand, type Span } from '../health/band.ts'
import { selectBaseRuns } from '../insight-days/base-runs.queries.ts'
import { createSpeedCache, readSpeed } from '../speed/read-speed.ts'
import {
  readFlaky,
  readReadiness,
  selectByHandRuns,
  selectEnding,
  selectNewCauses,
  selectProject,
} from './report.queries.ts'

/**
 * Reads what happened in a project in the last days; undefined when it is gone.
 * @throws {Problem} 400 for an unknown time zone
 */
export async function readReport(
  db: Database,
  projectId: string,
  { days = 7, time_zone: timeZone }: { days?: number; time_zone?: string },
  now: Date,
): Promise<Report | undefined> {
  const clock = createLocalClock(requireTimeZone(timeZone))
  const from = clock.findMidnight(addDays(clock.formatDay(now), 1 - days))
  const project = await selectProject(db, projectId, from)
  if (project === undefined) return undefined
  const { branch } = await findDefaultBranch(db, projectId)
  const runs = await selectBaseRuns(db, projectId, {
    branch,
    from: new Date(from.getTime() - BAND_MS),
    until: new Date(now.getTime() + 1),
    withExcluded: true,
    limit: MAX_BAND_RUNS,
  })
  const slower = await readSpeed(db, createSpeedCache(), projectId, { kind: 'slower' })
  return {
    project_name: project.name,
    from: presentTime(from),
    to: presentTime(now),
    run_count: project.run_count,
    branch,
    green: buildBand(runs.toReversed(), { from, to: now }).map((row) => toGreen(row, { from, to: now })),
    new_causes: await selectNewCauses(db, projectId, from),
    flaky: await readFlaky(db, projectId, from),
    ending: await selectEnding(db, projectId, now),
    slower: slower.data
      .slice(0, MAX_REPORTED)
      .map(({ test, before_ms: before, now_ms: after }) => ({ test, before_ms: before ?? 0, now_ms: after ?? 0 })),
    gone_count: await countGone(db, projectId, now),
    by_hand: await selectByHandRuns(db, projectId, from),
    readiness: await readReadiness(db, projectId, now),
  }
}

type BandRow = ReturnType<typeof buildBand>[number]
type Cell = Report['green'][number]['cells'][number]

function toGreen({ series, segments, current, green_ms: green, red_ms: red }: BandRow, { from, to }: Span) {
  const part = (to.getTime() - from.getTime()) / REPORT_CELLS
  const cells = Array.from({ length: REPORT_CELLS }, (_, index): Cell => {
    const [begin, end] = [from.getTime() + index * part, from.getTime() + (index + 1) * part]
    const states = segments.filter((segment) => Date.parse(segment.from) < end && Date.parse(segment.to) > begin)
    // What is red for a while must not be hidden by what is green for longer.
    return (
      (['red', 'green', 'excluded'] as const).find((state) => states.some((segment) => segment.state === state)) ??
      'none'
    )
  })
  return {
    series,
    cells,
    green_share: green + red === 0 ? null : green / (green + red),
    state: current?.state ?? null,
    since: current?.since ?? null,
  }
}
