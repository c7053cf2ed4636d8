import type { MilestoneStatus } from '@caseward/client/endpoints'

import type { Sort } from '../../ui/table/columns.ts'
import { sortRows, type SortValue } from '../../ui/table/sort-rows.ts'
import { countTested } from '../runs/count-statuses.ts'
import { sumCounts } from '../runs/run-bar-counts.ts'
import type { FullMilestone } from './milestone-queries.ts'

/** A milestone with its place in the tree. */
export interface MilestoneRow {
  readonly milestone: FullMilestone
  /** Null at the top level. */
  readonly parentName: string | null
  readonly subCount: number
}

/**
 * Returns milestones as a tree: each followed by its sub-milestones in the order of their creation. Milestones that are due
 * first come first, those without a due date last. With a status, parents of what matches are kept.
 * @param milestones newest first
 */
export function buildMilestoneRows(
  milestones: readonly FullMilestone[],
  status: MilestoneStatus | 'all',
): MilestoneRow[] {
  const names = new Map(milestones.map(({ id, name }) => [id, name]))
  const subs = new Map<string, FullMilestone[]>()
  for (const milestone of milestones.toReversed()) {
    if (milestone.parent_id === null) continue
    subs.set(milestone.parent_id, [...(subs.get(milestone.parent_id) ?? []), milestone])
  }
  const isShown = (milestone: FullMilestone) => status === 'all' || milestone.status === status
  // A sub-milestone whose parent was not read stands at the top.
  const tops = milestones.filter(({ parent_id: parent }) => parent === null || !names.has(parent)).toSorted(compareDue)
  return tops.flatMap((top) => {
    const all = subs.get(top.id) ?? []
    const shown = all.filter(isShown)
    if (shown.length === 0 && !isShown(top)) return []
    return [
      { milestone: top, parentName: null, subCount: all.length },
      ...shown.map((milestone) => ({ milestone, parentName: top.name, subCount: 0 })),
    ]
  })
}

const getDue = ({ due_date: due }: FullMilestone) => (due === null ? Infinity : Date.parse(due))

function compareDue(a: FullMilestone, b: FullMilestone): number {
  const [dueA, dueB] = [getDue(a), getDue(b)]
  return dueA === dueB ? 0 : dueA - dueB
}

/** Sorts milestones by a column. Sub-milestones leave the place below their parents. */
export function sortMilestoneRows(rows: readonly MilestoneRow[], { column, direction }: Sort): readonly MilestoneRow[] {
  const getValue = ({ milestone }: MilestoneRow): SortValue => {
    if (column === 'tested') {
      const total = sumCounts(milestone.stats)
      return total === 0 ? null : countTested(milestone.stats) / total
    }
    if (column === 'start') return toTimeValue(milestone.start_date)
    return column === 'due' ? toTimeValue(milestone.due_date) : milestone.name
  }
  return sortRows(rows, direction, getValue)
}

const toTimeValue = (date: string | null) => (date === null ? null : Date.parse(date))
