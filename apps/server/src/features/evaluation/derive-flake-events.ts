import type { FlakeKind } from '@caseward/contract/stability'
import type { AttemptStatus } from '@caseward/contract/test-fields'

import { findWorst, groupByPlace, type Leg, type Part, type Source } from '../tests/combine-parts.ts'

/** What one source of a run reported of a test. */
export interface FlakePart {
  readonly source: Source
  readonly status: AttemptStatus
  readonly isFlaky: boolean
  readonly testedAt: number
  /** Most tests of its upload failed: it says nothing about single tests. */
  readonly isExcluded: boolean
}

/**
 * Finds what in one run shows that a test is flaky: attempts of one source that failed and passed, or a later build attempt of the
 * same place that ended differently. That it passed in one place and failed in another does not.
 */
export function findFlakeInRun(parts: readonly FlakePart[]): Exclude<FlakeKind, 'commit'> | null {
  const legs = groupByPlace(parts.map((part): FlakeLegPart => ({ ...part, attempts: [] })))
  const usable = legs.map((leg) => (leg.parts as FlakeLegPart[]).filter(({ isExcluded }) => !isExcluded))
  if (usable.some((leg) => leg.some(({ isFlaky }) => isFlaky))) return 'retry'
  return usable.some(hasTurned) ? 'rerun' : null
}

type FlakeLegPart = Leg['parts'][number] & FlakePart

/** Whether one build attempt passed and another failed. Those that could not run say nothing. */
function hasTurned(parts: readonly FlakeLegPart[]): boolean {
  const attempts = new Map<string, Part[]>()
  for (const part of parts) {
    const { buildAttempt, isRerun } = part.source
    const key = isRerun ? `rerun ${part.testedAt}` : `attempt ${buildAttempt}`
    attempts.set(key, [...(attempts.get(key) ?? []), part])
  }
  const statuses = new Set([...attempts.values()].map((attempt) => findWorst(attempt)?.status))
  return statuses.has('passed') && statuses.has('failed')
}

/** What is the same for a source in several runs; the runner that took the job is not. */
const toPlaceKey = ({ job, shard, variant, report, label }: Source): string =>
  JSON.stringify([job, shard, variant, report, label])

/** What the newest build attempt of each place says. */
function getFinalStatuses(parts: readonly FlakePart[]): Map<string, AttemptStatus> {
  const places = new Map<string, FlakePart[]>()
  for (const part of parts) {
    if (part.isExcluded || part.status === 'skipped') continue
    const key = toPlaceKey(part.source)
    places.set(key, [...(places.get(key) ?? []), part])
  }
  const getAttempt = ({ source }: FlakePart) => (source.isRerun ? Infinity : (source.buildAttempt ?? 0))
  return new Map(
    [...places].map(([key, inPlace]) => {
      const newest = Math.max(...inPlace.map(getAttempt))
      const worst = findWorst(inPlace.filter((part) => getAttempt(part) === newest))
      return [key, worst?.status ?? 'skipped']
    }),
  )
}

/** Whether the same source ended differently in two runs of one commit. */
export function endedDifferently(parts: readonly FlakePart[], others: readonly FlakePart[]): boolean {
  const ended = getFinalStatuses(others)
  return [...getFinalStatuses(parts)].some(([key, status]) => {
    const other = ended.get(key)
    return (status === 'passed' && other === 'failed') || (status === 'failed' && other === 'passed')
  })
}
