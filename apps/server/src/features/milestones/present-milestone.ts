import type { Milestone, MilestoneDetail, MilestoneListItem } from '@caseward/contract/milestones'

import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { deriveDates, derivePhase, computeProgress, deriveStatus } from './milestone-progress.ts'
import type { MilestoneWithSubs } from './milestones.queries.ts'

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
