import { FIRST_PLACE, type Slice } from '../exports/result-records.queries.ts'
import type { ReportUnit } from './report-runs.queries.ts'

/**
 * Returns which results of each unit are on a page of all of them.
 * @param count the number of results of a unit that are listed
 */
export function sliceUnits(
  units: readonly ReportUnit[],
  count: (unit: ReportUnit) => number,
  { offset, limit }: { offset: number; limit: number },
): Slice[] {
  const slices: Slice[] = []
  let start = 0
  for (const unit of units) {
    const end = start + count(unit)
    const from = Math.max(start, offset)
    const to = Math.min(end, offset + limit)
    if (from < to) slices.push({ source: unit.source, after: FIRST_PLACE, skip: from - start, take: to - from })
    start = end
  }
  return slices
}
