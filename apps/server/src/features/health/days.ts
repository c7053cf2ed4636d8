import type { Health } from '@caseward/contract/health-schemas'

import { groupBy } from '../../platform/group-by.ts'
import { addDays, type LocalClock } from '../../platform/http/time-zones.ts'
import type { BaseRun } from '../insight-days/base-runs.queries.ts'
import { median, percentile } from '../insight-days/figures.ts'

/** What was counted at the end of a day, in UTC. */
export interface CountedDay {
  day: string
  flaky: number
  quarantined: number
  is_limited: boolean
}

/** Lists so many calendar days until a time, the oldest first. */
export function listDays(clock: LocalClock, now: Date, count: number): string[] {
  const today = clock.formatDay(now)
  return Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count))
}

/**
 * Counts each day.
 * @param runs base runs that are not excluded
 */
export function buildDays(
  days: readonly string[],
  clock: LocalClock,
  { runs, counted }: { runs: readonly BaseRun[]; counted: readonly CountedDay[] },
): Health['days'] {
  const byDay = groupBy(runs, ({ created_at: at }) => clock.formatDay(at))
  const countedByDay = new Map(counted.map((entry) => [entry.day, entry]))
  return days.map((day) => {
    const ofDay = byDay.get(day) ?? []
    const sum = (get: (run: BaseRun) => number) => ofDay.reduce((total, run) => total + get(run), 0)
    const [executed, passed] = [sum((run) => run.executed), sum((run) => run.passed)]
    const rates = ofDay.flatMap((run) => (run.executed === 0 ? [] : [run.passed / run.executed]))
    const times = ofDay.flatMap(({ test_ms: elapsed }) => elapsed ?? [])
    const count = countedByDay.get(day)
    return {
      day,
      base_runs: ofDay.length,
      executed,
      passed,
      failed: executed - passed,
      pass_rate: rates.length === 0 ? null : rates.reduce((total, rate) => total + rate, 0) / rates.length,
      median_ms: median(times),
      p95_ms: percentile(times, 0.95),
      flaky: count?.flaky ?? null,
      quarantined: count?.quarantined ?? null,
      is_limited: count?.is_limited ?? false,
    }
  })
}

/** An upload of a CI job. */
export interface JobUpload {
  run_id: string
  job: string
  /** What in the job reported: shard, variant and the like. */
  source: string
  build_attempt: number
  failed_count: number
  elapsed_ms: number | null
  is_excluded: boolean
  at: Date
}

/** A build attempt that turned all failures of the earlier ones of its job. */
export interface LostAttempt {
  at: Date
  machineMs: number
}

/** Finds the build attempts that were needed only because tests flaked. An outage, after which everything passes, is none. */
export function findLostAttempts(uploads: readonly JobUpload[]): LostAttempt[] {
  const jobs = groupBy(uploads, ({ run_id: runId, job }) => `${runId} ${job}`)
  return [...jobs.values()].flatMap((ofJob) => {
    const attempts = [...groupBy(ofJob, ({ build_attempt: number }) => number)].toSorted(([a], [b]) => a - b)
    const newest = new Map<string, JobUpload>()
    for (const [, ofAttempt] of attempts) for (const upload of ofAttempt) newest.set(upload.source, upload)
    if ([...newest.values()].some(({ failed_count: failed }) => failed > 0)) return []
    let hasFailed = false
    return attempts.flatMap(([, ofAttempt]) => {
      const isLost = hasFailed
      hasFailed ||= ofAttempt.some(({ failed_count: failed, is_excluded: isOutage }) => failed > 0 && !isOutage)
      const machineMs = ofAttempt.reduce((total, { elapsed_ms: elapsed }) => total + (elapsed ?? 0), 0)
      return isLost ? [{ at: new Date(Math.max(...ofAttempt.map(({ at }) => at.getTime()))), machineMs }] : []
    })
  })
}

/** The Monday of the week of a day. */
const toMonday = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** Counts each week of the days. */
export function buildWeeks(days: readonly string[], clock: LocalClock, lost: readonly LostAttempt[]): Health['weeks'] {
  const byWeek = groupBy(lost, ({ at }) => toMonday(clock.formatDay(at)))
  return [...new Set(days.map(toMonday))].map((week) => {
    const ofWeek = byWeek.get(week) ?? []
    return {
      week,
      build_attempts: ofWeek.length,
      machine_ms: ofWeek.reduce((total, { machineMs }) => total + machineMs, 0),
    }
  })
}
