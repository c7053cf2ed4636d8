import type { Milestone, MilestoneDetail, MilestoneListItem, MilestoneOverview } from '@caseward/contract/milestones'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { deriveDates, derivePhase, computeProgress, deriveStatus } from './milestone-progress.ts'
import type { MilestoneRow, MilestoneWithSubs } from './milestones.queries.ts'

export function presentListItem(milestone: MilestoneWithSubs): MilestoneListItem {
  const { id, name, description, parent_id, created_at, updated_at, subMilestones } = milestone
  const { start_date, due_date } = deriveDates(milestone, subMilestones)
  return {
    id,
    name,
    description,
    start_date: presentNullableTime(start_date),
    due_date: presentNullableTime(due_date),
    status: deriveStatus(milestone, subMilestones),
    parent_id,
    progress: computeProgress(milestone, subMilestones),
    created_at: presentTime(created_at),
    updated_at: presentTime(updated_at),
  }
}

/** A list item with what `fields=all` adds. */
export function presentFullListItem(milestone: MilestoneWithSubs, now: Date): MilestoneListItem & MilestoneOverview {
  const all = [milestone, ...milestone.subMilestones]
  const sum = (count: (row: MilestoneRow) => number) => all.reduce((total, row) => total + count(row), 0)
  return {
    ...presentMilestone(milestone, now),
    run_count: sum((row) => row.run_count),
    stats: {
      passed: sum((row) => row.passed_count),
      failed: sum((row) => row.failed_count),
      blocked: sum((row) => row.blocked_count),
      retest: sum((row) => row.retest_count),
      not_tested: sum((row) => row.result_count - row.tested_count),
    },
  }
}

export function presentMilestone(milestone: MilestoneWithSubs, now: Date): Milestone {
  const status = deriveStatus(milestone, milestone.subMilestones)
  const phase = derivePhase({ status, ...deriveDates(milestone, milestone.subMilestones) }, now)
  return { ...presentListItem(milestone), phase, date_mode: milestone.date_mode }
}

export function presentMilestoneDetail(
  milestone: MilestoneWithSubs,
  linked_runs: MilestoneDetail['linked_runs'],
  now: Date,
): MilestoneDetail {
  const sub_milestones = milestone.subMilestones.map((subMilestone) => ({
    id: subMilestone.id,
    name: subMilestone.name,
    status: subMilestone.status,
    progress: computeProgress(subMilestone, []),
  }))
  return { ...presentMilestone(milestone, now), linked_runs, sub_milestones }
}
